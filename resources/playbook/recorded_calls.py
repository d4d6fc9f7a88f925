# SPDX-License-Identifier: GPL-3.0-or-later
"""Forward as the calls of torch that it makes, gone through with stand-ins for tensors: a call that was made before with
the same shapes costs microseconds. That is how a loop of a thousand turns can be looked at before it is traced.
"""

import torch
import torch.nn.functional as F
from torch.overrides import TorchFunctionMode

from loops import is_layers, layers

INDEXED = ("__getitem__", "__setitem__")
PASSED_ON = ("_set_grad_enabled", "set_grad_enabled")


class Unrecorded(Exception):
    """Forward does something that calls alone do not say; it is traced as it is."""


class StandIn(torch.Tensor):
    """Shape, strides and type of a result, and which call's: `call` and `item` among its results."""

    @staticmethod
    def __new__(cls, like, meta, token, call, item, base):
        self = torch.Tensor._make_wrapper_subclass(cls, like[0], strides=like[1], dtype=like[2], device=like[3])
        self.meta, self.token, self.call, self.item, self.base = meta, token, call, item, base
        return self

    __torch_function__ = torch._C._disabled_torch_function_impl

    @classmethod
    def __torch_dispatch__(cls, function, types, arguments=(), keywords=None):
        raise Unrecorded(str(function))


class Call:
    """`word`: the same for calls that differ in nothing but which tensors they take, and which place of one."""
    __slots__ = ("function", "arguments", "keywords", "word", "results", "written")

    def __init__(self, function, arguments, keywords, word, written):
        self.function, self.arguments, self.keywords, self.word = function, arguments, keywords, word
        self.written = written  # the tensor that it writes into
        self.results = 1


# A library's cell is two calls: the product of what comes in, which may be one for all turns, and the rest.


def lstm_turn(fresh, state, memory, weight, bias):
    enter, forget, new, leave = (F.linear(state, weight, bias) + fresh).chunk(4, -1)
    memory = forget.sigmoid() * memory + enter.sigmoid() * new.tanh()
    return leave.sigmoid() * memory.tanh(), memory


def gru_turn(fresh, state, weight, bias):
    fresh, kept = fresh.chunk(3, -1), F.linear(state, weight, bias).chunk(3, -1)
    reset, keep = (kept[0] + fresh[0]).sigmoid(), (kept[1] + fresh[1]).sigmoid()
    new = (fresh[2] + kept[2] * reset).tanh()
    return (state - new) * keep + new


def tanh_turn(fresh, state, weight, bias):
    return torch.tanh(fresh + F.linear(state, weight, bias))


def relu_turn(fresh, state, weight, bias):
    return torch.relu(fresh + F.linear(state, weight, bias))


CELLS = {"lstm_cell": lstm_turn, "gru_cell": gru_turn, "rnn_tanh_cell": tanh_turn, "rnn_relu_cell": relu_turn}
CALLS_OF_TURN = 12  # that such a one stands for


