# SPDX-License-Identifier: GPL-3.0-or-later
"""Rerolls unrolled loops: forward with each loop that loop_detection.py finds as one operator (loop_operator.py), and all
other calls as recorded."""

import torch
import torch.nn.functional as F

from call_recorder import NotRecordable, TensorProxy, recorded
from loop_detection import ITERATION, MIN_ITERATIONS, find_loops, is_inside, replaced, tensors_in
from loop_operator import call_loop

MIN_CALLS = 1500  # tracing fewer of them unrolled is fast enough
HOISTABLE = (F.linear, torch.matmul, torch.mm, torch.Tensor.matmul, torch.Tensor.mm, torch.Tensor.__matmul__)


def sliced_dim(index, position, dimensions):
    """The dimension of the indexing's result that the slice at this entry of the index becomes."""
    rest = dimensions - sum(each is not None and each is not Ellipsis for each in index)
    return sum(rest if each is Ellipsis else not isinstance(each, int) for each in index[:position])


def consecutive_run(tensors, begin, loops):
    """How many of `tensors`, from `begin` on, are the same output of consecutive iterations of one loop; its source; its stride."""
    def source_of(tensor):
        for loop in loops:
            if is_inside(loop, tensor):
                iteration, position = loop.locate(tensor.call)
                return loop, position, tensor.item, iteration
        return None
    first = source_of(tensors[begin])
    if first is None or begin + 1 == len(tensors):
        return 0, first, 0
    second = source_of(tensors[begin + 1])
    stride = second[3] - first[3] if second is not None and second[:3] == first[:3] else 0
    count = 1
    while stride in (1, -1) and begin + count < len(tensors):
        at = source_of(tensors[begin + count])
        if at is None or at[:3] != first[:3] or at[3] != first[3] + count * stride:
            break
        count += 1
    return count, first, stride


