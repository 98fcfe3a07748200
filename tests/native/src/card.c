/* What a card is and how it is set: identity, PCI, modes, MIG, NVLink. */
#include "stand_in.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    char bus_id_legacy[16];
    unsigned domain, bus, device, pci_device_id, pci_subsystem_id;
    char bus_id[32];
} pci_info;

typedef struct {
    unsigned multiprocessors, copy_engines, decoders, encoders, jpeg, ofa, gpu_slices, compute_slices;
    unsigned long long memory_mib;
} attributes;

static answer give_text(const char *text, char *into, unsigned room) {
    if (!text[0]) return NOT_SUPPORTED;
    if (strlen(text) >= room) return INSUFFICIENT_SIZE;
    memcpy(into, text, strlen(text) + 1);
    return DONE;
}

EXPORT answer nvmlDeviceGetName(void *handle, char *text, unsigned room) {
    CARD_CALL(handle);
    char name[160];
    if (slice_index == WHOLE_CARD) return give_text(card->name, text, room);
    snprintf(name, sizeof name, "%s MIG %s", card->name, card->slices[slice_index].profile);
    return give_text(name, text, room);
}

EXPORT answer nvmlDeviceGetUUID(void *handle, char *text, unsigned room) {
    CARD_CALL(handle);
    char uuid[96];
    if (slice_index == WHOLE_CARD) return give_text(card->uuid, text, room);
    snprintf(uuid, sizeof uuid, "MIG-%.24s%04x%08x", card->uuid + 4, (unsigned)slot + 1, (unsigned)slice_index + 1);
    return give_text(uuid, text, room);
}

EXPORT answer nvmlDeviceGetSerial(void *handle, char *text, unsigned room) {
    WHOLE_CARD_CALL(handle);
    return give_text(card->serial, text, room);
}

EXPORT answer nvmlDeviceGetVbiosVersion(void *handle, char *text, unsigned room) {
    WHOLE_CARD_CALL(handle);
    return give_text(card->vbios, text, room);
}

EXPORT answer nvmlDeviceGetMinorNumber(void *handle, unsigned *number) {
    WHOLE_CARD_CALL(handle);
    return give_unsigned(&card->minor_number, slot, number);
}

static answer give_pci(void *handle, const char *function, pci_info *pci) {
    const device *card;
    int slot, slice_index;
    answer ready = enter(function, handle, &card, &slot, &slice_index);
    if (ready != DONE) return ready;
    memset(pci, 0, sizeof *pci);
    if (sscanf(card->pci_bus_id, "%x:%x:%x", &pci->domain, &pci->bus, &pci->device) != 3) return UNKNOWN;
    snprintf(pci->bus_id, sizeof pci->bus_id, "%s", card->pci_bus_id);
    snprintf(pci->bus_id_legacy, sizeof pci->bus_id_legacy, "%04X:%02X:%02X.0", pci->domain & 0xffff, pci->bus & 0xff,
             pci->device & 0xff);
    pci->pci_device_id = card->pci_device;
    pci->pci_subsystem_id = card->pci_subsystem;
    return DONE;
}

EXPORT answer nvmlDeviceGetPciInfo_v3(void *handle, pci_info *pci) { return give_pci(handle, __func__, pci); }
EXPORT answer nvmlDeviceGetPciInfo_v2(void *handle, pci_info *pci) { return give_pci(handle, __func__, pci); }

EXPORT answer nvmlDeviceGetCudaComputeCapability(void *handle, int *major, int *minor) {
    CARD_CALL(handle);
    answer found = give_unsigned(&card->compute_major, slot, (unsigned *)major);
    return found == DONE ? give_unsigned(&card->compute_minor, slot, (unsigned *)minor) : found;
}

/* Exported functions that give one number of a whole card. */
#define NUMBER(function, member)                                                                   \
    EXPORT answer function(void *handle, unsigned *value) {                                        \
        WHOLE_CARD_CALL(handle);                                                                   \
        return give_unsigned(&card->member, slot, value);                                          \
    }

NUMBER(nvmlDeviceGetArchitecture, architecture)
NUMBER(nvmlDeviceGetNumGpuCores, cores)
NUMBER(nvmlDeviceGetCurrPcieLinkGeneration, pcie_generation)
NUMBER(nvmlDeviceGetCurrPcieLinkWidth, pcie_width)
NUMBER(nvmlDeviceGetMaxPcieLinkGeneration, pcie_max_generation)
NUMBER(nvmlDeviceGetMaxPcieLinkWidth, pcie_max_width)
NUMBER(nvmlDeviceGetComputeMode, compute_mode)
NUMBER(nvmlDeviceGetPersistenceMode, persistence)
NUMBER(nvmlDeviceGetDisplayActive, display_active)
NUMBER(nvmlDeviceGetDisplayMode, display_attached)

