# SPDX-License-Identifier: GPL-3.0-or-later
"""Decomposes Fourier transforms into matmuls: a short one is one DFT matrix, a longer one has a matmul for each factor, with
the twiddle factors multiplied into its matrix (Cooley-Tukey). Candidates may not call a library's FFT; a matmul reads and
writes its data once, as a transform does.
"""

import math

import torch

MAX_RADIX = 64  # points of one matmul
MAX_PRIME = 1024  # a length without such factors is one matmul, up to this
LONG = 4096  # beyond it factors are small: tables have points times factor entries
MAX_POINTS = 1 << 17


class UnsupportedLength(Exception):
    """A transform that is too long, or has no small factors."""

    def __init__(self, words):
        super().__init__(words)
        self.words = words


def factor_of(points):
    """Points of the last matmul; all of them, if there is only one."""
    if points <= MAX_RADIX:
        return points
    most = MAX_RADIX if points <= LONG else 16
    fits = [size for size in range(2, MAX_RADIX + 1) if points % size == 0]
    if points > MAX_POINTS or not fits and points > MAX_PRIME:
        raise UnsupportedLength(f"a transform of {points:,} points, which have no factors of at most {MAX_RADIX}" if points <= MAX_POINTS
                        else f"a transform of {points:,} points, and {MAX_POINTS:,} are the most here")
    if not fits:
        return points
    small = [size for size in fits if size <= most] or fits
    return min(small, key=lambda size: abs(math.log(size * size / points)))


def twiddles(exponents, points, like, sign=1):
    """Cosine and sine of 2 pi exponents / points, each rounded once."""
    angle = torch.remainder(exponents, points).double() * (sign * 2 * math.pi / points)
    return angle.cos().to(like.dtype), angle.sin().to(like.dtype)


def arange_on(count, like):
    return torch.arange(count, device=like.device)


def complex_matmul(real, imaginary, cosine, sine, matmul, is_real_only):
    """(real + i imaginary) (cosine + i sine) by `matmul`."""
    if imaginary is None:
        return matmul(real, cosine), None if is_real_only else matmul(real, sine)
    return (matmul(real, cosine) - matmul(imaginary, sine),
            None if is_real_only else matmul(real, sine) + matmul(imaginary, cosine))


def dft_last_dim(real, imaginary, points, sign, is_real_only=False, kept=None):
    """The transform along the last dimension; `kept`: the number of leading results that are used."""
    rows = real.shape[:-1]
    last = factor_of(points)
    if last == points:
        cosine, sine = twiddles(arange_on(points, real).unsqueeze(1) * arange_on(kept or points, real), points, real, sign)
        found = complex_matmul(real.reshape(-1, points), None if imaginary is None else imaginary.reshape(-1, points),
                           cosine, sine, torch.mm, is_real_only)
        return tuple(None if each is None else each.reshape(*rows, -1) for each in found)
    first = points // last
    # Point a * last + b becomes c + first * d: a DFT over a for each b, then one over b with a matrix for each c.
    parts = [None if each is None else each.reshape(-1, first, last).transpose(1, 2) for each in (real, imaginary)]
    parts = dft_last_dim(*parts, first, sign)
    parts = [None if each is None else each.permute(2, 0, 1) for each in parts]  # c, rows, b
    b, c, d = arange_on(last, real), arange_on(first, real), arange_on(last, real)
    exponents = b.reshape(1, -1, 1) * (c.reshape(-1, 1, 1) + first * d)
    cosine, sine = twiddles(exponents, points, real, sign)
    found = complex_matmul(*parts, cosine, sine, torch.bmm, is_real_only)  # c, rows, d
    found = tuple(None if each is None else each.permute(1, 2, 0).reshape(*rows, points) for each in found)
    return tuple(each if each is None or kept is None else each[..., :kept] for each in found)


def scale_of(norm, shape, dims):
    points = math.prod(shape[dim] for dim in dims)
    return {0: 1.0, 1: 1 / math.sqrt(points), 2: 1 / points}[int(norm)]


def along_dim(dim, function, *parts):
    found = function(*[None if each is None else each.movedim(dim, -1) for each in parts])
    return tuple(None if each is None else each.movedim(-1, dim) for each in found)


def scaled(scale, *parts):
    return tuple(each if each is None or scale == 1 else each * scale for each in parts)


def c2c(real, imaginary, dims, norm, is_forward):
    scale = scale_of(norm, real.shape, dims)
    for dim in dims:
        real, imaginary = along_dim(dim, lambda *both: dft_last_dim(*both, both[0].shape[-1], -1 if is_forward else 1), real, imaginary)
    return scaled(scale, real, imaginary)


def r2c(x, dims, norm, is_half):
    scale = scale_of(norm, x.shape, dims)
    kept = x.shape[dims[-1]] // 2 + 1 if is_half else None
    real, imaginary = along_dim(dims[-1], lambda part: dft_last_dim(part, None, part.shape[-1], -1, kept=kept), x)
    return scaled(scale, *c2c(real, imaginary, dims[:-1], 0, True))


def c2r(real, imaginary, dims, norm, size):
    scale = scale_of(norm, [size if dim == dims[-1] % real.dim() else each for dim, each in enumerate(real.shape)], dims)
    real, imaginary = c2c(real, imaginary, dims[:-1], 0, False)
    real, _ = along_dim(dims[-1], lambda *both: (half_spectrum_to_real(*both, size), None), real, imaginary)
    return scaled(scale, real)[0]


def half_spectrum_to_real(real, imaginary, size):
    """The real signal of a half spectrum, whose other half is its conjugate mirror image."""
    count = size // 2 + 1
    if factor_of(size) == size:
        k = arange_on(count, real)
        cosine, sine = twiddles(k.unsqueeze(1) * arange_on(size, real), size, real)
        is_single = (k == 0) | (2 * k == size)
        weight = torch.where(is_single, 1, 2).to(real.dtype).unsqueeze(1)
        found = real.reshape(-1, count) @ (cosine * weight)
        if imaginary is not None:
            found = found - imaginary.reshape(-1, count) @ (sine * weight)
        return found.reshape(*real.shape[:-1], size)
    others = slice(1, size - count + 1)
    whole = torch.cat([real, real[..., others].flip(-1)], -1)
    mirrored = None if imaginary is None else torch.cat([imaginary, -imaginary[..., others].flip(-1)], -1)
    return dft_last_dim(whole, mirrored, size, 1, is_real_only=True)[0]
