# SPDX-License-Identifier: GPL-3.0-or-later
"""Decompositions of torch's operators into the few that the planner knows: decompositions() is a table for make_fx. A
decomposition that returns NotImplemented leaves its operator as it is.

Short sorts become comparisons: an element's position in the sorted row is the number of elements before it. Those n^2
comparisons hide behind memory latency on a GPU while rows are short. Longer rows keep their operator, for a sort kernel; of
rows too long for that kernel only the first few elements can be found.
"""

import functools
import math

import torch
from torch._decomp import core_aten_decompositions, decomposition_table

MAX_COMPARED_ROW = 4096  # elements of a row that are all compared with each other
FEW_COMPARISONS = 1 << 22  # fewer are faster than atomic adds
MANY_COMPARISONS = 1 << 26  # more are slower than a scatter
SCATTER_TYPES = (torch.float32, torch.float64, torch.int32, torch.int64)  # that the kernel that scatters rows takes
MAX_SELECTION_PASSES = 16  # the first few elements of a long row are found one by one
LONG_ROW = 1024
MIN_CHUNK = 256  # elements of a chunk of a row that is too long for the sort kernel
MIN_SORTED_ROW = 33  # elements of a row for the sort kernel
MAX_SORTED_ROW = 8192  # that a block's registers hold; half as many with 64 bits
SORTED_TYPES = (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16, torch.int8,
                torch.uint8)
MIN_RADIX_SELECT_ROW = 32  # shorter rows are compared instead
MAX_COMPARISONS = 1 << 36  # in one operator: some 10 ms of a GPU

aten = torch.ops.aten
# Decomposed beyond torch's core ATen set, so that fewer operators remain.
ALSO_DECOMPOSED = (
    aten._softmax.default, aten._log_softmax.default, aten.native_layer_norm.default, aten.native_group_norm.default,
    aten._native_batch_norm_legit_no_training.default, aten.native_batch_norm.default, aten.gelu.default,
    aten.elu.default, aten.leaky_relu.default, aten.hardtanh.default, aten.linalg_vector_norm.default,
    aten.clamp.Tensor,
    # Gathers at computed indices.
    aten.upsample_nearest2d.vec, aten.upsample_bilinear2d.default, aten.upsample_bilinear2d.vec,
    aten.upsample_bicubic2d.default, aten.upsample_trilinear3d.default, aten.grid_sampler_2d.default,
)
# Not decomposed: each is one loop nest here, and would become several.
NOT_DECOMPOSED = (aten.mean.default, aten.mean.dim, aten.sum.default, aten.prod.default, aten.var.correction,
        aten.var_mean.correction, aten.where.self, aten.select_scatter.default)
OWN_DECOMPOSITIONS = {}


def decomposition(*overloads):
    def register(function):
        for overload in overloads:
            OWN_DECOMPOSITIONS[overload] = function
        return function
    return register


@functools.cache
def decompositions():
    table = dict(core_aten_decompositions())
    for overload in ALSO_DECOMPOSED:
        if overload in decomposition_table:
            table[overload] = decomposition_table[overload]
    for overload in NOT_DECOMPOSED:
        table.pop(overload, None)
    return {**table, **OWN_DECOMPOSITIONS}


# ---- matmuls


@decomposition(aten.addmm.default)
def addmm(bias, first, second, *, beta=1, alpha=1):
    """torch's table casts half operands to float before the matmul, which rules out a library's kernel."""
    return scaled_sum(bias, aten.mm.default(first, second), beta, alpha)


@decomposition(aten.baddbmm.default)
def baddbmm(bias, first, second, *, beta=1, alpha=1):
    return scaled_sum(bias, aten.bmm.default(first, second), beta, alpha)


@decomposition(aten.addbmm.default)
def addbmm(bias, first, second, *, beta=1, alpha=1):
    return scaled_sum(bias, aten.bmm.default(first, second).sum(0), beta, alpha)


def scaled_sum(bias, matmul, beta, alpha):
    matmul = matmul if alpha == 1 else matmul * alpha
    if beta == 0:
        return matmul
    return matmul + (bias if beta == 1 else bias * beta)


@decomposition(aten.mm.default, aten.bmm.default)
def integer_matmul(first, second):
    """No library has it: a plain reduction."""
    if first.dtype.is_floating_point or first.dtype.is_complex:
        return NotImplemented
    return (first.unsqueeze(-1) * second.unsqueeze(-3)).sum(-2, dtype=first.dtype)


