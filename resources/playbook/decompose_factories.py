# SPDX-License-Identifier: GPL-3.0-or-later
"""Decompositions of tensor factories (eye, triangles' indices, windows), and replacements for functions of torch that read
values, as arithmetic that can be traced.
"""

import contextlib
import math

import torch

from decompositions import aten, decomposition

MAX_UNROLLED_ROWS = 16  # of a triangle; torch computes the row of a larger one by a square root


def arange_on(size, keywords):
    return torch.arange(size, device=keywords.get("device"))


def as_dtype(tensor, keywords):
    return tensor.to(keywords.get("dtype") or torch.get_default_dtype())


@decomposition(aten.eye.default)
def eye(size, **keywords):
    return eye_of(size, size, **keywords)


@decomposition(aten.eye.m)
def eye_of(rows, columns, **keywords):
    return as_dtype(arange_on(rows, keywords).unsqueeze(1) == arange_on(columns, keywords), keywords)


@decomposition(aten.tril_indices.default)
def tril_indices(row, col, offset=0, **keywords):
    if row > MAX_UNROLLED_ROWS:
        return torch._refs.tril_indices(row, col, offset, dtype=keywords.get("dtype") or torch.int64, device=keywords.get("device"))
    return triangle(row, col, lambda r: (0, min(max(r + offset + 1, 0), col)), keywords)


@decomposition(aten.triu_indices.default)
def triu_indices(row, col, offset=0, **keywords):
    if row > MAX_UNROLLED_ROWS:
        return torch._refs.triu_indices(row, col, offset, dtype=keywords.get("dtype") or torch.int64, device=keywords.get("device"))
    return triangle(row, col, lambda r: (min(max(r + offset, 0), col), col), keywords)


def triangle(rows, columns, bounds, keywords):
    """Finds a position's row by comparing it with the end of each row."""
    begins, counts = [], []
    for row in range(rows):
        begin, end = bounds(row)
        begins.append(begin)
        counts.append(end - begin)
    ends = [sum(counts[:row + 1]) for row in range(rows)]
    position = arange_on(ends[-1] if ends else 0, keywords)
    row, column = torch.zeros_like(position), position + (begins[0] if begins else 0)
    for number, end in enumerate(ends[:-1]):
        is_later = position >= end
        row = torch.where(is_later, number + 1, row)
        column = torch.where(is_later, position - end + begins[number + 1], column)
    return torch.stack([row, column]).to(keywords.get("dtype") or torch.int64)


def cosine_window(size, is_periodic, weights, keywords):
    """The sum of weights[i] * cos(2 pi i n / length)."""
    if size <= 1:
        return torch.ones(size, dtype=keywords.get("dtype"), device=keywords.get("device"))
    angle = arange_on(size, keywords) * (2 * math.pi / (size if is_periodic else size - 1))
    window = sum(weight * torch.cos(angle * number) if number else weight for number, weight in enumerate(weights))
    return as_dtype(window, keywords)


@decomposition(aten.hann_window.default)
def hann(size, **keywords):
    return cosine_window(size, True, (0.5, -0.5), keywords)


@decomposition(aten.hann_window.periodic)
def hann_periodic_or_symmetric(size, periodic, **keywords):
    return cosine_window(size, periodic, (0.5, -0.5), keywords)


@decomposition(aten.hamming_window.default)
def hamming(size, **keywords):
    return cosine_window(size, True, (0.54, -0.46), keywords)


@decomposition(aten.hamming_window.periodic)
def hamming_periodic_or_symmetric(size, periodic, **keywords):
    return cosine_window(size, periodic, (0.54, -0.46), keywords)


@decomposition(aten.blackman_window.default)
def blackman(size, **keywords):
    return cosine_window(size, True, (0.42, -0.5, 0.08), keywords)


@decomposition(aten.blackman_window.periodic)
def blackman_periodic_or_symmetric(size, periodic, **keywords):
    return cosine_window(size, periodic, (0.42, -0.5, 0.08), keywords)


# ---- functions of torch whose checks read values


def quantile(x, q, dim=None, keepdim=False, *, interpolation="linear", out=None):
    if not isinstance(q, (int, float)) or out is not None:
        return ORIGINALS[torch, "quantile"](x, q, dim, keepdim, interpolation=interpolation)
    row = x.flatten() if dim is None or x.dim() == 0 else x
    d = 0 if dim is None else dim
    position = q * (row.shape[d] - 1)
    position = {"lower": math.floor, "higher": math.ceil, "nearest": round}.get(interpolation, float)(position)
    before, weight = math.floor(position), 0.5 if interpolation == "midpoint" and position % 1 else position % 1
    ordered = row.sort(d).values
    found = ordered.select(d, before)
    if interpolation in ("linear", "midpoint"):  # also between equal positions: infinity minus infinity is NaN there too
        found = torch.lerp(found, ordered.select(d, min(before + 1, row.shape[d] - 1) if weight else before), weight)
    found = torch.where(row.isnan().any(d), math.nan, found)
    if keepdim:
        found = found.reshape([1] * x.dim()) if dim is None else found.unsqueeze(d)
    return found


