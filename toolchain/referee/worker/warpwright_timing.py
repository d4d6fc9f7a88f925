# SPDX-License-Identifier: GPL-3.0-or-later
"""The loop that is timed, call by call or as one CUDA graph. Every arm runs the same over the same inputs."""

import ctypes
import gc
import mmap
import time

import torch

from warpwright_values import encode, in_timed_form, map_tensors, tensors_in

TENSOR = torch.Tensor
SPINS = 30  # looks at a word before the shim is asked to wait: two microseconds


class ControlPage:
    """The memory of control_page.h."""

    LAST_TURN, MOST_TURNS, MOST_PLACES = 0x80000000, 1024, 8192
    TURNS, MADE, PLACES = 8, 2112, 2176

    def __init__(self, descriptor):
        self._buffer = mmap.mmap(descriptor, self.PLACES + 8 * self.MOST_PLACES)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self._buffer))
        view = memoryview(self._buffer)
        self.released = view[4:8].cast("I")
        self.turns = view[self.TURNS : self.TURNS + 2 * self.MOST_TURNS].cast("H")
        self.made = view[self.MADE : self.MADE + 4].cast("I")
        self.places = view[self.PLACES :].cast("Q")


class Slowed:
    """A model with a known delay, of the device where that is a GPU."""

    def __init__(self, model, microseconds, device):
        self._model, self._seconds = model, microseconds * 1e-6
        self._cycles = None
        if device.type == "cuda":
            # A kernel more costs its gap, too: from two lengths follows what no length at all would take.
            short, long = self._sleep_microseconds(40_000), self._sleep_microseconds(80_000)
            gap = 2 * short - long
            self._cycles = max(0, round((microseconds - gap) * 40_000 / (long - short)))

    @staticmethod
    def _sleep_microseconds(cycles, count=400):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        for _ in range(2):  # the first one warms up
            begin.record()
            for _ in range(count):
                torch.cuda._sleep(cycles)
            end.record()
            end.synchronize()
        return begin.elapsed_time(end) * 1e3 / count

    def __call__(self, *arguments):
        out = self._model(*arguments)
        if self._cycles is not None:
            torch.cuda._sleep(self._cycles)
        else:
            until = time.perf_counter() + self._seconds
            while time.perf_counter() < until:
                pass
        return out


def tensor_places(tree):
    """The tensors' descriptions in a tree."""
    if tree["kind"] == "tensor":
        return [tree]
    return [place for item in tree.get("items", ()) for place in tensor_places(item)]


def copied(tensor):
    return tensor.resolve_conj().resolve_neg().clone()


