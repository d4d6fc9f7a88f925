# SPDX-License-Identifier: GPL-3.0-or-later
"""Arithmetic on parameters for a process whose torch has none: another process, a calculator, does it.

While a candidate gets parameters (its constructor, load_state_dict and one call whose inputs and results nobody uses
again) its operators go to a calculator, which the judge ends before it shows any input that counts. So whatever was
computed there is a function of the parameters alone, however and wherever the candidate asked for it.
"""

import contextlib
import ctypes
import json
import socket
import struct

import torch
from warpwright_amputated import give_initialisers_back
from warpwright_layout import is_dense
from warpwright_modes import dispatch_mode
from warpwright_record import ALLOWED
from warpwright_values import DTYPES, decode, dtype_name, encode

SPECIAL = {
    torch.device: ("device", str, torch.device),
    torch.layout: ("layout", str, lambda name: getattr(torch, name.removeprefix("torch."))),
    torch.memory_format: ("format", str, lambda name: getattr(torch, name.removeprefix("torch."))),
    complex: ("complex", str, complex),
}


class Line:
    """Trees of JSON with the bytes of tensors behind them."""

    def __init__(self, descriptor):
        with socket.socket(fileno=descriptor) as end:
            self._file = end.makefile("rwb")

    def close(self):
        with contextlib.suppress(OSError):
            self._file.close()

    def send(self, tree, tensors):
        """`tensors`: whose places in this list the tree names."""
        # Not detached ones of the same memory: a conjugate is a view too.
        whole = [(t if is_dense(t) else t.contiguous()).resolve_conj().resolve_neg().cpu() for t in tensors]
        text = json.dumps({"tree": tree, "tensors": [[dtype_name(t.dtype), list(t.shape), list(t.stride())] for t in whole]}).encode()
        self._file.write(struct.pack("<Q", len(text)) + text)
        for tensor in whole:
            if tensor.numel():
                self._file.write((ctypes.c_char * (tensor.numel() * tensor.itemsize)).from_address(tensor.data_ptr()))
        self._file.flush()

    def receive(self):
        head = self._file.read(8)
        if len(head) < 8:
            raise EOFError
        message = json.loads(self._file.read(struct.unpack("<Q", head)[0]))
        tensors = []
        for kind, sizes, strides in message["tensors"]:
            tensor = torch.empty_strided(sizes, strides, dtype=DTYPES[kind])
            count = tensor.numel() * tensor.itemsize
            if count and self._file.readinto((ctypes.c_char * count).from_address(tensor.data_ptr())) != count:
                raise EOFError
            tensors.append(tensor)
        return message["tree"], tensors


class Places:
    """Each tensor once, and generators as what they would draw next."""

    def __init__(self):
        self.tensors, self.generators = [], []

    def __call__(self, tensor):
        for place, known in enumerate(self.tensors):
            if known is tensor:
                return {"kind": "tensor", "place": place}
        self.tensors.append(tensor)
        return {"kind": "tensor", "place": len(self.tensors) - 1}

    def tree(self, value):
        if isinstance(value, torch.Generator):
            self.generators.append(value)
            return {"kind": "generator", "state": self(value.get_state())}
        for kind, (name, text, _) in SPECIAL.items():
            if isinstance(value, kind):
                return {"kind": name, "value": text(value)}
        return encode(value, self)


def value_of(tree, tensors):
    if tree["kind"] == "generator":
        generator = torch.Generator()
        generator.set_state(tensors[tree["state"]["place"]])
        return generator
    for name, _, make in SPECIAL.values():
        if tree["kind"] == name:
            return make(tree["value"])
    return decode(tree, lambda place: tensors[place["place"]])


