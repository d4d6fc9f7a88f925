# SPDX-License-Identifier: GPL-3.0-or-later
"""Fourier transforms as products of matrices: of a short one its matrix, of a longer one as many as it has factors, each
with the turns between them already in it (Cooley and Tukey). What a library has for them no candidate may call; a product
is read and written once, as a transform is.
"""

import math

import torch

MOST_IN_ONE = 64  # points of a product; a prime has to be one, up to
MOST_OF_PRIME = 1024
MANY = 4096  # of more points factors are small: tables grow with points times a factor
MOST_POINTS = 1 << 17


class Unwritten(Exception):
    """A transform of a length that has no short factors."""

    def __init__(self, words):
        super().__init__(words)
        self.words = words


def factor_of(points):
    """The last product's points; all of them: there is one."""
    if points <= MOST_IN_ONE:
        return points
    most = MOST_IN_ONE if points <= MANY else 16
    fits = [size for size in range(2, MOST_IN_ONE + 1) if points % size == 0]
    if points > MOST_POINTS or not fits and points > MOST_OF_PRIME:
        raise Unwritten(f"a transform of {points:,} points, which have no factors of at most {MOST_IN_ONE}" if points <= MOST_POINTS
                        else f"a transform of {points:,} points, and {MOST_POINTS:,} are the most here")
    if not fits:
        return points
    small = [size for size in fits if size <= most] or fits
    return min(small, key=lambda size: abs(math.log(size * size / points)))


def circle(places, points, like, sign=1):
    """Cosine and sine of so many of `points` steps around a circle, each rounded once."""
    angle = torch.remainder(places, points).double() * (sign * 2 * math.pi / points)
    return angle.cos().to(like.dtype), angle.sin().to(like.dtype)


def counters(count, like):
    return torch.arange(count, device=like.device)


def multiplied(real, imaginary, cosine, sine, product, is_real_enough):
    """(real + i imaginary) (cosine + i sine), by a product of matrices."""
    if imaginary is None:
        return product(real, cosine), None if is_real_enough else product(real, sine)
    return (product(real, cosine) - product(imaginary, sine),
            None if is_real_enough else product(real, sine) + product(imaginary, cosine))


def along_last(real, imaginary, points, sign, is_real_enough=False, kept=None):
    """The transform along the last dimension; `kept`: only the first so many of its results."""
    rows = real.shape[:-1]
    last = factor_of(points)
    if last == points:
        cosine, sine = circle(counters(points, real).unsqueeze(1) * counters(kept or points, real), points, real, sign)
        found = multiplied(real.reshape(-1, points), None if imaginary is None else imaginary.reshape(-1, points),
                           cosine, sine, torch.mm, is_real_enough)
        return tuple(None if each is None else each.reshape(*rows, -1) for each in found)
    first = points // last
    # Point a * last + b becomes c + first * d: over a first, for each b; then over b, with a matrix for each c.
    parts = [None if each is None else each.reshape(-1, first, last).transpose(1, 2) for each in (real, imaginary)]
    parts = along_last(*parts, first, sign)
    parts = [None if each is None else each.permute(2, 0, 1) for each in parts]  # c, rows, b
    b, c, d = counters(last, real), counters(first, real), counters(last, real)
    places = b.reshape(1, -1, 1) * (c.reshape(-1, 1, 1) + first * d)
    cosine, sine = circle(places, points, real, sign)
    found = multiplied(*parts, cosine, sine, torch.bmm, is_real_enough)  # c, rows, d
    found = tuple(None if each is None else each.permute(1, 2, 0).reshape(*rows, points) for each in found)
    return tuple(each if each is None or kept is None else each[..., :kept] for each in found)


def scale_of(norm, shape, dims):
    points = math.prod(shape[dim] for dim in dims)
    return {0: 1.0, 1: 1 / math.sqrt(points), 2: 1 / points}[int(norm)]


def moved(dim, function, *parts):
    found = function(*[None if each is None else each.movedim(dim, -1) for each in parts])
    return tuple(None if each is None else each.movedim(-1, dim) for each in found)


def scaled(scale, *parts):
    return tuple(each if each is None or scale == 1 else each * scale for each in parts)


def of_pairs(real, imaginary, dims, norm, is_forward):
    scale = scale_of(norm, real.shape, dims)
    for dim in dims:
        real, imaginary = moved(dim, lambda *both: along_last(*both, both[0].shape[-1], -1 if is_forward else 1), real, imaginary)
    return scaled(scale, real, imaginary)


def of_real(x, dims, norm, is_half):
    scale = scale_of(norm, x.shape, dims)
    kept = x.shape[dims[-1]] // 2 + 1 if is_half else None
    real, imaginary = moved(dims[-1], lambda part: along_last(part, None, part.shape[-1], -1, kept=kept), x)
    return scaled(scale, *of_pairs(real, imaginary, dims[:-1], 0, True))


def to_real(real, imaginary, dims, norm, size):
    scale = scale_of(norm, [size if dim == dims[-1] % real.dim() else each for dim, each in enumerate(real.shape)], dims)
    real, imaginary = of_pairs(real, imaginary, dims[:-1], 0, False)
    real, _ = moved(dims[-1], lambda *both: (halves_to_real(*both, size), None), real, imaginary)
    return scaled(scale, real)[0]


def halves_to_real(real, imaginary, size):
    """Of a spectrum whose other half mirrors this one."""
    count = size // 2 + 1
    if factor_of(size) == size:
        k = counters(count, real)
        cosine, sine = circle(k.unsqueeze(1) * counters(size, real), size, real)
        is_single = (k == 0) | (2 * k == size)
        weight = torch.where(is_single, 1, 2).to(real.dtype).unsqueeze(1)
        found = real.reshape(-1, count) @ (cosine * weight)
        if imaginary is not None:
            found = found - imaginary.reshape(-1, count) @ (sine * weight)
        return found.reshape(*real.shape[:-1], size)
    others = slice(1, size - count + 1)
    whole = torch.cat([real, real[..., others].flip(-1)], -1)
    mirrored = None if imaginary is None else torch.cat([imaginary, -imaginary[..., others].flip(-1)], -1)
    return along_last(whole, mirrored, size, 1, is_real_enough=True)[0]
