/*
 * Reading the profile: lines "key = value" under "[system]" and "[device 0]", "[device 2-5]" or "[device *]".
 *
 * README.md beside this folder lists the keys. A line that can't be read makes the whole profile unusable, so that a
 * misspelt test never runs on something else than it says.
 */
#include "stand_in.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { TEXT, HEX, CURVE, SWITCH, MODE, MODEL } kind;

typedef struct {
    const char *key;
    kind kind;
    size_t offset, room;
} field;

#define TEXT_FIELD(member) {#member, TEXT, offsetof(device, member), sizeof(((device *)0)->member)}
#define FIELD(member, how) {#member, how, offsetof(device, member), 0}

static const field FIELDS[] = {
    TEXT_FIELD(name), TEXT_FIELD(uuid), TEXT_FIELD(serial), TEXT_FIELD(pci_bus_id), TEXT_FIELD(vbios),
    FIELD(pci_device, HEX), FIELD(pci_subsystem, HEX),
    FIELD(architecture, CURVE), FIELD(cores, CURVE), FIELD(minor_number, CURVE),
    FIELD(memory_mib, CURVE), FIELD(memory_used_mib, CURVE), FIELD(memory_reserved_mib, CURVE),
    FIELD(utilization_pct, CURVE), FIELD(memory_utilization_pct, CURVE), FIELD(encoder_pct, CURVE),
    FIELD(decoder_pct, CURVE), FIELD(temperature_c, CURVE), FIELD(memory_temperature_c, CURVE),
    FIELD(slowdown_c, CURVE), FIELD(shutdown_c, CURVE), FIELD(power_w, CURVE), FIELD(power_limit_w, CURVE),
    FIELD(power_default_w, CURVE), FIELD(power_min_w, CURVE), FIELD(power_max_w, CURVE), FIELD(fan_pct, CURVE),
    FIELD(fans, CURVE), FIELD(performance_state, CURVE), FIELD(clock_sm_mhz, CURVE), FIELD(clock_memory_mhz, CURVE),
    FIELD(clock_graphics_mhz, CURVE), FIELD(throttle, CURVE), FIELD(pcie_generation, CURVE), FIELD(pcie_width, CURVE),
    FIELD(pcie_max_generation, CURVE), FIELD(pcie_max_width, CURVE), FIELD(pcie_tx_kb, CURVE),
    FIELD(pcie_rx_kb, CURVE), FIELD(pcie_delay_ms, CURVE), FIELD(compute_mode, MODE), FIELD(ecc, SWITCH),
    FIELD(persistence, SWITCH), FIELD(display_active, SWITCH), FIELD(display_attached, SWITCH),
    FIELD(driver_model, MODEL), FIELD(mig_mode, SWITCH), FIELD(nvlinks, CURVE), FIELD(nvlinks_active, CURVE),
    FIELD(nvlink_version, CURVE), FIELD(process_count, CURVE), FIELD(process_growth, CURVE),
    FIELD(process_memory_mib, CURVE),
};

static const struct { const char *word; int code; } ERRORS[] = {
    {"uninitialized", 1}, {"invalid_argument", 2}, {"not_supported", 3}, {"no_permission", 4}, {"not_found", 6},
    {"insufficient_size", 7}, {"insufficient_power", 8}, {"driver_not_loaded", 9}, {"timeout", 10},
    {"irq_issue", 11}, {"library_not_found", 12}, {"function_not_found", 13}, {"corrupted_inforom", 14},
    {"gpu_is_lost", 15}, {"reset_required", 16}, {"operating_system", 17}, {"lib_rm_version_mismatch", 18},
    {"in_use", 19}, {"memory", 20}, {"no_data", 21}, {"argument_version_mismatch", 25}, {"deprecated", 26},
    {"not_ready", 27}, {"gpu_not_found", 28}, {"unknown", 999},
};

typedef struct {
    profile *into;
    int first, last;       /* devices of the section; first > last in [system] */
    char folder[400];
    char *trouble;
    size_t room;
    int line;
} reader;

