# SPDX-License-Identifier: GPL-3.0-or-later
"""Decompositions of scatters. Small ones become comparisons: each element looks for the writes to it. Large ones become
scatters of whole rows, which have a kernel of their own (index_put of a matrix's rows, index_reduce).
"""

import math

import torch

from decompositions import (
    FEW_COMPARISONS, MANY_COMPARISONS, SCATTER_TYPES, arange_on, aten, decomposition, exceeds_comparison_limit, limits_of)

SCATTER_EXTREME_TYPES = (torch.float32, torch.int32, torch.int64)


def row_scatter(x, dim, index, source):
    """Indices and rows, if all elements of a row share their index, as with an expanded index; rows have `dim` first.
    Else None."""
    others = [d for d in range(index.dim()) if d != dim]
    is_whole = all(index.shape[d] == x.shape[d] for d in others)
    is_one = all(index.stride(d) == 0 or index.shape[d] == 1 for d in others)
    if not others or not is_whole or not is_one or all(index.shape[d] == 1 for d in others):
        return None
    return index.movedim(dim, 0)[(slice(None), *[0] * len(others))], cropped_to_index(source, index)


def match_mask(x, dim, index):
    """For each element of x, along a last dimension, which writes go to it. None: too many comparisons, or the index does
    not cover the other dimensions."""
    others = [size for d, size in enumerate(x.shape) if d != dim]
    if x.dim() == 0 or [size for d, size in enumerate(index.shape) if d != dim] != others:
        return None
    if exceeds_comparison_limit(x.numel(), index.shape[dim]):
        return None
    return index.movedim(dim, -1).unsqueeze(-2) == arange_on(x.shape[dim], x).unsqueeze(-1)


def cropped_to_index(source, index):
    for d, size in enumerate(index.shape):
        source = source.narrow(d, 0, size)
    return source


@decomposition(aten.scatter.value)
def scatter_value(x, dim, index, value):
    dim = dim % max(x.dim(), 1)
    if x.dim() > 0 and x.numel() * index.shape[dim] > MANY_COMPARISONS:
        return scatter_elements(x, dim, index, torch.full(index.shape, value, dtype=x.dtype, device=x.device), False)
    matches = match_mask(x, dim, index)
    if matches is None:
        return scatter_source(x, dim, index, torch.full(index.shape, value, dtype=x.dtype, device=x.device))
    return torch.where(matches.any(-1).movedim(-1, dim), value, x)


@decomposition(aten.scatter.src)
def scatter_source(x, dim, index, source):
    dim = dim % max(x.dim(), 1)
    if rows := row_scatter(x, dim, index, source):
        return torch.index_copy(x, dim, *rows)
    if x.dim() > 0 and index.shape[dim] > 1 and x.numel() * index.shape[dim] > MANY_COMPARISONS:
        return scatter_elements(x, dim, index, source, False)
    matches = match_mask(x, dim, index)
    if matches is None:
        return scatter_elements(x, dim, index, source, False) if x.dim() > 0 else NotImplemented
    source = cropped_to_index(source, index)
    if index.shape[dim] == 1:
        return torch.where(matches.squeeze(-1).movedim(-1, dim), source, x)
    # Of several writes to one element the last one wins.
    last = torch.where(matches, arange_on(index.shape[dim], x), -1).amax(-1).movedim(-1, dim)
    return torch.where(last >= 0, source.gather(dim, last.clamp_min(0)), x)


@decomposition(aten.scatter_add.default)
def scatter_add(x, dim, index, source):
    dim = dim % max(x.dim(), 1)
    if rows := row_scatter(x, dim, index, source):
        return torch.index_add(x, dim, *rows)
    if x.dim() > 0 and (x.numel() * index.shape[dim] > FEW_COMPARISONS or match_mask(x, dim, index) is None):
        return scatter_elements(x, dim, index, source, True)
    return scatter_reduce(x, dim, index, source, "sum")


def scatter_elements(x, dim, index, source, is_sum):
    """A scatter of single elements, by flat index."""
    flat = flat_indices(x, dim, index).reshape(-1)
    added = cropped_to_index(source, index).reshape(-1, 1)
    return scatter_rows(x.reshape(-1, 1), 0, 1, flat.shape, flat, added, is_sum).reshape(x.shape)


