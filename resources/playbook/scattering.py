# SPDX-License-Identifier: GPL-3.0-or-later
"""What is written where indices say, taken apart: little of it in comparisons, for each element which of those that are
written are for it; much of it as whole rows that go to others, which a kernel of its own does (index_put of a matrix's
rows, index_reduce).
"""

import math

import torch

from apart import FEW_COMPARISONS, KNOWN_OF_ROWS, MANY_COMPARISONS, apart, aten, is_too_much, limits_of, numbers

KNOWN_OF_EXTREMES = (torch.float32, torch.int32, torch.int64)


def as_rows(x, dim, index, source):
    """Where every element of a row goes to the same place, as with an index that was expanded: these places, and the rows
    that go there, with `dim` first. None: it is not so."""
    others = [d for d in range(index.dim()) if d != dim]
    is_whole = all(index.shape[d] == x.shape[d] for d in others)
    is_one = all(index.stride(d) == 0 or index.shape[d] == 1 for d in others)
    if not others or not is_whole or not is_one or all(index.shape[d] == 1 for d in others):
        return None
    return index.movedim(dim, 0)[(slice(None), *[0] * len(others))], like_index(source, index)


def hits_of(x, dim, index):
    """For each element of x which of those that are written are for it: one dimension more, at the end. None: too many,
    or not for each element of the other dimensions."""
    others = [size for d, size in enumerate(x.shape) if d != dim]
    if x.dim() == 0 or [size for d, size in enumerate(index.shape) if d != dim] != others:
        return None
    if is_too_much(x.numel(), index.shape[dim]):
        return None
    return index.movedim(dim, -1).unsqueeze(-2) == numbers(x.shape[dim], x).unsqueeze(-1)


def like_index(source, index):
    for d, size in enumerate(index.shape):
        source = source.narrow(d, 0, size)
    return source


@apart(aten.scatter.value)
def scatter_value(x, dim, index, value):
    dim = dim % max(x.dim(), 1)
    if x.dim() > 0 and x.numel() * index.shape[dim] > MANY_COMPARISONS:
        return scattered_elements(x, dim, index, torch.full(index.shape, value, dtype=x.dtype, device=x.device), False)
    hits = hits_of(x, dim, index)
    if hits is None:
        return scatter_source(x, dim, index, torch.full(index.shape, value, dtype=x.dtype, device=x.device))
    return torch.where(hits.any(-1).movedim(-1, dim), value, x)


@apart(aten.scatter.src)
def scatter_source(x, dim, index, source):
    dim = dim % max(x.dim(), 1)
    if rows := as_rows(x, dim, index, source):
        return torch.index_copy(x, dim, *rows)
    if x.dim() > 0 and index.shape[dim] > 1 and x.numel() * index.shape[dim] > MANY_COMPARISONS:
        return scattered_elements(x, dim, index, source, False)
    hits = hits_of(x, dim, index)
    if hits is None:
        return scattered_elements(x, dim, index, source, False) if x.dim() > 0 else NotImplemented
    source = like_index(source, index)
    if index.shape[dim] == 1:
        return torch.where(hits.squeeze(-1).movedim(-1, dim), source, x)
    # Of several for one element the last one stays.
    last = torch.where(hits, numbers(index.shape[dim], x), -1).amax(-1).movedim(-1, dim)
    return torch.where(last >= 0, source.gather(dim, last.clamp_min(0)), x)


@apart(aten.scatter_add.default)
def scatter_add(x, dim, index, source):
    dim = dim % max(x.dim(), 1)
    if rows := as_rows(x, dim, index, source):
        return torch.index_add(x, dim, *rows)
    if x.dim() > 0 and (x.numel() * index.shape[dim] > FEW_COMPARISONS or hits_of(x, dim, index) is None):
        return scattered_elements(x, dim, index, source, True)
    return scatter_reduce(x, dim, index, source, "sum")


