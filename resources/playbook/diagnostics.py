# SPDX-License-Identifier: GPL-3.0-or-later
"""Where forward is, in its author's terms: which operator, in which module, on which line of the model's file. And why a
graph could not be made.

Stack frames show it, so that forward runs no slower: those of an exception, or of the reading thread while another one
looks. `progress_reported` prints it to stderr once a second after the first few.
"""

import contextlib
import json
import os
import sys
import threading

from torch._subclasses.fake_tensor import DataDependentOutputException, DynamicOutputShapeException
from torch.overrides import TorchFunctionMode, resolve_name

from complex_pairs import UnsupportedOperator
from decompose_fft import UnsupportedLength

SECONDS_BEFORE_PROGRESS = 4  # seconds before the first line
PROGRESS = "reading: "  # prefix of the lines on stderr that report progress


class OperatorLog(TorchFunctionMode):
    """The last function of torch that forward called, their number, and where each was called first."""

    def __init__(self, tracker):
        super().__init__()
        self.tracker, self.last, self.count, self.first = tracker, None, 0, {}

    def __torch_function__(self, function, types, arguments=(), keywords=None):
        name = function.__name__
        if name not in ("__get__", "_set_grad_enabled"):  # a tensor's properties, and no operator
            self.last = function
            self.count += 1
            if name not in self.first:
                self.first[name] = self.tracker.describe(name_of(function), *self.tracker.here())
        return function(*arguments, **(keywords or {}))

    def first_with(self, *text):
        """Where the first function was called whose name has one of these words."""
        return next((first_place for name, first_place in self.first.items() if any(word in name for word in text)), "forward")

    def first_like_last(self):
        """Where forward first called the last function: for when forward has returned."""
        return self.first.get(self.last.__name__, "") if self.last is not None else ""

    def name(self):
        return name_of(self.last) if self.last is not None else ""


def name_of(function):
    name = resolve_name(function) or getattr(function, "__name__", str(function))
    return name.replace("torch._C._nn.", "torch.nn.functional.").replace("torch.fft.fft_", "torch.fft.")


class ForwardTracker:
    def __init__(self, path):
        self.path, self.modules, self.operators, self.stage = path, {}, OperatorLog(self), "importing the model's file"

    def name_modules(self, model):
        self.modules = {id(module): name for name, module in model.named_modules() if name}

    def of_frames(self, frames):
        """Module and line of the innermost frame; frames come from the outermost on."""
        module, line = "", 0
        for frame, number in frames:
            if frame.f_code.co_name == "_call_impl":
                module = self.modules.get(id(frame.f_locals.get("self")), module)
            if frame.f_code.co_filename == self.path:
                line = number
        return module, line

    def of_problem(self, problem):
        frames, trace = [], problem.__traceback__
        while trace is not None:
            frames.append((trace.tb_frame, trace.tb_lineno))
            trace = trace.tb_next
        return self.of_frames(frames)

    def here(self):
        return self.of_frames(frames_from(sys._getframe()))

    def of_thread(self, thread):
        return self.of_frames(frames_from(sys._current_frames().get(thread)))

    def describe(self, operator, module, line):
        """«torch.fft.rfft in `blocks.0.mix`, line 31 of model.py», or as much of it as is known."""
        text = operator
        if module:
            text += (" in " if text else "in ") + f"`{module}`"
        if line:
            text += (", line " if text else "line ") + f"{line} of {os.path.basename(self.path)}"
        return text


def frames_from(frame):
    frames = []
    while frame is not None:
        frames.append((frame, frame.f_lineno))
        frame = frame.f_back
    return reversed(frames)


@contextlib.contextmanager
def progress_reported(tracker):
    """Prints a line a second to stderr, if it takes long."""
    over, reader, stream = threading.Event(), threading.get_ident(), sys.stderr

    def watch():
        wait = SECONDS_BEFORE_PROGRESS
        while not over.wait(wait):
            wait = 1
            operators = tracker.operators
            module, line = tracker.of_thread(reader)
            where = tracker.describe(operators.name(), module, line) if line else operators.first_like_last()
            text = tracker.stage
            if operators.count:
                text += f", {operators.count:,} operators so far"
            if where:
                text += f", now {where}"
            print(PROGRESS + json.dumps(text), file=stream, flush=True)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()


# ---- why a graph could not be made

VALUE_READS = ("item", "tolist", "numpy", "__bool__", "__int__", "__float__", "__index__", "nonzero", "unique", "masked_select",
         "is_nonzero", "__contains__", "allclose", "equal")


def reason_of(problem, tracker):
    """One sentence for a person: what stands in the way and where. The tracer's own message goes to stderr."""
    module, line = tracker.of_problem(problem)
    operator = tracker.operators.name()
    where = tracker.describe("", module, line) or "in none of its lines"
    last = operator.rsplit(".", 1)[-1]
    text = str(problem)
    print(f"{type(problem).__name__}: {text[:2000]}", file=sys.stderr)
    if isinstance(problem, UnsupportedLength):
        return f"{tracker.operators.first_with('fft', 'stft')} is {problem.words}"
    if isinstance(problem, UnsupportedOperator):
        return f"{tracker.operators.first_with(problem.name)} is «{problem.name}» of complex numbers, which is not said in real ones here"
    if isinstance(problem, DataDependentOutputException):
        return f"{tracker.describe(operator, module, line)} looks at a value, and what forward does then is data-dependent"
    if isinstance(problem, DynamicOutputShapeException):
        return f"the size of what {tracker.describe(operator, module, line)} makes hangs on values"
    if "autograd.grad" in text or "require grad" in text or "requires_grad_" in text or last in ("backward", "requires_grad_") \
            or "autograd" in operator:
        return f"autograd inside forward ({where}): gradients are not read as operators; write them out"
    if isinstance(problem, (ModuleNotFoundError, ImportError)):
        return f"the model's file imports {getattr(problem, 'name', None) or 'a module'}, which is not there ({where})"
    if isinstance(problem, SyntaxError):
        return f"line {problem.lineno} of {os.path.basename(tracker.path)} is no Python"
    if isinstance(problem, RecursionError):
        return f"forward calls itself too often ({where})"
    if isinstance(problem, MemoryError):
        return f"there is no memory for {operator or 'it'} ({where})"
    if last in VALUE_READS:
        return f"{tracker.describe(operator, module, line)} takes values out of a tensor, and what forward does then depends on them"
    if "vmap" in text or "functorch" in text:
        return f"{tracker.describe(operator, module, line)} is a transformation of functions, which is not read as operators"
    if operator:
        return (f"{tracker.describe(operator, module, line)} fails on tensors that have shapes and no values, as a reference "
                "is read: if forward itself runs, say it in other operators there")
    return f"{tracker.stage} failed ({where}) with a {type(problem).__name__}"
