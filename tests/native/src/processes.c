/* Lists of processes: those named in the profile and a made-up number that may grow with time. */
#include "stand_in.h"

#include <string.h>
#include <unistd.h>

typedef struct { unsigned pid; unsigned long long memory; } process_v1;
typedef struct { unsigned pid; unsigned long long memory; unsigned gpu_instance, compute_instance; } process_v2;

enum { FIRST_MADE_UP_PID = 4000000, MOST = 20000 };

static unsigned made_up_count(const device *card, int slot) {
    double count = 0, growth = 0;
    reading(&card->process_count, slot, &count);
    reading(&card->process_growth, slot, &growth);
    count += growth * seconds();
    return count > MOST ? MOST : (unsigned)count;
}

static int shown(const process *one, char list, const device *card, int slice_index) {
    if (slice_index != WHOLE_CARD && card->slices[slice_index].gpu_instance != one->gpu_instance) return 0;
    return one->kind == 'B' || one->kind == list;
}

static process_v2 as_answer(const process *one) {
    unsigned long long memory = one->memory_mib < 0 ? ~0ull : (unsigned long long)(one->memory_mib * 1048576.0);
    return (process_v2){one->pid ? one->pid : (unsigned)getpid(), memory, one->gpu_instance,
                        one->gpu_instance == ~0u ? ~0u : 0};
}

/* One entry after the other; NULL only counts. Made-up processes are compute ones of the whole card. */
static unsigned walk(const device *card, int slot, int slice_index, char list, unsigned room, process_v2 *into) {
    unsigned count = 0;
    double memory = 64;
    for (int i = 0; i < card->listed_processes; i++) {
        if (!shown(&card->processes[i], list, card, slice_index)) continue;
        if (into && count < room) into[count] = as_answer(&card->processes[i]);
        count++;
    }
    if (list != 'C' || slice_index != WHOLE_CARD) return count;
    reading(&card->process_memory_mib, slot, &memory);
    for (unsigned i = 0, more = made_up_count(card, slot); i < more; i++, count++) {
        process one = {FIRST_MADE_UP_PID + (unsigned)slot * MOST + i, 'C', memory, ~0u};
        if (into && count < room) into[count] = as_answer(&one);
    }
    return count;
}

static answer list_processes(const char *function, void *handle, char list, unsigned *count, process_v2 *into) {
    const device *card;
    int slot, slice_index;
    answer ready = enter(function, handle, &card, &slot, &slice_index);
    if (ready != DONE) return ready;
    unsigned room = into ? *count : 0;
    *count = walk(card, slot, slice_index, list, room, into);
    return *count > room ? INSUFFICIENT_SIZE : DONE;
}

#define LIST(function, list)                                                                       \
    EXPORT answer function(void *handle, unsigned *count, process_v2 *into) {                      \
        return list_processes(__func__, handle, list, count, into);                                \
    }

LIST(nvmlDeviceGetComputeRunningProcesses_v2, 'C')
LIST(nvmlDeviceGetComputeRunningProcesses_v3, 'C')
LIST(nvmlDeviceGetGraphicsRunningProcesses_v2, 'G')
LIST(nvmlDeviceGetGraphicsRunningProcesses_v3, 'G')
LIST(nvmlDeviceGetMPSComputeRunningProcesses_v2, 'M')
LIST(nvmlDeviceGetMPSComputeRunningProcesses_v3, 'M')

/* Nothing to report is an error of its own in the real library. */
EXPORT answer nvmlDeviceGetProcessUtilization(void *handle, void *into, unsigned *count, unsigned long long since) {
    CARD_CALL(handle);
    (void)into;
    (void)since;
    *count = 0;
    return NOT_FOUND;
}
