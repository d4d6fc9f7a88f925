# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds loops of Python in the recorded calls of forward: iterations that make the same calls, each on states that the
one before has computed.

The pattern is proved, not guessed: all of forward was recorded, and each call of each iteration is compared with that of
the second iteration, by function, shapes, numbers and where each tensor comes from.
"""

import dataclasses
import typing

import torch

from call_recorder import NotRecordable, TensorProxy

MIN_ITERATIONS = 8
MAX_PERIOD = 4000  # calls of an iteration
MAX_TRIES = 24  # periods that are tried from each call


@dataclasses.dataclass(frozen=True)
class ScannedInput:
    """Another slice in each iteration: result `begin + iteration * stride` of a call, or that index of a tensor."""
    of: typing.Any  # a tensor, or the call
    index: typing.Any  # None: results of a call; else the index, with ITERATION in place of the number that varies
    begin: int
    stride: int


ITERATION = "iteration"


@dataclasses.dataclass
class DetectedLoop:
    first: int
    period: int
    count: int
    states: list = dataclasses.field(default_factory=list)  # (position, item, initial value)
    scanned: list = dataclasses.field(default_factory=list)
    invariants: list = dataclasses.field(default_factory=list)
    operands: dict = dataclasses.field(default_factory=dict)  # by position and slot: ("local" | "state" | "scanned" | "invariant", …)
    slice_reads: dict = dataclasses.field(default_factory=dict)  # by position: a call that only takes a slice; its scanned input
    written: list = dataclasses.field(default_factory=list)  # (position, the ScannedInput that is written)

    @property
    def end(self):
        return self.first + self.period * self.count

    def locate(self, call):
        """Iteration and position of a call inside the loop."""
        return divmod(call - self.first, self.period)


class IterationMismatch(Exception):
    """An iteration that differs from the second one."""

    def __init__(self, iteration):
        super().__init__()
        self.iteration = iteration


def tensors_in(value, found):
    if isinstance(value, torch.Tensor):
        found.append(value)
    elif isinstance(value, (tuple, list)):
        for item in value:
            tensors_in(item, found)
    elif isinstance(value, dict):
        for item in value.values():
            tensors_in(item, found)
    return found


def replaced(value, tensor):
    """The arguments with each tensor replaced by tensor(it)."""
    if isinstance(value, torch.Tensor):
        return tensor(value)
    if type(value) in (tuple, list):
        return type(value)(replaced(item, tensor) for item in value)
    if type(value) is dict:
        return {key: replaced(item, tensor) for key, item in value.items()}
    return value


# ---- finding


def longest_repetition(signatures, position, next_positions, least):
    """Period and trip count of the longest repetition that begins here."""
    best, period, tries, other = (0, 0), 0, 0, next_positions[position]
    while other is not None and tries < MAX_TRIES and other - position <= MAX_PERIOD:
        period, tries = other - position, tries + 1
        iteration = signatures[position:other]
        count, end = 1, other
        while signatures[end:end + period] == iteration:
            count, end = count + 1, end + period
        if count >= MIN_ITERATIONS and count * period > best[0] * best[1] and count * period >= least:
            best = (period, count)
        other = next_positions[other]
    return best


def find_loops(calls, least):
    signatures = [call.signature for call in calls]
    next_positions, last = [None] * len(signatures), {}
    for position in range(len(signatures) - 1, -1, -1):
        next_positions[position] = last.get(signatures[position])
        last[signatures[position]] = position
    found, position = [], 0
    while position < len(signatures):
        period, count = longest_repetition(signatures, position, next_positions, least)
        loop = verified(calls, position, period, count) if count else None
        if loop:
            found.append(loop)
            position = loop.end
        else:
            position += 1
    return found


def verified(calls, first, period, count):
    while count >= MIN_ITERATIONS:
        loop = DetectedLoop(first, period, count)
        try:
            analyze(calls, loop)
            return loop
        except IterationMismatch as mismatch:  # retry with the iterations before it, or those after it
            if mismatch.iteration >= MIN_ITERATIONS:
                count = mismatch.iteration
            else:
                first, count = first + max(mismatch.iteration, 1) * period, count - max(mismatch.iteration, 1)
        except NotRecordable:
            return None
    return None


def analyze(calls, loop):
    for position in range(loop.period):
        calls_of_position = [calls[loop.first + iteration * loop.period + position] for iteration in range(loop.count)]
        if calls_of_position[0].written is not None:
            read_slice_write(loop, position, calls_of_position)
            continue
        if calls_of_position[0].function.__name__ == "__getitem__":
            indices = [call.arguments[1] for call in calls_of_position]
            if any(index != indices[1] for index in indices):
                loop.slice_reads[position] = scanned_slice(loop, [call.arguments[0] for call in calls_of_position], indices)
                continue
        read_operands(loop, position, calls_of_position)
    if not loop.states:
        raise NotRecordable("iterations do not depend on each other")
    written = {id(base_of(part.of)) for _, part in loop.written}
    read = [part.of for part in loop.scanned if isinstance(part.of, torch.Tensor)] + loop.invariants
    if any(id(base_of(tensor)) in written for tensor in read):
        raise NotRecordable("other iterations read what one writes")


def read_operands(loop, position, calls_of_position):
    rows = list(zip(*[tensors_in((call.arguments, call.keywords), []) for call in calls_of_position]))
    for slot, tensors in enumerate(rows):
        loop.operands[position, slot] = classify_operand(loop, position, tensors)


def base_of(tensor):
    return tensor.base if type(tensor) is TensorProxy and tensor.base is not None else tensor


def is_inside(loop, tensor):
    return type(tensor) is TensorProxy and loop.first <= tensor.call < loop.end


def classify_operand(loop, position, tensors):
    second = tensors[1]
    if not is_inside(loop, second):
        for iteration, tensor in enumerate(tensors):
            if tensor is not second and not (type(tensor) is TensorProxy is type(second) and
                                             (tensor.call, tensor.item) == (second.call, second.item)):
                return ("scanned", interned(loop.scanned, scanned_results(loop, tensors)))
        if type(second) is TensorProxy and second.call >= loop.end:
            raise NotRecordable("a tensor is read before it is made")
        return ("invariant", interned(loop.invariants, second))
    iteration, at = loop.locate(second.call)
    lag = 1 - iteration
    if lag not in (0, 1):
        raise NotRecordable("a state of several iterations before")
    for iteration, tensor in enumerate(tensors):
        if iteration < lag:
            if is_inside(loop, tensor):
                raise IterationMismatch(iteration)
        elif not is_inside(loop, tensor) or loop.locate(tensor.call) != (iteration - lag, at) or tensor.item != second.item:
            raise IterationMismatch(iteration)
    if lag == 0:
        return ("local", at, second.item)
    for number, (known, item, _) in enumerate(loop.states):
        if (known, item) == (at, second.item):
            return ("state", number)
    if tensors[0].shape != second.shape or tensors[0].dtype != second.dtype:
        raise IterationMismatch(0)
    loop.states.append((at, second.item, tensors[0]))
    return ("state", len(loop.states) - 1)


def interned(known, value):
    for number, other in enumerate(known):
        if other is value or (isinstance(value, ScannedInput) and isinstance(other, ScannedInput) and other.of is value.of
                              and (other.index, other.begin, other.stride) == (value.index, value.begin, value.stride)):
            return number
    known.append(value)
    return len(known) - 1


def scanned_results(loop, tensors):
    """One result of a call after the other, or the outputs of an earlier loop's iterations."""
    positions = []
    for iteration, tensor in enumerate(tensors):
        if type(tensor) is not TensorProxy or tensor.call >= loop.first:
            raise IterationMismatch(iteration)
        positions.append((tensor.call, tensor.item))
    (call, item), (next_call, next_item) = positions[0], positions[1]
    stride = (next_call - call, next_item - item)
    for iteration, position in enumerate(positions):
        if position != (call + iteration * stride[0], item + iteration * stride[1]):
            raise IterationMismatch(iteration)
    if stride[0] == 0:
        return ScannedInput(call, None, item, stride[1])
    return ScannedInput((call, item), None, 0, stride[0])


