# SPDX-License-Identifier: GPL-3.0-or-later
"""Says which devices CUDA shows to a program with this environment, in its own order: one JSON object on stdout.

What CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER mean is the driver's business (numbers in the order of either, UUIDs
and beginnings of them, slices of a card), so it is asked and not imitated. No context is made, torch is not imported.
Arguments are not looked at: they keep remembered answers of other machines apart.
"""
import ctypes
import json
import sys

NO_DEVICE, INVALID_DEVICE = 100, 101  # CUresult: the list names none that is there
MAJOR, MINOR = 75, 76  # CUdevice_attribute


def uuid_of(function, device):
    found = (ctypes.c_ubyte * 16)()
    if function is None or function(found, device) != 0:
        return ""
    text = bytes(found).hex()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def number_of(cuda, attribute, device):
    value = ctypes.c_int()
    cuda.cuDeviceGetAttribute(ctypes.byref(value), attribute, device)
    return value.value


def describe(cuda, ordinal):
    device = ctypes.c_int()
    if cuda.cuDeviceGet(ctypes.byref(device), ordinal) != 0:
        return None
    name = ctypes.create_string_buffer(256)
    cuda.cuDeviceGetName(name, 255, device)
    memory = ctypes.c_size_t()
    cuda.cuDeviceTotalMem_v2(ctypes.byref(memory), device)
    # Of a slice (MIG) the newer call names the slice, the older one the card that it is of.
    card = uuid_of(getattr(cuda, "cuDeviceGetUuid", None), device)
    own = uuid_of(getattr(cuda, "cuDeviceGetUuid_v2", None), device) or card
    card = card or own
    return {
        "name": name.value.decode("utf-8", "replace"),
        "uuid": ("GPU-" if own == card else "MIG-") + own if own else "",
        "cardUuid": "GPU-" + card if card else "",
        "computeMajor": number_of(cuda, MAJOR, device),
        "computeMinor": number_of(cuda, MINOR, device),
        "memoryBytes": memory.value,
    }


def shown():
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError as problem:
        return {"problem": str(problem)}
    code = cuda.cuInit(0)
    if code in (NO_DEVICE, INVALID_DEVICE):
        return {"devices": []}
    count = ctypes.c_int()
    code = code or cuda.cuDeviceGetCount(ctypes.byref(count))
    if code != 0:
        return {"problem": f"cuInit answers {code}"}
    return {"devices": [device for device in map(lambda i: describe(cuda, i), range(count.value)) if device]}


json.dump(shown(), sys.stdout)