def flat_indices(x, dim, index):
    """The flat index into x that each element of `index` writes to."""
    flat_index, step = 0, 1
    for d in range(x.dim() - 1, -1, -1):
        counter = arange_on(index.shape[d], x).reshape([-1 if at == d else 1 for at in range(x.dim())])
        flat_index = (index if d == dim else counter) * step + flat_index
        step *= x.shape[d]
    return flat_index.expand(index.shape)


@decomposition(aten.scatter_reduce.two)
def scatter_reduce(x, dim, index, source, reduce, *, include_self=True):
    dim = dim % max(x.dim(), 1)
    if reduce not in ("sum", "mean", "amax", "amin") or (reduce == "mean" and not x.dtype.is_floating_point):
        return NotImplemented
    if rows := row_scatter(x, dim, index, source):
        return reduce_rows(x, dim, *rows, reduce, include_self)
    matches = match_mask(x, dim, index)
    if matches is None:
        if x.dim() == 0:
            return NotImplemented
        flat = flat_indices(x, dim, index).reshape(-1)
        found = reduce_rows(x.reshape(-1, 1), 0, flat, cropped_to_index(source, index).reshape(-1, 1), reduce, include_self)
        return found if found is NotImplemented else found.reshape(x.shape)
    given = cropped_to_index(source, index).movedim(dim, -1).unsqueeze(-2)
    own = x.movedim(dim, -1)
    if reduce in ("sum", "mean"):
        found = torch.where(matches, given, 0).sum(-1, dtype=x.dtype)
        found = found + own if include_self else found
        if reduce == "mean":
            found = found / (matches.sum(-1) + (1 if include_self else 0)).clamp_min(1)
    else:
        lowest, highest = limits_of(x.dtype)
        found = torch.where(matches, given, lowest if reduce == "amax" else highest)
        found = found.amax(-1) if reduce == "amax" else found.amin(-1)
        if include_self:
            found = torch.maximum(found, own) if reduce == "amax" else torch.minimum(found, own)
    if not include_self:
        found = torch.where(matches.any(-1), found, own)
    return found.movedim(-1, dim)


@decomposition(aten.index_reduce.default)
def index_reduce(x, dim, index, source, reduce, *, include_self=True):
    if reduce == "prod" or (reduce == "mean" and not x.dtype.is_floating_point) or x.dim() == 0:
        return NotImplemented
    if uses_extreme_kernel(x, dim, reduce, include_self):
        return NotImplemented  # has a kernel of its own
    return reduce_rows(x, dim % x.dim(), index, source, reduce, include_self)


def uses_extreme_kernel(x, dim, reduce, include_self):
    return x.dim() == 2 and dim == 0 and reduce in ("amax", "amin") and include_self and x.dtype in SCATTER_EXTREME_TYPES


def reduce_rows(x, dim, index, source, reduce, include_self):
    """Reduces rows of `source` along `dim` into the rows of x at `index`."""
    counts = torch.zeros(x.shape[dim], dtype=torch.int64, device=x.device).index_add(0, index, torch.ones_like(index))
    counts = counts.reshape([-1 if d == dim else 1 for d in range(x.dim())])
    if reduce in ("sum", "mean"):
        base = x if include_self else torch.where(counts > 0, 0, x)
        found = torch.index_add(base, dim, index, source)
        return found / (counts + (1 if include_self else 0)).clamp_min(1) if reduce == "mean" else found
    if x.dtype not in SCATTER_EXTREME_TYPES:
        return NotImplemented
    lowest, highest = limits_of(x.dtype)
    base = x if include_self else torch.where(counts > 0, lowest if reduce == "amax" else highest, x)
    transposed = base.movedim(dim, 0)
    rows = transposed.reshape(transposed.shape[0], -1)
    found = aten.index_reduce.default(rows, 0, index.to(torch.int64), source.movedim(dim, 0).reshape(-1, rows.shape[1]), reduce)
    return found.reshape(transposed.shape).movedim(0, dim)