def cov(x, *, correction=1, fweights=None, aweights=None):
    if fweights is not None or aweights is not None or not x.dtype.is_floating_point:
        return ORIGINALS[torch, "cov"](x, correction=correction, fweights=fweights, aweights=aweights)
    rows = x.reshape(-1, x.shape[-1]) if x.dim() else x.reshape(1, 1)
    centered = rows - rows.mean(1, keepdim=True)
    found = centered @ centered.t() / max(rows.shape[1] - correction, 0)
    return found.reshape(()) if rows.shape[0] == 1 else found


def corrcoef(x):
    found = cov(x)
    if found.dim() == 0:
        return found / found
    deviation = found.diagonal().sqrt()
    return (found / deviation.unsqueeze(1) / deviation).clamp(-1, 1)


def rrelu(x, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False):
    if training:
        return ORIGINALS[torch.nn.functional, "rrelu"](x, lower, upper, training, inplace)
    found = torch.where(x >= 0, x, x * ((lower + upper) / 2))
    return x.copy_(found) if inplace else found


def overlap_add(frames, hop):
    """Overlap-add of frames at a distance of `hop` samples."""
    count = -(-frames.shape[-1] // hop)
    rows = torch.nn.functional.pad(frames, (0, count * hop - frames.shape[-1])).unflatten(-1, (count, hop))
    return sum(torch.nn.functional.pad(rows[..., part, :].flatten(-2), (part * hop, (count - 1 - part) * hop)) for part in range(count))


def stft(x, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode="reflect", normalized=False, onesided=None,
         return_complex=None, align_to_window=None):
    """torch takes frames by as_strided; here it is an unfold."""
    hop, length = hop_length or n_fft // 4, win_length or n_fft
    if x.is_complex() or onesided is False or not return_complex or (window is not None and window.is_complex()):
        return ORIGINALS[torch, "stft"](x, n_fft, hop, length, window, center, pad_mode, normalized, onesided, return_complex)
    if center:
        x = torch.nn.functional.pad(x.reshape(-1, 1, x.shape[-1]), (n_fft // 2, n_fft // 2), pad_mode).reshape(*x.shape[:-1], -1)
    frames = x.unfold(-1, n_fft, hop)
    if window is not None or length < n_fft:
        frames = frames * pad_window(x.new_ones(length) if window is None else window, n_fft)
    return torch.fft.rfft(frames, norm="ortho" if normalized else "backward").transpose(-1, -2)


def pad_window(window, size):
    """The window, zero-padded on both sides."""
    before = (size - window.shape[-1]) // 2
    return torch.nn.functional.pad(window, (before, size - window.shape[-1] - before))


def istft(spectrum, n_fft, hop_length=None, win_length=None, window=None, center=True, normalized=False, onesided=None,
          length=None, return_complex=False):
    hop, length_of_window = hop_length or n_fft // 4, win_length or n_fft
    if return_complex or onesided is False:
        return ORIGINALS[torch, "istft"](spectrum, n_fft, hop, length_of_window, window, center, normalized, onesided, length,
                                          return_complex)
    frames = torch.fft.irfft(spectrum.transpose(-1, -2), n_fft, norm="ortho" if normalized else "backward")
    window = pad_window(frames.new_ones(length_of_window) if window is None else window, n_fft)
    begin = n_fft // 2 if center else 0
    samples = n_fft + hop * (frames.shape[-2] - 1)
    end = min(samples, begin + length) if length else samples - begin
    weight = overlap_add(window.square().expand(frames.shape[-2], -1), hop)[begin:end]
    found = overlap_add(frames * window, hop)[..., begin:end] / weight
    return torch.nn.functional.pad(found, (0, max(0, length - found.shape[-1]))) if length else found


REPLACEMENTS = {(torch, "quantile"): quantile, (torch.Tensor, "quantile"): quantile, (torch, "cov"): cov, (torch.Tensor, "cov"): cov,
        (torch, "stft"): stft, (torch.Tensor, "stft"): stft,
        (torch, "istft"): istft, (torch.Tensor, "istft"): istft,
        (torch, "corrcoef"): corrcoef, (torch.Tensor, "corrcoef"): corrcoef, (torch.nn.functional, "rrelu"): rrelu}
ORIGINALS = {(owner, name): getattr(owner, name) for owner, name in REPLACEMENTS}


@contextlib.contextmanager
def value_independent_functions():
    """For the time of a trace: torch's own functions check the range of values, or draw random numbers that are not used."""
    for (owner, name), function in REPLACEMENTS.items():
        setattr(owner, name, function)
    try:
        yield
    finally:
        for (owner, name), function in ORIGINALS.items():
            setattr(owner, name, function)
