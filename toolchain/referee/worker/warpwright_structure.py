# SPDX-License-Identifier: GPL-3.0-or-later
"""What inputs always are, seen in some draws of them: a kernel may rely on it, and who makes others has to keep it.

A property that one draw breaks is none. Along the dimension whose rows trade places between sets (the first that has more
than one): sorted, or with sums that are the same for all that lies beside; whole tensors: symmetric, equal to another one.
"""

import itertools

import torch

from warpwright_values import map_tensors

ROWS = 1 << 16  # of a draw that are looked at
SAME = 1e-3  # of the mean magnitude: so near are sums that are to be one number


def trading_dimension(tensor):
    """The dimension whose rows trade places; None: there is none."""
    return next((place for place, size in enumerate(tensor.shape) if size > 1), None)


def as_rows(tensor):
    """[rows, what lies beside], along the dimension that trades."""
    rows = tensor.detach().movedim(trading_dimension(tensor), 0)
    rows = rows.reshape(rows.shape[0], -1)
    return rows[:, : max(1, ROWS // rows.shape[0])].float()


def is_sorted(rows):
    steps = rows.diff(dim=0)
    return rows.shape[0] > 2 and bool(((steps >= 0).all(dim=0) | (steps <= 0).all(dim=0)).all())


def has_one_sum(rows):
    """Adds up to the same along the rows wherever one looks: probabilities, ones among zeros."""
    sums = rows.sum(dim=0)
    size = rows.abs().sum(dim=0).mean()
    return rows.shape[1] > 1 and rows.shape[0] > 1 and bool(size > 0) and bool((sums - sums[0]).abs().max() <= SAME * size)


def is_symmetric(tensor):
    return tensor.dim() >= 2 and tensor.shape[-1] == tensor.shape[-2] > 1 and torch.equal(tensor, tensor.transpose(-1, -2))


def are_one(draws, first, second):
    """Two inputs that are the same numbers, or one with its sign turned, in every draw."""
    pairs = [(draw[first], draw[second]) for draw in draws]
    return all(a.shape == b.shape and a.dtype == b.dtype and (torch.equal(a, b) or torch.equal(a, -b)) for a, b in pairs)


def may_trade(draws):
    """Whether row i of an input of one draw may stand in the place of row i in another one. `draws`: the tensors of each,
    floats, in order."""
    places = range(len(draws[0]))
    for place in places:
        tensors = [draw[place] for draw in draws]
        if trading_dimension(tensors[0]) is None:
            continue
        if all(is_symmetric(tensor) for tensor in tensors):
            return False
        rows = [as_rows(tensor) for tensor in tensors]
        if all(map(is_sorted, rows)) or all(map(has_one_sum, rows)):
            return False
    return not any(are_one(draws, first, second) for second in places for first in range(second))


FEW_CHANGED = 8  # one of so many


FEW_PLACES = 8


def other_constant(tensor, generator, few=False):
    """(kind, other values) for an input that is the same in every draw; None: it is not known what else it may be.

    "even": all its numbers are one, as of a mask that lets everything through, full lengths, factors of 1. Whole numbers
    come no further than that one, so that places stay places; of none it is tried whether the next one is one ("beyond").
    "pattern": a mask of both; some of what is as its diagonal is becomes what is not, so that blocks which a causal mask
    always hides stay hidden. `few`: only in some places, which a sample of it misses.
    """
    found = _other_constant(tensor, generator)
    if found is None or not few or tensor.numel() <= FEW_PLACES:
        return found
    changed = (found[1] != tensor).reshape(-1).nonzero().reshape(-1)
    if not changed.numel():
        return found
    places = changed[torch.randint(0, changed.numel(), (FEW_PLACES,), generator=generator, device=tensor.device)]
    other = tensor.reshape(-1).clone()
    other[places] = found[1].reshape(-1)[places]
    return found[0], other.reshape(tensor.shape)


def _other_constant(tensor, generator):
    flat = tensor.reshape(-1)
    first, last = flat[0], flat[-1]
    device = tensor.device
    is_even = bool((flat == first).all())
    if tensor.dtype == torch.bool:
        if not is_even and not bool(first == last):
            first = torch.ones_like(first)
        some = torch.rand(tensor.shape, generator=generator, device=device) * FEW_CHANGED < 1
        other = tensor ^ (some & (tensor == first))
        if other.dim():  # no row may lose all that it had
            other = torch.where((other == first).any(-1, keepdim=True), other, tensor)
        return ("even" if is_even else "pattern"), other
    if not is_even or not torch.isfinite(first.float()):
        return None
    if tensor.dtype.is_floating_point:
        normal = torch.randn(tensor.shape, generator=generator, device=device)
        return "even", (first * (1 + 0.5 * torch.tanh(normal)) if first else 0.5 * normal).to(tensor.dtype)
    size = int(first)
    low, high = (1, abs(size)) if abs(size) > 1 else (0, 1)
    new = torch.randint(low, high + 1, tensor.shape, generator=generator, device=device)
    return ("even" if size else "beyond"), (new if size >= 0 else -new).to(tensor.dtype)


def with_parts(inputs, seed, factors, constants, few=False):
    """The same inputs but for some tensors, which go by their places: times a factor, or with other values where every draw
    gives the same (`few`: of some numbers)."""
    generator = torch.Generator().manual_seed(seed)
    places = itertools.count()

    def change(tensor):
        place = next(places)
        if place in constants:
            found = other_constant(tensor.cpu(), generator, few)
            tensor = tensor if found is None else found[1].to(tensor.device)
        factor = factors.get(str(place))
        return tensor if factor is None else tensor * factor

    return map_tensors(inputs, change)
