# SPDX-License-Identifier: GPL-3.0-or-later
"""Parameters that carry the signal: with those a deep network begins with, its result hardly depends on what comes in.

One forward, watched below the modules: an operator that takes a parameter for the first time has it set so that what
comes out varies with the samples as much as `strength` says, around a mean near zero. So the next one gets a signal, too.
A parameter is multiplied by a positive number, which keeps most constraints; only summands and statistics are set anew.
"""

import bisect

import torch
from torch.utils._pytree import tree_flatten

from warpwright_modes import libraries, taken_apart
from warpwright_state import STATISTICS, factors_near_one

# Of what a product makes: (how far it varies, times how much more in the last products, behind which a softmax, a
# logarithm of sums or a mean may flatten it).
STRENGTHS = ((1.0, 1.0), (1.0, 8.0), (4.0, 4.0), (16.0, 4.0))
LAST = 2
SUMMANDS = 0.3  # of what they are added to
FEW = 8  # samples whose mean says little

# Places of the factors and of a summand; which dimension of the result tells channels apart.
PRODUCTS = {"mm": ((0, 1), None, -1), "bmm": ((0, 1), None, -1), "mv": ((0, 1), None, -1), "addmm": ((1, 2), 0, -1),
            "baddbmm": ((1, 2), 0, -1), "addmv": ((1, 2), 0, -1), "convolution": ((0, 1), 2, 1), "embedding": ((0,), None, -1)}
# Places of factor and summand of what has been normalised.
NORMS = {"native_layer_norm": (2, 3), "native_group_norm": (1, 2), "_fused_rms_norm": (2, None)}
FACTORS = ("mul", "mul_", "div", "div_")
SUMS = ("add", "add_", "sub", "sub_")
# Copies, and which of what they are made of sets their size. (Views share memory.)
COPIES = {"clone": 0, "_to_copy": 0, "cat": 0, "stack": 0, "_weight_norm_interface": 1}


def carry_signal(model, arguments, seed, strength):
    """In place, once the parameters have been drawn. Returns how many were set. Raises where the result then has infinities
    or NaN that it had not before."""
    carrier = Carrier(model, seed, STRENGTHS[strength][0])
    tables = [(buffer, buffer.clone()) for name, buffer in model.named_buffers() if name.rpartition(".")[2] not in STATISTICS]
    with torch.no_grad():
        before = numbers_in(model(*arguments))
    with torch.no_grad(), taken_apart(SignalWatch, carrier):
        model(*arguments)
        for weight, summand in carrier.products[-LAST:]:
            weight.mul_(STRENGTHS[strength][1])
            if summand is not None:
                summand.mul_(STRENGTHS[strength][1])
    with torch.no_grad():
        lost = before - numbers_in(model(*arguments))
        for buffer, values in tables:  # forward may have written there
            buffer.copy_(values)
    if lost > 0:
        raise ArithmeticError(f"{lost} numbers of the result are infinite or NaN")
    return len(carrier.done)


class SignalWatch:
    """For dispatch_mode()."""

    def __init__(self, carrier):
        super().__init__()
        self._carrier = carrier

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        with libraries(function.overloadpacket.__name__ == "convolution"):
            return self._carrier.run(function, args, kwargs or {})