def scanned_slice(loop, tensors, indices):
    """A slice of a tensor whose index changes from iteration to iteration."""
    source = tensors[1]
    if is_inside(loop, source) or any(tensor is not source for tensor in tensors):
        raise NotRecordable("a slice of what each iteration makes")
    flats = [index if isinstance(index, tuple) else (index,) for index in indices]
    varying = [position for position, each in enumerate(flats[1]) if any(flat[position] != each for flat in flats)]
    if len(varying) != 1 or any(isinstance(each, (torch.Tensor, list)) for each in flats[1]):
        raise NotRecordable("indices without a constant stride")
    along = varying[0]
    size = source.shape[dimension_of(flats[1], along, source.dim())]
    positions = [flat[along] + size if flat[along] < 0 else flat[along] for flat in flats]
    stride = positions[1] - positions[0]
    for iteration, position in enumerate(positions):
        if position != positions[0] + iteration * stride:
            raise IterationMismatch(iteration)
    index = tuple(ITERATION if position == along else each for position, each in enumerate(flats[1]))
    return interned(loop.scanned, ScannedInput(source, index, positions[0], stride))


def dimension_of(index, position, dimensions):
    """The dimension of the tensor that this entry of an index selects from."""
    if any(each is Ellipsis for each in index[:position]):
        return dimensions - sum(each is not None for each in index[position:])
    return sum(each is not None for each in index[:position])


def read_slice_write(loop, position, calls_of_position):
    if calls_of_position[0].function.__name__ == "__setitem__" and not is_inside(loop, calls_of_position[1].written):
        part = scanned_slice_written(loop, calls_of_position)
        read_operands_of_value(loop, position, calls_of_position)
        loop.written.append((position, part))
        return
    # In place, on a tensor of the same iteration.
    for iteration, call in enumerate(calls_of_position):
        base = base_of(call.written)
        if not is_inside(loop, base) or loop.locate(base.call)[0] != iteration:
            raise NotRecordable("an iteration writes into an older tensor")
    read_operands(loop, position, calls_of_position)


def scanned_slice_written(loop, calls_of_position):
    saved = list(loop.scanned)
    number = scanned_slice(loop, [call.written for call in calls_of_position], [call.arguments[1] for call in calls_of_position])
    part = loop.scanned[number]
    loop.scanned[:] = saved
    return part


def read_operands_of_value(loop, position, calls_of_position):
    values = [call.arguments[2] for call in calls_of_position]
    if not all(isinstance(value, torch.Tensor) for value in values):
        raise NotRecordable("a number that is written")
    loop.operands[position, 0] = classify_operand(loop, position, values)
