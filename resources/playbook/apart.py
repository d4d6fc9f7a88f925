# SPDX-License-Identifier: GPL-3.0-or-later
"""What torch's operators are taken apart into, so that a kernel's planner has few words to know: decompositions() is a
table for make_fx. One that returns NotImplemented leaves its operator whole.

Much of what sorts and scatters is said in comparisons here: an element's place in its sorted row is the number of
those before it. That is n comparisons for each of n elements, which a GPU does while it waits for memory, as long as
rows are short. Longer ones are left whole, for a kernel that sorts rows; of those too long for it as well the first
few are found.
"""

import functools
import math

import torch
from torch._decomp import core_aten_decompositions, decomposition_table

MOST_OF_ROW = 4096  # elements that each other one of its row is compared with
FEW_COMPARISONS = 1 << 22  # fewer are done sooner than sums are formed in memory
MANY_COMPARISONS = 1 << 26  # more take longer than to write where others say
KNOWN_OF_ROWS = (torch.float32, torch.float64, torch.int32, torch.int64)  # of a kernel that scatters rows
MOST_IN_TURN = 16  # the first few of a long row are found one after the other
LONG_ROW = 1024
LEAST_PIECE = 256  # of a row that is too long
LEAST_SORTED = 33  # elements of a row that a kernel puts in order
MOST_SORTED = 8192  # that a block has registers for; half of them with 64 bits
SORTED_TYPES = (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16, torch.int8,
                torch.uint8)
LEAST_RANKED = 32  # elements of a row whose ranks are found by bits; fewer are compared with each other
MOST_COMPARISONS = 1 << 36  # in one operator; some ten milliseconds of a GPU

aten = torch.ops.aten
# Taken apart beyond torch's own core set, so that however a model is written there are few words for it.
ALSO_APART = (
    aten._softmax.default, aten._log_softmax.default, aten.native_layer_norm.default, aten.native_group_norm.default,
    aten._native_batch_norm_legit_no_training.default, aten.native_batch_norm.default, aten.gelu.default,
    aten.elu.default, aten.leaky_relu.default, aten.hardtanh.default, aten.linalg_vector_norm.default,
    aten.clamp.Tensor,
    # Looking elements up at places that are computed.
    aten.upsample_nearest2d.vec, aten.upsample_bilinear2d.default, aten.upsample_bilinear2d.vec,
    aten.upsample_bicubic2d.default, aten.upsample_trilinear3d.default, aten.grid_sampler_2d.default,
)
# Kept whole: each is one loop of a kernel here, and taken apart it would be several.
KEPT = (aten.mean.default, aten.mean.dim, aten.sum.default, aten.prod.default, aten.var.correction,
        aten.var_mean.correction, aten.where.self, aten.select_scatter.default)
OURS = {}


def apart(*overloads):
    def register(function):
        for overload in overloads:
            OURS[overload] = function
        return function
    return register


@functools.cache
def decompositions():
    table = dict(core_aten_decompositions())
    for overload in ALSO_APART:
        if overload in decomposition_table:
            table[overload] = decomposition_table[overload]
    for overload in KEPT:
        table.pop(overload, None)
    return {**table, **OURS}


# ---- products


@apart(aten.addmm.default)
def addmm(bias, first, second, *, beta=1, alpha=1):
    """torch's own table widens halves to floats before it multiplies, which no library's kernel does."""
    return added(bias, aten.mm.default(first, second), beta, alpha)


@apart(aten.baddbmm.default)
def baddbmm(bias, first, second, *, beta=1, alpha=1):
    return added(bias, aten.bmm.default(first, second), beta, alpha)


@apart(aten.addbmm.default)
def addbmm(bias, first, second, *, beta=1, alpha=1):
    return added(bias, aten.bmm.default(first, second).sum(0), beta, alpha)


def added(bias, product, beta, alpha):
    product = product if alpha == 1 else product * alpha
    if beta == 0:
        return product
    return product + (bias if beta == 1 else bias * beta)


@apart(aten.mm.default, aten.bmm.default)
def product_of_whole_numbers(first, second):
    """No library multiplies them: sums like any other."""
    if first.dtype.is_floating_point or first.dtype.is_complex:
        return NotImplemented
    return (first.unsqueeze(-1) * second.unsqueeze(-3)).sum(-2, dtype=first.dtype)