static int complain(reader *r, const char *format, ...) {
    va_list arguments;
    int used = snprintf(r->trouble, r->room, "line %d: ", r->line);
    va_start(arguments, format);
    vsnprintf(r->trouble + used, r->room - (size_t)used, format, arguments);
    va_end(arguments);
    return 0;
}

static char *trim(char *text) {
    while (isspace((unsigned char)*text)) text++;
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1])) *--end = 0;
    return text;
}

static void copy(char *into, size_t room, const char *text) { snprintf(into, room, "%s", text); }

static int read_curve(const char *text, curve *into) {
    char word[32] = "", rest[2];
    double a = 0, b = 0, c = 1;
    if (!strcmp(text, "n/a")) { *into = (curve){ABSENT, 0, 0, 1}; return 1; }
    if (sscanf(text, "%lf %1s", &a, rest) == 1) { *into = (curve){CONSTANT, a, a, 1}; return 1; }
    if (sscanf(text, "%31s %lf %lf %lf %1s", word, &a, &b, &c, rest) != 4 || c <= 0) return 0;
    if (!strcmp(word, "sine")) into->shape = SINE;
    else if (!strcmp(word, "ramp")) into->shape = RAMP;
    else if (!strcmp(word, "noise")) into->shape = NOISE;
    else if (!strcmp(word, "square")) into->shape = SQUARE;
    else return 0;
    into->low = a; into->high = b; into->period_s = c;
    return 1;
}

static int read_word(const char *text, const char *const *words, curve *into) {
    if (!strcmp(text, "n/a")) { into->shape = ABSENT; return 1; }
    for (int i = 0; words[i]; i++)
        if (!strcmp(text, words[i])) { *into = (curve){CONSTANT, i, i, 1}; return 1; }
    return 0;
}

static int read_field(const field *what, const char *text, device *card) {
    static const char *const SWITCHES[] = {"off", "on", NULL};
    static const char *const MODES[] = {"default", "exclusive_thread", "prohibited", "exclusive_process", NULL};
    static const char *const MODELS[] = {"wddm", "tcc", "mcdm", NULL};
    char *place = (char *)card + what->offset;
    switch (what->kind) {
        case TEXT: copy(place, what->room, text); return 1;
        case HEX: return sscanf(text, "%x", (unsigned *)place) == 1;
        case CURVE: return read_curve(text, (curve *)place);
        case SWITCH: return read_word(text, SWITCHES, (curve *)place);
        case MODE: return read_word(text, MODES, (curve *)place);
        case MODEL: return read_word(text, MODELS, (curve *)place);
    }
    return 0;
}

/* slice = PROFILE gpu_instance compute_instance memory_mib used_mib multiprocessors gpu_slices [compute_slices] */
static int read_slice(const char *text, device *card) {
    if (card->slice_count >= MAX_SLICES) return 0;
    slice *one = &card->slices[card->slice_count];
    double used = 0;
    int found = sscanf(text, "%31s %u %u %lf %lf %u %u %u", one->profile, &one->gpu_instance, &one->compute_instance,
                       &one->memory_mib, &used, &one->multiprocessors, &one->gpu_slices, &one->compute_slices);
    if (found < 7) return 0;
    if (found == 7) one->compute_slices = one->gpu_slices;
    one->memory_used_mib = (curve){CONSTANT, used, used, 1};
    card->slice_count++;
    return 1;
}

/* process = PID|self compute|graphics|both memory_mib|n/a [gpu_instance] */
static int read_process(const char *text, device *card) {
    char pid[16], kind[16], memory[24];
    unsigned instance = ~0u;
    if (card->listed_processes >= MAX_PROCESSES) return 0;
    if (sscanf(text, "%15s %15s %23s %u", pid, kind, memory, &instance) < 3) return 0;
    process *one = &card->processes[card->listed_processes++];
    one->pid = strcmp(pid, "self") ? (unsigned)strtoul(pid, NULL, 10) : 0;
    one->kind = (char)toupper((unsigned char)kind[0]);
    one->memory_mib = strcmp(memory, "n/a") ? strtod(memory, NULL) : -1;
    one->gpu_instance = instance;
    return strchr("CGB", one->kind) != NULL;
}