def scattered_elements(x, dim, index, source, is_sum):
    """Each element for itself, at its place in x as one row."""
    flat = flat_places(x, dim, index).reshape(-1)
    added = like_index(source, index).reshape(-1, 1)
    return scattered(x.reshape(-1, 1), 0, 1, flat.shape, flat, added, is_sum).reshape(x.shape)


def flat_places(x, dim, index):
    """Where each element of `index` puts something, in x as one row."""
    place, step = 0, 1
    for d in range(x.dim() - 1, -1, -1):
        counter = numbers(index.shape[d], x).reshape([-1 if at == d else 1 for at in range(x.dim())])
        place = (index if d == dim else counter) * step + place
        step *= x.shape[d]
    return place.expand(index.shape)


@apart(aten.scatter_reduce.two)
def scatter_reduce(x, dim, index, source, reduce, *, include_self=True):
    dim = dim % max(x.dim(), 1)
    if reduce not in ("sum", "mean", "amax", "amin") or (reduce == "mean" and not x.dtype.is_floating_point):
        return NotImplemented
    if rows := as_rows(x, dim, index, source):
        return reduced_rows(x, dim, *rows, reduce, include_self)
    hits = hits_of(x, dim, index)
    if hits is None:
        if x.dim() == 0:
            return NotImplemented
        flat = flat_places(x, dim, index).reshape(-1)
        found = reduced_rows(x.reshape(-1, 1), 0, flat, like_index(source, index).reshape(-1, 1), reduce, include_self)
        return found if found is NotImplemented else found.reshape(x.shape)
    given = like_index(source, index).movedim(dim, -1).unsqueeze(-2)
    own = x.movedim(dim, -1)
    if reduce in ("sum", "mean"):
        found = torch.where(hits, given, 0).sum(-1, dtype=x.dtype)
        found = found + own if include_self else found
        if reduce == "mean":
            found = found / (hits.sum(-1) + (1 if include_self else 0)).clamp_min(1)
    else:
        least, most = limits_of(x.dtype)
        found = torch.where(hits, given, least if reduce == "amax" else most)
        found = found.amax(-1) if reduce == "amax" else found.amin(-1)
        if include_self:
            found = torch.maximum(found, own) if reduce == "amax" else torch.minimum(found, own)
    if not include_self:
        found = torch.where(hits.any(-1), found, own)
    return found.movedim(-1, dim)


@apart(aten.index_reduce.default)
def index_reduce(x, dim, index, source, reduce, *, include_self=True):
    if reduce == "prod" or (reduce == "mean" and not x.dtype.is_floating_point) or x.dim() == 0:
        return NotImplemented
    if is_plain_extreme(x, dim, reduce, include_self):
        return NotImplemented  # a kernel of its own
    return reduced_rows(x, dim % x.dim(), index, source, reduce, include_self)


def is_plain_extreme(x, dim, reduce, include_self):
    return x.dim() == 2 and dim == 0 and reduce in ("amax", "amin") and include_self and x.dtype in KNOWN_OF_EXTREMES


def reduced_rows(x, dim, index, source, reduce, include_self):
    """Rows of `source` along `dim`, put together in those of x that `index` says."""
    counts = torch.zeros(x.shape[dim], dtype=torch.int64, device=x.device).index_add(0, index, torch.ones_like(index))
    counts = counts.reshape([-1 if d == dim else 1 for d in range(x.dim())])
    if reduce in ("sum", "mean"):
        base = x if include_self else torch.where(counts > 0, 0, x)
        found = torch.index_add(base, dim, index, source)
        return found / (counts + (1 if include_self else 0)).clamp_min(1) if reduce == "mean" else found
    if x.dtype not in KNOWN_OF_EXTREMES:
        return NotImplemented
    least, most = limits_of(x.dtype)
    base = x if include_self else torch.where(counts > 0, least if reduce == "amax" else most, x)
    turned = base.movedim(dim, 0)
    rows = turned.reshape(turned.shape[0], -1)
    found = aten.index_reduce.default(rows, 0, index.to(torch.int64), source.movedim(dim, 0).reshape(-1, rows.shape[1]), reduce)
    return found.reshape(turned.shape).movedim(0, dim)