class Recorder(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.calls, self.leaves, self.numbers = [], {}, {}
        self.inside = 0  # calls that others stand for
        self.metas, self.sizes, self.fakes, self.tokens, self.known = {}, [], [], [], {}

    # ---- tensors

    def meta_of(self, tensor):
        key = (tensor.shape, tensor.stride(), tensor.dtype, tensor.device)  # where it begins changes nothing
        number = self.metas.get(key)
        if number is None:
            number = self.metas[key] = len(self.fakes)
            self.sizes.append(key)
            self.tokens.append(("tensor", number))
            self.fakes.append(torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype, device=tensor.device))
        return number

    def leaf_meta(self, tensor):
        """Of a tensor that no call has made."""
        known = self.leaves.get(id(tensor))
        if known is None:
            known = self.leaves[id(tensor)] = (tensor, self.meta_of(tensor))
        return known[1]

    def word_of(self, value):
        kind = type(value)
        if kind is StandIn:
            return value.token
        if isinstance(value, torch.Tensor):
            return self.tokens[self.leaf_meta(value)]
        if kind in (tuple, list):
            return (kind.__name__, *[self.word_of(item) for item in value])
        if kind is slice:
            return ("slice", value.start, value.stop, value.step)
        if kind is dict:
            return tuple((key, self.word_of(item)) for key, item in value.items())
        return (kind.__name__, value)  # 1.0 is not True

    def index_word(self, index):
        """Which place an index names changes no shape."""
        if isinstance(index, tuple):
            return tuple(self.index_word(each) for each in index)
        if type(index) is int:
            return "place"
        return self.word_of(index)

    def fake(self, value):
        if type(value) is StandIn:
            return self.fakes[value.meta]
        if isinstance(value, torch.Tensor):
            return self.fakes[self.leaf_meta(value)]
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
                fresh = F.linear(x, first, first_bias)
            self.inside += CALLS_OF_TURN
            states = state if isinstance(state, (tuple, list)) else (state,)
            return self.__torch_function__(CELLS[name], (), (fresh, *states, second, second_bias))
        if name in INDEXED:
            key = (name, self.word_of(arguments[0]), self.index_word(arguments[1]), *map(self.word_of, arguments[2:]))
        else:
            key = (function, *[value.token if type(value) is StandIn else self.word_of(value) for value in arguments])
        if keywords:
            key = (key, self.word_of(keywords))
        try:
            known = self.known.get(key)
        except TypeError as problem:
            raise Unrecorded(f"an argument of {name}") from problem
        if known is None:
            known = self.known[key] = self.learnt(function, name, arguments, keywords)
        word, kind, what = known
        if kind == "value":
            return what
        written = None
        if kind == "written":
            written = arguments[0]
        call = Call(function, arguments, keywords, word, written)
        number = len(self.calls)
        self.calls.append(call)
        if kind == "written":
            call.results = 0
            return written if what else None
        made = [StandIn(like, meta, self.tokens[meta], number, item, self.base_of(arguments, of) if of is not None else None)
                for item, (like, meta, of) in enumerate(what)]
        call.results = len(made)
        return made[0] if kind == "tensor" else kind(made)

    @staticmethod
    def base_of(arguments, place):
        viewed = arguments[place]
        return viewed if type(viewed) is not StandIn or viewed.base is None else viewed.base

    def learnt(self, function, name, arguments, keywords):
        """What such a call gives, by trying it on tensors without values."""
        if "out" in keywords:
            raise Unrecorded("out=")
        fakes, named = self.fake(arguments), self.fake(keywords)
        before = [fake.stride() for fake in fakes if isinstance(fake, torch.Tensor)]
        result = layers(name, *fakes) if is_layers(name, arguments) else function(*fakes, **named)
        if before != [fake.stride() for fake in fakes if isinstance(fake, torch.Tensor)]:
            raise Unrecorded(f"{name} changes a shape in place")
        word = len(self.known)
        is_written = name == "__setitem__" or (len(fakes) > 0 and result is fakes[0] and isinstance(result, torch.Tensor)
                                               and name.endswith("_") and not name.endswith("__")) or name.startswith("__i")
        if is_written:
            return word, "written", name != "__setitem__"
        if isinstance(result, torch.Tensor):
            return word, "tensor", [self.described(result, fakes)]
        if isinstance(result, (tuple, list)) and result and all(isinstance(item, torch.Tensor) for item in result):
            kind = tuple if type(result) is tuple else list if type(result) is list else type(result)
            return word, kind, [self.described(item, fakes) for item in result]
        if isinstance(result, (tuple, list)) and any(isinstance(item, torch.Tensor) for item in result):
            raise Unrecorded(f"what {name} returns")
        return word, "value", result

    def described(self, result, fakes):
        meta = self.meta_of(result)
        storage = result.untyped_storage()._cdata
        of = [place for place, fake in enumerate(fakes)
              if isinstance(fake, torch.Tensor) and fake.untyped_storage()._cdata == storage]
        return self.sizes[meta], meta, of[0] if of else None


def recorded(function):
    """The calls that it makes, and what it returns in terms of them."""
    recorder = Recorder()
    with recorder:
        result = function()
    return recorder, result