static int read_range(const char *text, int *first, int *last) {
    char rest[2];
    if (!strcmp(text, "*")) { *first = NO_DEVICE; *last = MAX_DEVICES; return 1; }
    if (!strcmp(text, "-")) { *first = *last = NO_DEVICE; return 1; }
    if (sscanf(text, "%d-%d%1s", first, last, rest) == 2) return *first >= 0 && *last < MAX_DEVICES && *first <= *last;
    if (sscanf(text, "%d%1s", first, rest) != 1) return 0;
    *last = *first;
    return *first >= 0 && *first < MAX_DEVICES;
}

static int error_code(const char *word) {
    for (size_t i = 0; i < sizeof ERRORS / sizeof *ERRORS; i++)
        if (!strcmp(word, ERRORS[i].word)) return ERRORS[i].code;
    char *end;
    long code = strtol(word, &end, 10);
    return *end || end == word ? -1 : (int)code;
}

/* The tail of a rule: [after S] [before S] [while FILE] [until FILE]; a file is relative to the profile's folder. */
static int read_conditions(reader *r, rule *one) {
    for (char *word = strtok(NULL, " \t"); word; word = strtok(NULL, " \t")) {
        char *value = strtok(NULL, " \t");
        if (!value) return complain(r, "%s needs a value", word);
        if (!strcmp(word, "after")) one->after_s = strtod(value, NULL);
        else if (!strcmp(word, "before")) one->until_s = strtod(value, NULL);
        else if (!strcmp(word, "while") || !strcmp(word, "until")) {
            one->while_file_is_there = word[0] == 'w';
            snprintf(one->file, sizeof one->file, "%s%s", value[0] == '/' ? "" : r->folder, value);
        } else return complain(r, "unknown condition %s", word);
    }
    return 1;
}

static int read_rule(reader *r, const char *what, char *text) {
    if (r->into->rule_count >= MAX_RULES) return complain(r, "too many rules");
    rule *one = &r->into->rules[r->into->rule_count++];
    *one = (rule){.what = !strcmp(what, "fault") ? FAULT : !strcmp(what, "hang") ? HANG : DELAY, .until_s = 1e300};
    char *function = strtok(text, " \t"), *range = strtok(NULL, " \t");
    if (!function || !range || !read_range(range, &one->first, &one->last))
        return complain(r, "%s needs FUNCTION DEVICES", what);
    copy(one->function, sizeof one->function, function);
    if (one->what != HANG) {
        char *value = strtok(NULL, " \t");
        if (!value) return complain(r, "%s needs a value", what);
        if (one->what == DELAY) one->delay_ms = strtod(value, NULL);
        else if ((one->error = error_code(value)) < 0) return complain(r, "unknown error %s", value);
    }
    if (!read_conditions(r, one)) return 0;
    return one->what != HANG || one->file[0] ? 1 : complain(r, "hang needs while FILE or until FILE");
}

static int read_missing(reader *r, char *text) {
    for (char *word = strtok(text, " \t"); word; word = strtok(NULL, " \t")) {
        if (r->into->missing_count >= MAX_MISSING) return complain(r, "too many missing functions");
        copy(r->into->missing[r->into->missing_count++], sizeof r->into->missing[0], word);
    }
    return 1;
}

