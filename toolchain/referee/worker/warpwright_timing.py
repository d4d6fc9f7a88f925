# SPDX-License-Identifier: GPL-3.0-or-later
"""The loop that is timed, call by call or as one CUDA graph. Every arm runs the same over the same inputs."""

import gc
import time

import torch

from warpwright_values import encode, with_fields


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


class TimedCalls:
    """The part of an Arm that is timed: its model, device, shim, channel and control page are the Arm's."""

    def __init__(self):
        super().__init__()
        self._sets = []
        self._batch = 0
        self._graph = self._captured = self._stream = None

    def do_sets(self, *, sets):
        self._sets = [self._arguments(tree, clone=False) for tree in sets]
        return {}

    def do_warm(self, *, calls, seconds):
        """At least `calls` calls and `seconds` of work; returns what one call takes now, and what the first took."""
        self.phase = "warm-up"
        model, sets = self._model, self._sets
        start = time.perf_counter()
        with torch.no_grad():
            model(*sets[0])
            self._idle()
            first = time.perf_counter() - start
            done, span = 0, 0.0
            begin = time.perf_counter()
            while done < calls or span < seconds:
                model(*sets[done % len(sets)])
                done += 1
                if done % 8 == 0 or span == 0.0:
                    self._idle()
                span = time.perf_counter() - begin
            self._idle()
            span = time.perf_counter() - begin
        gc.collect()
        gc.freeze()  # so is what the compiler left behind
        return {"firstSeconds": first, "callSeconds": span / done, "calls": done}

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
                kept[place % ring] = self._model(*self._sets[index])
        graph.replay()
        self._idle()
        self._graph, self._captured = graph, kept
        return {"calls": len(order)}

    def do_drop_graph(self):
        self._graph = self._captured = None
        return self.do_release()

    def do_batch(self, *, order, ring, limitNanoseconds, graph=False, before=0, lean=False):
        """Announces itself ready, waits for the release, runs the calls, and reports only when the device is idle.
        `graph`: the captured calls, which are those of `order`. `before`: so many calls that are not timed come first.
        `lean`: a result goes before the call whose result takes its place."""
        self.phase = "timed calls"
        self._batch += 1
        number, model, shim = self._batch, self._model, self._shim.library
        arguments = [] if graph else [self._sets[index] for index in order]
        kept = [None] * ring
        page, cuda, spin = self._page, int(self._cuda), self._spin
        null = torch.empty(1, device=self._device) if not order and self._cuda else None
        self._held.clear()
        gc.collect(1)
        shim.ww_reclaim()
        gc.disable()
        try:
            with torch.no_grad():
                for argument in arguments[len(arguments) - before :]:
                    model(*argument)
                self._idle()
                self._channel.send({"batch": number})
                if shim.ww_wait_go(page, number, spin, limitNanoseconds) != 0:
                    raise TimeoutError("the judge did not release the batch")
                slot = 0
                begin = time.perf_counter()
                if null is not None:
                    null.zero_()
                try:
                    if graph:
                        self._graph.replay()
                    for argument in arguments:
                        if lean:
                            kept[slot] = None
                        kept[slot] = model(*argument)
                        slot += 1
                        if slot == ring:
                            slot = 0
                finally:
                    submitted = time.perf_counter() - begin
                    status = shim.ww_finish(page, number, cuda)
        finally:
            gc.enable()
        if status != 0:
            raise RuntimeError(f"the device failed during the timed calls (CUDA error {status})")
        self._held = [[self._captured if graph else kept]]
        return {"calls": len(order), "ring": ring, "submitSeconds": submitted}

    def do_timed_output(self, *, slot):
        """The output of the call that used this slot of the ring last."""
        return {"outputs": encode(with_fields(self._held[0][0][slot]), self._place_output)}

    def do_slow(self, *, microseconds):
        """So much more work in each call: for trying the clock."""
        self._model = Slowed(self._model, microseconds, self._device)
        return {}
