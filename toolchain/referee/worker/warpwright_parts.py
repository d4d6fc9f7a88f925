# SPDX-License-Identifier: GPL-3.0-or-later
"""Each input and each parameter of a task by itself: does the result tell whether somebody reads it?

One backward pass of the fp64 reference says how far the result moves with other values of each; what seems to move it
by too little is asked again, alone. A part that its own scale hides (a branch with the factor 1e-6) is shown by a factor.
"""

import torch
from warpwright_reference import argument_names
from warpwright_signal import carry_signal
from warpwright_state import alter_few, changeable, drawn, nudge, redraw
from warpwright_structure import are_one, other_constant
from warpwright_values import map_tensors, tensors_in, with_fields

ENOUGH = 3.0  # times what the comparison allows: who leaves it out is wrong
CLEAR, PLAIN = 20.0, 0.02  # what a factor is to bring it to: times what is allowed, and of the result
DOUBTFUL = 3.0  # times enough: below, the estimate is not believed
NOTHING = 1e-10  # of the result: fp64's own rounding
FACTORS = [10.0**k for k in range(1, 9)] + [10.0**-k for k in range(1, 5)]
FAR = 1e4
MOST_ALIKE = 16


def is_float(tensor):
    return tensor.dtype.is_floating_point and tensor.dtype.itemsize > 1


