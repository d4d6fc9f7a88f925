# SPDX-License-Identifier: GPL-3.0-or-later
"""Other parameters for a reference, with the scale of those that it has.

What a constructor leaves at 0 or 1 (biases, factors, the statistics of a batch norm) would hide that a candidate
leaves it out; what stays the same would hide that it was kept. Buffers other than statistics stay: they are
tables, masks, constants of the model.
"""

import torch

STATISTICS = ("running_mean", "running_var")


def factors_near_one(normal):
    """Between a half and one and a half."""
    return 1.0 + 0.5 * torch.tanh(normal)


def redraw(model, seed):
    """In place. Returns how many tensors were changed."""
    generators = {}
    changed = 0
    with torch.no_grad():
        for name, tensor in list(model.named_parameters()) + list(model.named_buffers()):
            kind = name.rpartition(".")[2]
            is_buffer = not isinstance(tensor, torch.nn.Parameter)
            if not tensor.dtype.is_floating_point or tensor.numel() == 0 or (is_buffer and kind not in STATISTICS):
                continue
            device = tensor.device
            if device not in generators:
                generators[device] = torch.Generator(device=device).manual_seed(seed)
            values = drawn(kind, tensor, generators[device])
            if values is not None:
                tensor.copy_(values)
                changed += 1
    return changed


def drawn(kind, tensor, generator):
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
    mean, deviation = own.mean().item(), own.std(correction=0).item()
    if deviation <= 1e-6 * abs(mean) or tensor.numel() == 1:
        return mean * factor() if mean != 0.0 else 0.5 * normal()
    # All on one side: it may have to be.
    if (own > 0).all() or (own < 0).all():
        return own * factor()
    return mean + deviation * normal()
