# SPDX-License-Identifier: GPL-3.0-or-later
"""Tensors that forward makes of nothing but numbers, and functions that torch computes with a look at values: said in
arithmetic, so that they can be read.
"""

import contextlib
import math

import torch

from apart import apart, aten

MOST_ROWS = 16  # of a triangle that are asked about one after the other; of a larger one a root says which it is


def counters(size, keywords):
    return torch.arange(size, device=keywords.get("device"))


def typed(tensor, keywords):
    return tensor.to(keywords.get("dtype") or torch.get_default_dtype())


@apart(aten.eye.default)
def eye(size, **keywords):
    return eye_of(size, size, **keywords)


@apart(aten.eye.m)
def eye_of(rows, columns, **keywords):
    return typed(counters(rows, keywords).unsqueeze(1) == counters(columns, keywords), keywords)


@apart(aten.tril_indices.default)
def tril_indices(row, col, offset=0, **keywords):
    if row > MOST_ROWS:
        return torch._refs.tril_indices(row, col, offset, dtype=keywords.get("dtype") or torch.int64, device=keywords.get("device"))
    return triangle(row, col, lambda r: (0, min(max(r + offset + 1, 0), col)), keywords)


@apart(aten.triu_indices.default)
def triu_indices(row, col, offset=0, **keywords):
    if row > MOST_ROWS:
        return torch._refs.triu_indices(row, col, offset, dtype=keywords.get("dtype") or torch.int64, device=keywords.get("device"))
    return triangle(row, col, lambda r: (min(max(r + offset, 0), col), col), keywords)


def triangle(rows, columns, bounds, keywords):
    """Row by row: the number of those before a place says in which row it is."""
    begins, counts = [], []
    for row in range(rows):
        begin, end = bounds(row)
        begins.append(begin)
        counts.append(end - begin)
    ends = [sum(counts[:row + 1]) for row in range(rows)]
    place = counters(ends[-1] if ends else 0, keywords)
    row, column = torch.zeros_like(place), place + (begins[0] if begins else 0)
    for number, end in enumerate(ends[:-1]):
        is_later = place >= end
        row = torch.where(is_later, number + 1, row)
        column = torch.where(is_later, place - end + begins[number + 1], column)
    return torch.stack([row, column]).to(keywords.get("dtype") or torch.int64)


def cosines(size, is_periodic, weights, keywords):
    """The sum of weights[i] * cos(2 pi i n / length)."""
    if size <= 1:
        return torch.ones(size, dtype=keywords.get("dtype"), device=keywords.get("device"))
    turn = counters(size, keywords) * (2 * math.pi / (size if is_periodic else size - 1))
    window = sum(weight * torch.cos(turn * number) if number else weight for number, weight in enumerate(weights))
    return typed(window, keywords)


@apart(aten.hann_window.default)
def hann(size, **keywords):
    return cosines(size, True, (0.5, -0.5), keywords)


@apart(aten.hann_window.periodic)
def hann_or_symmetric(size, periodic, **keywords):
    return cosines(size, periodic, (0.5, -0.5), keywords)


@apart(aten.hamming_window.default)
def hamming(size, **keywords):
    return cosines(size, True, (0.54, -0.46), keywords)


@apart(aten.hamming_window.periodic)
def hamming_or_symmetric(size, periodic, **keywords):
    return cosines(size, periodic, (0.54, -0.46), keywords)


@apart(aten.blackman_window.default)
def blackman(size, **keywords):
    return cosines(size, True, (0.42, -0.5, 0.08), keywords)


@apart(aten.blackman_window.periodic)
def blackman_or_symmetric(size, periodic, **keywords):
    return cosines(size, periodic, (0.42, -0.5, 0.08), keywords)


# ---- functions whose checks look at values


def quantile(x, q, dim=None, keepdim=False, *, interpolation="linear", out=None):
    if not isinstance(q, (int, float)) or out is not None:
        return TORCHS_OWN[torch, "quantile"](x, q, dim, keepdim, interpolation=interpolation)
    row = x.flatten() if dim is None or x.dim() == 0 else x
    d = 0 if dim is None else dim
    place = q * (row.shape[d] - 1)
    place = {"lower": math.floor, "higher": math.ceil, "nearest": round}.get(interpolation, float)(place)
    before, weight = math.floor(place), 0.5 if interpolation == "midpoint" and place % 1 else place % 1
    ordered = row.sort(d).values
    found = ordered.select(d, before)
    if interpolation in ("linear", "midpoint"):  # also between a place and itself: infinity less infinity is no number
        found = torch.lerp(found, ordered.select(d, min(before + 1, row.shape[d] - 1) if weight else before), weight)
    found = torch.where(row.isnan().any(d), math.nan, found)
    if keepdim:
        found = found.reshape([1] * x.dim()) if dim is None else found.unsqueeze(d)
    return found