/* Exported functions that give a mode as it is and as it will be after a restart; both are the same here. */
#define TWO_NUMBERS(function, member)                                                              \
    EXPORT answer function(void *handle, unsigned *current, unsigned *pending) {                   \
        WHOLE_CARD_CALL(handle);                                                                   \
        answer found = give_unsigned(&card->member, slot, current);                                \
        if (found == DONE && pending) *pending = *current;                                         \
        return found;                                                                              \
    }

TWO_NUMBERS(nvmlDeviceGetEccMode, ecc)
TWO_NUMBERS(nvmlDeviceGetDriverModel, driver_model)
TWO_NUMBERS(nvmlDeviceGetDriverModel_v2, driver_model)
TWO_NUMBERS(nvmlDeviceGetMigMode, mig_mode)

EXPORT answer nvmlDeviceGetMaxMigDeviceCount(void *handle, unsigned *count) {
    WHOLE_CARD_CALL(handle);
    *count = card->mig_mode.shape == ABSENT ? 0 : 7;
    return DONE;
}

EXPORT answer nvmlDeviceGetMigDeviceHandleByIndex(void *handle, unsigned index, void **slice_handle) {
    WHOLE_CARD_CALL(handle);
    if (index >= (unsigned)card->slice_count) return NOT_FOUND;
    *slice_handle = handle_of(slot, (int)index);
    return DONE;
}

EXPORT answer nvmlDeviceGetDeviceHandleFromMigDeviceHandle(void *handle, void **whole) {
    CARD_CALL(handle);
    *whole = handle_of(slot, WHOLE_CARD);
    return DONE;
}

EXPORT answer nvmlDeviceIsMigDeviceHandle(void *handle, unsigned *is_slice) {
    CARD_CALL(handle);
    *is_slice = slice_index != WHOLE_CARD;
    return DONE;
}

EXPORT answer nvmlDeviceGetGpuInstanceId(void *handle, unsigned *id) {
    CARD_CALL(handle);
    if (slice_index == WHOLE_CARD) return NOT_SUPPORTED;
    *id = card->slices[slice_index].gpu_instance;
    return DONE;
}

EXPORT answer nvmlDeviceGetComputeInstanceId(void *handle, unsigned *id) {
    CARD_CALL(handle);
    if (slice_index == WHOLE_CARD) return NOT_SUPPORTED;
    *id = card->slices[slice_index].compute_instance;
    return DONE;
}

EXPORT answer nvmlDeviceGetAttributes_v2(void *handle, attributes *made) {
    CARD_CALL(handle);
    if (slice_index == WHOLE_CARD) return NOT_SUPPORTED;
    const slice *one = &card->slices[slice_index];
    memset(made, 0, sizeof *made);
    made->multiprocessors = one->multiprocessors;
    made->gpu_slices = one->gpu_slices;
    made->compute_slices = one->compute_slices;
    made->memory_mib = (unsigned long long)one->memory_mib;
    return DONE;
}

static int has_link(const device *card, int slot, unsigned link) {
    double links;
    return reading(&card->nvlinks, slot, &links) && link < links;
}

EXPORT answer nvmlDeviceGetNvLinkState(void *handle, unsigned link, unsigned *is_active) {
    WHOLE_CARD_CALL(handle);
    double active;
    if (!has_link(card, slot, link)) return card->nvlinks.shape == ABSENT ? NOT_SUPPORTED : INVALID_ARGUMENT;
    *is_active = !reading(&card->nvlinks_active, slot, &active) || link < active;
    return DONE;
}

EXPORT answer nvmlDeviceGetNvLinkVersion(void *handle, unsigned link, unsigned *version) {
    WHOLE_CARD_CALL(handle);
    return has_link(card, slot, link) ? give_unsigned(&card->nvlink_version, slot, version) : INVALID_ARGUMENT;
}

/* Every link leads to the next card, as in a ring. */
EXPORT answer nvmlDeviceGetNvLinkRemotePciInfo_v2(void *handle, unsigned link, pci_info *pci) {
    WHOLE_CARD_CALL(handle);
    if (!has_link(card, slot, link)) return INVALID_ARGUMENT;
    int count = current_profile()->device_count;
    memset(pci, 0, sizeof *pci);
    snprintf(pci->bus_id, sizeof pci->bus_id, "%s", current_profile()->devices[(slot + 1) % count].pci_bus_id);
    return DONE;
}
