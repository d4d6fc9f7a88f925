# SPDX-License-Identifier: GPL-3.0-or-later
"""Other parameters for a reference, with the scale of those that it has.

What a constructor leaves at 0 or 1 (biases, factors, the statistics of a batch norm) would hide that a candidate
leaves it out; what stays the same would hide that it was kept. Buffers whose numbers differ stay, unless they are
statistics: they are tables, masks, constants of the model.
`care`: what a tensor may have to be is not written anywhere. Where the reference makes NaN of new values that it does not
make of its own, they are drawn nearer to those: 1: nothing that had no negative (positive) number gets one; 2: each
number comes nearer to zero, which stays; 3: all of a tensor by the same part.
"""

import weakref

import torch

STATISTICS = ("running_mean", "running_var")
ALTERED, ALTERED_OF = 64, 256  # at most; one of so many
EVEN = weakref.WeakKeyDictionary()  # model: names, as it was made


def factors_near_one(normal):
    """Between a half and one and a half."""
    return 1.0 + 0.5 * torch.tanh(normal)


def redraw(model, seed, care=0, factors=None):
    """In place. Returns how many tensors were changed. `factors`: by name, for those that their own scale hides; each time
    up to three times as much."""
    changed = 0
    with torch.no_grad():
        for name, kind, tensor, generator in changeable(model, seed):
            values = drawn(kind, tensor, generator, care)
            if values is not None:
                factor = (factors or {}).get(name, 1.0)
                if factor != 1.0 and not care:
                    values = values * (factor * 3.0 ** torch.rand((), generator=generator, device=tensor.device).item())
                tensor.copy_(values)
                changed += 1
    return changed


def alter_few(model, seed):
    """In place: some numbers of the largest tensors become larger, the others stay: who knows parameters by a part of them,
    or by all of the small ones, takes these for those before. Returns how many tensors were changed."""
    tensors = [(tensor, generator) for _, _, tensor, generator in changeable(model, seed) if tensor.is_contiguous()]
    most = max((tensor.numel() for tensor, _ in tensors), default=0)
    changed = [(tensor.view(-1), generator) for tensor, generator in tensors if 4 * tensor.numel() >= most]
    with torch.no_grad():
        for flat, generator in changed:
            count = min(ALTERED, max(1, flat.numel() // ALTERED_OF))
            places = torch.randint(flat.numel(), (count,), generator=generator, device=flat.device)
            flat[places] = flat[places] * 4
    return len(changed)


def nudge(model, seed, distance):
    """In place: each value by up to that part of itself, towards zero, so that it keeps its sign and its range; and all
    of a tensor by one such part more, or sums of it would stay what they were."""
    with torch.no_grad():
        for _, _, tensor, generator in changeable(model, seed):
            by = torch.rand(tensor.shape, generator=generator, device=tensor.device, dtype=torch.float32)
            common = torch.rand((), generator=generator, device=tensor.device, dtype=torch.float32)
            tensor.mul_(((1.0 - distance * by) * (1.0 - distance * common)).to(tensor.dtype))


def changeable(model, seed):
    """Its name, the last part of that, the tensor and a generator for it."""
    generators = {}
    if model not in EVEN:
        EVEN[model] = even_buffers(model)
    for name, tensor in list(model.named_parameters()) + list(model.named_buffers()):
        kind = name.rpartition(".")[2]
        is_table = not isinstance(tensor, torch.nn.Parameter) and kind not in STATISTICS and name not in EVEN[model]
        if not tensor.dtype.is_floating_point or tensor.numel() == 0 or is_table:
            continue
        device = tensor.device
        if device not in generators:
            generators[device] = torch.Generator(device=device).manual_seed(seed)
        yield name, kind, tensor, generators[device]


def even_buffers(model):
    """Those whose numbers are all one are no tables: what a model begins with, and keeps count of. Only what every arm is
    handed."""
    handed = model.state_dict().keys()
    return {name for name, tensor in model.named_buffers() if name in handed and tensor.dtype.is_floating_point
            and tensor.numel() > 1 and bool((tensor == tensor.reshape(-1)[0]).all())}


def drawn(kind, tensor, generator, care):
    shape = tuple(tensor.shape)

    def normal():
        return torch.randn(shape, generator=generator, device=tensor.device, dtype=torch.float32)

    def factor():
        return factors_near_one(normal())

    if kind == "running_mean":
        return 0.5 * normal()
    if kind == "running_var":
        return factor()
    own = tensor.float()
    if not torch.isfinite(own).all():
        return None
    if care >= 2:
        nearer = 0.75 + 0.25 * torch.tanh(normal())  # to zero, by up to a half
        return own * (nearer if care == 2 else nearer.reshape(-1)[0])
    # All on one side: it may have to be.
    if (own > 0).all() or (own < 0).all():
        return own * factor()
    mean, deviation = own.mean().item(), own.std(correction=0).item()
    is_constant = deviation <= 1e-6 * abs(mean) or tensor.numel() == 1
    values = 0.5 * normal() if is_constant else mean + deviation * normal()
    if (own >= 0).all() and (care or not is_constant):
        return values.abs()
    return -values.abs() if (own <= 0).all() and not is_constant else values
