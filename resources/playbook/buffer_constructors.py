# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines of Python that make the buffers that no state_dict has as the reference's constructor does: mostly tables of
angles. A candidate is not given these, so its constructor makes them by the same operators.
"""

import operator

import torch
from torch._subclasses.fake_tensor import FakeTensor
from torch.fx.experimental.proxy_tensor import make_fx

MAX_LINES = 40
MAX_LITERALS = 32  # of a tensor that forward makes of Python numbers
MAX_LIST_ELEMENTS = 64  # of a tensor that is written as a list
IGNORED_KEYWORDS = ("device", "layout", "pin_memory")


class NotReproducible(Exception):
    """A buffer that depends on random numbers, or on what these lines cannot express."""


def with_registered_tensors(model):
    """Registers tensors that are plain attributes of a module as non-persistent buffers, which compute the same. Those with
    known values stay as they are, because forward may read them."""
    for module in model.modules():
        if isinstance(module, torch.jit.ScriptModule):
            continue
        for name, value in list(vars(module).items()):
            if type(value) in (torch.Tensor, FakeTensor) and value.layout is torch.strided and not has_known_values(value):
                delattr(module, name)
                module.register_buffer(name, value, persistent=False)
    return model


def has_known_values(value):
    return value.constant is not None if isinstance(value, FakeTensor) else value.numel() <= MAX_LITERALS


def constructor_lines(construct, names):
    """By name the lines of each buffer, of which the last is `made = ...`; without those that cannot be reproduced."""
    def buffers():
        model = construct()
        return [operator.attrgetter(name)(model) for name in names]

    try:
        traced = make_fx(torch.func.functionalize(buffers, remove="mutations"))()
    except Exception:  # its constructor reads values, or uses numpy
        return {}
    output = next(node for node in traced.graph.nodes if node.op == "output")
    found = {}
    for name, node in zip(names, output.args[0]):
        try:
            found[name] = lines_of(traced, node)
        except NotReproducible:
            pass
    return found


def lines_of(traced, result):
    lines, known = [], {}

    def formatted(value):
        if isinstance(value, torch.fx.Node):
            return name_of(value)
        if isinstance(value, (list, tuple)):
            return "[" + ", ".join(map(formatted, value)) + "]"
        if isinstance(value, float) and value in (float("inf"), float("-inf")):
            return f'float("{value}")'
        if value is None or isinstance(value, (bool, int, float, complex, torch.dtype, torch.memory_format)):
            return repr(value)
        raise NotReproducible

    def name_of(node):
        if node not in known:
            line = definition(node)
            if len(lines) == MAX_LINES:
                raise NotReproducible
            known[node] = "made" if node is result else f"step{len(lines) + 1}"
            lines.append(f"{known[node]} = {line}")
        return known[node]

    def definition(node):
        if node.op == "get_attr":
            value = getattr(traced, node.target)
            if not isinstance(value, torch.Tensor) or value.numel() > MAX_LIST_ELEMENTS:
                raise NotReproducible
            with torch.utils._python_dispatch._disable_current_modes():
                return f"torch.tensor({value.tolist()}, dtype={value.dtype})"
        is_operator = node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload)
        if not is_operator or torch.Tag.nondeterministic_seeded in node.target.tags or node.target.namespace != "aten":
            raise NotReproducible
        arguments = [formatted(each) for each in node.args]
        arguments += [f"{key}={formatted(each)}" for key, each in node.kwargs.items() if key not in IGNORED_KEYWORDS]
        return f"torch.ops.{node.target}({', '.join(arguments)})"

    name_of(result)
    return lines