static int read_system(reader *r, const char *key, char *text) {
    profile *p = r->into;
    if (!strcmp(key, "driver_version")) copy(p->driver_version, sizeof p->driver_version, text);
    else if (!strcmp(key, "nvml_version")) copy(p->nvml_version, sizeof p->nvml_version, text);
    else if (!strcmp(key, "branch")) copy(p->branch, sizeof p->branch, text);
    else if (!strcmp(key, "cuda_version")) p->cuda_version = strtod(text, NULL);
    else if (!strcmp(key, "time_s")) p->frozen_time_s = strtod(text, NULL);
    else if (!strcmp(key, "missing")) return read_missing(r, text);
    else if (!strcmp(key, "fault") || !strcmp(key, "hang") || !strcmp(key, "delay")) return read_rule(r, key, text);
    else if (!strcmp(key, "devices")) {
        p->device_count = atoi(text);
        if (p->device_count < 0 || p->device_count > MAX_DEVICES) return complain(r, "at most %d devices", MAX_DEVICES);
    } else if (!strcmp(key, "removed")) {
        if (p->removed_count >= MAX_REMOVED) return complain(r, "too many removed");
        int *slot = &p->removed[p->removed_count];
        double *after = &p->removed_after_s[p->removed_count++];
        if (sscanf(text, "%d after %lf", slot, after) < 1) return complain(r, "removed needs DEVICE [after S]");
    } else return complain(r, "unknown key %s", key);
    return 1;
}

static int read_device(reader *r, const char *key, char *text) {
    for (int i = r->first < 0 ? 0 : r->first; i <= r->last && i < MAX_DEVICES; i++) {
        device *card = &r->into->devices[i];
        int good = 0;
        if (!strcmp(key, "compute_capability")) {
            int major, minor;
            good = sscanf(text, "%d.%d", &major, &minor) == 2;
            card->compute_major = (curve){CONSTANT, major, major, 1};
            card->compute_minor = (curve){CONSTANT, minor, minor, 1};
        } else if (!strcmp(key, "slice")) good = read_slice(text, card);
        else if (!strcmp(key, "process")) good = read_process(text, card);
        else
            for (size_t f = 0; f < sizeof FIELDS / sizeof *FIELDS; f++)
                if (!strcmp(key, FIELDS[f].key)) good = read_field(&FIELDS[f], text, card);
        if (!good) return complain(r, "can't read %s = %s", key, text);
    }
    return 1;
}

static int read_line(reader *r, char *line) {
    char *hash = strchr(line, '#');
    if (hash && (hash == line || isspace((unsigned char)hash[-1]))) *hash = 0;
    char *text = trim(line);
    if (!*text) return 1;
    char range[32];
    if (*text == '[') {
        if (!strcmp(text, "[system]")) { r->first = 0; r->last = -1; return 1; }
        if (sscanf(text, "[device %31[^]]]", range) == 1 && read_range(range, &r->first, &r->last)) return 1;
        return complain(r, "unknown section %s", text);
    }
    char *equals = strchr(text, '=');
    if (!equals) return complain(r, "no = in %s", text);
    *equals = 0;
    char *key = trim(text), *value = trim(equals + 1);
    return r->first > r->last ? read_system(r, key, value) : read_device(r, key, value);
}

static void fill_defaults(profile *p) {
    for (int i = 0; i < MAX_DEVICES; i++) {
        device *card = &p->devices[i];
        if (!card->uuid[0])
            snprintf(card->uuid, sizeof card->uuid, "GPU-00000000-0000-4000-8000-%012x", (unsigned)i + 1);
        if (!card->pci_bus_id[0]) snprintf(card->pci_bus_id, sizeof card->pci_bus_id, "00000000:%02X:00.0", i + 1);
        if (!card->minor_number.shape) card->minor_number = (curve){CONSTANT, i, i, 1};
    }
}

profile *read_profile(const char *path, char *trouble, size_t room) {
    FILE *file = fopen(path, "r");
    if (!file) { snprintf(trouble, room, "can't open %s", path); return NULL; }
    profile *made = calloc(1, sizeof *made);
    reader r = {.into = made, .first = 0, .last = -1, .trouble = trouble, .room = room};
    const char *slash = strrchr(path, '/');
    if (slash) snprintf(r.folder, sizeof r.folder, "%.*s/", (int)(slash - path), path);
    made->frozen_time_s = -1;
    char line[1024];
    int good = 1;
    while (good && fgets(line, sizeof line, file)) { r.line++; good = read_line(&r, line); }
    fclose(file);
    if (!good) { free(made); return NULL; }
    fill_defaults(made);
    return made;
}
