/* Start and end, versions, and finding cards. */
#include "stand_in.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct { unsigned version; char branch[80]; } branch_v1;

EXPORT answer nvmlInit(void) { return start_up(__func__); }
EXPORT answer nvmlInit_v2(void) { return start_up(__func__); }
EXPORT answer nvmlInitWithFlags(unsigned flags) { (void)flags; return start_up(__func__); }
EXPORT answer nvmlShutdown(void) { return shut_down(); }

EXPORT const char *nvmlErrorString(answer code) {
    static _Thread_local char text[40];
    snprintf(text, sizeof text, "stand-in error %d", (int)code);
    return text;
}

static answer give_text(const char *text, char *into, unsigned room) {
    if (!text[0]) return NOT_SUPPORTED;
    if (strlen(text) >= room) return INSUFFICIENT_SIZE;
    memcpy(into, text, strlen(text) + 1);
    return DONE;
}

EXPORT answer nvmlSystemGetDriverVersion(char *text, unsigned room) {
    SYSTEM_CALL();
    return give_text(current_profile()->driver_version, text, room);
}

EXPORT answer nvmlSystemGetNVMLVersion(char *text, unsigned room) {
    SYSTEM_CALL();
    const profile *p = current_profile();
    return give_text(p->nvml_version[0] ? p->nvml_version : p->driver_version, text, room);
}

EXPORT answer nvmlSystemGetDriverBranch(branch_v1 *branch, unsigned room) {
    SYSTEM_CALL();
    return give_text(current_profile()->branch, branch->branch, room);
}

static answer give_cuda(int *version) {
    double cuda = current_profile()->cuda_version;
    if (cuda <= 0) return NOT_SUPPORTED;
    *version = (int)cuda * 1000 + (int)((cuda - (int)cuda) * 10 + 0.5) * 10;
    return DONE;
}

EXPORT answer nvmlSystemGetCudaDriverVersion(int *version) {
    SYSTEM_CALL();
    return give_cuda(version);
}

EXPORT answer nvmlSystemGetCudaDriverVersion_v2(int *version) {
    SYSTEM_CALL();
    return give_cuda(version);
}

EXPORT answer nvmlSystemGetProcessName(unsigned pid, char *text, unsigned room) {
    SYSTEM_CALL();
    char path[40];
    snprintf(path, sizeof path, "/proc/%u/cmdline", pid);
    FILE *file = fopen(path, "r");
    if (!file) return NOT_FOUND;
    size_t size = fread(text, 1, room - 1, file);
    fclose(file);
    text[size] = 0;
    return DONE;
}

static answer give_handle(int slot, void **handle) {
    if (slot == NO_DEVICE) return INVALID_ARGUMENT;
    *handle = handle_of(slot, WHOLE_CARD);
    return DONE;
}

EXPORT answer nvmlDeviceGetCount_v2(unsigned *count) {
    SYSTEM_CALL();
    *count = visible_devices();
    return DONE;
}

EXPORT answer nvmlDeviceGetCount(unsigned *count) {
    SYSTEM_CALL();
    *count = visible_devices();
    return DONE;
}

/* Faults of a card apply to fetching its handle too, as with the real library. */
static answer handle_by_slot(const char *function, int slot, void **handle) {
    if (slot == NO_DEVICE) return enter_system(function) == DONE ? INVALID_ARGUMENT : UNINITIALIZED;
    const device *card;
    int seen, slice_index;
    answer ready = enter(function, handle_of(slot, WHOLE_CARD), &card, &seen, &slice_index);
    return ready == DONE ? give_handle(slot, handle) : ready;
}

EXPORT answer nvmlDeviceGetHandleByIndex_v2(unsigned index, void **handle) {
    return handle_by_slot(__func__, slot_of(index), handle);
}

EXPORT answer nvmlDeviceGetHandleByIndex(unsigned index, void **handle) {
    return handle_by_slot(__func__, slot_of(index), handle);
}

static int same_bus(const char *a, const char *b) {
    unsigned x[4], y[4];
    return sscanf(a, "%x:%x:%x.%x", &x[0], &x[1], &x[2], &x[3]) == 4 &&
           sscanf(b, "%x:%x:%x.%x", &y[0], &y[1], &y[2], &y[3]) == 4 && !memcmp(x, y, sizeof x);
}

static answer handle_by_text(const char *function, const char *text, int by_bus, void **handle) {
    const profile *p = current_profile();
    for (int i = 0; i < p->device_count; i++) {
        if (index_of(i) == NO_DEVICE) continue;
        if (by_bus ? same_bus(text, p->devices[i].pci_bus_id) : !strcasecmp(text, p->devices[i].uuid))
            return handle_by_slot(function, i, handle);
    }
    answer ready = enter_system(function);
    return ready == DONE ? NOT_FOUND : ready;
}

EXPORT answer nvmlDeviceGetHandleByUUID(const char *uuid, void **handle) {
    return handle_by_text(__func__, uuid, 0, handle);
}

EXPORT answer nvmlDeviceGetHandleByPciBusId(const char *bus, void **handle) {
    return handle_by_text(__func__, bus, 1, handle);
}

EXPORT answer nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **handle) {
    return handle_by_text(__func__, bus, 1, handle);
}

EXPORT answer nvmlDeviceGetIndex(void *handle, unsigned *index) {
    CARD_CALL(handle);
    *index = (unsigned)index_of(slot);
    return DONE;
}