class BorrowedArithmetic:
    """For dispatch_mode(): what moves data is done here, and all else by a calculator at the other end of `line`."""

    def __init__(self, line):
        super().__init__()
        self._line = line

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if function.is_view or function._overloadpacket.__name__ in ALLOWED or function.namespace != "aten":
            return function(*args, **kwargs)
        places = Places()
        request = {"operator": function._schema.name.partition("::")[2], "overload": function._schema.overload_name,
                   "args": [places.tree(value) for value in args], "kwargs": {name: places.tree(value) for name, value in kwargs.items()}}
        if torch.Tag.nondeterministic_seeded in function.tags and not places.generators:
            places.generators.append(torch.default_generator)
            request["draws"] = places(torch.default_generator.get_state())
        home = kwargs.get("device") or next((tensor.device for tensor in places.tensors if tensor.device.type != "cpu"), torch.device("cpu"))
        self._line.send(request, places.tensors)
        answer, made = self._line.receive()
        if "raised" in answer:
            raise RuntimeError(answer["raised"])
        for place, number in answer["written"]:
            written = made[number]
            if places.tensors[place].shape != written.shape:
                places.tensors[place].resize_(written.shape)
            places.tensors[place].copy_(written)
        for generator, number in zip(places.generators, answer["generators"]):
            generator.set_state(made[number])

        def there(place):
            return places.tensors[place["argument"]] if "argument" in place else made[place["place"]].to(home)

        return decode(answer["out"], there)


def calculate(line):
    """Does what comes over `line`, until it ends. How often, by operator."""
    counts = {}
    while True:
        try:
            request, tensors = line.receive()
        except (EOFError, OSError):
            return counts
        line.send(*answer_to(request, tensors))
        counts[request["operator"]] = counts.get(request["operator"], 0) + 1


def answer_to(request, tensors):
    function = getattr(getattr(torch.ops.aten, request["operator"]), request["overload"] or "default")
    try:
        args = [value_of(tree, tensors) for tree in request["args"]]
        kwargs = {name: value_of(tree, tensors) for name, tree in request["kwargs"].items()}
        if "device" in kwargs:
            kwargs["device"] = torch.device("cpu")
        generators = [value for value in (*args, *kwargs.values()) if isinstance(value, torch.Generator)]
        if "draws" in request:
            torch.default_generator.set_state(tensors[request["draws"]["place"]])
            generators.append(torch.default_generator)
        versions = [tensor._version for tensor in tensors]
        with torch.no_grad():
            out = function(*args, **kwargs)
        # An argument that was written comes back as that.
        places = Places()
        written = [[place, places(tensor)["place"]] for place, tensor in enumerate(tensors) if tensor._version != versions[place]]
        arguments = {id(tensor): place for place, tensor in enumerate(tensors)}
        answer = {
            "written": written, "generators": [places(generator.get_state())["place"] for generator in generators],
            "out": encode(out, lambda tensor: {"kind": "tensor", "argument": arguments[id(tensor)]} if id(tensor) in arguments else places(tensor)),
        }
        return answer, places.tensors
    except Exception as problem:
        return {"raised": str(problem)[:4000]}, []


class Preparation:
    """The part of an Arm that borrows arithmetic, or lends it."""

    def __init__(self):
        super().__init__()
        self._line = None

    def do_borrow(self, descriptor):
        self._line = Line(descriptor)
        give_initialisers_back()
        return {}

    def do_give_back(self):
        self._line.close()
        self._line = None
        return {}

    def do_calculate(self, descriptor):
        self.phase = "calculate"
        return {"operators": calculate(Line(descriptor))}

    @contextlib.contextmanager
    def _preparing(self):
        """While it lasts torch computes, if there is a calculator. Below autograd, where one operator is not yet taken apart
        into others by functions that this process may not have."""
        if self._line is None:
            yield
            return
        with torch.no_grad(), torch._C._AutoDispatchBelowAutograd(), dispatch_mode(BorrowedArithmetic)(self._line):
            yield

    def do_prepare(self, *, inputs):
        """A call that nobody looks at: some pack, fold and make tables in the first one with new parameters."""
        self.phase = "forward"
        with torch.no_grad(), self._preparing():
            self._model(*self._arguments(inputs, clone=True))
            self._idle()
        return {}
