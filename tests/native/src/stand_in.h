/*
 * Stand-in for NVIDIA's management library, for tests without a card: the words its parts share.
 *
 * Written from the documented call signatures; it holds no code of NVIDIA and needs no header of theirs. What the
 * "machine" looks like comes from a text file, see profile.c.
 */
#ifndef STAND_IN_H
#define STAND_IN_H

#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

enum { MAX_DEVICES = 72, MAX_SLICES = 8, MAX_PROCESSES = 32, MAX_RULES = 128, MAX_MISSING = 64, MAX_REMOVED = 16 };
enum { NO_DEVICE = -1, WHOLE_CARD = -1 };

/* Answers, with the numbers of the real library. */
typedef enum {
    DONE = 0, UNINITIALIZED = 1, INVALID_ARGUMENT = 2, NOT_SUPPORTED = 3, NO_PERMISSION = 4, NOT_FOUND = 6,
    INSUFFICIENT_SIZE = 7, DRIVER_NOT_LOADED = 9, FUNCTION_NOT_FOUND = 13, GPU_IS_LOST = 15, NOT_READY = 27,
    UNKNOWN = 999
} answer;

/* A reading as a function of time. */
typedef struct {
    enum { ABSENT = 0, CONSTANT, SINE, RAMP, NOISE, SQUARE } shape;
    double low, high, period_s;
} curve;

typedef struct {
    char profile[32];
    unsigned gpu_instance, compute_instance, multiprocessors, gpu_slices, compute_slices;
    double memory_mib;
    curve memory_used_mib;
} slice;

typedef struct {
    unsigned pid;           /* 0: the process that loaded the library */
    char kind;              /* C compute, G graphics, B both */
    double memory_mib;      /* below 0: not told */
    unsigned gpu_instance;  /* ~0u: none */
} process;

typedef struct {
    char name[96], uuid[80], serial[32], pci_bus_id[32], vbios[32];
    unsigned pci_device, pci_subsystem;
    /* every number is a curve, so that "not supported" and "changes" are the same for all */
    curve compute_major, compute_minor, architecture, cores, minor_number;
    curve memory_mib, memory_used_mib, memory_reserved_mib;
    curve utilization_pct, memory_utilization_pct, encoder_pct, decoder_pct;
    curve temperature_c, memory_temperature_c, slowdown_c, shutdown_c;
    curve power_w, power_limit_w, power_default_w, power_min_w, power_max_w;
    curve fan_pct, fans, performance_state, clock_sm_mhz, clock_memory_mhz, clock_graphics_mhz, throttle;
    curve pcie_generation, pcie_width, pcie_max_generation, pcie_max_width, pcie_tx_kb, pcie_rx_kb, pcie_delay_ms;
    curve compute_mode, ecc, persistence, display_active, display_attached, driver_model, mig_mode;
    curve nvlinks, nvlinks_active, nvlink_version;
    curve process_count, process_growth, process_memory_mib;
    slice slices[MAX_SLICES];
    int slice_count;
    process processes[MAX_PROCESSES];
    int listed_processes;
} device;

/* Something that goes wrong on purpose. */
typedef struct {
    enum { FAULT, HANG, DELAY } what;
    char function[64];             /* "*" for all */
    int first, last;               /* devices; NO_DEVICE..MAX_DEVICES for "*", NO_DEVICE for "-" */
    int error;                     /* FAULT */
    double delay_ms;               /* DELAY */
    double after_s, until_s;       /* since the library was loaded */
    char file[512];                /* empty: no condition */
    int while_file_is_there;       /* 1: while, 0: until it is there */
} rule;

typedef struct {
    char driver_version[64], nvml_version[64], branch[64];
    double cuda_version;
    double frozen_time_s;          /* below 0: real time */
    double removed_after_s[MAX_REMOVED];
    int removed[MAX_REMOVED], removed_count;
    int device_count;
    device devices[MAX_DEVICES];
    rule rules[MAX_RULES];
    int rule_count;
    char missing[MAX_MISSING][64];
    int missing_count;
} profile;

/* profile.c */
profile *read_profile(const char *path, char *trouble, size_t room);

/* calls.c */
const profile *current_profile(void);
double seconds(void);
answer enter(const char *function, void *handle, const device **card, int *slot, int *slice_index);
answer enter_system(const char *function);
answer start_up(const char *function);
answer shut_down(void);
unsigned visible_devices(void);
int slot_of(unsigned index);
int index_of(int slot);
void *handle_of(int slot, int slice_index);

/* readings.c */
int reading(const curve *what, int slot, double *value);
answer give_unsigned(const curve *what, int slot, unsigned *value);
answer give_memory(const device *card, int slot, int slice_index, double mib[4]);

/* Begin an exported function of one card: checks, faults, delays; leaves card, slot and slice_index in scope. */
#define CARD_CALL(handle)                                                                          \
    const device *card = NULL;                                                                     \
    int slot = NO_DEVICE, slice_index = WHOLE_CARD;                                                \
    answer ready = enter(__func__, (handle), &card, &slot, &slice_index);                          \
    if (ready != DONE) return ready;                                                               \
    (void)slot;                                                                                    \
    (void)slice_index;                                                                             \
    (void)card

/* The same, for what exists only for whole cards. */
#define WHOLE_CARD_CALL(handle)                                                                    \
    CARD_CALL(handle);                                                                             \
    if (slice_index != WHOLE_CARD) return NOT_SUPPORTED

#define SYSTEM_CALL()                                                                              \
    answer ready = enter_system(__func__);                                                         \
    if (ready != DONE) return ready

#endif
