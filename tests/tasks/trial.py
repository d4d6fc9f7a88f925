# SPDX-License-Identifier: GPL-3.0-or-later
"""A task on the CPU, as a rule at small size: does it run, does it repeat itself, is its result finite, does it depend
on each of its inputs and parameters, and can the judge's double-precision oracle run it?

Parameters are redrawn by the judge's own code (toolchain/referee/worker/warpwright_state.py).
"""

import pathlib
import sys
import warnings

import torch

from cost import tensors_in

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "toolchain/referee/worker"))
from warpwright_state import STATISTICS, drawn, redraw  # noqa: E402

LEAST_MOVE = 1e-2        # all inputs, or all parameters, drawn anew; the judge asks for 1e-3
LEAST_SINGLE_MOVE = 1e-4  # one of them
LEAST_SPREAD = 1e-2      # of a result about its mean
DOUBLE_TOLERANCE = {torch.float32: 1e-3, torch.float16: 2e-2, torch.bfloat16: 1e-1}


def floats(out):
    return [tensor.double() for tensor in tensors_in(out)]


def move(before, after):
    """The largest over the results of RMS(after - before) / RMS(before)."""
    most = 0.0
    for old, new in zip(before, after):
        size = old.square().mean().sqrt().item()
        most = max(most, (new - old).square().mean().sqrt().item() / max(size, 1e-30))
    return most


class Trial:
    def __init__(self, task, is_small=True):
        self.module = task.module(is_small)
        torch.manual_seed(1)
        self.model = self.module.Model(*self.module.get_init_inputs()).eval()
        self.inputs, self.others = self.draw(2), self.draw(3)

    def draw(self, seed):
        torch.manual_seed(seed)
        return list(self.module.get_inputs())

    def run(self, inputs):
        # The CPU has no fast way for some models, and says so; that is no fault of theirs.
        with torch.no_grad(), warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            return self.model(*inputs)

    def problems(self):
        kept = [value.clone() if isinstance(value, torch.Tensor) else value for value in self.inputs]
        out = self.run(self.inputs)
        first = floats(out)
        if not first:
            yield "its forward returns no tensor"
            return
        if any(not torch.equal(a, b) for a, b in zip(kept, self.inputs) if isinstance(a, torch.Tensor)):
            yield "its forward writes into its inputs"
        if move(first, floats(self.run(self.inputs))) != 0.0:
            yield "a second call with the same inputs gives another result"
        if not all(tensor.isfinite().all() for tensor in first):
            yield "its result is not finite"
            return
        for number, tensor in enumerate(first):
            spread = (tensor - tensor.mean()).square().mean().sqrt() / tensor.square().mean().sqrt().clamp(min=1e-30)
            if tensor.numel() > 1 and spread < LEAST_SPREAD:
                yield f"result {number} is nearly constant: it spreads by {spread:.1e} of its RMS value"
        yield from self.input_problems(first)
        yield from self.double_problems(out)
        yield from self.parameter_problems(first)

    def input_problems(self, first):
        together = move(first, floats(self.run(self.others)))
        if together < LEAST_MOVE:
            yield f"with other inputs its result moves by {together:.1e} only"
        for number, other in enumerate(self.others):
            changed = [*self.inputs[:number], other, *self.inputs[number + 1 :]]
            alone = move(first, floats(self.run(changed)))
            if alone < LEAST_SINGLE_MOVE:
                yield f"with another input {number} its result moves by {alone:.1e} only"

    def parameter_problems(self, first):
        state = {name: tensor.clone() for name, tensor in self.model.state_dict().items()}
        own = list(self.model.named_parameters()) + [
            (name, tensor) for name, tensor in self.model.named_buffers() if name.rpartition(".")[2] in STATISTICS]
        generator = torch.Generator().manual_seed(5)
        for name, tensor in own:
            value = drawn(name.rpartition(".")[2], tensor, generator, 0)
            if value is None:
                yield f"its parameter {name} is not finite"
                continue
            with torch.no_grad():
                tensor.copy_(value)
            alone = move(first, floats(self.run(self.inputs)))
            with torch.no_grad():
                tensor.copy_(state[name])
            if not alone >= LEAST_SINGLE_MOVE:
                yield f"with another {name} its result moves by {alone:.1e} only"
        if redraw(self.model, 4):
            out = floats(self.run(self.inputs))
            if not all(tensor.isfinite().all() for tensor in out):
                yield "with redrawn parameters its result is not finite"
            elif move(first, out) < LEAST_MOVE:
                yield f"with redrawn parameters its result moves by {move(first, out):.1e} only"

    def double_problems(self, out):
        """The oracle is the same model in double: a cast to a fixed dtype would make it a liar."""
        single = list(tensors_in(out))
        state = {name: tensor.clone() for name, tensor in self.model.state_dict().items()}
        kinds = [t.dtype for t in single if t.is_floating_point()]
        try:
            model = self.module.Model(*self.module.get_init_inputs()).eval().double()
            model.load_state_dict(state)
            inputs = [v.double() if isinstance(v, torch.Tensor) and v.is_floating_point() else v for v in self.inputs]
            with torch.no_grad():
                double = list(tensors_in(model(*inputs)))
        except RuntimeError as error:
            yield f"the oracle cannot run it in double: {str(error).splitlines()[0]}"
            return
        for number, (low, high) in enumerate(zip(single, double)):
            if low.is_floating_point() and high.dtype != torch.float64:
                yield f"result {number} is {high.dtype} when the model and its inputs are double"
            elif low.is_floating_point():
                off = move([high], [low.double()])
                tolerance = max(DOUBLE_TOLERANCE[kind] for kind in kinds)
                if off > tolerance:
                    yield f"result {number} is {off:.1e} off what the model gives in double"
