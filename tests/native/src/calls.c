/*
 * What happens at the start of every call: the profile is read again when its file changed, the call is written down,
 * and delays, hangs and faults come true.
 */
#include "stand_in.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PROFILE_LOOK_NS = 10000000, HANG_LOOK_US = 2000, HANDLE_BASE = 0x1000, HANDLE_STEP = 0x20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(profile *) active;      /* an old profile is never freed: another thread may still read it */
static struct timespec loaded_at;
static _Atomic int64_t next_look_ns;
static struct stat seen;
static int users, log_file = -2;
static int slots[MAX_DEVICES];         /* visible index -> slot, fixed when the library starts up */
static unsigned visible;

static int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

__attribute__((constructor)) static void on_load(void) { clock_gettime(CLOCK_MONOTONIC, &loaded_at); }

static void give_up(const char *why) {
    fprintf(stderr, "stand-in for libnvidia-ml: %s\n", why);
    abort();
}

/* A profile is replaced by renaming; a half-written or bad one keeps the old, a bad first one ends the program. */
static void look_at_profile(void) {
    const char *path = getenv("GPUCONFIG_NVML_PROFILE");
    char trouble[600];
    struct stat found;
    if (!path) give_up("GPUCONFIG_NVML_PROFILE is not set");
    if (stat(path, &found) == 0) {
        int same = active && found.st_mtim.tv_sec == seen.st_mtim.tv_sec &&
                   found.st_mtim.tv_nsec == seen.st_mtim.tv_nsec && found.st_size == seen.st_size &&
                   found.st_ino == seen.st_ino;
        if (same) return;
    } else if (active) return;
    profile *made = read_profile(path, trouble, sizeof trouble);
    if (made) { active = made; seen = found; }
    else if (!active) give_up(trouble);
}

const profile *current_profile(void) {
    int64_t now = now_ns();
    if (!active || now >= next_look_ns) {
        pthread_mutex_lock(&lock);
        look_at_profile();
        next_look_ns = now + PROFILE_LOOK_NS;
        pthread_mutex_unlock(&lock);
    }
    return active;
}

static double since_load(void) {
    return (double)(now_ns() - (loaded_at.tv_sec * 1000000000LL + loaded_at.tv_nsec)) / 1e9;
}

double seconds(void) {
    const profile *p = active;
    return p && p->frozen_time_s >= 0 ? p->frozen_time_s : since_load();
}

/* One line a call: function, slot, thread. O_APPEND keeps lines of several threads whole. */
static void write_down(const char *function, int slot) {
    if (log_file == -2) {
        const char *path = getenv("GPUCONFIG_NVML_CALLS");
        log_file = path && *path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644) : -1;
    }
    if (log_file < 0) return;
    char line[160];
    int size = snprintf(line, sizeof line, "%s %d %ld\n", function, slot, syscall(SYS_gettid));
    if (write(log_file, line, (size_t)size) < 0) log_file = -1;
}

static int applies(const rule *one, const char *function, int slot) {
    if (slot < one->first || slot > one->last) return 0;
    if (strcmp(one->function, "*") && strcmp(one->function, function)) return 0;
    double now = since_load();
    if (now < one->after_s || now >= one->until_s) return 0;
    return !one->file[0] || (access(one->file, F_OK) == 0) == (one->while_file_is_there != 0);
}

/* The test ends a hang: by the file, or by taking the rule out of the profile. */
static void hang(const char *function, int slot) {
    for (;;) {
        const profile *p = current_profile();
        int still = 0;
        for (int i = 0; i < p->rule_count && !still; i++)
            still = p->rules[i].what == HANG && applies(&p->rules[i], function, slot);
        if (!still) return;
        usleep(HANG_LOOK_US);
    }
}

static answer mishaps(const profile *p, const char *function, int slot) {
    for (int i = 0; i < p->missing_count; i++)
        if (!strcmp(p->missing[i], function)) return FUNCTION_NOT_FOUND;
    for (int i = 0; i < p->rule_count; i++) {
        if (!applies(&p->rules[i], function, slot)) continue;
        if (p->rules[i].what == DELAY) usleep((useconds_t)(p->rules[i].delay_ms * 1000));
        else if (p->rules[i].what == HANG) hang(function, slot);
        else return (answer)p->rules[i].error;
    }
    return DONE;
}

static int is_removed(const profile *p, int slot) {
    for (int i = 0; i < p->removed_count; i++)
        if (p->removed[i] == slot && since_load() >= p->removed_after_s[i]) return 1;
    return 0;
}

answer enter_system(const char *function) {
    const profile *p = current_profile();
    write_down(function, NO_DEVICE);
    answer wrong = mishaps(p, function, NO_DEVICE);
    return wrong != DONE ? wrong : users > 0 ? DONE : UNINITIALIZED;
}

answer enter(const char *function, void *handle, const device **card, int *slot, int *slice_index) {
    const profile *p = current_profile();
    long number = (long)(intptr_t)handle - HANDLE_BASE;
    *slot = (int)(number / HANDLE_STEP);
    *slice_index = (int)(number % HANDLE_STEP) - 1;
    if (number < 0 || *slot >= MAX_DEVICES || *slice_index >= MAX_SLICES) return INVALID_ARGUMENT;
    write_down(function, *slot);
    answer wrong = mishaps(p, function, *slot);
    if (wrong != DONE) return wrong;
    if (users <= 0) return UNINITIALIZED;
    p = current_profile();
    if (*slot >= p->device_count || is_removed(p, *slot)) return GPU_IS_LOST;
    *card = &p->devices[*slot];
    if (*slice_index >= (*card)->slice_count) return NOT_FOUND;
    return DONE;
}

answer start_up(const char *function) {
    const profile *p = current_profile();
    write_down(function, NO_DEVICE);
    answer wrong = mishaps(p, function, NO_DEVICE);
    if (wrong != DONE) return wrong;
    pthread_mutex_lock(&lock);
    if (users++ == 0) {
        p = active;
        visible = 0;
        for (int i = 0; i < p->device_count; i++)
            if (!is_removed(p, i)) slots[visible++] = i;
    }
    pthread_mutex_unlock(&lock);
    return DONE;
}

answer shut_down(void) {
    answer ready = enter_system("nvmlShutdown");
    if (ready != DONE) return ready;
    pthread_mutex_lock(&lock);
    users--;
    pthread_mutex_unlock(&lock);
    return DONE;
}

unsigned visible_devices(void) { return visible; }

int slot_of(unsigned index) { return index < visible ? slots[index] : NO_DEVICE; }

int index_of(int slot) {
    for (unsigned i = 0; i < visible; i++)
        if (slots[i] == slot) return (int)i;
    return NO_DEVICE;
}

void *handle_of(int slot, int slice_index) {
    return (void *)(intptr_t)(HANDLE_BASE + slot * HANDLE_STEP + slice_index + 1);
}
