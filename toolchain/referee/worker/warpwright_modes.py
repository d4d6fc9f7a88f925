# SPDX-License-Identifier: GPL-3.0-or-later
"""Watching what torch's dispatcher is asked, without what torch imports for it."""

import contextlib
import sys

import torch
from warpwright_values import tensors_in
from torch.utils._python_dispatch import TorchDispatchMode


def dispatch_mode(watcher):
    """The class `watcher`, which has __torch_dispatch__, as a mode.

    torch imports its whole compiler for each such class, 1 to 3 seconds a process, to keep the compiler off it. Where
    nobody has imported that yet, there is nothing to keep off.
    """
    may_compile = "torch._dynamo" in sys.modules
    return type(watcher.__name__, (watcher, TorchDispatchMode), {
        "_should_skip_dynamo": classmethod(lambda cls: may_compile),
        "__torch_dispatch__": watcher.__torch_dispatch__,
    })


# What products multiply, by place: a summand or a bias is no factor.
FACTORS = {"mm": (0, 1), "bmm": (0, 1), "mv": (0, 1), "dot": (0, 1), "addmm": (1, 2), "baddbmm": (1, 2), "addbmm": (1, 2),
           "addmv": (1, 2), "convolution": (0, 1)}


def rounded(tensor, bits, truncates):
    """With `bits` of mantissa: to nearest, as the matrix units take a float (TF32: 10), or cut off, as some do; infinities
    and NaN stay."""
    words = tensor.contiguous().view(torch.int32)
    step = 1 << (23 - bits)
    if not truncates:
        words = words + (step // 2 - 1) + ((words >> (23 - bits)) & 1)
    return torch.where(tensor.isfinite(), (words & -step).view(torch.float32), tensor)


class RoundedProducts:
    """For dispatch_mode(): what products take is rounded before, whatever torch's kernels do with floats."""

    def __init__(self, bits, truncates):
        super().__init__()
        self._bits, self._truncates = bits, truncates

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        name = func.overloadpacket.__name__
        factors = FACTORS.get(name, ())
        args = [rounded(value, self._bits, self._truncates) if place in factors and value.dtype == torch.float32 else value
                for place, value in enumerate(args)]
        with libraries(name == "convolution"):
            return func(*args, **(kwargs or {}))


MOST_FLUSHED = 1 << 26  # products of one operator that are looked at one by one


def flushed(tensor):
    """Denormal numbers are zeros."""
    return torch.where(tensor.abs() < torch.finfo(tensor.dtype).tiny, torch.zeros((), dtype=tensor.dtype, device=tensor.device), tensor)


def sum_of_flushed(first, second):
    """The product of two matrices, or stacks of them."""
    parts = (flushed(first[..., place : place + 1] * second[..., place : place + 1, :]) for place in range(first.shape[-1]))
    return sum(parts)


class FlushedNumbers:
    """For dispatch_mode(): denormal numbers are zeros in what each operator gives, and among the products of matrices."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        name = func.overloadpacket.__name__
        out = None
        if name in ("mm", "bmm", "addmm", "baddbmm") and not kwargs:
            first, second = (args[place] for place in FACTORS[name])
            if first.numel() * second.shape[-1] <= MOST_FLUSHED:
                out = sum_of_flushed(first, second) + (args[0] if name.endswith(("addmm", "addbmm")) else 0)
        out = func(*args, **(kwargs or {})) if out is None else out
        if not getattr(func, "is_view", False):
            for tensor in tensors_in(out):
                if tensor.dtype.is_floating_point and tensor.dtype.itemsize > 1:
                    tensor.copy_(flushed(tensor))
        return out


@contextlib.contextmanager
def libraries(are_there):
    """Whether cuDNN and oneDNN take what is for them."""
    cudnn, mkldnn = torch._C._get_cudnn_enabled(), torch._C._get_mkldnn_enabled()
    try:
        torch._C._set_cudnn_enabled(are_there)
        torch._C._set_mkldnn_enabled(are_there)
        yield
    finally:
        torch._C._set_cudnn_enabled(cudnn)
        torch._C._set_mkldnn_enabled(mkldnn)


def rounded_products(bits, truncates):
    """While it lasts products round so, those of attention and of recurrent layers too."""
    return taken_apart(RoundedProducts, bits, truncates)


@contextlib.contextmanager
def taken_apart(watcher, *args):
    """While it lasts `watcher` sees the products of attention and of recurrent layers: they are taken apart into them,
    the latter where no library takes them whole, so that only convolutions have one."""
    flags = torch.backends.cuda
    fused = {name: getattr(flags, f"{name}_sdp_enabled")() for name in ("flash", "mem_efficient", "cudnn")}
    layers = torch.backends.mha.get_fastpath_enabled()  # whole layers of a transformer as one operator
    try:
        torch.backends.mha.set_fastpath_enabled(False)
        for name in fused:
            getattr(flags, f"enable_{name}_sdp")(False)
        with libraries(False), dispatch_mode(watcher)(*args):
            yield
    finally:
        torch.backends.mha.set_fastpath_enabled(layers)
        for name, was in fused.items():
            getattr(flags, f"enable_{name}_sdp")(was)