@decomposition(aten.index_put.default)
def index_put(x, indices, values, accumulate=False):
    given = [(d, index) for d, index in enumerate(indices) if index is not None]
    if len(given) == 1 and given[0][1].dtype == torch.bool:
        d, mask = given[0]
        if accumulate or d != 0 or values.numel() != 1:
            return NotImplemented
        return torch.where(mask.reshape(*mask.shape, *[1] * (x.dim() - mask.dim())), values.reshape(()), x)
    # Indices of one dimension, or of the leading dimensions together.
    if any(index.dtype == torch.bool for _, index in given) or (len(given) > 1 and [d for d, _ in given] != list(range(len(given)))):
        return NotImplemented
    d = given[0][0]
    shape = torch.broadcast_shapes(*(index.shape for _, index in given))
    flat_index = None
    for at, index in given:
        index = torch.where(index < 0, index + x.shape[at], index)
        flat_index = index if flat_index is None else flat_index * x.shape[at] + index
    flat_index = flat_index.expand(shape).reshape(-1)
    count = flat_index.shape[0]
    cells = x.numel() if accumulate else math.prod(x.shape[at] for at, _ in given)
    if count * cells > (FEW_COMPARISONS if accumulate else MANY_COMPARISONS):
        is_plain = d == 0 and x.dim() == 2 and [index.dim() for _, index in given] == [1] and values.shape == (count, x.shape[1])
        if is_plain and x.dtype in SCATTER_TYPES:
            return NotImplemented  # has a kernel of its own
        return scatter_rows(x, d, len(given), shape, flat_index, values, accumulate)
    whole = x if len(given) == 1 else x.reshape(-1, *x.shape[len(given):])
    values = values.expand(*whole.shape[:d], *shape, *whole.shape[d + 1:]).reshape(*whole.shape[:d], count, *whole.shape[d + 1:])
    size = whole.shape[d]
    across = [1] * (whole.dim() - d - 1)
    matches = flat_index.unsqueeze(0) == arange_on(size, x).unsqueeze(1)
    if accumulate:
        found = torch.where(matches, values.movedim(d, -1).unsqueeze(-2), 0).sum(-1, dtype=x.dtype).movedim(-1, d) + whole
    else:
        last = torch.where(matches, arange_on(count, x), -1).amax(-1)
        found = torch.where((last >= 0).reshape(-1, *across), values.index_select(d, last.clamp_min(0)), whole)
    return found.reshape(x.shape)


def scatter_rows(x, d, dimensions, shape, flat_index, values, is_sum):
    """A scatter of the rows of a matrix: the only form that the kernel takes."""
    count = flat_index.shape[0]
    values = values.expand(*x.shape[:d], *shape, *x.shape[d + dimensions:])
    values = values.reshape(*x.shape[:d], count, *x.shape[d + dimensions:])
    whole = x.reshape(*x.shape[:d], -1, *x.shape[d + dimensions:]).movedim(d, 0)
    rows = whole.reshape(whole.shape[0], -1)
    added = values.movedim(d, 0).reshape(count, -1)
    inside = torch.float32 if x.dtype in (torch.float16, torch.bfloat16) else x.dtype
    if inside not in SCATTER_TYPES:
        inside = torch.int32
    found = aten.index_put.default(rows.to(inside), [flat_index.to(torch.int64)], added.to(inside), is_sum).to(x.dtype)
    return found.reshape(whole.shape).movedim(0, d).reshape(x.shape)


@decomposition(aten.bincount.default)
def bincount(x, weights=None, minlength=0):
    """Assumes numbers below `minlength`: with a larger one torch's result is longer, and a check fails."""
    if minlength <= 0 or weights is not None:
        return NotImplemented
    return torch.zeros(minlength, dtype=torch.int64, device=x.device).index_add(0, x.to(torch.int64), torch.ones_like(x, dtype=torch.int64))


@decomposition(aten.masked_scatter.default)
def masked_scatter(x, mask, source):
    mask = mask.expand(x.shape)
    flat_index = mask.flatten().cumsum(0).sub(1).clamp_min(0).reshape(x.shape)
    return torch.where(mask, source.flatten()[flat_index], x)
