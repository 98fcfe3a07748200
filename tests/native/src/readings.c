/* What changes with time: use, memory, heat, power, clocks. */
#include "stand_in.h"

#include <math.h>
#include <unistd.h>

typedef struct { unsigned long long total, free, used; } memory_v1;
typedef struct { unsigned version; unsigned long long total, reserved, free, used; } memory_v2;
typedef struct { unsigned gpu, memory; } utilization;
typedef struct { unsigned version, sensor; int temperature; } temperature_v1;

typedef union { double d; int i; unsigned u; unsigned long ul; unsigned long long ull; long long ll; } any_value;
typedef struct {
    unsigned field, scope;
    long long timestamp, latency_us;
    unsigned value_type, answer;
    any_value value;
} field_value;

enum { FIELD_MEMORY_TEMPERATURE = 82, FIELD_NVLINKS = 91, FIELD_POWER_AVERAGE = 185, FIELD_POWER_INSTANT = 186 };
enum { TYPE_UNSIGNED = 1 };

static double scatter(double step, int slot) {
    double x = sin(step * 12.9898 + slot * 78.233) * 43758.5453;
    return x - floor(x);
}

/* Each card runs the curve a little later than the one before, so that they can be told from each other. */
int reading(const curve *what, int slot, double *value) {
    double t = seconds(), turn = t / what->period_s + slot * 0.137, part = turn - floor(turn);
    double span = what->high - what->low;
    switch (what->shape) {
        case ABSENT: return 0;
        case CONSTANT: *value = what->low; return 1;
        case SINE: *value = what->low + span * (0.5 - 0.5 * cos(2 * 3.14159265358979 * turn)); return 1;
        case RAMP: *value = what->low + span * part; return 1;
        case NOISE: *value = what->low + span * scatter(floor(t / what->period_s), slot); return 1;
        case SQUARE: *value = part < 0.5 ? what->low : what->high; return 1;
    }
    return 0;
}

answer give_unsigned(const curve *what, int slot, unsigned *value) {
    double number;
    if (!value) return INVALID_ARGUMENT;
    if (!reading(what, slot, &number)) return NOT_SUPPORTED;
    *value = (unsigned)(number + 0.5);
    return DONE;
}

static answer give_milli(const curve *what, int slot, unsigned *value) {
    double number;
    if (!reading(what, slot, &number)) return NOT_SUPPORTED;
    *value = (unsigned)(number * 1000 + 0.5);
    return DONE;
}

/* mib: total, reserved, free, used */
answer give_memory(const device *card, int slot, int slice_index, double mib[4]) {
    const curve *used = slice_index == WHOLE_CARD ? &card->memory_used_mib : &card->slices[slice_index].memory_used_mib;
    mib[0] = mib[1] = mib[3] = 0;
    if (slice_index != WHOLE_CARD) mib[0] = card->slices[slice_index].memory_mib;
    else if (!reading(&card->memory_mib, slot, &mib[0])) return NOT_SUPPORTED;
    if (slice_index == WHOLE_CARD) reading(&card->memory_reserved_mib, slot, &mib[1]);
    reading(used, slot, &mib[3]);
    if (mib[3] > mib[0] - mib[1]) mib[3] = mib[0] - mib[1];
    mib[2] = mib[0] - mib[1] - mib[3];
    return DONE;
}

static unsigned long long bytes(double mib) { return (unsigned long long)(mib * 1048576.0); }

EXPORT answer nvmlDeviceGetMemoryInfo(void *handle, memory_v1 *memory) {
    CARD_CALL(handle);
    double mib[4];
    answer found = give_memory(card, slot, slice_index, mib);
    if (found == DONE) *memory = (memory_v1){bytes(mib[0]), bytes(mib[2]), bytes(mib[3] + mib[1])};
    return found;
}

EXPORT answer nvmlDeviceGetMemoryInfo_v2(void *handle, memory_v2 *memory) {
    CARD_CALL(handle);
    double mib[4];
    if (memory->version != (2u << 24 | sizeof *memory)) return INVALID_ARGUMENT;
    answer found = give_memory(card, slot, slice_index, mib);
    if (found == DONE)
        *memory = (memory_v2){memory->version, bytes(mib[0]), bytes(mib[1]), bytes(mib[2]), bytes(mib[3])};
    return found;
}

EXPORT answer nvmlDeviceGetUtilizationRates(void *handle, utilization *rates) {
    WHOLE_CARD_CALL(handle);
    double mig;
    if (reading(&card->mig_mode, slot, &mig) && mig > 0) return NOT_SUPPORTED;
    answer found = give_unsigned(&card->utilization_pct, slot, &rates->gpu);
    if (found == DONE && give_unsigned(&card->memory_utilization_pct, slot, &rates->memory) != DONE) rates->memory = 0;
    return found;
}

EXPORT answer nvmlDeviceGetEncoderUtilization(void *handle, unsigned *percent, unsigned *period_us) {
    WHOLE_CARD_CALL(handle);
    *period_us = 167000;
    return give_unsigned(&card->encoder_pct, slot, percent);
}

EXPORT answer nvmlDeviceGetDecoderUtilization(void *handle, unsigned *percent, unsigned *period_us) {
    WHOLE_CARD_CALL(handle);
    *period_us = 167000;
    return give_unsigned(&card->decoder_pct, slot, percent);
}

