# SPDX-License-Identifier: GPL-3.0-or-later
"""Where forward is, in the words of who wrote it: which operator, in which module, on which line of the model's file.

Frames tell it, so that forward itself runs no slower: those of an exception, or of the thread that reads while another
one looks. `watched` tells it on stderr, a line a second, of whoever takes longer than a few.
"""

import contextlib
import json
import os
import sys
import threading

from torch._subclasses.fake_tensor import DataDependentOutputException, DynamicOutputShapeException
from torch.overrides import TorchFunctionMode, resolve_name

from complex_pairs import Unpaired
from fourier import Unwritten

PATIENCE = 4  # seconds before the first line
PROGRESS = "reading: "  # begins a line on stderr that says what the reader is at


class Operators(TorchFunctionMode):
    """The function of torch that forward called last, how many there were, and where each was called first."""

    def __init__(self, whereabouts):
        super().__init__()
        self.whereabouts, self.last, self.count, self.first = whereabouts, None, 0, {}

    def __torch_function__(self, function, types, arguments=(), keywords=None):
        name = function.__name__
        if name not in ("__get__", "_set_grad_enabled"):  # a tensor's properties, and what makes none
            self.last = function
            self.count += 1
            if name not in self.first:
                self.first[name] = self.whereabouts.said(name_of(function), *self.whereabouts.here())
        return function(*arguments, **(keywords or {}))

    def first_with(self, *words):
        """Where the first one was that is called like this."""
        return next((place for name, place in self.first.items() if any(word in name for word in words)), "forward")

    def first_like_last(self):
        """Where forward called first what was called last: for when forward is over."""
        return self.first.get(self.last.__name__, "") if self.last is not None else ""

    def name(self):
        return name_of(self.last) if self.last is not None else ""


def name_of(function):
    name = resolve_name(function) or getattr(function, "__name__", str(function))
    return name.replace("torch._C._nn.", "torch.nn.functional.").replace("torch.fft.fft_", "torch.fft.")


class Whereabouts:
    def __init__(self, path):
        self.path, self.modules, self.operators, self.stage = path, {}, Operators(self), "importing the model's file"

    def name_modules(self, model):
        self.modules = {id(module): name for name, module in model.named_modules() if name}

    def of_frames(self, frames):
        """Module and line of the innermost of these, given from the outermost on."""
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

    def said(self, operator, module, line):
        """«torch.fft.rfft in `blocks.0.mix`, line 31 of model.py», or as much of it as is known."""
        words = operator
        if module:
            words += (" in " if words else "in ") + f"`{module}`"
        if line:
            words += (", line " if words else "line ") + f"{line} of {os.path.basename(self.path)}"
        return words


def frames_from(frame):
    frames = []
    while frame is not None:
        frames.append((frame, frame.f_lineno))
        frame = frame.f_back
    return reversed(frames)


@contextlib.contextmanager
def watched(whereabouts):
    """A line a second on stderr for who takes long."""
    over, reader, words_to = threading.Event(), threading.get_ident(), sys.stderr

    def watch():
        wait = PATIENCE
        while not over.wait(wait):
            wait = 1
            operators = whereabouts.operators
            module, line = whereabouts.of_thread(reader)
            at = whereabouts.said(operators.name(), module, line) if line else operators.first_like_last()
            words = whereabouts.stage
            if operators.count:
                words += f", {operators.count:,} operators so far"
            if at:
                words += f", now {at}"
            print(PROGRESS + json.dumps(words), file=words_to, flush=True)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()


# ---- why a graph could not be made, for a person

LOOKS = ("item", "tolist", "numpy", "__bool__", "__int__", "__float__", "__index__", "nonzero", "unique", "masked_select",
         "is_nonzero", "__contains__", "allclose", "equal")


def reason_of(problem, whereabouts):
    """One sentence: what stands in the way and where; what the tracer said goes to stderr, for who mends it."""
    module, line = whereabouts.of_problem(problem)
    operator = whereabouts.operators.name()
    at = whereabouts.said("", module, line) or "in none of its lines"
    last = operator.rsplit(".", 1)[-1]
    words = str(problem)
    print(f"{type(problem).__name__}: {words[:2000]}", file=sys.stderr)
    if isinstance(problem, Unwritten):
        return f"{whereabouts.operators.first_with('fft', 'stft')} is {problem.words}"
    if isinstance(problem, Unpaired):
        return f"{whereabouts.operators.first_with(problem.name)} is «{problem.name}» of complex numbers, which is not said in real ones here"
    if isinstance(problem, DataDependentOutputException):
        return f"{whereabouts.said(operator, module, line)} looks at a value, and what forward does then is data-dependent"
    if isinstance(problem, DynamicOutputShapeException):
        return f"the size of what {whereabouts.said(operator, module, line)} makes hangs on values"
    if "autograd.grad" in words or "require grad" in words or "requires_grad_" in words or last in ("backward", "requires_grad_") \
            or "autograd" in operator:
        return f"autograd inside forward ({at}): gradients are not read as operators; write them out"
    if isinstance(problem, (ModuleNotFoundError, ImportError)):
        return f"the model's file imports {getattr(problem, 'name', None) or 'a module'}, which is not there ({at})"
    if isinstance(problem, SyntaxError):
        return f"line {problem.lineno} of {os.path.basename(whereabouts.path)} is no Python"
    if isinstance(problem, RecursionError):
        return f"forward calls itself too often ({at})"
    if isinstance(problem, MemoryError):
        return f"there is no memory for {operator or 'it'} ({at})"
    if last in LOOKS:
        return f"{whereabouts.said(operator, module, line)} takes values out of a tensor, and what forward does then depends on them"
    if "vmap" in words or "functorch" in words:
        return f"{whereabouts.said(operator, module, line)} is a transformation of functions, which is not read as operators"
    if operator:
        return (f"{whereabouts.said(operator, module, line)} fails on tensors that have shapes and no values, as a reference "
                "is read: if forward itself runs, say it in other operators there")
    return f"{whereabouts.stage} failed ({at}) with a {type(problem).__name__}"
