# SPDX-License-Identifier: GPL-3.0-or-later
"""Inputs that differ where get_inputs() returns the same each time: a kept result could not be told from work."""

import contextlib
import random
import sys

import torch

from warpwright_layout import is_dense
from warpwright_values import dtype_name, map_tensors

KNOWN_VALUES = 1 << 16  # of a tensor's, that new ones are drawn between
TRADED = 64
PIECE = 1 << 24  # numbers that are made at one time
FEW = 32  # so many different values are a mask, classes or constants, and no draw


class ShapesChange(ValueError):
    """Of get_inputs(), from one draw to the next. The judge knows it by its name."""


def form_of(inputs):
    """Type and shape of each tensor, in order."""
    forms = []
    map_tensors(inputs, lambda tensor: forms.append(f"{dtype_name(tensor.dtype)}{list(tensor.shape)}"))
    return forms


def check_form(first, now):
    if len(first) != len(now):
        raise ShapesChange(f"it gave {len(first)} tensors at first, and {len(now)} the next time")
    for place, (before, after) in enumerate(zip(first, now)):
        if before != after:
            raise ShapesChange(f"its tensor {place} was {before} at first, and {after} the next time")


def fresh_seed():
    """From torch's own generator, which the judge has seeded."""
    return torch.randint(1 << 62, (), device="cpu").item()


@contextlib.contextmanager
def seeds_left_out():
    """While it lasts, nobody can fix a seed: generators go on from the judge's."""
    torch_generator, torch_seed = torch.Generator, torch.manual_seed

    class Generator(torch_generator):
        def __init__(self, *arguments, **named):
            super().manual_seed(fresh_seed())

        def manual_seed(self, _):
            return super().manual_seed(fresh_seed())

    patches = [
        (torch, "manual_seed", lambda _: torch.default_generator),
        (torch.random, "manual_seed", lambda _: torch.default_generator),
        (torch.cuda, "manual_seed", lambda _: None),
        (torch.cuda, "manual_seed_all", lambda _: None),
        (torch, "Generator", Generator),
        (random, "seed", lambda *_, **__: None),
    ]
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        make_generator, make_state = numpy.random.default_rng, numpy.random.RandomState
        patches += [
            (numpy.random, "seed", lambda *_, **__: None),
            (numpy.random, "default_rng", lambda *_, **__: make_generator(fresh_seed())),
            (numpy.random, "RandomState", type("RandomState", (make_state,), {
                "__init__": lambda self, *_, **__: make_state.__init__(self, fresh_seed() % (1 << 32))})),
        ]
    originals = [(owner, name, getattr(owner, name)) for owner, name, _ in patches]
    try:
        for owner, name, value in patches:
            setattr(owner, name, value)
        yield
    finally:
        for owner, name, value in originals:
            setattr(owner, name, value)


def other_values(inputs, seed):
    """Other tensors of the same distribution, as far as one can tell from their values, with the same strides."""
    generators, memories = {}, {}

    def changed(tensor):
        device = tensor.device
        if device not in generators:
            generators[device] = torch.Generator(device=device).manual_seed(seed)
        storage = tensor.untyped_storage()
        if is_dense(tensor) and storage.nbytes() == tensor.numel() * tensor.dtype.itemsize:
            return torch.empty_like(tensor).copy_(other_tensor(tensor, generators[device]))
        # Views of one memory stay that.
        key = storage.data_ptr(), tensor.dtype
        if key not in memories:
            whole = torch.empty(0, dtype=tensor.dtype, device=device).set_(storage)
            memories[key] = other_tensor(whole, generators[device])
        return memories[key].as_strided(tensor.shape, tensor.stride(), tensor.storage_offset())

    return map_tensors(inputs, changed)


def nearly_same(inputs, seed):
    """A few numbers of each tensor trade places: whoever knows an input by a part of it takes this one for the other."""
    generator = torch.Generator().manual_seed(seed)

    def changed(tensor):
        if not tensor.dtype.is_floating_point or tensor.dtype.itemsize < 2 or not is_dense(tensor) or not is_drawn(tensor):
            return tensor
        changed = tensor.clone()
        flat = changed.view(-1) if changed.is_contiguous() else changed.as_strided((changed.numel(),), (1,))
        places = torch.randint(flat.numel(), (min(TRADED, flat.numel()),), generator=generator).to(flat.device)
        flat[places] = flat[places.roll(1)]
        return changed

    return map_tensors(inputs, changed)


def other_tensor(tensor, generator):
    if tensor.numel() < 2:
        return tensor
    if tensor.dtype.is_floating_point and tensor.dtype.itemsize > 1 and is_drawn(tensor):
        return between_known_values(tensor, generator)
    # Whole rows, so that what a row must be (sorted, a one among zeros, adding up to one) it stays.
    dimension = next(place for place, size in enumerate(tensor.shape) if size > 1)
    order = torch.randperm(tensor.shape[dimension], generator=generator, device=tensor.device)
    return tensor.index_select(dimension, order)


def is_drawn(tensor):
    """Whether its elements look as if each had been drawn alone."""
    rows = tensor.detach().reshape(-1, tensor.shape[-1] if tensor.dim() else 1)[:1024].float()
    known = rows.reshape(-1)[:KNOWN_VALUES]
    if not torch.isfinite(known).all() or known.unique().numel() < min(FEW, known.numel()):
        return False
    if rows.shape[1] > 1:
        if (rows.diff(dim=1) >= 0).all() or (rows.diff(dim=1) <= 0).all():
            return False
        sums = rows.sum(dim=1)
        if rows.shape[0] > 1 and (sums - sums[0]).abs().max() <= 1e-3 * rows.abs().sum(dim=1).mean():
            return False
    is_square = tensor.dim() >= 2 and tensor.shape[-1] == tensor.shape[-2]
    return not (is_square and torch.equal(tensor, tensor.transpose(-1, -2)))


def between_known_values(tensor, generator):
    """Drawn from the tensor's own distribution: between two neighbours of its sorted values, never beyond them."""
    flat = tensor.detach().reshape(-1)
    known = flat[:: max(1, flat.numel() // KNOWN_VALUES)].float().sort().values
    made = torch.empty_like(flat)
    for part in made.split(PIECE):
        place = torch.rand(part.shape, generator=generator, device=tensor.device) * (known.numel() - 1)
        left = place.floor().clamp_(max=known.numel() - 2)
        place -= left
        left = left.long()
        part.copy_(torch.lerp(known[left], known[left + 1], place))
    return made.view(tensor.shape)