def cov(x, *, correction=1, fweights=None, aweights=None):
    if fweights is not None or aweights is not None or not x.dtype.is_floating_point:
        return TORCHS_OWN[torch, "cov"](x, correction=correction, fweights=fweights, aweights=aweights)
    rows = x.reshape(-1, x.shape[-1]) if x.dim() else x.reshape(1, 1)
    away = rows - rows.mean(1, keepdim=True)
    found = away @ away.t() / max(rows.shape[1] - correction, 0)
    return found.reshape(()) if rows.shape[0] == 1 else found


def corrcoef(x):
    found = cov(x)
    if found.dim() == 0:
        return found / found
    deviation = found.diagonal().sqrt()
    return (found / deviation.unsqueeze(1) / deviation).clamp(-1, 1)


def rrelu(x, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False):
    if training:
        return TORCHS_OWN[torch.nn.functional, "rrelu"](x, lower, upper, training, inplace)
    found = torch.where(x >= 0, x, x * ((lower + upper) / 2))
    return x.copy_(found) if inplace else found


def overlapped(frames, hop):
    """Rows of samples, each `hop` behind the one before, added up."""
    count = -(-frames.shape[-1] // hop)
    rows = torch.nn.functional.pad(frames, (0, count * hop - frames.shape[-1])).unflatten(-1, (count, hop))
    return sum(torch.nn.functional.pad(rows[..., part, :].flatten(-2), (part * hop, (count - 1 - part) * hop)) for part in range(count))


def stft(x, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode="reflect", normalized=False, onesided=None,
         return_complex=None, align_to_window=None):
    """torch's own steps through memory by strides, which are windows side by side."""
    hop, length = hop_length or n_fft // 4, win_length or n_fft
    if x.is_complex() or onesided is False or not return_complex or (window is not None and window.is_complex()):
        return TORCHS_OWN[torch, "stft"](x, n_fft, hop, length, window, center, pad_mode, normalized, onesided, return_complex)
    if center:
        x = torch.nn.functional.pad(x.reshape(-1, 1, x.shape[-1]), (n_fft // 2, n_fft // 2), pad_mode).reshape(*x.shape[:-1], -1)
    frames = x.unfold(-1, n_fft, hop)
    if window is not None or length < n_fft:
        frames = frames * around(x.new_ones(length) if window is None else window, n_fft)
    return torch.fft.rfft(frames, norm="ortho" if normalized else "backward").transpose(-1, -2)


def around(window, size):
    """With zeros on both sides."""
    before = (size - window.shape[-1]) // 2
    return torch.nn.functional.pad(window, (before, size - window.shape[-1] - before))


def istft(spectrum, n_fft, hop_length=None, win_length=None, window=None, center=True, normalized=False, onesided=None,
          length=None, return_complex=False):
    hop, length_of_window = hop_length or n_fft // 4, win_length or n_fft
    if return_complex or onesided is False:
        return TORCHS_OWN[torch, "istft"](spectrum, n_fft, hop, length_of_window, window, center, normalized, onesided, length,
                                          return_complex)
    frames = torch.fft.irfft(spectrum.transpose(-1, -2), n_fft, norm="ortho" if normalized else "backward")
    window = around(frames.new_ones(length_of_window) if window is None else window, n_fft)
    begin = n_fft // 2 if center else 0
    samples = n_fft + hop * (frames.shape[-2] - 1)
    end = min(samples, begin + length) if length else samples - begin
    weight = overlapped(window.square().expand(frames.shape[-2], -1), hop)[begin:end]
    found = overlapped(frames * window, hop)[..., begin:end] / weight
    return torch.nn.functional.pad(found, (0, max(0, length - found.shape[-1]))) if length else found


OURS = {(torch, "quantile"): quantile, (torch.Tensor, "quantile"): quantile, (torch, "cov"): cov, (torch.Tensor, "cov"): cov,
        (torch, "stft"): stft, (torch.Tensor, "stft"): stft,
        (torch, "istft"): istft, (torch.Tensor, "istft"): istft,
        (torch, "corrcoef"): corrcoef, (torch.Tensor, "corrcoef"): corrcoef, (torch.nn.functional, "rrelu"): rrelu}
TORCHS_OWN = {(place, name): getattr(place, name) for place, name in OURS}


@contextlib.contextmanager
def without_looks_at_values():
    """While a forward is traced: torch's own functions ask whether an argument is in range, or draw what nobody needs."""
    for (place, name), function in OURS.items():
        setattr(place, name, function)
    try:
        yield
    finally:
        for (place, name), function in TORCHS_OWN.items():
            setattr(place, name, function)
