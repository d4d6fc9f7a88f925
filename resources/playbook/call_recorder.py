# SPDX-License-Identifier: GPL-3.0-or-later
"""Records the calls of torch that forward makes, on proxies of tensors. A call whose signature was seen before costs
microseconds, so that a loop of a thousand time steps can be examined before it is traced.
"""

import torch
import torch.nn.functional as F
from torch.overrides import TorchFunctionMode

from loop_operator import is_layers, layers

INDEXED = ("__getitem__", "__setitem__")
PASSED_ON = ("_set_grad_enabled", "set_grad_enabled")


class NotRecordable(Exception):
    """Forward does something that recorded calls do not show; it is traced as it is."""


class TensorProxy(torch.Tensor):
    """Shape, strides and type of a result: number `item` of those of call number `call`."""

    @staticmethod
    def __new__(cls, like, meta, token, call, item, base):
        self = torch.Tensor._make_wrapper_subclass(cls, like[0], strides=like[1], dtype=like[2], device=like[3])
        self.meta, self.token, self.call, self.item, self.base = meta, token, call, item, base
        return self

    __torch_function__ = torch._C._disabled_torch_function_impl

    @classmethod
    def __torch_dispatch__(cls, function, types, arguments=(), keywords=None):
        raise NotRecordable(str(function))


class Call:
    """`signature`: equal for calls that differ only in which tensors they take and in the numbers that index one."""
    __slots__ = ("function", "arguments", "keywords", "signature", "results", "written")

    def __init__(self, function, arguments, keywords, signature, written):
        self.function, self.arguments, self.keywords, self.signature = function, arguments, keywords, signature
        self.written = written  # the tensor that it mutates
        self.results = 1


# A library's cell is recorded as two calls: the matmul of its input, which can be hoisted out of the loop, and the rest.


def lstm_step(projected, state, cell, weight, bias):
    input_gate, forget_gate, new, output_gate = (F.linear(state, weight, bias) + projected).chunk(4, -1)
    cell = forget_gate.sigmoid() * cell + input_gate.sigmoid() * new.tanh()
    return output_gate.sigmoid() * cell.tanh(), cell


def gru_step(projected, state, weight, bias):
    projected, recurrent = projected.chunk(3, -1), F.linear(state, weight, bias).chunk(3, -1)
    reset, keep = (recurrent[0] + projected[0]).sigmoid(), (recurrent[1] + projected[1]).sigmoid()
    new = (projected[2] + recurrent[2] * reset).tanh()
    return (state - new) * keep + new


def tanh_step(projected, state, weight, bias):
    return torch.tanh(projected + F.linear(state, weight, bias))


def relu_step(projected, state, weight, bias):
    return torch.relu(projected + F.linear(state, weight, bias))


# Their names must not be keys: calls are recorded by name.
CELLS = {"lstm_cell": lstm_step, "gru_cell": gru_step, "rnn_tanh_cell": tanh_step, "rnn_relu_cell": relu_step}
CALLS_PER_CELL = 12  # that one call of a cell stands for