class Look:
    """`call(arguments)` runs the fp64 reference; `draw()` gives other inputs."""

    def __init__(self, model, call, arguments, draw, allowed, calls):
        self._model, self._call, self._arguments, self._draw = model, call, arguments, draw
        self._allowed = max(allowed, 1e-7)
        self._calls, self._most = 0, calls
        self._names = argument_names(model, arguments)

    def told(self):
        """{factors: {parameter: factor}, inputFactors: {place: factor}, constants: places of inputs that are always the same, untold: [[name, movement]], alike: [[name, name]],
        isFaint, unasked: how many}."""
        told = {"factors": {}, "inputFactors": {}, "constants": [], "untold": [], "alike": [], "isFaint": False, "unasked": 0}
        self._base = self._numbers(self._arguments)
        self._leaves = tensors_in(self._arguments)
        self._others = tensors_in(self._draw())
        told["alike"] = self._alike()
        parts = {name: tensor for name, _, tensor, _ in changeable(self._model, 1)}
        moved = self._estimate(parts)
        asked = [key for key, by in moved.items() if not by >= DOUBTFUL * ENOUGH * self._allowed]
        inputs = [by for key, by in moved.items() if not isinstance(key, str)]
        if inputs and all(by < ENOUGH * self._allowed for by in inputs):
            return told | {"isFaint": True}  # no single part is to blame
        asked.sort(key=lambda key: self._tensor(key, parts).double().square().mean().item())  # the smallest hides the others
        scaled = []
        try:
            for key in asked:
                if self._calls > self._most:
                    told["unasked"] += 1
                else:
                    self._ask(key, parts, told, scaled)
        finally:
            with torch.no_grad():
                for tensor, was in reversed(scaled):
                    tensor.copy_(was)
        self._base = self._numbers(self._arguments)
        self._look_at_constants(told)
        return told

    def _alike(self):
        """Inputs that have the numbers of one before them in every draw, and are not always the same: [[name, name]]."""
        draws = self._leaves, [tensor.to(leaf.dtype) for leaf, tensor in zip(self._leaves, self._others)]
        places = [place for place, leaf in enumerate(self._leaves) if leaf.numel() > 1 and not torch.equal(leaf, draws[1][place])][:MOST_ALIKE]
        found = ((first, second) for second in places for first in places if first < second and are_one(draws, first, second))
        return [[self._name(first), self._name(second)] for first, second in found]

    def _ask(self, key, parts, told, scaled):
        by = self._movement(key, parts)
        if by >= ENOUGH * self._allowed or self._is_nothing(key, parts, by):
            return
        factor = self._factor(key, parts)
        if factor is None:
            told["untold"].append([self._name(key), by])
        elif isinstance(key, str):
            # All of a kind and size, the gammas of all blocks: what comes next is asked with those.
            size = parts[key].double().square().mean()
            for name, tensor in parts.items():
                is_alike = name.rpartition(".")[2] == key.rpartition(".")[2] and 0.1 < tensor.double().square().mean() / size < 10
                if (name == key or is_alike) and name not in told["factors"]:
                    told["factors"][name] = factor
                    scaled.append((tensor, tensor.detach().clone()))
                    with torch.no_grad():
                        tensor.mul_(factor)
            self._base = self._numbers(self._arguments)
        else:
            told["inputFactors"][str(key)] = factor

    # ---- one call

    def _numbers(self, arguments):
        self._calls += 1
        with torch.no_grad():
            return [tensor.detach().clone() for tensor in tensors_in(with_fields(self._call(arguments)))]

    def _by(self, numbers, base):
        most = 0.0
        for one, other in zip(numbers, base):
            if one.shape != other.shape:
                return float("nan")
            if not (one.dtype.is_floating_point or one.dtype.is_complex):
                by = (one != other).double().mean().item() if one.numel() else 0.0
            elif not torch.equal(one.isfinite(), other.isfinite()):
                return float("nan")
            else:
                size = other.nan_to_num(0, 0, 0).abs().square().mean().sqrt().item()
                by = (one - other).nan_to_num(0, 0, 0).abs().square().mean().sqrt().item() / (size or 1.0)
            most = max(most, by)
        return most

    def _estimate(self, parts):
        """How far other values of each float move the result, by one backward pass; NaN where it cannot say."""
        inputs = {place: tensor for place, tensor in enumerate(self._leaves) if is_float(tensor) and tensor.numel()
                  and not torch.equal(tensor, self._others[place].to(tensor.dtype))}
        keys = list(parts) + list(inputs)
        # What a forward in train mode writes has no slope.
        sloped = {name: tensor for name, tensor in parts.items() if not self._model.training or isinstance(tensor, torch.nn.Parameter)}
        was = {}
        try:
            leaves = {place: tensor.detach().clone().requires_grad_() for place, tensor in inputs.items()}
            with torch.enable_grad():
                for name, tensor in sloped.items():
                    was[name] = tensor.requires_grad
                    tensor.requires_grad_()
                out = [tensor for tensor in tensors_in(with_fields(self._call(self._with(leaves)))) if tensor.requires_grad]
                seeds = [torch.randint(0, 2, tensor.shape, device=tensor.device).mul_(2).sub_(1).to(tensor.dtype)
                         / (tensor.detach().abs().square().mean().sqrt() * tensor.numel() ** 0.5) for tensor in out]
                slopes = torch.autograd.grad(out, [*sloped.values(), *leaves.values()], seeds, allow_unused=True)
                del out, seeds, leaves  # before steps take their room
        except Exception:  # it writes in place, it is no function that has a slope, or there is no room
            return dict.fromkeys(keys, float("nan"))
        finally:
            for name in was:
                parts[name].requires_grad_(was[name])
        found = dict.fromkeys(keys, float("nan"))
        with torch.no_grad():
            for key, slope in zip([*sloped, *inputs], slopes):
                step = self._step(key, parts)
                found[key] = 0.0 if slope is None or step is None else torch.linalg.vector_norm(step.mul_(slope)).item()
        return found

    def _with(self, leaves):
        place = iter(range(len(self._leaves)))
        return map_tensors(self._arguments, lambda tensor: leaves.get(next(place), tensor).clone())

    def _step(self, key, parts):
        if isinstance(key, str):
            new = self._new(key, parts)
            return None if new is None else new.to(parts[key]) - parts[key]
        return self._others[key].to(self._leaves[key]) - self._leaves[key]

    def _new(self, name, parts):
        tensor = parts[name]
        return drawn(name.rpartition(".")[2], tensor, torch.Generator(device=tensor.device).manual_seed(1), 0)

    # ---- one part

    def _tensor(self, key, parts):
        return parts[key] if isinstance(key, str) else self._leaves[key]

    def _values(self, key, parts, is_other, factor):
        """The result with other values of one part, times a factor."""
        if not isinstance(key, str):
            values = self._others[key] if is_other else self._leaves[key]
            return self._numbers(self._with({key: values.to(self._leaves[key]) * factor}))
        tensor = parts[key]
        own, new = tensor.detach().clone(), self._new(key, parts) if is_other else tensor.detach().clone()
        try:
            with torch.no_grad():
                tensor.copy_((own if new is None else new) * factor)
            return self._numbers(self._arguments)
        finally:
            with torch.no_grad():
                tensor.copy_(own)

    def _movement(self, key, parts, factor=1.0):
        try:
            base = self._base if factor == 1.0 else self._values(key, parts, False, factor)
            if not self._by(base, self._base) == self._by(base, self._base):
                return float("nan")  # it makes NaN that were none
            return self._by(self._values(key, parts, True, factor), base)
        except Exception:
            return float("nan")

    def _is_nothing(self, key, parts, by):
        """Whatever it is, the result stays: who leaves it out is right."""
        return by <= NOTHING and self._movement(key, parts, FAR) <= NOTHING

    def _factor(self, key, parts):
        for factor in FACTORS:
            if self._calls > self._most:
                return None
            if self._movement(key, parts, factor) >= max(CLEAR * self._allowed, PLAIN):
                return factor
        return None

    # ---- inputs that are whole numbers, or always the same

    def _look_at_constants(self, told):
        for place, (tensor, other) in enumerate(zip(self._leaves, self._others)):
            if not tensor.numel() or tensor.dtype.is_complex:
                continue
            if self._calls > self._most:
                told["unasked"] += 1
            elif torch.equal(tensor, other.to(tensor.dtype)):
                self._look_at_constant(told, place, tensor)
            elif not is_float(tensor):
                by = self._by_input(place, other)
                if by < ENOUGH * self._allowed:
                    told["untold"].append([self._name(place), by])

    def _look_at_constant(self, told, place, tensor):
        """Whether the reference takes other values in its place, and whether they show."""
        found = other_constant(tensor, torch.Generator(device=tensor.device).manual_seed(1))
        if found is None:
            return
        kind, other = found
        if kind == "beyond" and tensor.is_cuda:  # a place that is none ends all that the process has on a GPU
            told["untold"].append([self._name(place), 0.0])
        elif self._by_input(place, other) >= ENOUGH * self._allowed:
            told["constants"].append(place)

    def _by_input(self, place, other):
        try:
            return self._by(self._numbers(self._with({place: other.to(self._leaves[place])})), self._base)
        except Exception:
            return float("nan")

    def _name(self, key):
        return key if isinstance(key, str) else self._names[key]


