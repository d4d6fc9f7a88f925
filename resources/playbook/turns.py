# SPDX-License-Identifier: GPL-3.0-or-later
"""Loops of Python over time, found in the calls that forward makes: turns that call the same, each with what the one
before has left, are one loop (loops.py) in what `folded` returns, a forward that makes the other calls as they came.

The pattern is proved, not guessed: forward was gone through to its end, and of each turn every call was compared with
the second turn's, by function, shapes, numbers and where each tensor comes from.
"""

import dataclasses
import typing

import torch
import torch.nn.functional as F

from loops import looped
from recorded_calls import StandIn, Unrecorded, recorded

LEAST_TURNS = 8
LEAST_CALLS = 1500  # fewer are traced turn by turn in bearable time
MOST_PERIOD = 4000  # calls of a turn
MOST_TRIES = 24  # periods that are tried from one call on
LIFTED = (F.linear, torch.matmul, torch.mm, torch.Tensor.matmul, torch.Tensor.mm, torch.Tensor.__matmul__)


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


# ---- as a forward of few calls


def along_of(index, place, dimensions):
    """Which dimension of what an index gives its entry stands for, a slice."""
    rest = dimensions - sum(each is not None and each is not Ellipsis for each in index)
    return sum(rest if each is Ellipsis else not isinstance(each, int) for each in index[:place])


def run_of(parts, begin, loops):
    """How many of these, from one on, turns of one loop have left one after the other."""
    def place(tensor):
        for turns in loops:
            if is_inside(turns, tensor):
                turn, position = turns.place(tensor.call)
                return turns, position, tensor.item, turn
        return None
    first = place(parts[begin])
    if first is None or begin + 1 == len(parts):
        return 0, first, 0
    second = place(parts[begin + 1])
    step = second[3] - first[3] if second is not None and second[:3] == first[:3] else 0
    count = 1
    while step in (1, -1) and begin + count < len(parts):
        at = place(parts[begin + count])
        if at is None or at[:3] != first[:3] or at[3] != first[3] + count * step:
            break
        count += 1
    return count, first, step