@decomposition(aten._int_mm.default)
def int8_matmul(first, second):
    return (first.unsqueeze(-1).to(torch.int32) * second.unsqueeze(-3).to(torch.int32)).sum(-2, dtype=torch.int32)


@decomposition(aten._pdist_forward.default)
def pdist(x, p=2.0):
    """The upper triangle of the distance matrix."""
    rows, columns = torch.triu_indices(x.shape[0], x.shape[0], 1, device=x.device)
    return torch.linalg.vector_norm(x[rows] - x[columns], p, dim=-1)


@decomposition(aten._trilinear.default)
def trilinear(first, weight, second, first_ones, weight_ones, second_ones, summed, unroll_dim=1):
    """As F.bilinear calls it: one matmul, and a reduction with the other operand."""
    axes = tuple(tuple(each) for each in (first_ones, weight_ones, second_ones, summed))
    if axes != ((1, 3), (0,), (1, 2), (2, 3)):
        return NotImplemented
    outer, middle, inner = weight.shape
    matmuls = aten.mm.default(second, weight.reshape(outer * middle, inner).t())
    return (matmuls.reshape(-1, outer, middle) * first.unsqueeze(1)).sum(-1)


@decomposition(aten.dist.default)
def dist(first, second, p=2):
    return torch.linalg.vector_norm(first - second, p)


@decomposition(aten._cdist_forward.default)
def cdist(first, second, p, compute_mode):
    many = first.shape[-2] > 25 or second.shape[-2] > 25
    if p == 2 and (compute_mode == 1 or (compute_mode in (None, 0) and many)):  # as torch: by a matmul
        squares = first.square().sum(-1, keepdim=True) + second.square().sum(-1, keepdim=True).transpose(-1, -2)
        return (squares - 2 * (first @ second.transpose(-1, -2))).clamp_min(0).sqrt()
    return torch.linalg.vector_norm(first.unsqueeze(-2) - second.unsqueeze(-3), p, dim=-1)


# ---- sort, topk, kthvalue, searchsorted


def exceeds_comparison_limit(elements, others):
    return others > MAX_COMPARED_ROW or elements * others > MAX_COMPARISONS


def uses_radix_select(x, dim):
    """Whether a kernel finds such a row's kth value by radix select: aten.kthvalue stays."""
    return x.dim() > 0 and x.dtype in (torch.float32, torch.float16, torch.bfloat16) and x.shape[dim] >= MIN_RADIX_SELECT_ROW


def arange_on(count, tensor):
    return torch.arange(count, device=tensor.device)


def select_one(mask, values):
    """The one element of each row that the mask selects."""
    return torch.where(mask, values, torch.zeros((), dtype=values.dtype, device=values.device)).sum(-1, dtype=values.dtype)


def uses_iterative_selection(x, dim, count):
    return count is not None and count <= MAX_SELECTION_PASSES and x.shape[dim] > LONG_ROW


def uses_sort_kernel(x, dim, count=None):
    """Whether the sort kernel takes such rows: aten.sort.stable and aten.topk.default stay, along the last
    dimension."""
    if x.dim() == 0 or x.numel() == 0 or x.dtype not in SORTED_TYPES or uses_iterative_selection(x, dim, count):
        return False
    highest = MAX_SORTED_ROW if x.dtype.itemsize < 8 else MAX_SORTED_ROW // 2
    return MIN_SORTED_ROW <= x.shape[dim] <= highest and count != 0


def sorted_by_kernel(x, dim, count, descending, stable):
    is_last = dim == x.dim() - 1
    x = x if is_last else x.movedim(dim, -1)
    found = (aten.sort.stable(x, stable=stable, dim=-1, descending=descending) if count is None else
             aten.topk.default(x, count, -1, descending, True))
    return tuple(part if is_last else part.movedim(-1, dim) for part in found)


def sort_or_topk(x, dim, count, descending, stable=False):
    """The first `count` elements of each sorted row and their indices; stable. Without the sort kernel NaN has no rank of
    its own: a row with NaN gives other values, but its indices stay in range."""
    dim = dim % max(x.dim(), 1)
    if uses_sort_kernel(x, dim, count):
        return sorted_by_kernel(x, dim, count, descending, stable)
    if x.dim() > 0 and uses_iterative_selection(x, dim, count):
        return select_iteratively(x, dim, count, descending)
    if x.dim() == 0 or exceeds_comparison_limit(x.numel(), x.shape[dim]):
        return NotImplemented if x.dim() == 0 or count is None else topk_by_chunks(x, dim, count, descending)
    x = x.movedim(dim, -1)
    position = arange_on(x.shape[-1], x)
    own, other = x.unsqueeze(-1), x.unsqueeze(-2)
    is_before = other > own if descending else other < own
    rank = (is_before | ((other == own) & (position.unsqueeze(0) < position.unsqueeze(1)))).sum(-1)
    mask = rank.unsqueeze(-2) == position[:count].unsqueeze(-1)
    indices = select_one(mask, position).clamp_max(x.shape[-1] - 1)
    return select_one(mask, x.unsqueeze(-2)).movedim(-1, dim), indices.movedim(-1, dim)


