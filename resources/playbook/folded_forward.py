# SPDX-License-Identifier: GPL-3.0-or-later
"""Forward with the loops that turns.py finds as such (loops.py), and all other calls as they came: folded()."""

import torch
import torch.nn.functional as F

from loops import looped
from recorded_calls import StandIn, Unrecorded, recorded
from turns import LEAST_TURNS, TURN, find_turns, is_inside, replaced, tensors_in

LEAST_CALLS = 1500  # fewer are traced turn by turn in bearable time
LIFTED = (F.linear, torch.matmul, torch.mm, torch.Tensor.matmul, torch.Tensor.mm, torch.Tensor.__matmul__)


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

    def strides(self):
        """Of the results, as forward was written; nothing where they are complex, and become pairs."""
        results = torch.utils._pytree.tree_leaves(self.result)
        return None if any(tensor.is_complex() for tensor in results) else [tensor.stride() for tensor in results]

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
            pieces.append(every.contiguous() if is_stack else every.flatten(dim, dim + 1))  # dense, as torch joins
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
        if len(recorder.calls) + recorder.inside < LEAST_CALLS:
            return None
        loops = find_turns(recorder.calls, LEAST_CALLS // 4)
        return Folded(recorder.calls, result, loops) if loops else None
    except Exception:  # whatever it was: the forward is traced as it stands, and that says what is the matter
        return None