class Parts:
    """The part of an arm that changes them. Needs of its owner: `_plain`, `_model`, `_arguments()`, `_draw()`, `_called()`,
    `_remember_state()`, `_idle()`."""

    def __init__(self):
        super().__init__()
        self._factors, self._few = {}, False

    def do_redraw_state(self, *, seed, care=0, signal=None):
        """Other values for parameters and statistics, each with the scale that it has; `signal`, {inputs, strength}: set
        so that what these inputs are reaches the result. `care`: see redraw."""
        self.phase = "redraw the reference's parameters"
        if self._few and not care:
            changed = alter_few(self._plain, seed)
            self._remember_state()
            return {"changed": changed}
        changed = redraw(self._plain, seed, care, self._factors)
        if signal is not None:
            try:
                changed += carry_signal(self._plain, self._arguments(signal["inputs"], clone=True), seed, signal["strength"])
            except Exception:  # a forward that cannot be watched: as if nobody had asked
                changed = redraw(self._plain, seed, care)
            self._idle()
        self._remember_state()
        return {"changed": changed}

    def do_nudge_state(self, *, seed, distance):
        self.phase = "move the reference's parameters"
        nudge(self._plain, seed, distance)
        self._remember_state()
        return {}

    def do_vary_state(self, *, factors, few):
        """From now on parameters are redrawn so: `factors` as in redraw(); `few`: but for a few numbers they stay."""
        self._factors, self._few = factors, few
        return {}

    def do_look_at_parts(self, *, inputs, seed, allowed, calls):
        self.phase = "each part of the task by itself"

        def call(arguments):
            return self._called(self._model, arguments, None, lambda: (self._model, arguments))

        def draw():
            return self._draw(seed)

        try:
            with torch.no_grad():
                told = Look(self._plain, call, self._arguments(inputs, clone=True), draw, allowed, calls).told()
        except Exception as problem:
            told = {"problem": f"{type(problem).__name__}: {problem}"[:200]}
        self._idle()
        return told