class Folded:
    """Forward with loops in the place of their turns."""

    def __init__(self, calls, result, loops):
        self.calls, self.result, self.loops = calls, result, loops
        self.lifted = {id(turns): lifted_in(calls, turns) for turns in loops}
        self.left = {id(turns): [(position, item) for position, item, _ in turns.states] for turns in loops}
        self.needed = set()
        self.find_needed()

    def find_needed(self):
        """Backwards from the result: which calls are made, and what of a loop's turns is read later."""
        self.need(tensors_in(self.result, []))
        place = len(self.calls) - 1
        by_end = {turns.end - 1: turns for turns in self.loops}
        while place >= 0:
            if place in by_end:
                turns = by_end[place]
                self.need([first for _, _, first in turns.states] + turns.whole)
                for part in turns.parts:
                    self.need_part(part)
                for position, part in turns.written:
                    self.need([part.of])
                    self.leave(turns, value_of(turns, position))
                place = turns.first - 1
                continue
            call = self.calls[place]
            if place in self.needed or call.written is not None:
                self.needed.add(place)
                self.need(tensors_in((call.arguments, call.keywords), []))
            place -= 1

    def need(self, tensors):
        for tensor in tensors:
            if type(tensor) is StandIn:
                turns = next((turns for turns in self.loops if is_inside(turns, tensor)), None)
                if turns is None:
                    self.needed.add(tensor.call)
                else:
                    self.leave(turns, (turns.place(tensor.call)[1], tensor.item))

    def need_part(self, part):
        if isinstance(part.of, torch.Tensor):
            self.need([part.of])
        elif isinstance(part.of, int):
            self.need(tensors_in(self.calls[part.of].arguments, []))
        else:
            call, item = part.of
            turns = next((turns for turns in self.loops if turns.first <= call < turns.end), None)
            if turns is None:
                raise Unrecorded("turns that are given what no loop has made")
            self.leave(turns, (turns.place(call)[1], item))

    def leave(self, turns, what):
        if what not in self.left[id(turns)]:
            self.left[id(turns)].append(what)

    # ---- run

    def run(self, leaves):
        """`leaves`: tensors by the number that Python gives those of the recording."""
        self.leaves, self.values, self.results = leaves, {}, {}
        by_first = {turns.first: turns for turns in self.loops}
        place = 0
        while place < len(self.calls):
            if place in by_first:
                turns = by_first[place]
                self.run_turns(turns)
                place = turns.end
                continue
            if place in self.needed:
                self.keep(place, self.called(self.calls[place]))
            place += 1
        return replaced(self.result, self.value)

    def keep(self, place, result):
        if self.calls[place].written is None:
            for item, tensor in enumerate(result if isinstance(result, (tuple, list)) else [result]):
                self.values[place, item] = tensor

    def called(self, call):
        if call.function.__name__ in ("stack", "cat", "concat") and isinstance(call.arguments[0], (tuple, list)):
            joined = self.joined(call)
            if joined is not None:
                return joined
        return call.function(*replaced(call.arguments, self.value), **replaced(call.keywords, self.value))

    def value(self, tensor):
        if type(tensor) is not StandIn:
            return self.leaves.get(id(tensor), tensor)
        for turns in self.loops:
            if is_inside(turns, tensor):
                turn, position = turns.place(tensor.call)
                last, every = self.results[id(turns)][position, tensor.item]
                return last if turn + 1 == turns.count else every[turn]
        return self.values[tensor.call, tensor.item]

    def joined(self, call):
        parts = call.arguments[0]
        dim = call.arguments[1] if len(call.arguments) > 1 else call.keywords.get("dim", 0)
        is_stack = call.function.__name__ == "stack"
        dim %= parts[0].dim() + is_stack
        pieces, single, place = [], [], 0
        while place < len(parts):
            count, first, step = run_of(parts, place, self.loops)
            if count < LEAST_TURNS:
                single.append(self.value(parts[place]))
                place += 1
                continue
            if single:
                pieces.append(call.function(single, dim))
                single = []
            turns, position, item, turn = first
            every = self.results[id(turns)][position, item][1]
            every = stretch(every, turn, count, step)
            every = every.movedim(0, dim)
            pieces.append(every if is_stack else every.flatten(dim, dim + 1))
            place += count
        if not pieces:
            return None
        if single:
            pieces.append(call.function(single, dim))
        return pieces[0] if len(pieces) == 1 else torch.cat(pieces, dim)

    def part(self, turns, part):
        """All turns' at once, turns first."""
        if isinstance(part.of, torch.Tensor):
            source = self.value(part.of)
            along = part.index.index(TURN)
            index = sliced(part, turns.count)
            found = source[index].movedim(along_of(index, along, source.dim()), 0)
            return found.flip(0) if part.step < 0 else found
        if isinstance(part.of, int):
            call = self.calls[part.of]
            if call.function.__name__ != "unbind":
                raise Unrecorded("turns that are given results of a call")
            source = self.value(call.arguments[0])
            dim = call.arguments[1] if len(call.arguments) > 1 else call.keywords.get("dim", 0)
            return stretch(source.movedim(dim, 0), part.begin, turns.count, part.step)
        call, item = part.of
        before = next(other for other in self.loops if other.first <= call < other.end)
        turn, position = before.place(call)
        return stretch(self.results[id(before)][position, item][1], turn, turns.count, part.step // before.period)

    def run_turns(self, turns):
        lifted, left = self.lifted[id(turns)], self.left[id(turns)]
        numbers = sorted(parts_read(self.calls, turns, lifted, left))
        parts = [self.part(turns, turns.parts[number]) for number in numbers]
        for position, (number, slots) in lifted.items():
            call = self.calls[turns.first + turns.period + position]
            others = iter([self.part(turns, turns.parts[number]), *[self.value(turns.whole[slot]) for slot in slots]])
            parts.append(call.function(*replaced(call.arguments, lambda _: next(others)),
                                       **replaced(call.keywords, lambda _: next(others))))
        body = Body(self.calls, turns, numbers, list(lifted), left)
        last, every = looped(body, [self.value(first) for _, _, first in turns.states], parts,
                             [self.value(tensor) for tensor in turns.whole])
        self.results[id(turns)] = {what: each for what, each in zip(left, zip(last, every))}
        for position, part in turns.written:
            target, value = self.value(part.of), self.results[id(turns)][value_of(turns, position)][1]
            index = sliced(part, turns.count)
            along = along_of(index, part.index.index(TURN), target.dim())
            target[index] = (value.flip(0) if part.step < 0 else value).movedim(0, along)


def value_of(turns, position):
    kind, *what = turns.operands[position, 0]
    if kind == "own":
        return tuple(what)
    raise Unrecorded("turns that write what they have not made")


def sliced(part, count):
    last = part.begin + part.step * (count - 1)
    low, high = min(part.begin, last), max(part.begin, last)
    return tuple(slice(low, high + 1, abs(part.step)) if each is TURN else each for each in part.index)


def stretch(every, begin, count, step):
    last = begin + step * (count - 1)
    low, high = min(begin, last), max(begin, last)
    found = every if (low, high + 1, abs(step)) == (0, every.shape[0], 1) else every[low:high + 1:abs(step)]
    return found.flip(0) if step < 0 else found


def lifted_in(calls, turns):
    """Products of what turns are given, for all at once: by position the part and what they all multiply with."""
    found = {}
    for position in range(turns.period):
        call = calls[turns.first + turns.period + position]
        operands = [turns.operands[position, slot] for slot in range(8) if (position, slot) in turns.operands]
        if call.function not in LIFTED or position in turns.placed or len(operands) < 2:
            continue
        kind, *what = operands[0]
        number = what[0] if kind == "part" else turns.placed.get(what[0]) if kind == "own" else None
        tensors = tensors_in((call.arguments, call.keywords), [])
        if number is not None and all(each[0] == "whole" for each in operands[1:]) and tensors[1].dim() == 2 and tensors[0].dim() > 1:
            found[position] = (number, [each[1] for each in operands[1:]])
    return found


def parts_read(calls, turns, lifted, left):
    """Parts that turns read themselves."""
    read = {turns.placed[position] for position, _ in left if position in turns.placed}
    written = {position for position, _ in turns.written}
    for (position, _), (kind, *what) in turns.operands.items():
        if position in lifted or position in written:
            continue
        if kind == "part":
            read.add(what[0])
        elif kind == "own" and what[0] in turns.placed:
            read.add(turns.placed[what[0]])
    return read


class Body:
    """A turn, for loops.py."""

    def __init__(self, calls, turns, numbers, lifted, left):
        self.calls, self.turns, self.numbers, self.lifted, self.left = calls, turns, numbers, lifted, left

    def __call__(self, states, parts, whole):
        turns, values = self.turns, {}
        part_of = dict(zip(self.numbers, parts))
        lifted = dict(zip(self.lifted, parts[len(self.numbers):]))
        written = {position for position, _ in turns.written}
        given = {"state": states, "part": part_of, "whole": whole}
        for position in range(turns.period):
            call = self.calls[turns.first + turns.period + position]
            if position in written:
                continue
            if position in lifted:
                values[position, 0] = lifted[position]
                continue
            if position in turns.placed:
                if turns.placed[position] in part_of:
                    values[position, 0] = part_of[turns.placed[position]]
                continue
            slots = iter(range(1000))

            def operand(_, position=position, slots=slots):
                kind, *what = turns.operands[position, next(slots)]
                return values[tuple(what)] if kind == "own" else given[kind][what[0]]

            arguments = replaced(call.arguments, operand)
            result = call.function(*arguments, **replaced(call.keywords, operand))
            if call.written is None:
                for item, tensor in enumerate(result if isinstance(result, (tuple, list)) else [result]):
                    values[position, item] = tensor
        return [values[what] for what in self.left]


def folded(function):
    """Forward with its loops as such; nothing where it has none, or does what calls do not say."""
    try:
        recorder, result = recorded(function)
        if len(recorder.calls) < LEAST_CALLS:
            return None
        loops = find_turns(recorder.calls, LEAST_CALLS // 4)
        return Folded(recorder.calls, result, loops) if loops else None
    except ZeroDivisionError:  # whatever it was: the forward is traced as it stands, and that says what is the matter
        return None