class RerolledForward:
    """Forward with loop operators in place of the unrolled iterations."""

    def __init__(self, calls, result, loops):
        self.calls, self.result, self.loops = calls, result, loops
        self.hoisted = {id(loop): hoistable_matmuls(calls, loop) for loop in loops}
        self.outputs = {id(loop): [(position, item) for position, item, _ in loop.states] for loop in loops}
        self.required = set()
        self.find_required()

    def find_required(self):
        """Walks back from the result: which calls are needed, and which outputs of a loop are read later."""
        self.require(tensors_in(self.result, []))
        number = len(self.calls) - 1
        by_end = {loop.end - 1: loop for loop in self.loops}
        while number >= 0:
            if number in by_end:
                loop = by_end[number]
                self.require([first for _, _, first in loop.states] + loop.invariants)
                for scanned_tensor in loop.scanned:
                    self.require_scanned(scanned_tensor)
                for position, scanned_tensor in loop.written:
                    self.require([scanned_tensor.of])
                    self.add_output(loop, written_value(loop, position))
                number = loop.first - 1
                continue
            call = self.calls[number]
            if number in self.required or call.written is not None:
                self.required.add(number)
                self.require(tensors_in((call.arguments, call.keywords), []))
            number -= 1

    def require(self, tensors):
        for tensor in tensors:
            if type(tensor) is TensorProxy:
                loop = next((loop for loop in self.loops if is_inside(loop, tensor)), None)
                if loop is None:
                    self.required.add(tensor.call)
                else:
                    self.add_output(loop, (loop.locate(tensor.call)[1], tensor.item))

    def require_scanned(self, scanned_tensor):
        if isinstance(scanned_tensor.of, torch.Tensor):
            self.require([scanned_tensor.of])
        elif isinstance(scanned_tensor.of, int):
            self.require(tensors_in(self.calls[scanned_tensor.of].arguments, []))
        else:
            call, item = scanned_tensor.of
            loop = next((loop for loop in self.loops if loop.first <= call < loop.end), None)
            if loop is None:
                raise NotRecordable("iterations read what no loop has made")
            self.add_output(loop, (loop.locate(call)[1], item))

    def add_output(self, loop, what):
        if what not in self.outputs[id(loop)]:
            self.outputs[id(loop)].append(what)

    def strides(self):
        """Strides of the results, as forward was written; None where results are complex: they become pairs."""
        results = torch.utils._pytree.tree_leaves(self.result)
        return None if any(tensor.is_complex() for tensor in results) else [tensor.stride() for tensor in results]

    # ---- run

    def run(self, replacements):
        """`replacements`: tensors by the id() of the recorded tensor that each replaces."""
        self.replacements, self.values, self.results = replacements, {}, {}
        by_first = {loop.first: loop for loop in self.loops}
        number = 0
        while number < len(self.calls):
            if number in by_first:
                loop = by_first[number]
                self.run_loop(loop)
                number = loop.end
                continue
            if number in self.required:
                self.store(number, self.called(self.calls[number]))
            number += 1
        return replaced(self.result, self.value)

    def store(self, number, result):
        if self.calls[number].written is None:
            for item, tensor in enumerate(result if isinstance(result, (tuple, list)) else [result]):
                self.values[number, item] = tensor

    def called(self, call):
        if call.function.__name__ in ("stack", "cat", "concat") and isinstance(call.arguments[0], (tuple, list)):
            concatenated = self.concatenated(call)
            if concatenated is not None:
                return concatenated
        return call.function(*replaced(call.arguments, self.value), **replaced(call.keywords, self.value))

    def value(self, tensor):
        if type(tensor) is not TensorProxy:
            return self.replacements.get(id(tensor), tensor)
        for loop in self.loops:
            if is_inside(loop, tensor):
                iteration, position = loop.locate(tensor.call)
                last, stacked = self.results[id(loop)][position, tensor.item]
                return last if iteration + 1 == loop.count else stacked[iteration]
        return self.values[tensor.call, tensor.item]

    def concatenated(self, call):
        tensors = call.arguments[0]
        dim = call.arguments[1] if len(call.arguments) > 1 else call.keywords.get("dim", 0)
        is_stack = call.function.__name__ == "stack"
        dim %= tensors[0].dim() + is_stack
        pieces, single, at = [], [], 0
        while at < len(tensors):
            count, first, stride = consecutive_run(tensors, at, self.loops)
            if count < MIN_ITERATIONS:
                single.append(self.value(tensors[at]))
                at += 1
                continue
            if single:
                pieces.append(call.function(single, dim))
                single = []
            loop, position, item, iteration = first
            stacked = self.results[id(loop)][position, item][1]
            stacked = strided(stacked, iteration, count, stride)
            stacked = stacked.movedim(0, dim)
            pieces.append(stacked.contiguous() if is_stack else stacked.flatten(dim, dim + 1))  # dense, as torch.stack and torch.cat leave it
            at += count
        if not pieces:
            return None
        if single:
            pieces.append(call.function(single, dim))
        return pieces[0] if len(pieces) == 1 else torch.cat(pieces, dim)

    def scanned_tensor(self, loop, scanned):
        """The slices of all iterations as one tensor, the iteration first."""
        if isinstance(scanned.of, torch.Tensor):
            source = self.value(scanned.of)
            dim_of_iteration = scanned.index.index(ITERATION)
            index = sliced(scanned, loop.count)
            found = source[index].movedim(sliced_dim(index, dim_of_iteration, source.dim()), 0)
            return found.flip(0) if scanned.stride < 0 else found
        if isinstance(scanned.of, int):
            call = self.calls[scanned.of]
            if call.function.__name__ != "unbind":
                raise NotRecordable("iterations read results of a call")
            source = self.value(call.arguments[0])
            dim = call.arguments[1] if len(call.arguments) > 1 else call.keywords.get("dim", 0)
            return strided(source.movedim(dim, 0), scanned.begin, loop.count, scanned.stride)
        call, item = scanned.of
        before = next(other for other in self.loops if other.first <= call < other.end)
        iteration, position = before.locate(call)
        return strided(self.results[id(before)][position, item][1], iteration, loop.count, scanned.stride // before.period)

    def run_loop(self, loop):
        hoisted, outputs = self.hoisted[id(loop)], self.outputs[id(loop)]
        numbers = sorted(scanned_used(self.calls, loop, hoisted, outputs))
        scanned = [self.scanned_tensor(loop, loop.scanned[number]) for number in numbers]
        for position, (number, slots) in hoisted.items():
            call = self.calls[loop.first + loop.period + position]
            others = iter([self.scanned_tensor(loop, loop.scanned[number]), *[self.value(loop.invariants[slot]) for slot in slots]])
            scanned.append(call.function(*replaced(call.arguments, lambda _: next(others)),
                                       **replaced(call.keywords, lambda _: next(others))))
        body = LoopBody(self.calls, loop, numbers, list(hoisted), outputs)
        last, stacked = call_loop(body, [self.value(first) for _, _, first in loop.states], scanned,
                             [self.value(tensor) for tensor in loop.invariants])
        self.results[id(loop)] = {what: each for what, each in zip(outputs, zip(last, stacked))}
        for position, scanned_tensor in loop.written:
            target, value = self.value(scanned_tensor.of), self.results[id(loop)][written_value(loop, position)][1]
            index = sliced(scanned_tensor, loop.count)
            dim_of_iteration = sliced_dim(index, scanned_tensor.index.index(ITERATION), target.dim())
            target[index] = (value.flip(0) if scanned_tensor.stride < 0 else value).movedim(0, dim_of_iteration)


def written_value(loop, position):
    kind, *what = loop.operands[position, 0]
    if kind == "local":
        return tuple(what)
    raise NotRecordable("iterations write what they have not made")


def sliced(scanned_tensor, count):
    last = scanned_tensor.begin + scanned_tensor.stride * (count - 1)
    low, high = min(scanned_tensor.begin, last), max(scanned_tensor.begin, last)
    return tuple(slice(low, high + 1, abs(scanned_tensor.stride)) if each is ITERATION else each for each in scanned_tensor.index)


def strided(stacked, begin, count, stride):
    last = begin + stride * (count - 1)
    low, high = min(begin, last), max(begin, last)
    found = stacked if (low, high + 1, abs(stride)) == (0, stacked.shape[0], 1) else stacked[low:high + 1:abs(stride)]
    return found.flip(0) if stride < 0 else found


def hoistable_matmuls(calls, loop):
    """Matmuls of a scanned input with invariants, which run once for all iterations: by position the input and the invariants."""
    found = {}
    for position in range(loop.period):
        call = calls[loop.first + loop.period + position]
        operands = [loop.operands[position, slot] for slot in range(8) if (position, slot) in loop.operands]
        if call.function not in HOISTABLE or position in loop.slice_reads or len(operands) < 2:
            continue
        kind, *what = operands[0]
        number = what[0] if kind == "scanned" else loop.slice_reads.get(what[0]) if kind == "local" else None
        tensors = tensors_in((call.arguments, call.keywords), [])
        if number is not None and all(each[0] == "invariant" for each in operands[1:]) and tensors[1].dim() == 2 and tensors[0].dim() > 1:
            found[position] = (number, [each[1] for each in operands[1:]])
    return found


def scanned_used(calls, loop, hoisted, outputs):
    """Scanned inputs that the loop's body reads itself."""
    read = {loop.slice_reads[position] for position, _ in outputs if position in loop.slice_reads}
    written = {position for position, _ in loop.written}
    for (position, _), (kind, *what) in loop.operands.items():
        if position in hoisted or position in written:
            continue
        if kind == "scanned":
            read.add(what[0])
        elif kind == "local" and what[0] in loop.slice_reads:
            read.add(loop.slice_reads[what[0]])
    return read


class LoopBody:
    """One iteration, as loop_operator.py calls it."""

    def __init__(self, calls, loop, numbers, hoisted, outputs):
        self.calls, self.loop, self.numbers, self.hoisted, self.outputs = calls, loop, numbers, hoisted, outputs

    def __call__(self, states, scanned, invariants):
        loop, values = self.loop, {}
        scanned_by_number = dict(zip(self.numbers, scanned))
        hoisted = dict(zip(self.hoisted, scanned[len(self.numbers):]))
        written = {position for position, _ in loop.written}
        given = {"state": states, "scanned": scanned_by_number, "invariant": invariants}
        for position in range(loop.period):
            call = self.calls[loop.first + loop.period + position]
            if position in written:
                continue
            if position in hoisted:
                values[position, 0] = hoisted[position]
                continue
            if position in loop.slice_reads:
                if loop.slice_reads[position] in scanned_by_number:
                    values[position, 0] = scanned_by_number[loop.slice_reads[position]]
                continue
            slots = iter(range(1000))

            def operand(_, position=position, slots=slots):
                kind, *what = loop.operands[position, next(slots)]
                return values[tuple(what)] if kind == "local" else given[kind][what[0]]

            arguments = replaced(call.arguments, operand)
            result = call.function(*arguments, **replaced(call.keywords, operand))
            if call.written is None:
                for item, tensor in enumerate(result if isinstance(result, (tuple, list)) else [result]):
                    values[position, item] = tensor
        return [values[what] for what in self.outputs]


def rerolled(function):
    """Forward with its loops as operators; None where it has none, or does what recorded calls do not show."""
    try:
        recorder, result = recorded(function)
        if len(recorder.calls) + recorder.inside < MIN_CALLS:
            return None
        loops = find_loops(recorder.calls, MIN_CALLS // 4)
        return RerolledForward(recorder.calls, result, loops) if loops else None
    except Exception:  # the forward is then traced as it is, which reports the problem
        return None