def topk_by_chunks(x, dim, count, descending):
    """The topk of a long row is the topk of its chunks' topk."""
    x = x.movedim(dim, -1)
    size = max(MIN_CHUNK, 1 << (2 * count - 1).bit_length())
    if size >= x.shape[-1]:
        return NotImplemented
    lowest, highest = limits_of(x.dtype)
    chunks = torch.nn.functional.pad(x, (0, -x.shape[-1] % size), value=lowest if descending else highest).unflatten(-1, (-1, size))
    per_chunk = sort_or_topk(chunks, -1, count, descending)
    if per_chunk is NotImplemented:
        return NotImplemented
    values, indices = per_chunk[0].flatten(-2), per_chunk[1] + (arange_on(chunks.shape[-2], x) * size).unsqueeze(-1)
    found = sort_or_topk(values, -1, count, descending)
    if found is NotImplemented:
        return NotImplemented
    return found[0].movedim(-1, dim), indices.flatten(-2).gather(-1, found[1]).movedim(-1, dim)


def select_iteratively(x, dim, count, descending):
    """The topk of each row, each element the extreme of those that are left."""
    x = x.movedim(dim, -1)
    size = x.shape[-1]
    position = arange_on(size, x)
    lowest, highest = limits_of(x.dtype)
    values, indices, free = [], [], None
    for _ in range(count):
        left = x if free is None else torch.where(free, x, lowest if descending else highest)
        extreme = left.amax(-1, keepdim=True) if descending else left.amin(-1, keepdim=True)
        is_extreme = (x == extreme) | (x != x) if x.dtype.is_floating_point else x == extreme
        first = torch.where(is_extreme if free is None else is_extreme & free, position, size - 1).amin(-1, keepdim=True)
        values.append(extreme)
        indices.append(first)
        free = position != first if free is None else free & (position != first)
    return torch.cat(values, -1).movedim(-1, dim), torch.cat(indices, -1).movedim(-1, dim)


def limits_of(dtype):
    if dtype.is_floating_point:
        return -math.inf, math.inf
    return torch.iinfo(dtype).min, torch.iinfo(dtype).max


@decomposition(aten.sort.default)
def sort(x, dim=-1, descending=False):
    return sort_or_topk(x, dim, None, descending)


@decomposition(aten.sort.stable)
def stable_sort(x, *, stable=None, dim=-1, descending=False):
    if dim == -1 and uses_sort_kernel(x, dim):
        return NotImplemented
    return sort_or_topk(x, dim, None, descending, bool(stable))


@decomposition(aten.topk.default)
def topk(x, k, dim=-1, largest=True, sorted=True):
    if dim == -1 and uses_sort_kernel(x, dim, k):
        return NotImplemented
    return sort_or_topk(x, dim, k, largest)


@decomposition(aten.kthvalue.default)
def kthvalue(x, k, dim=-1, keepdim=False):
    if uses_radix_select(x, dim):
        return NotImplemented
    found = sort_or_topk(x, dim, None, False)
    if found is NotImplemented:
        return NotImplemented
    return tuple(part.narrow(dim, k - 1, 1) if keepdim else part.select(dim, k - 1) for part in found)


@decomposition(aten.median.dim)
def median(x, dim=-1, keepdim=False):
    rank = (x.shape[dim] + 1) // 2 if x.dim() > 0 else 1
    if not uses_radix_select(x, dim):
        return kthvalue(x, rank, dim, keepdim)
    found = torch.kthvalue(x, rank, dim, keepdim)
    is_nan = x != x
    has_nan = is_nan.any(dim, keepdim)
    first_nan = is_nan.to(x.dtype).argmax(dim, keepdim)
    return torch.where(has_nan, math.nan, found.values), torch.where(has_nan, first_nan, found.indices)


@decomposition(aten.median.default)
def median_of_all(x):
    found = median(x.flatten(), 0)
    return found if found is NotImplemented else found[0]