@apart(aten._int_mm.default)
def product_of_bytes(first, second):
    return (first.unsqueeze(-1).to(torch.int32) * second.unsqueeze(-3).to(torch.int32)).sum(-2, dtype=torch.int32)


@apart(aten._pdist_forward.default)
def pdist(x, p=2.0):
    """The upper triangle of all distances."""
    rows, columns = torch.triu_indices(x.shape[0], x.shape[0], 1, device=x.device)
    return torch.linalg.vector_norm(x[rows] - x[columns], p, dim=-1)


@apart(aten._trilinear.default)
def trilinear(first, weight, second, first_ones, weight_ones, second_ones, summed, unroll_dim=1):
    """As F.bilinear asks for it: one product, and a sum with the other factor."""
    asked = tuple(tuple(each) for each in (first_ones, weight_ones, second_ones, summed))
    if asked != ((1, 3), (0,), (1, 2), (2, 3)):
        return NotImplemented
    outer, middle, inner = weight.shape
    products = aten.mm.default(second, weight.reshape(outer * middle, inner).t())
    return (products.reshape(-1, outer, middle) * first.unsqueeze(1)).sum(-1)


@apart(aten.dist.default)
def dist(first, second, p=2):
    return torch.linalg.vector_norm(first - second, p)


@apart(aten._cdist_forward.default)
def cdist(first, second, p, compute_mode):
    many = first.shape[-2] > 25 or second.shape[-2] > 25
    if p == 2 and (compute_mode == 1 or (compute_mode in (None, 0) and many)):  # as torch: by a product
        squares = first.square().sum(-1, keepdim=True) + second.square().sum(-1, keepdim=True).transpose(-1, -2)
        return (squares - 2 * (first @ second.transpose(-1, -2))).clamp_min(0).sqrt()
    return torch.linalg.vector_norm(first.unsqueeze(-2) - second.unsqueeze(-3), p, dim=-1)


# ---- order


def is_too_much(elements, others):
    return others > MOST_OF_ROW or elements * others > MOST_COMPARISONS


def is_ranked(x, dim):
    """Whether a kernel finds the element of a rank in such a row by its bits: kthvalue is left whole."""
    return x.dim() > 0 and x.dtype in (torch.float32, torch.float16, torch.bfloat16) and x.shape[dim] >= LEAST_RANKED


def numbers(count, tensor):
    return torch.arange(count, device=tensor.device)


def chosen(picks, values):
    """Of each row the one element that is picked."""
    return torch.where(picks, values, torch.zeros((), dtype=values.dtype, device=values.device)).sum(-1, dtype=values.dtype)


def is_in_turn(x, dim, count):
    return count is not None and count <= MOST_IN_TURN and x.shape[dim] > LONG_ROW


def is_sorted(x, dim, count=None):
    """Whether a kernel of its own puts such rows in order: aten.sort.stable and aten.topk.default are left whole, of
    rows that lie along the last dimension."""
    if x.dim() == 0 or x.numel() == 0 or x.dtype not in SORTED_TYPES or is_in_turn(x, dim, count):
        return False
    most = MOST_SORTED if x.dtype.itemsize < 8 else MOST_SORTED // 2
    return LEAST_SORTED <= x.shape[dim] <= most and count != 0


def by_kernel(x, dim, count, descending, stable):
    is_last = dim == x.dim() - 1
    x = x if is_last else x.movedim(dim, -1)
    found = (aten.sort.stable(x, stable=stable, dim=-1, descending=descending) if count is None else
             aten.topk.default(x, count, -1, descending, True))
    return tuple(part if is_last else part.movedim(-1, dim) for part in found)


def in_order(x, dim, count, descending, stable=False):
    """The first `count` of each row in order, and where they were; equal ones stay as they are. Where no kernel puts
    rows in order NaN has no place of its own: where there is one, values are others, but places stay inside the row."""
    dim = dim % max(x.dim(), 1)
    if is_sorted(x, dim, count):
        return by_kernel(x, dim, count, descending, stable)
    if x.dim() > 0 and is_in_turn(x, dim, count):
        return in_turn(x, dim, count, descending)
    if x.dim() == 0 or is_too_much(x.numel(), x.shape[dim]):
        return NotImplemented if x.dim() == 0 or count is None else of_pieces(x, dim, count, descending)
    x = x.movedim(dim, -1)
    place = numbers(x.shape[-1], x)
    own, other = x.unsqueeze(-1), x.unsqueeze(-2)
    is_before = other > own if descending else other < own
    rank = (is_before | ((other == own) & (place.unsqueeze(0) < place.unsqueeze(1)))).sum(-1)
    picks = rank.unsqueeze(-2) == place[:count].unsqueeze(-1)
    places = chosen(picks, place).clamp_max(x.shape[-1] - 1)
    return chosen(picks, x.unsqueeze(-2)).movedim(-1, dim), places.movedim(-1, dim)