class TimedCalls:
    """The part of an Arm that is timed: its model, device, shim, channel and control page are the Arm's."""

    def __init__(self):
        super().__init__()
        self._sets = []
        self._batch = 0
        self._last = 0
        self._copies = False
        self._graph = self._captured = self._stream = None

    def do_sets(self, *, sets):
        self._sets = [self._arguments(tree, clone=False) for tree in sets]
        return {}

    def do_warm(self):
        """The first call, with all that it sets up; returns what it took."""
        self.phase = "warm-up"
        start = time.perf_counter()
        with torch.no_grad():
            self._model(*self._sets[0])
            self._idle()
        seconds = time.perf_counter() - start
        gc.collect()
        gc.freeze()  # so is what the compiler left behind
        return {"firstSeconds": seconds}

    def do_capture(self, *, order, ring):
        """The calls of a batch as one CUDA graph, in place of the one before."""
        self.phase = "capture of a CUDA graph"
        self.do_drop_graph()
        if self._stream is None:
            self._stream = torch.cuda.Stream(self._device)
        with torch.no_grad(), torch.cuda.stream(self._stream):
            # What a model sets up at its first call on a stream cannot be captured.
            for index in order[:3]:
                self._model(*self._sets[index])
        self._idle()
        kept = [None] * ring
        graph = torch.cuda.CUDAGraph()
        with torch.no_grad(), torch.cuda.graph(graph, stream=self._stream):
            for place, index in enumerate(order):
                kept[place % ring] = self._handed_over(self._model(*self._sets[index]))
        graph.replay()
        self._idle()
        self._graph, self._captured = graph, kept
        return {"calls": len(order)}

    def do_drop_graph(self):
        self._graph = self._captured = None
        return self.do_release()

    def do_form(self):
        """How the result of the last timed call lies in memory. Where that is memory of the candidate's own, or not what
        it shows (conjugated, negated), later calls hand over copies, made in their time."""
        result = in_timed_form(self._held[0][0][self._last], not self._cuda)
        outside = self._tree(result)
        copies = any(place["copied"] and place["aliases"] != "inputs" for place in tensor_places(outside))
        if copies or any(tensor.is_conj() or tensor.is_neg() for tensor in tensors_in(result)):
            self._copies = True
            result = self._handed_over(result)
            self._held[0].append(result)
        return {
            "outputs": self._tree(result), "copies": self._copies, "addresses": [tensor.data_ptr() for tensor in tensors_in(result)],
            "arena": self._shim.library.ww_arena_base(), "inputs": self._regions["inputs"].address,
        }

    def _tree(self, result):
        return encode(result, self._place_output)

    def _handed_over(self, result):
        """What is not one plain tensor, in the form in which it is judged."""
        result = in_timed_form(result, not self._cuda)
        return map_tensors(result, copied) if self._copies else result

    def _note(self, slot, tensors, result):
        """Where each of the first `tensors` tensors of a result lies."""
        for index, tensor in enumerate(tensors_in(result)[:tensors]):
            self._page.places[slot * tensors + index] = tensor.data_ptr()

    def do_batch(self, *, before, ring, tensors, limitNanoseconds, graph=False, lean=False, empty=False):
        """Announces itself ready, waits for the release, makes a call a turn, and reports only when the device is idle.
        `graph`: the captured calls, in place of them. `before`: sets of calls that are not timed and come first.
        `tensors`: of a result, whose places are told. `lean`: a result goes before the call that takes its place.
        `empty`: there is nothing but a launch."""
        self.phase = "timed calls"
        self._batch += 1
        number, model, sets, shim, page = self._batch, self._model, self._sets, self._shim.library, self._page
        address, turns, released, places, made_word = page.address, page.turns, page.released, page.places, page.made
        last, mask, spin, pointer = page.LAST_TURN, page.MOST_TURNS - 1, self._spin, TENSOR.data_ptr
        kept = self._captured if graph else [None] * ring
        spins, is_plain = SPINS if spin else 0, not self._copies
        null = torch.empty(1, device=self._device) if empty and self._cuda else None
        self._held.clear()
        gc.collect(1)
        shim.ww_reclaim()
        gc.disable()
        try:
            with torch.no_grad():
                for index in before:
                    model(*sets[index])
                if graph:
                    for slot, result in enumerate(kept):
                        self._note(slot, tensors, result)
                self._idle()
                self._channel.send({"batch": number})
                if shim.ww_wait_go(address, number, spin, limitNanoseconds) != 0:
                    raise TimeoutError("the judge did not release the batch")
                made = named = slot = word = 0
                result = None
                begin = time.perf_counter()
                if null is not None:
                    null.zero_()
                if graph:
                    self._graph.replay()
                    made = made_word[0] = released[0] & ~last
                while not graph:
                    if made == named:
                        if word & last:
                            break
                        looks = spins
                        while looks and released[0] == word:
                            looks -= 1
                        if not looks and shim.ww_await_turn(address, made, spin, limitNanoseconds) < 0:
                            raise TimeoutError("the judge names no further call")
                        word = released[0]
                        named = word & ~last
                        if made == named:
                            break
                    if lean:
                        kept[slot] = result = None
                    result = model(*sets[turns[made & mask]])
                    if is_plain and type(result) is TENSOR:
                        places[slot * tensors] = pointer(result)
                    else:
                        result = self._handed_over(result)
                        self._note(slot, tensors, result)
                    kept[slot] = result
                    slot += 1
                    if slot == ring:
                        slot = 0
                    made += 1
                    made_word[0] = made
                submitted = time.perf_counter() - begin
                status = shim.ww_finish(address, number, int(self._cuda))
        finally:
            gc.enable()
        if status != 0:
            raise RuntimeError(f"the device failed during the timed calls (CUDA error {status})")
        self._held, self._last = [[kept]], (slot - 1) % ring
        return {"calls": made, "submitSeconds": submitted}

    def do_slow(self, *, microseconds):
        """So much more work in each call: for trying the clock."""
        self._model = Slowed(self._model, microseconds, self._device)
        return {}
