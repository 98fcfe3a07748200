/* A stand-in for libcuda.so.1 with three devices: the few calls by which the proof's probe tells cards apart.
 *
 * STAND_IN_CUDA=no-device lets cuInit answer 100 (CUDA_ERROR_NO_DEVICE), as on a machine without a card.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const NAMES[] = {"NVIDIA GeForce GT 1030", "NVIDIA GeForce RTX 4090", "NVIDIA GeForce RTX 4090"};

int cuInit(unsigned int flags)
{
    const char *how = getenv("STAND_IN_CUDA");
    (void)flags;
    return how != NULL && strcmp(how, "no-device") == 0 ? 100 : 0;
}

int cuGetErrorName(int error, const char **name)
{
    *name = error == 100 ? "CUDA_ERROR_NO_DEVICE" : "CUDA_ERROR_UNKNOWN";
    return 0;
}

int cuDeviceGetCount(int *count)
{
    *count = 3;
    return 0;
}

int cuDeviceGet(int *device, int index)
{
    *device = index;
    return 0;
}

int cuDeviceGetName(char *name, int length, int device)
{
    snprintf(name, (size_t)length, "%s", NAMES[device]);
    return 0;
}

int cuDeviceGetUuid_v2(unsigned char *uuid, int device)
{
    for (int i = 0; i < 16; i++)
        uuid[i] = (unsigned char)(device * 16 + i);
    return 0;
}

int cuDeviceGetPCIBusId(char *place, int length, int device)
{
    snprintf(place, (size_t)length, "0000:%02X:00.0", 10 + device);
    return 0;
}