@apart(aten.index_put.default)
def index_put(x, indices, values, accumulate=False):
    given = [(d, index) for d, index in enumerate(indices) if index is not None]
    if len(given) == 1 and given[0][1].dtype == torch.bool:
        d, mask = given[0]
        if accumulate or d != 0 or values.numel() != 1:
            return NotImplemented
        return torch.where(mask.reshape(*mask.shape, *[1] * (x.dim() - mask.dim())), values.reshape(()), x)
    # Places in one dimension, or in the first ones together.
    if any(index.dtype == torch.bool for _, index in given) or (len(given) > 1 and [d for d, _ in given] != list(range(len(given)))):
        return NotImplemented
    d = given[0][0]
    shape = torch.broadcast_shapes(*(index.shape for _, index in given))
    place = None
    for at, index in given:
        index = torch.where(index < 0, index + x.shape[at], index)
        place = index if place is None else place * x.shape[at] + index
    place = place.expand(shape).reshape(-1)
    count = place.shape[0]
    cells = x.numel() if accumulate else math.prod(x.shape[at] for at, _ in given)
    if count * cells > (FEW_COMPARISONS if accumulate else MANY_COMPARISONS):
        is_plain = d == 0 and x.dim() == 2 and [index.dim() for _, index in given] == [1] and values.shape == (count, x.shape[1])
        if is_plain and x.dtype in KNOWN_OF_ROWS:
            return NotImplemented  # a kernel of its own
        return scattered(x, d, len(given), shape, place, values, accumulate)
    whole = x if len(given) == 1 else x.reshape(-1, *x.shape[len(given):])
    values = values.expand(*whole.shape[:d], *shape, *whole.shape[d + 1:]).reshape(*whole.shape[:d], count, *whole.shape[d + 1:])
    size = whole.shape[d]
    across = [1] * (whole.dim() - d - 1)
    hits = place.unsqueeze(0) == numbers(size, x).unsqueeze(1)
    if accumulate:
        found = torch.where(hits, values.movedim(d, -1).unsqueeze(-2), 0).sum(-1, dtype=x.dtype).movedim(-1, d) + whole
    else:
        last = torch.where(hits, numbers(count, x), -1).amax(-1)
        found = torch.where((last >= 0).reshape(-1, *across), values.index_select(d, last.clamp_min(0)), whole)
    return found.reshape(x.shape)


def scattered(x, d, dimensions, shape, place, values, is_sum):
    """Rows of a matrix that go to those of another: the one form that a kernel takes."""
    count = place.shape[0]
    values = values.expand(*x.shape[:d], *shape, *x.shape[d + dimensions:])
    values = values.reshape(*x.shape[:d], count, *x.shape[d + dimensions:])
    whole = x.reshape(*x.shape[:d], -1, *x.shape[d + dimensions:]).movedim(d, 0)
    rows = whole.reshape(whole.shape[0], -1)
    added = values.movedim(d, 0).reshape(count, -1)
    inside = torch.float32 if x.dtype in (torch.float16, torch.bfloat16) else x.dtype
    if inside not in KNOWN_OF_ROWS:
        inside = torch.int32
    found = aten.index_put.default(rows.to(inside), [place.to(torch.int64)], added.to(inside), is_sum).to(x.dtype)
    return found.reshape(whole.shape).movedim(0, d).reshape(x.shape)


@apart(aten.bincount.default)
def bincount(x, weights=None, minlength=0):
    """Of numbers that are smaller than `minlength`, as who gives it expects: with a larger one torch's result is longer,
    and a check says so."""
    if minlength <= 0 or weights is not None:
        return NotImplemented
    return torch.zeros(minlength, dtype=torch.int64, device=x.device).index_add(0, x.to(torch.int64), torch.ones_like(x, dtype=torch.int64))


@apart(aten.masked_scatter.default)
def masked_scatter(x, mask, source):
    mask = mask.expand(x.shape)
    place = mask.flatten().cumsum(0).sub(1).clamp_min(0).reshape(x.shape)
    return torch.where(mask, source.flatten()[place], x)
