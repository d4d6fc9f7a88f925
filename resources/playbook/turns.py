# SPDX-License-Identifier: GPL-3.0-or-later
"""Loops of Python over time, found in the calls that forward makes: turns that call the same, each with what the one
before has left.

The pattern is proved, not guessed: forward was gone through to its end, and of each turn every call was compared with
the second turn's, by function, shapes, numbers and where each tensor comes from.
"""

import dataclasses
import typing

import torch

from recorded_calls import StandIn, Unrecorded

LEAST_TURNS = 8
MOST_PERIOD = 4000  # calls of a turn
MOST_TRIES = 24  # periods that are tried from one call on


@dataclasses.dataclass(frozen=True)
class Part:
    """Of each turn another piece: result `begin + turn * step` of a call, or place `begin + turn * step` of a tensor."""
    of: typing.Any  # a tensor, or the call
    index: typing.Any  # None: results of a call; else the index with TURN in the place of a number
    begin: int
    step: int


TURN = "turn"


@dataclasses.dataclass
class Turns:
    first: int
    period: int
    count: int
    states: list = dataclasses.field(default_factory=list)  # (position, item, what the first turn is given)
    parts: list = dataclasses.field(default_factory=list)
    whole: list = dataclasses.field(default_factory=list)
    operands: dict = dataclasses.field(default_factory=dict)  # by position and slot: ("own" | "state" | "part" | "whole", …)
    placed: dict = dataclasses.field(default_factory=dict)  # by position: a call that only looks at a place
    written: list = dataclasses.field(default_factory=list)  # (position, Part of what is written into, the value's slot)

    @property
    def end(self):
        return self.first + self.period * self.count

    def place(self, call):
        """Turn and position, of a call inside."""
        return divmod(call - self.first, self.period)


class Odd(Exception):
    """A turn that is not like the second one."""

    def __init__(self, turn):
        super().__init__()
        self.turn = turn


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
    """The same arguments with others in the place of tensors."""
    if isinstance(value, torch.Tensor):
        return tensor(value)
    if type(value) in (tuple, list):
        return type(value)(replaced(item, tensor) for item in value)
    if type(value) is dict:
        return {key: replaced(item, tensor) for key, item in value.items()}
    return value


# ---- finding


def longest_at(words, place, next_places, least):
    """Period and number of turns of the longest repetition that begins here."""
    best, period, tries, other = (0, 0), 0, 0, next_places[place]
    while other is not None and tries < MOST_TRIES and other - place <= MOST_PERIOD:
        period, tries = other - place, tries + 1
        turn = words[place:other]
        count, end = 1, other
        while words[end:end + period] == turn:
            count, end = count + 1, end + period
        if count >= LEAST_TURNS and count * period > best[0] * best[1] and count * period >= least:
            best = (period, count)
        other = next_places[other]
    return best


def find_turns(calls, least):
    words = [call.word for call in calls]
    next_places, last = [None] * len(words), {}
    for place in range(len(words) - 1, -1, -1):
        next_places[place] = last.get(words[place])
        last[words[place]] = place
    found, place = [], 0
    while place < len(words):
        period, count = longest_at(words, place, next_places, least)
        turns = proved(calls, place, period, count) if count else None
        if turns:
            found.append(turns)
            place = turns.end
        else:
            place += 1
    return found


def proved(calls, first, period, count):
    while count >= LEAST_TURNS:
        turns = Turns(first, period, count)
        try:
            read_turns(calls, turns)
            return turns
        except Odd as odd:  # the turns before it, or those after it
            if odd.turn >= LEAST_TURNS:
                count = odd.turn
            else:
                first, count = first + max(odd.turn, 1) * period, count - max(odd.turn, 1)
        except Unrecorded:
            return None
    return None


def read_turns(calls, turns):
    for position in range(turns.period):
        row = [calls[turns.first + turn * turns.period + position] for turn in range(turns.count)]
        if row[0].written is not None:
            read_writing(turns, position, row)
            continue
        if row[0].function.__name__ == "__getitem__":
            indices = [call.arguments[1] for call in row]
            if any(index != indices[1] for index in indices):
                turns.placed[position] = read_part(turns, [call.arguments[0] for call in row], indices)
                continue
        read_operands(turns, position, row)
    if not turns.states:
        raise Unrecorded("turns that need nothing of each other")
    written = {id(base_of(part.of)) for _, part in turns.written}
    read = [part.of for part in turns.parts if isinstance(part.of, torch.Tensor)] + turns.whole
    if any(id(base_of(tensor)) in written for tensor in read):
        raise Unrecorded("what turns write is read by others")


def read_operands(turns, position, row):
    rows = list(zip(*[tensors_in((call.arguments, call.keywords), []) for call in row]))
    for slot, tensors in enumerate(rows):
        turns.operands[position, slot] = operand(turns, position, tensors)