class Recorder(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.calls, self.externals, self.numbers = [], {}, {}
        self.inside = 0  # calls that recorded cells stand for
        self.metas, self.sizes, self.fakes, self.tokens, self.known = {}, [], [], [], {}

    # ---- tensors

    def meta_of(self, tensor):
        key = (tensor.shape, tensor.stride(), tensor.dtype, tensor.device)  # the storage offset changes nothing
        number = self.metas.get(key)
        if number is None:
            number = self.metas[key] = len(self.fakes)
            self.sizes.append(key)
            self.tokens.append(("tensor", number))
            self.fakes.append(torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype, device=tensor.device))
        return number

    def external_meta(self, tensor):
        """Of a tensor that no recorded call has made."""
        known = self.externals.get(id(tensor))
        if known is None:
            known = self.externals[id(tensor)] = (tensor, self.meta_of(tensor))
        return known[1]

    def signature_of(self, value):
        kind = type(value)
        if kind is TensorProxy:
            return value.token
        if isinstance(value, torch.Tensor):
            return self.tokens[self.external_meta(value)]
        if kind in (tuple, list):
            return (kind.__name__, *[self.signature_of(item) for item in value])
        if kind is slice:
            return ("slice", value.start, value.stop, value.step)
        if kind is dict:
            return tuple((key, self.signature_of(item)) for key, item in value.items())
        return (kind.__name__, value)  # 1.0 is not True

    def index_signature(self, index):
        """The value of an integer index changes no shape."""
        if isinstance(index, tuple):
            return tuple(self.index_signature(each) for each in index)
        if type(index) is int:
            return "index"
        return self.signature_of(index)

    def fake(self, value):
        if type(value) is TensorProxy:
            return self.fakes[value.meta]
        if isinstance(value, torch.Tensor):
            return self.fakes[self.external_meta(value)]
        if isinstance(value, (tuple, list)):
            return type(value)(self.fake(item) for item in value)
        if isinstance(value, dict):
            return {key: self.fake(item) for key, item in value.items()}
        return value

    # ---- calls

    def __torch_function__(self, function, types, arguments=(), keywords=None):
        keywords = keywords or {}
        name = function.__name__
        if name in PASSED_ON:
            return function(*arguments, **keywords)
        if name in CELLS and not keywords:
            x, state, first, second, *biases = arguments
            first_bias, second_bias = biases or (None, None)
            with self:
                projected = F.linear(x, first, first_bias)
            self.inside += CALLS_PER_CELL
            states = state if isinstance(state, (tuple, list)) else (state,)
            return self.__torch_function__(CELLS[name], (), (projected, *states, second, second_bias))
        if name in INDEXED:
            key = (name, self.signature_of(arguments[0]), self.index_signature(arguments[1]), *map(self.signature_of, arguments[2:]))
        else:
            key = (function, *[value.token if type(value) is TensorProxy else self.signature_of(value) for value in arguments])
        if keywords:
            key = (key, self.signature_of(keywords))
        try:
            known = self.known.get(key)
        except TypeError as problem:
            raise NotRecordable(f"an argument of {name}") from problem
        if known is None:
            known = self.known[key] = self.inferred(function, name, arguments, keywords)
        signature, kind, what = known
        if kind == "value":
            return what
        written = None
        if kind == "written":
            written = arguments[0]
        call = Call(function, arguments, keywords, signature, written)
        number = len(self.calls)
        self.calls.append(call)
        if kind == "written":
            call.results = 0
            return written if what else None
        made = [TensorProxy(like, meta, self.tokens[meta], number, item, self.base_of(arguments, of) if of is not None else None)
                for item, (like, meta, of) in enumerate(what)]
        call.results = len(made)
        return made[0] if kind == "tensor" else kind(made)

    @staticmethod
    def base_of(arguments, position):
        viewed = arguments[position]
        return viewed if type(viewed) is not TensorProxy or viewed.base is None else viewed.base

    def inferred(self, function, name, arguments, keywords):
        """Shapes and types of a call's results, from running it on fake tensors."""
        if "out" in keywords:
            raise NotRecordable("out=")
        fakes, named = self.fake(arguments), self.fake(keywords)
        before = [fake.stride() for fake in fakes if isinstance(fake, torch.Tensor)]
        result = layers(name, *fakes) if is_layers(name, arguments) else function(*fakes, **named)
        if before != [fake.stride() for fake in fakes if isinstance(fake, torch.Tensor)]:
            raise NotRecordable(f"{name} changes a shape in place")
        signature = len(self.known)
        is_written = name == "__setitem__" or (len(fakes) > 0 and result is fakes[0] and isinstance(result, torch.Tensor)
                                               and name.endswith("_") and not name.endswith("__")) or name.startswith("__i")
        if is_written:
            return signature, "written", name != "__setitem__"
        if isinstance(result, torch.Tensor):
            return signature, "tensor", [self.described(result, fakes)]
        if isinstance(result, (tuple, list)) and result and all(isinstance(item, torch.Tensor) for item in result):
            kind = tuple if type(result) is tuple else list if type(result) is list else type(result)
            return signature, kind, [self.described(item, fakes) for item in result]
        if isinstance(result, (tuple, list)) and any(isinstance(item, torch.Tensor) for item in result):
            raise NotRecordable(f"what {name} returns")
        return signature, "value", result

    def described(self, result, fakes):
        meta = self.meta_of(result)
        storage = result.untyped_storage()._cdata
        of = [position for position, fake in enumerate(fakes)
              if isinstance(fake, torch.Tensor) and fake.untyped_storage()._cdata == storage]
        return self.sizes[meta], meta, of[0] if of else None


def recorded(function):
    """The recorded calls of a function, and its result as proxies."""
    recorder = Recorder()
    with recorder:
        result = function()
    return recorder, result