def of_pieces(x, dim, count, descending):
    """The first few of a long row are among the first few of its pieces."""
    x = x.movedim(dim, -1)
    size = max(LEAST_PIECE, 1 << (2 * count - 1).bit_length())
    if size >= x.shape[-1]:
        return NotImplemented
    least, most = limits_of(x.dtype)
    pieces = torch.nn.functional.pad(x, (0, -x.shape[-1] % size), value=least if descending else most).unflatten(-1, (-1, size))
    of_each = in_order(pieces, -1, count, descending)
    if of_each is NotImplemented:
        return NotImplemented
    values, places = of_each[0].flatten(-2), of_each[1] + (numbers(pieces.shape[-2], x) * size).unsqueeze(-1)
    found = in_order(values, -1, count, descending)
    if found is NotImplemented:
        return NotImplemented
    return found[0].movedim(-1, dim), places.flatten(-2).gather(-1, found[1]).movedim(-1, dim)


def in_turn(x, dim, count, descending):
    """The first few of each row, each the extreme of what those before it have left."""
    x = x.movedim(dim, -1)
    size = x.shape[-1]
    place = numbers(size, x)
    least, most = limits_of(x.dtype)
    values, places, free = [], [], None
    for _ in range(count):
        left = x if free is None else torch.where(free, x, least if descending else most)
        extreme = left.amax(-1, keepdim=True) if descending else left.amin(-1, keepdim=True)
        is_extreme = (x == extreme) | (x != x) if x.dtype.is_floating_point else x == extreme
        first = torch.where(is_extreme if free is None else is_extreme & free, place, size - 1).amin(-1, keepdim=True)
        values.append(extreme)
        places.append(first)
        free = place != first if free is None else free & (place != first)
    return torch.cat(values, -1).movedim(-1, dim), torch.cat(places, -1).movedim(-1, dim)


def limits_of(dtype):
    if dtype.is_floating_point:
        return -math.inf, math.inf
    return torch.iinfo(dtype).min, torch.iinfo(dtype).max


@apart(aten.sort.default)
def sort(x, dim=-1, descending=False):
    return in_order(x, dim, None, descending)


@apart(aten.sort.stable)
def stable_sort(x, *, stable=None, dim=-1, descending=False):
    if dim == -1 and is_sorted(x, dim):
        return NotImplemented
    return in_order(x, dim, None, descending, bool(stable))


@apart(aten.topk.default)
def topk(x, k, dim=-1, largest=True, sorted=True):
    if dim == -1 and is_sorted(x, dim, k):
        return NotImplemented
    return in_order(x, dim, k, largest)


@apart(aten.kthvalue.default)
def kthvalue(x, k, dim=-1, keepdim=False):
    if is_ranked(x, dim):
        return NotImplemented
    found = in_order(x, dim, None, False)
    if found is NotImplemented:
        return NotImplemented
    return tuple(part.narrow(dim, k - 1, 1) if keepdim else part.select(dim, k - 1) for part in found)


@apart(aten.median.dim)
def median(x, dim=-1, keepdim=False):
    rank = (x.shape[dim] + 1) // 2 if x.dim() > 0 else 1
    if not is_ranked(x, dim):
        return kthvalue(x, rank, dim, keepdim)
    found = torch.kthvalue(x, rank, dim, keepdim)
    is_none = x != x
    has_none = is_none.any(dim, keepdim)
    first_none = is_none.to(x.dtype).argmax(dim, keepdim)
    return torch.where(has_none, math.nan, found.values), torch.where(has_none, first_none, found.indices)


@apart(aten.median.default)
def median_of_all(x):
    found = median(x.flatten(), 0)
    return found if found is NotImplemented else found[0]