EXPORT answer nvmlDeviceGetTemperature(void *handle, unsigned sensor, unsigned *celsius) {
    CARD_CALL(handle);
    return sensor ? INVALID_ARGUMENT : give_unsigned(&card->temperature_c, slot, celsius);
}

EXPORT answer nvmlDeviceGetTemperatureV(void *handle, temperature_v1 *celsius) {
    CARD_CALL(handle);
    unsigned value;
    answer found = give_unsigned(&card->temperature_c, slot, &value);
    if (found == DONE) celsius->temperature = (int)value;
    return found;
}

EXPORT answer nvmlDeviceGetTemperatureThreshold(void *handle, unsigned which, unsigned *celsius) {
    WHOLE_CARD_CALL(handle);
    if (which > 1) return NOT_SUPPORTED;
    return give_unsigned(which ? &card->slowdown_c : &card->shutdown_c, slot, celsius);
}

EXPORT answer nvmlDeviceGetPowerUsage(void *handle, unsigned *milliwatt) {
    WHOLE_CARD_CALL(handle);
    return give_milli(&card->power_w, slot, milliwatt);
}

EXPORT answer nvmlDeviceGetPowerManagementLimit(void *handle, unsigned *milliwatt) {
    WHOLE_CARD_CALL(handle);
    return give_milli(&card->power_limit_w, slot, milliwatt);
}

EXPORT answer nvmlDeviceGetEnforcedPowerLimit(void *handle, unsigned *milliwatt) {
    WHOLE_CARD_CALL(handle);
    return give_milli(&card->power_limit_w, slot, milliwatt);
}

EXPORT answer nvmlDeviceGetPowerManagementDefaultLimit(void *handle, unsigned *milliwatt) {
    WHOLE_CARD_CALL(handle);
    return give_milli(&card->power_default_w, slot, milliwatt);
}

EXPORT answer nvmlDeviceGetPowerManagementLimitConstraints(void *handle, unsigned *least, unsigned *most) {
    WHOLE_CARD_CALL(handle);
    answer found = give_milli(&card->power_min_w, slot, least);
    return found == DONE ? give_milli(&card->power_max_w, slot, most) : found;
}

EXPORT answer nvmlDeviceGetFanSpeed(void *handle, unsigned *percent) {
    WHOLE_CARD_CALL(handle);
    return give_unsigned(&card->fan_pct, slot, percent);
}

EXPORT answer nvmlDeviceGetFanSpeed_v2(void *handle, unsigned fan, unsigned *percent) {
    WHOLE_CARD_CALL(handle);
    double fans;
    if (!reading(&card->fans, slot, &fans) || fan >= fans) return INVALID_ARGUMENT;
    return give_unsigned(&card->fan_pct, slot, percent);
}

EXPORT answer nvmlDeviceGetNumFans(void *handle, unsigned *count) {
    WHOLE_CARD_CALL(handle);
    return give_unsigned(&card->fans, slot, count);
}

EXPORT answer nvmlDeviceGetPerformanceState(void *handle, unsigned *state) {
    CARD_CALL(handle);
    return give_unsigned(&card->performance_state, slot, state);
}

EXPORT answer nvmlDeviceGetClockInfo(void *handle, unsigned which, unsigned *mhz) {
    CARD_CALL(handle);
    if (which > 3) return INVALID_ARGUMENT;
    const curve *clocks[] = {&card->clock_graphics_mhz, &card->clock_sm_mhz, &card->clock_memory_mhz,
                             &card->clock_graphics_mhz};
    return give_unsigned(clocks[which], slot, mhz);
}

static answer give_throttle(const device *card, int slot, unsigned long long *reasons) {
    double bits;
    if (!reading(&card->throttle, slot, &bits)) return NOT_SUPPORTED;
    *reasons = (unsigned long long)bits;
    return DONE;
}

EXPORT answer nvmlDeviceGetCurrentClocksEventReasons(void *handle, unsigned long long *reasons) {
    CARD_CALL(handle);
    return give_throttle(card, slot, reasons);
}

EXPORT answer nvmlDeviceGetCurrentClocksThrottleReasons(void *handle, unsigned long long *reasons) {
    CARD_CALL(handle);
    return give_throttle(card, slot, reasons);
}

/* The real counter watches the bus for 20 ms; pcie_delay_ms gives that delay. */
EXPORT answer nvmlDeviceGetPcieThroughput(void *handle, unsigned counter, unsigned *kb_s) {
    WHOLE_CARD_CALL(handle);
    double delay;
    if (reading(&card->pcie_delay_ms, slot, &delay)) usleep((useconds_t)(delay * 1000));
    return give_unsigned(counter ? &card->pcie_rx_kb : &card->pcie_tx_kb, slot, kb_s);
}

EXPORT answer nvmlDeviceGetFieldValues(void *handle, int count, field_value *values) {
    CARD_CALL(handle);
    for (int i = 0; i < count; i++) {
        unsigned value = 0;
        answer found = NOT_SUPPORTED;
        if (values[i].field == FIELD_MEMORY_TEMPERATURE)
            found = give_unsigned(&card->memory_temperature_c, slot, &value);
        else if (values[i].field == FIELD_NVLINKS) found = give_unsigned(&card->nvlinks, slot, &value);
        else if (values[i].field == FIELD_POWER_INSTANT || values[i].field == FIELD_POWER_AVERAGE)
            found = give_milli(&card->power_w, slot, &value);
        values[i].answer = found;
        values[i].value_type = TYPE_UNSIGNED;
        values[i].value.ull = value;
    }
    return DONE;
}
