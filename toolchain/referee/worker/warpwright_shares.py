# SPDX-License-Identifier: GPL-3.0-or-later
"""Which kernels the device's time goes to while a candidate works, and whose they are.

torch's profiler (CUPTI) in the candidate's own process: what it says is evidence, not proof. A kernel is the
candidate's own where its name stands in the extension: the runtime is told kernels by name when a library is loaded.
"""

import ctypes
import re

MOST = 64
LIBRARY = re.compile(
    r"cublas|cudnn|cutlass|nvjet|xmma|cask|splitk|gemmk1|gemmsn|gemv|gemm_|_gemm|sgemm|dgemm|hgemm|convolve|winograd|wgrad|dgrad|fprop|"
    r"nchwToNhwc|nhwcToNchw|fft[12]d|cusparse|cufft|cusolver|reduce_1Block_kernel|dot_kernel|^(void )?(ampere|volta|turing|maxwell|sm\d+)_",
    re.IGNORECASE)
TORCH = re.compile(r"\bat::|\bc10::|\bat_cuda_detail::|\btorch::|^triton_")
MANGLED = re.compile(rb"_Z[A-Za-z0-9_$.]+")


def demangler():
    library = ctypes.CDLL("libstdc++.so.6")
    c = ctypes.CDLL(None)
    library.__cxa_demangle.restype = ctypes.c_void_p
    library.__cxa_demangle.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    c.free.argtypes = [ctypes.c_void_p]

    def demangle(name):
        status = ctypes.c_int()
        text = library.__cxa_demangle(name, None, None, ctypes.byref(status))
        if not text:
            return name
        try:
            return ctypes.string_at(text)
        finally:
            c.free(text)

    return demangle


class OwnNames:
    """Names that stand in the extension as texts of their own, as the compiler wrote them and as people read them."""

    def __init__(self, extension):
        with open(extension, "rb") as file:
            self._bytes = file.read()
        demangle = demangler()
        self._readable = {demangle(name) for name in set(MANGLED.findall(self._bytes))}

    def holds(self, name):
        text = name.encode()
        return text in self._readable or b"\0" + text + b"\0" in self._bytes


def origin_of(name, own):
    if own.holds(name):
        return "own"
    if name.startswith(("Memcpy", "Memset", "[")):
        return "other"
    if TORCH.search(name):
        return "torch"
    return "library" if LIBRARY.search(name) else "other"


def kernel_shares(call, calls, extension):
    from torch.autograd import DeviceType
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CUDA]):
        call()  # the profiler's own start, and whatever a candidate does once only
    with profile(activities=[ProfilerActivity.CUDA]) as session:
        for _ in range(calls):
            call()
    own, kernels = OwnNames(extension), {}
    for event in session.events():
        if event.device_type != DeviceType.CUDA or event.name.startswith("ProfilerStep"):
            continue
        kernel = kernels.setdefault(event.name, {"name": event.name[:400], "microseconds": 0.0, "count": 0, "origin": origin_of(event.name, own)})
        kernel["microseconds"] += event.time_range.elapsed_us()
        kernel["count"] += 1
    longest = sorted(kernels.values(), key=lambda kernel: -kernel["microseconds"])
    if not longest:
        return {"reason": "torch's profiler saw no kernel", "kernels": None}
    return {"reason": "", "calls": calls, "kernels": longest[:MOST], "left": sum(kernel["microseconds"] for kernel in longest[MOST:])}