@apart(aten.bucketize.Tensor)
def bucketize(x, boundaries, *, out_int32=False, right=False):
    return searchsorted(boundaries, x, out_int32=out_int32, right=right)


@apart(aten.searchsorted.Tensor)
def searchsorted(row, x, *, out_int32=False, right=False, side=None, sorter=None):
    if sorter is not None or is_too_much(x.numel(), row.shape[-1]):
        return NotImplemented
    own = x.unsqueeze(-1)
    other = row if row.dim() == 1 else row.unsqueeze(-2)
    is_before = other <= own if right or side == "right" else other < own
    return is_before.sum(-1, dtype=torch.int32 if out_int32 else torch.int64)


@apart(aten.histc.default)
def histc(x, bins=100, min=0, max=0):
    if is_too_much(x.numel(), bins):
        return NotImplemented
    low, high = (x.amin(), x.amax()) if min == max else (min, max)
    if min == max:  # all the same: torch makes room around it
        low, high = torch.where(low == high, low - 1, low), torch.where(low == high, high + 1, high)
    place = ((x.flatten() - low) / (high - low) * bins).floor()
    place = torch.where(x.flatten() == high, bins - 1, place)
    return (place == numbers(bins, x).unsqueeze(-1)).sum(-1, dtype=x.dtype)


# ---- windows


@apart(aten.col2im.default)
def col2im(columns, output_size, kernel_size, dilation, padding, stride):
    """Each pixel is the sum of the windows that it is in."""
    channels = columns.shape[-2] // (kernel_size[0] * kernel_size[1])
    counts = [(output_size[i] + 2 * padding[i] - dilation[i] * (kernel_size[i] - 1) - 1) // stride[i] + 1 for i in (0, 1)]
    windows = columns.reshape(*columns.shape[:-2], channels, *kernel_size, *counts)
    found = None
    for y in range(kernel_size[0]):
        for x in range(kernel_size[1]):
            rows, is_row = window_of(0, y, columns, output_size, dilation, padding, stride, counts)
            across, is_across = window_of(1, x, columns, output_size, dilation, padding, stride, counts)
            part = windows[..., y, x, :, :][..., rows.unsqueeze(-1), across]
            part = torch.where(is_row.unsqueeze(-1) & is_across, part, 0)
            found = part if found is None else found + part
    return found


def window_of(axis, offset, columns, output_size, dilation, padding, stride, counts):
    begin = numbers(output_size[axis], columns) + padding[axis] - offset * dilation[axis]
    place = begin // stride[axis]
    is_there = (begin >= 0) & (begin % stride[axis] == 0) & (place < counts[axis])
    return place.clamp(0, counts[axis] - 1), is_there


# ---- others


@apart(aten.as_strided.default)
def as_strided(x, size, stride, storage_offset=None):
    """Places in memory, which are places of a tensor that lies by rows."""
    if not x.is_contiguous():
        return NotImplemented
    begin = 0 if storage_offset is None else storage_offset - x.storage_offset()
    places = torch.full((), begin, dtype=torch.int64, device=x.device)
    for count, step in zip(size, stride):
        places = places.unsqueeze(-1) + numbers(count, x) * step
    return x.reshape(-1)[places]


@apart(aten._embedding_bag_forward_only.default)
def embedding_bag(*arguments, **keywords):
    return aten._embedding_bag.default(*arguments, **keywords)


@apart(aten.fake_quantize_per_tensor_affine_cachemask.default)
def fake_quantize(x, scale, zero_point, quant_min, quant_max):
    place = (x * (1.0 / scale)).round() + zero_point
    return quantized(x, place, scale, zero_point, quant_min, quant_max)


@apart(aten.fake_quantize_per_channel_affine_cachemask.default)
def fake_quantize_by_channel(x, scale, zero_point, axis, quant_min, quant_max):
    shape = [-1 if d == axis else 1 for d in range(x.dim())]
    scale, zero_point = scale.reshape(shape), zero_point.reshape(shape).to(x.dtype)
    place = (x * scale.reciprocal()).round() + zero_point
    return quantized(x, place, scale, zero_point, quant_min, quant_max)


def quantized(x, place, scale, zero_point, quant_min, quant_max):
    inside = (place >= quant_min) & (place <= quant_max)
    return ((place.clamp(quant_min, quant_max) - zero_point) * scale).to(x.dtype), inside