def base_of(tensor):
    return tensor.base if type(tensor) is StandIn and tensor.base is not None else tensor


def is_inside(turns, tensor):
    return type(tensor) is StandIn and turns.first <= tensor.call < turns.end


def operand(turns, position, tensors):
    second = tensors[1]
    if not is_inside(turns, second):
        for turn, tensor in enumerate(tensors):
            if tensor is not second and not (type(tensor) is StandIn is type(second) and
                                             (tensor.call, tensor.item) == (second.call, second.item)):
                return ("part", kept(turns.parts, results_part(turns, tensors)))
        if type(second) is StandIn and second.call >= turns.end:
            raise Unrecorded("a tensor before it is made")
        return ("whole", kept(turns.whole, second))
    turn, at = turns.place(second.call)
    lag = 1 - turn
    if lag not in (0, 1):
        raise Unrecorded("a state of several turns before")
    for turn, tensor in enumerate(tensors):
        if turn < lag:
            if is_inside(turns, tensor):
                raise Odd(turn)
        elif not is_inside(turns, tensor) or turns.place(tensor.call) != (turn - lag, at) or tensor.item != second.item:
            raise Odd(turn)
    if lag == 0:
        return ("own", at, second.item)
    for number, (known, item, _) in enumerate(turns.states):
        if (known, item) == (at, second.item):
            return ("state", number)
    if tensors[0].shape != second.shape or tensors[0].dtype != second.dtype:
        raise Odd(0)
    turns.states.append((at, second.item, tensors[0]))
    return ("state", len(turns.states) - 1)


def kept(known, value):
    for number, other in enumerate(known):
        if other is value or (isinstance(value, Part) and isinstance(other, Part) and other.of is value.of
                              and (other.index, other.begin, other.step) == (value.index, value.begin, value.step)):
            return number
    known.append(value)
    return len(known) - 1


def results_part(turns, tensors):
    """One result of a call after the other, or what the turns of a loop before have left."""
    places = []
    for turn, tensor in enumerate(tensors):
        if type(tensor) is not StandIn or tensor.call >= turns.first:
            raise Odd(turn)
        places.append((tensor.call, tensor.item))
    (call, item), (next_call, next_item) = places[0], places[1]
    step = (next_call - call, next_item - item)
    for turn, place in enumerate(places):
        if place != (call + turn * step[0], item + turn * step[1]):
            raise Odd(turn)
    if step[0] == 0:
        return Part(call, None, item, step[1])
    return Part((call, item), None, 0, step[0])


def read_part(turns, tensors, indices):
    """A place of a tensor that changes from turn to turn."""
    source = tensors[1]
    if is_inside(turns, source) or any(tensor is not source for tensor in tensors):
        raise Unrecorded("a place of something that is made in each turn")
    flats = [index if isinstance(index, tuple) else (index,) for index in indices]
    numbers = [place for place, each in enumerate(flats[1]) if any(flat[place] != each for flat in flats)]
    if len(numbers) != 1 or any(isinstance(each, (torch.Tensor, list)) for each in flats[1]):
        raise Unrecorded("places that are no row")
    along = numbers[0]
    size = source.shape[dimension_of(flats[1], along, source.dim())]
    places = [flat[along] + size if flat[along] < 0 else flat[along] for flat in flats]
    step = places[1] - places[0]
    for turn, place in enumerate(places):
        if place != places[0] + turn * step:
            raise Odd(turn)
    index = tuple(TURN if place == along else each for place, each in enumerate(flats[1]))
    return kept(turns.parts, Part(source, index, places[0], step))


def dimension_of(index, place, dimensions):
    """Which dimension of the tensor the entry of an index stands for."""
    if any(each is Ellipsis for each in index[:place]):
        return dimensions - sum(each is not None for each in index[place:])
    return sum(each is not None for each in index[:place])


def read_writing(turns, position, row):
    if row[0].function.__name__ == "__setitem__" and not is_inside(turns, row[1].written):
        part = read_part_written(turns, row)
        read_operands_of_value(turns, position, row)
        turns.written.append((position, part))
        return
    # In place, on what the turn has made itself.
    for turn, call in enumerate(row):
        base = base_of(call.written)
        if not is_inside(turns, base) or turns.place(base.call)[0] != turn:
            raise Unrecorded("a turn writes into what is older")
    read_operands(turns, position, row)


def read_part_written(turns, row):
    saved = list(turns.parts)
    number = read_part(turns, [call.written for call in row], [call.arguments[1] for call in row])
    part = turns.parts[number]
    turns.parts[:] = saved
    return part


def read_operands_of_value(turns, position, row):
    values = [call.arguments[2] for call in row]
    if not all(isinstance(value, torch.Tensor) for value in values):
        raise Unrecorded("a number that is written")
    turns.operands[position, 0] = operand(turns, position, values)
