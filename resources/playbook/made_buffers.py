# SPDX-License-Identifier: GPL-3.0-or-later
"""Buffers that the state_dict has not, as lines of Python that make them as the reference's constructor does: tables of
angles mostly. Nobody gives these to a candidate, so its constructor makes them itself, by the same operators.
"""

import operator

import torch
from torch._subclasses.fake_tensor import FakeTensor
from torch.fx.experimental.proxy_tensor import make_fx

MOST_LINES = 40
MOST_LITERALS = 32  # of a tensor that forward makes of numbers
MOST_NUMBERS = 64  # of a tensor that is written as a list
LEFT_OUT = ("device", "layout", "pin_memory")


class Unknown(Exception):
    """A buffer that hangs on chance, or on what no line here says."""


def with_attributes(model):
    """Tensors that a module keeps and registers nowhere, as buffers without a place in the state_dict: to whoever computes
    they are the same. Those of which forward can be told the values stay as they are, since it may ask."""
    for module in model.modules():
        if isinstance(module, torch.jit.ScriptModule):
            continue
        for name, value in list(vars(module).items()):
            if type(value) in (torch.Tensor, FakeTensor) and value.layout is torch.strided and not is_known(value):
                delattr(module, name)
                module.register_buffer(name, value, persistent=False)
    return model


def is_known(value):
    return value.constant is not None if isinstance(value, FakeTensor) else value.numel() <= MOST_LITERALS


def made_by(construct, names):
    """By name the lines of each, the last of which is `made = ...`; those that cannot be said so are left out."""
    def buffers():
        model = construct()
        return [operator.attrgetter(name)(model) for name in names]

    try:
        traced = make_fx(torch.func.functionalize(buffers, remove="mutations"))()
    except Exception:  # its constructor looks at values, or numpy makes them
        return {}
    output = next(node for node in traced.graph.nodes if node.op == "output")
    found = {}
    for name, node in zip(names, output.args[0]):
        try:
            found[name] = lines_of(traced, node)
        except Unknown:
            pass
    return found


def lines_of(traced, result):
    lines, known = [], {}

    def text(value):
        if isinstance(value, torch.fx.Node):
            return named(value)
        if isinstance(value, (list, tuple)):
            return "[" + ", ".join(map(text, value)) + "]"
        if isinstance(value, float) and value in (float("inf"), float("-inf")):
            return f'float("{value}")'
        if value is None or isinstance(value, (bool, int, float, complex, torch.dtype, torch.memory_format)):
            return repr(value)
        raise Unknown

    def named(node):
        if node not in known:
            line = definition(node)
            if len(lines) == MOST_LINES:
                raise Unknown
            known[node] = "made" if node is result else f"step{len(lines) + 1}"
            lines.append(f"{known[node]} = {line}")
        return known[node]

    def definition(node):
        if node.op == "get_attr":
            value = getattr(traced, node.target)
            if not isinstance(value, torch.Tensor) or value.numel() > MOST_NUMBERS:
                raise Unknown
            with torch.utils._python_dispatch._disable_current_modes():
                return f"torch.tensor({value.tolist()}, dtype={value.dtype})"
        is_operator = node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload)
        if not is_operator or torch.Tag.nondeterministic_seeded in node.target.tags or node.target.namespace != "aten":
            raise Unknown
        arguments = [text(each) for each in node.args]
        arguments += [f"{key}={text(each)}" for key, each in node.kwargs.items() if key not in LEFT_OUT]
        return f"torch.ops.{node.target}({', '.join(arguments)})"

    named(result)
    return lines