@decomposition(aten.bucketize.Tensor)
def bucketize(x, boundaries, *, out_int32=False, right=False):
    return searchsorted(boundaries, x, out_int32=out_int32, right=right)


@decomposition(aten.searchsorted.Tensor)
def searchsorted(row, x, *, out_int32=False, right=False, side=None, sorter=None):
    if sorter is not None or exceeds_comparison_limit(x.numel(), row.shape[-1]):
        return NotImplemented
    own = x.unsqueeze(-1)
    other = row if row.dim() == 1 else row.unsqueeze(-2)
    is_before = other <= own if right or side == "right" else other < own
    return is_before.sum(-1, dtype=torch.int32 if out_int32 else torch.int64)


@decomposition(aten.histc.default)
def histc(x, bins=100, min=0, max=0):
    if exceeds_comparison_limit(x.numel(), bins):
        return NotImplemented
    low, high = (x.amin(), x.amax()) if min == max else (min, max)
    if min == max:  # all equal: torch widens the range
        low, high = torch.where(low == high, low - 1, low), torch.where(low == high, high + 1, high)
    position = ((x.flatten() - low) / (high - low) * bins).floor()
    position = torch.where(x.flatten() == high, bins - 1, position)
    return (position == arange_on(bins, x).unsqueeze(-1)).sum(-1, dtype=x.dtype)


# ---- fold


@decomposition(aten.col2im.default)
def col2im(columns, output_size, kernel_size, dilation, padding, stride):
    """Each pixel gathers and sums the windows that it is in."""
    channels = columns.shape[-2] // (kernel_size[0] * kernel_size[1])
    counts = [(output_size[i] + 2 * padding[i] - dilation[i] * (kernel_size[i] - 1) - 1) // stride[i] + 1 for i in (0, 1)]
    windows = columns.reshape(*columns.shape[:-2], channels, *kernel_size, *counts)
    found = None
    for y in range(kernel_size[0]):
        for x in range(kernel_size[1]):
            rows, is_row = contributing_window(0, y, columns, output_size, dilation, padding, stride, counts)
            across, is_across = contributing_window(1, x, columns, output_size, dilation, padding, stride, counts)
            part = windows[..., y, x, :, :][..., rows.unsqueeze(-1), across]
            part = torch.where(is_row.unsqueeze(-1) & is_across, part, 0)
            found = part if found is None else found + part
    return found


def contributing_window(axis, offset, columns, output_size, dilation, padding, stride, counts):
    begin = arange_on(output_size[axis], columns) + padding[axis] - offset * dilation[axis]
    position = begin // stride[axis]
    is_there = (begin >= 0) & (begin % stride[axis] == 0) & (position < counts[axis])
    return position.clamp(0, counts[axis] - 1), is_there


# ---- others


@decomposition(aten.as_strided.default)
def as_strided(x, size, stride, storage_offset=None):
    """A gather: offsets in memory are flat indices of a contiguous tensor."""
    if not x.is_contiguous():
        return NotImplemented
    begin = 0 if storage_offset is None else storage_offset - x.storage_offset()
    indices = torch.full((), begin, dtype=torch.int64, device=x.device)
    for count, step in zip(size, stride):
        indices = indices.unsqueeze(-1) + arange_on(count, x) * step
    return x.reshape(-1)[indices]


@decomposition(aten._embedding_bag_forward_only.default)
def embedding_bag(*arguments, **keywords):
    return aten._embedding_bag.default(*arguments, **keywords)


@decomposition(aten.fake_quantize_per_tensor_affine_cachemask.default)
def fake_quantize(x, scale, zero_point, quant_min, quant_max):
    level = (x * (1.0 / scale)).round() + zero_point
    return quantized(x, level, scale, zero_point, quant_min, quant_max)


@decomposition(aten.fake_quantize_per_channel_affine_cachemask.default)
def fake_quantize_by_channel(x, scale, zero_point, axis, quant_min, quant_max):
    shape = [-1 if d == axis else 1 for d in range(x.dim())]
    scale, zero_point = scale.reshape(shape), zero_point.reshape(shape).to(x.dtype)
    level = (x * scale.reciprocal()).round() + zero_point
    return quantized(x, level, scale, zero_point, quant_min, quant_max)


def quantized(x, level, scale, zero_point, quant_min, quant_max):
    inside = (level >= quant_min) & (level <= quant_max)
    return ((level.clamp(quant_min, quant_max) - zero_point) * scale).to(x.dtype), inside