class Carrier:
    def __init__(self, model, seed, spread):
        self._spread = spread
        self._seed = seed
        self._generators = {}
        tensors = [tensor for tensor in model.parameters() if tensor.dtype.is_floating_point and tensor.numel()]
        tensors += [tensor for name, tensor in model.named_buffers() if name.rpartition(".")[2] in STATISTICS]
        self._tensors = sorted(tensors, key=lambda tensor: tensor.data_ptr())
        self._starts = [tensor.data_ptr() for tensor in self._tensors]
        self._made = {}  # memory that holds what was made of parameters alone: the parameter
        self._kept = []  # alive, so that no other tensor gets that memory
        self.done = set()
        self.products = []

    def run(self, function, args, kwargs):
        name = function.overloadpacket.__name__
        tensors = [value for value in tree_flatten((args, kwargs))[0] if isinstance(value, torch.Tensor)]
        owners = [self._owner(tensor) for tensor in tensors]
        if tensors and all(owner is not None for owner in owners):
            return self._note(name, function(*args, **kwargs), owners)
        if not any(owner is not None and id(owner) not in self.done for owner in owners):
            return function(*args, **kwargs)
        for names, adjust in ((PRODUCTS, self._product), (NORMS, self._norm), (FACTORS, self._factor), (SUMS, self._sum)):
            if name in names:
                return adjust(name, args, lambda: function(*args, **kwargs))
        if "batch_norm" in name:
            self._statistics(args)
        return function(*args, **kwargs)

    def _owner(self, tensor):
        address = tensor.data_ptr()
        place = bisect.bisect_right(self._starts, address) - 1
        if place >= 0:
            found = self._tensors[place]
            if address < found.data_ptr() + found.numel() * found.element_size():
                return found
        return self._made.get(address)

    def _note(self, name, out, owners):
        if name in COPIES:
            for made in out if isinstance(out, (list, tuple)) else (out,):
                self._made[made.data_ptr()] = owners[COPIES[name]]
                self._kept.append(made)
        return out

    def _new(self, args, place):
        """The argument's parameter, where it was not set before."""
        if place is None or place >= len(args) or not isinstance(args[place], torch.Tensor):
            return None
        owner = self._owner(args[place])
        return None if owner is None or id(owner) in self.done else owner

    def _normal(self, like):
        device = like.device
        if device not in self._generators:
            self._generators[device] = torch.Generator(device=device).manual_seed(self._seed)
        return torch.randn(like.shape, generator=self._generators[device], device=device)

    def _scale(self, owner, by, argument):
        if not torch.isfinite(by) or by <= 0:
            return
        owner.mul_(by)
        if argument.data_ptr() in self._made:  # a copy of it
            argument.mul_(by)
        self.done.add(id(owner))

    # ---- operators

    def _product(self, name, args, call):
        places, at, channels = PRODUCTS[name]
        summand = self._new(args, at)
        if summand is not None and is_one_sided(summand):
            summand = None
        if summand is not None:
            summand.zero_()
        out = call()
        for place in places:
            weight = self._new(args, place)
            if weight is None or weight.dim() < 2:
                continue
            by = self._spread / spread_of(out, channels)
            self._scale(weight, by, args[place])
            if id(weight) in self.done:
                self.products.append((weight, summand))
            out = call()
            break
        if summand is not None:
            noise = SUMMANDS * spread_of(out, channels) * self._normal(summand)
            mean, samples = mean_for(out, channels)
            # A summand of another form than one number a channel only becomes small noise.
            if samples >= FEW and summand.numel() == mean.numel():
                noise = noise - mean.reshape(summand.shape)
            summand.copy_(noise)
            self.done.add(id(summand))
            out = call()
        return out

    def _norm(self, name, args, call):
        factor, summand = (self._new(args, place) for place in NORMS[name])
        self._near_one(factor)
        if summand is not None and rms(summand) > 1:
            summand.mul_(SUMMANDS / rms(summand))
        return call()

    def _factor(self, name, args, call):
        for place in (0, 1):
            self._near_one(self._new(args, place))
        return call()

    def _near_one(self, owner):
        if owner is None:
            return
        size = rms(owner)
        if size > 0 and not 0.3 < size < 3:
            owner.mul_(1 / size)
        self.done.add(id(owner))

    def _sum(self, name, args, call):
        for place in (0, 1):
            owner = self._new(args, place)
            other = args[1 - place]
            if owner is None or is_one_sided(owner) or not isinstance(other, torch.Tensor) or not rms(owner) > 0:
                continue
            wide = SUMMANDS * spread_of(other, -1) / rms(owner)
            if torch.isfinite(wide) and wide > 0:
                owner.mul_(wide)
                self.done.add(id(owner))
        return call()

    def _statistics(self, args):
        """Of a batch norm that runs with those it keeps: what it would find in this batch, and a little off."""
        values, mean, variance = args[0], self._new(args, 3), self._new(args, 4)
        self._near_one(self._new(args, 1))
        if mean is None or variance is None or args[5] is True or values.numel() // mean.numel() < FEW:
            return
        dims = [dim for dim in range(values.dim()) if dim != 1]
        found = values.float().var(dims, correction=0)
        found = found.clamp(min=(1e-2 * found.mean()).item())
        if not torch.isfinite(found).all() or not (found > 0).all():
            return
        mean.copy_(values.float().mean(dims) + SUMMANDS * found.sqrt() * self._normal(mean))
        variance.copy_(found * factors_near_one(self._normal(variance)))
        self.done.update((id(mean), id(variance)))


def numbers_in(result):
    tensors = [value for value in tree_flatten(result)[0] if isinstance(value, torch.Tensor)]
    return sum(int(torch.isfinite(tensor).sum()) for tensor in tensors)


def rms(tensor):
    return tensor.float().square().mean().sqrt()


def is_one_sided(tensor):
    """It may have to be."""
    return bool((tensor > 0).all() or (tensor < 0).all())


def mean_for(values, channels):
    """Over all but the channels, and of how many."""
    if values.dim() < 2:
        return values.float().mean(), values.numel()
    kept = channels % values.dim()
    return values.float().mean([dim for dim in range(values.dim()) if dim != kept]), values.numel() // max(1, values.shape[kept])


def spread_of(values, channels):
    """How far values of one channel lie apart, as the RMS over all; of few samples, over all channels."""
    values = values.float()
    mean, samples = mean_for(values, channels)
    if samples < FEW or values.dim() < 2:
        mean = values.mean()
    else:
        shape = [1] * values.dim()
        shape[channels % values.dim()] = -1
        mean = mean.reshape(shape)
    size = rms(values)
    spread = rms(values - mean)
    return torch.where(spread > 1e-4 * size, spread, size)  # below it is rounding
