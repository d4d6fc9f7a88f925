# SPDX-License-Identifier: GPL-3.0-or-later
"""What rounding may do to a reference's results, whoever computes them: each of its operations errs by chance, as another
order of a sum, another algorithm for the same product or a reciprocal in place of a quotient would.

A run so has errors where others' may have them, and as large: few for what is copied, many behind a difference of large
numbers. It is asked for only where a candidate errs by more than the reference happens to.
"""

import contextlib

import torch
from torch._decomp import decomposition_table
from warpwright_modes import FACTORS, dispatch_mode, libraries, taken_apart

# Made of others, each of which errs: their own decompositions in torch say of which.
COMPOSED = {
    "_softmax", "_log_softmax", "native_layer_norm", "native_group_norm", "native_batch_norm", "_native_batch_norm_legit",
    "_native_batch_norm_legit_no_training", "_fused_rms_norm", "gelu", "silu", "softplus", "mish", "log_sigmoid_forward", "hardswish",
    "mse_loss", "smooth_l1_loss", "huber_loss", "mean", "var", "var_mean", "std", "linalg_vector_norm", "logsumexp",
    "_adaptive_avg_pool2d",
}
# What comes out is what came in, or was chosen among it.
MOVES = {
    "clone", "copy", "_to_copy", "cat", "stack", "index", "index_select", "gather", "embedding", "sort", "topk", "max", "min",
    "amax", "amin", "maximum", "minimum", "where", "relu", "clamp", "clamp_min", "clamp_max", "abs", "neg", "sign", "roll", "flip",
    "repeat", "tril", "triu", "constant_pad_nd", "max_pool2d_with_indices", "max_pool3d_with_indices", "masked_fill", "scatter",
    "fill", "zero", "zeros", "ones", "full", "empty", "empty_like", "zeros_like", "ones_like", "full_like", "arange", "eye",
    "scalar_tensor", "lift_fresh", "masked_select", "nonzero", "unfold", "im2col", "_unsafe_index", "index_put", "new_zeros",
    "new_empty", "new_full", "new_ones", "round", "floor", "ceil", "trunc", "native_dropout", "bernoulli", "rand", "randn",
}
SUMS = {"sum", "nansum", "cumsum", "prod", "cumprod", "norm", "avg_pool1d", "avg_pool2d", "avg_pool3d", "index_add", "scatter_add", "logcumsumexp"}
# Amplitudes, in half steps of the type: of one operation, and of a plain sum of n numbers, whose errors are those of its
# partial sums (they grow by chance where numbers have both signs, by their mean else).
ONCE = 2.0


def of_terms(count):
    return ONCE * max(1.0, (count / 6) ** 0.5)


def of_sum(count):
    return ONCE * max(1.0, count**0.5 / 3)


class Jittered:
    """For dispatch_mode()."""

    def __init__(self, seed):
        super().__init__()
        self._seed = seed
        self._generators = {}

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = func.overloadpacket.__name__
        plain = name if name.startswith("_") else name.removesuffix("_")
        if getattr(func, "is_view", False) or plain in MOVES:
            return func(*args, **kwargs)
        if plain in COMPOSED and func in decomposition_table:
            with contextlib.suppress(NotImplementedError), self:
                made = decomposition_table[func](*args, **kwargs)
                if made is not NotImplemented:
                    return made
        count = terms_of(plain, args)
        if count > 1 and not func._schema.is_mutable:
            places = FACTORS.get(plain, (0,))[:1]
            args = [self._moved(value, of_terms(count), plain in FACTORS) if place in places else value for place, value in enumerate(args)]
        with libraries(plain == "convolution"):
            out = func(*args, **kwargs)
        return self._err(out, func, args, of_sum(count))

    def _err(self, out, func, args, amplitude):
        if func._schema.is_mutable:
            for argument, value in zip(func._schema.arguments, args):
                if argument.alias_info is not None and argument.alias_info.is_write and isinstance(value, torch.Tensor):
                    value.copy_(self._moved(value, amplitude))
            return out
        if isinstance(out, (list, tuple)):
            return type(out)(self._moved(value, amplitude) for value in out)
        return self._moved(out, amplitude)

    def _moved(self, value, amplitude, is_factor=False):
        if not isinstance(value, torch.Tensor) or not value.dtype.is_floating_point or not value.numel():
            return value
        if value.dtype.itemsize < 4:  # sums of such numbers are kept in float
            if is_factor:
                return value
            amplitude = ONCE
        if value.device not in self._generators:
            self._generators[value.device] = torch.Generator(device=value.device).manual_seed(self._seed)
        by = torch.rand(value.shape, generator=self._generators[value.device], device=value.device, dtype=torch.float64)
        return value.double().mul_(by.mul_(2).sub_(1).mul_(amplitude * torch.finfo(value.dtype).eps / 2).add_(1)).to(value.dtype)


def terms_of(name, args):
    """How many numbers are added up for one of the result."""
    tensors = [value for value in args if isinstance(value, torch.Tensor)]
    if name == "convolution":
        weight = args[1]
        return weight.numel() // max(1, weight.shape[1 if args[6] else 0])
    if name in FACTORS:
        return args[FACTORS[name][0]].shape[-1]
    if name not in SUMS or not tensors or not tensors[0].numel():
        return 1
    first = tensors[0]
    if name in ("sum", "nansum", "prod"):
        dims = args[1] if len(args) > 1 and isinstance(args[1], (list, tuple)) and args[1] else range(first.dim())
        count = 1
        for dim in dims:
            count *= first.shape[dim]
        return count
    if name.startswith(("cum", "logcum")):
        return first.shape[args[1]] if first.dim() else 1
    return max(first.shape, default=1)


def jittered(seed):
    """While it lasts each operation errs by chance."""
    return taken_apart(Jittered, seed)
