# SPDX-License-Identifier: GPL-3.0-or-later
"""A loop over time as one operator: warpwright::loop(states, parts, whole, body), where body is a number in LOOPS.

Each turn is given the states that the one before has left, its own part of each of `parts` (turns first) and all of
`whole`. What it leaves comes twice: as the last turn has left it, and of all turns, turns first. A library's layers of
cells are such loops, so that a thousand turns are read as one.
"""

import dataclasses
import typing

import torch
import torch.nn.functional as F
from torch.overrides import TorchFunctionMode

LEAST_TURNS = 8  # fewer are a part of what is around them, as the planner has it
CELLS = ("lstm", "gru", "rnn_tanh", "rnn_relu")


@dataclasses.dataclass
class Loop:
    """`body(states, parts, whole)`: all that a turn leaves, the next one's states first."""
    body: typing.Callable
    turns: int
    left: list  # of a turn: shape and type of each


LOOPS = []
LIBRARY = torch.library.Library("warpwright", "DEF")
LIBRARY.define("loop(Tensor[] states, Tensor[] parts, Tensor[] whole, int body) -> Tensor[]")


@torch.library.impl(LIBRARY, "loop", "CompositeExplicitAutograd")
def without_values(states, parts, whole, body):
    """Only shapes: the reader computes nothing."""
    loop = LOOPS[body]
    last = [states[0].new_empty(shape, dtype=dtype) for shape, dtype in loop.left]
    return last + [states[0].new_empty((loop.turns, *shape), dtype=dtype) for shape, dtype in loop.left]


def looped(body, states, parts, whole):
    """What the last turn leaves, and what all do."""
    left = body(states, [part[0] for part in parts], whole)
    LOOPS.append(Loop(body, parts[0].shape[0], [(tuple(each.shape), each.dtype) for each in left]))
    results = torch.ops.warpwright.loop(states, parts, whole, len(LOOPS) - 1)
    return results[:len(left)], results[len(left):]


def is_loop(node):
    return node.target is torch.ops.warpwright.loop.default


# ---- a library's layers


def elman(activation, states, given, weights):
    return [activation(given + F.linear(states[0], *weights))]


def gated_unit(states, given, weights):
    fresh = given.chunk(3, -1)
    kept = F.linear(states[0], *weights).chunk(3, -1)
    reset = (kept[0] + fresh[0]).sigmoid()
    keep = (kept[1] + fresh[1]).sigmoid()
    new = (fresh[2] + kept[2] * reset).tanh()
    return [(states[0] - new) * keep + new]


def long_memory(states, given, weights, projection):
    enter, forget, fresh, leave = (F.linear(states[0], *weights) + given).chunk(4, -1)
    memory = forget.sigmoid() * states[1] + enter.sigmoid() * fresh.tanh()
    state = leave.sigmoid() * memory.tanh()
    return [state if projection is None else F.linear(state, projection), memory]


@dataclasses.dataclass(frozen=True)
class Layer:
    kind: str
    has_bias: bool

    def __call__(self, states, parts, whole):
        weights = whole[:2] if self.has_bias else whole[:1]
        if self.kind == "lstm":
            return long_memory(states, parts[0], weights, *(whole[len(weights):] or [None]))
        if self.kind == "gru":
            return gated_unit(states, parts[0], weights)
        return elman(torch.tanh if self.kind == "rnn_tanh" else torch.relu, states, parts[0], weights)


def layers(kind, x, states, weights, has_bias, count, dropout, is_training, is_both_ways, is_batch_first):
    """As torch does it; turns first inside."""
    states = list(states) if kind == "lstm" else [states]
    ways = 2 if is_both_ways else 1
    of_each = len(weights) // (count * ways)
    x = x.transpose(0, 1) if is_batch_first else x
    last = []
    for layer in range(count):
        outs = []
        for way in range(ways):
            number = layer * ways + way
            own = weights[number * of_each:(number + 1) * of_each]
            fresh = F.linear(x, own[0], own[2] if has_bias else None)
            whole = [own[1], *own[3:]] if has_bias else list(own[1:])
            left, all_left = looped(Layer(kind, has_bias), [state[number] for state in states],
                                    [fresh.flip(0) if way else fresh], whole)
            outs.append(all_left[0].flip(0) if way else all_left[0])
            last.append(left)
        x = torch.cat(outs, -1) if is_both_ways else outs[0]
    return (x.transpose(0, 1) if is_batch_first else x, *(torch.stack(each) for each in zip(*last)))


def is_layers(name, arguments):
    """Neither packed sequences, whose batch shrinks from turn to turn, nor what drops out."""
    if name not in CELLS or len(arguments) != 9 or isinstance(arguments[3], torch.Tensor):
        return False
    x, dropout, is_training, is_batch_first = arguments[0], arguments[5], arguments[6], arguments[8]
    return not (dropout and is_training) and x.shape[1 if is_batch_first else 0] >= LEAST_TURNS


class LibraryLayers(TorchFunctionMode):
    def __torch_function__(self, function, types, arguments=(), keywords=None):
        name = getattr(function, "__name__", "")
        if not keywords and is_layers(name, arguments):
            return layers(name, *arguments)
        return function(*arguments, **(keywords or {}))
