# SPDX-License-Identifier: GPL-3.0-or-later
"""A loop over time as one operator: warpwright::loop(states, scanned, invariants, body), where body is an index into LOOPS.

Each time step gets the states of the step before, its slice of each `scanned` tensor (along the first dimension) and all
`invariants`. Results are the outputs of the last step, then those of all steps stacked along the first dimension. A
library's recurrent layers are such loops, so that a thousand time steps are read as one.
"""

import dataclasses
import typing

import torch
import torch.nn.functional as F
from torch.overrides import TorchFunctionMode

MIN_STEPS = 8  # fewer stay unrolled in the graph, as in the planner
CELLS = ("lstm", "gru", "rnn_tanh", "rnn_relu")


@dataclasses.dataclass
class Loop:
    """`body(states, scanned, invariants)` returns a step's outputs, the next step's states first."""
    body: typing.Callable
    trip_count: int
    outputs: list  # shape and type of each output of a step


LOOPS = []
LIBRARY = torch.library.Library("warpwright", "DEF")
LIBRARY.define("loop(Tensor[] states, Tensor[] scanned, Tensor[] invariants, int body) -> Tensor[]")


@torch.library.impl(LIBRARY, "loop", "CompositeExplicitAutograd")
def without_values(states, scanned, invariants, body):
    """Shapes alone: the reader computes nothing."""
    loop = LOOPS[body]
    last = [states[0].new_empty(shape, dtype=dtype) for shape, dtype in loop.outputs]
    return last + [states[0].new_empty((loop.trip_count, *shape), dtype=dtype) for shape, dtype in loop.outputs]


def call_loop(body, states, scanned, invariants):
    """The outputs of the last step, and those of all steps."""
    outputs = body(states, [each[0] for each in scanned], invariants)
    LOOPS.append(Loop(body, scanned[0].shape[0], [(tuple(each.shape), each.dtype) for each in outputs]))
    results = torch.ops.warpwright.loop(states, scanned, invariants, len(LOOPS) - 1)
    return results[:len(outputs)], results[len(outputs):]


def is_loop(node):
    return node.target is torch.ops.warpwright.loop.default


# ---- recurrent layers of the library


def elman_cell(activation, states, given, weights):
    return [activation(given + F.linear(states[0], *weights))]


def gru_cell(states, given, weights):
    projected = given.chunk(3, -1)
    recurrent = F.linear(states[0], *weights).chunk(3, -1)
    reset = (recurrent[0] + projected[0]).sigmoid()
    update = (recurrent[1] + projected[1]).sigmoid()
    new = (projected[2] + recurrent[2] * reset).tanh()
    return [(states[0] - new) * update + new]


def lstm_cell(states, given, weights, projection):
    input_gate, forget_gate, projected, output_gate = (F.linear(states[0], *weights) + given).chunk(4, -1)
    cell = forget_gate.sigmoid() * states[1] + input_gate.sigmoid() * projected.tanh()
    state = output_gate.sigmoid() * cell.tanh()
    return [state if projection is None else F.linear(state, projection), cell]


@dataclasses.dataclass(frozen=True)
class Layer:
    kind: str
    has_bias: bool

    def __call__(self, states, scanned, invariants):
        weights = invariants[:2] if self.has_bias else invariants[:1]
        if self.kind == "lstm":
            return lstm_cell(states, scanned[0], weights, *(invariants[len(weights):] or [None]))
        if self.kind == "gru":
            return gru_cell(states, scanned[0], weights)
        return elman_cell(torch.tanh if self.kind == "rnn_tanh" else torch.relu, states, scanned[0], weights)


def layers(kind, x, states, weights, has_bias, count, dropout, is_training, is_bidirectional, is_batch_first):
    """torch's layers; time comes first inside."""
    states = list(states) if kind == "lstm" else [states]
    directions = 2 if is_bidirectional else 1
    weights_per_layer = len(weights) // (count * directions)
    x = x.transpose(0, 1) if is_batch_first else x
    last = []
    for layer in range(count):
        outs = []
        for direction in range(directions):
            number = layer * directions + direction
            layer_weights = weights[number * weights_per_layer:(number + 1) * weights_per_layer]
            projected = F.linear(x, layer_weights[0], layer_weights[2] if has_bias else None)
            invariants = [layer_weights[1], *layer_weights[3:]] if has_bias else list(layer_weights[1:])
            outputs, all_outputs = call_loop(Layer(kind, has_bias), [state[number] for state in states],
                                    [projected.flip(0) if direction else projected], invariants)
            outs.append(all_outputs[0].flip(0) if direction else all_outputs[0])
            last.append(outputs)
        x = torch.cat(outs, -1) if is_bidirectional else outs[0]
    return (x.transpose(0, 1) if is_batch_first else x, *(torch.stack(each) for each in zip(*last)))


def is_layers(name, arguments):
    """Excludes packed sequences, whose batch shrinks over time, and dropout."""
    if name not in CELLS or len(arguments) != 9 or isinstance(arguments[3], torch.Tensor):
        return False
    x, dropout, is_training, is_batch_first = arguments[0], arguments[5], arguments[6], arguments[8]
    return not (dropout and is_training) and x.shape[1 if is_batch_first else 0] >= MIN_STEPS


class LibraryLayers(TorchFunctionMode):
    def __torch_function__(self, function, types, arguments=(), keywords=None):
        name = getattr(function, "__name__", "")
        if not keywords and is_layers(name, arguments):
            return layers(name, *arguments)
        return function(*arguments, **(keywords or {}))
