# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads a reference as a graph: read_reference.py MODEL.py prints one JSON object (warpwright.graph/1).

Model, inputs and parameters are made as fake tensors, which have shapes and no memory: a model of 40 GB is read on a
laptop. One forward pass is traced below autograd, where modules and functions are the same operators, and taken apart
into few of them: softmax and norms come as what they are made of. The loops and branches of Python have been gone
through by then; those that depend on values cannot be read, and the answer says so.

What cannot be read ends with {"cannot": "because ..."} and exit code 0; another exit code is a fault of this program.
"""

import contextlib
import dataclasses
import inspect
import json
import math
import os
import random
import sys

import torch
import torch.utils._pytree as pytree
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx

HERE = os.path.dirname(os.path.abspath(__file__))
# Models are imported and made as the judge's workers do it; in the source tree the judge lies with the toolchain.
sys.path += [os.path.join(HERE, way, "referee/worker") for way in ("..", "../../toolchain")]

import scattering  # noqa: F401  # adds to apart's table
from apart import decompositions
from complex_pairs import ComplexPairs, has_complex
from folded_forward import folded
from linear import Linear, has_products
from loops import LOOPS, LibraryLayers, is_loop
from made_buffers import MOST_LITERALS, made_by, with_attributes
from made_tensors import without_looks_at_values
from ranks import SORTS, Ranks, has_order
from result_strides import strides_of, with_strides
from warpwright_models import Unusable, construct, import_reference, init_inputs, inputs_of
from warpwright_values import with_fields
from unpooled import UNPOOLS, Unpooled, has_unpools
from whereabouts import Whereabouts, reason_of, watched
from written_pieces import Pieces, is_written

FORMAT = "warpwright.graph/1"
MOST_NODES = 30_000  # more takes minutes to trace
TURNS = {}  # of loops, by what they do and with which shapes


class Cannot(Exception):
    """Why this reference cannot be read, for a person."""


def load(path):
    return import_reference(path)


def seed_all():
    torch.manual_seed(0)
    random.seed(0)


def build(module, mode):
    seed_all()
    init = init_inputs(module)
    try:
        with mode:
            return construct(module.Model, init, 0)[0].eval(), False
    except Exception:  # numpy, .item() and the like need values; then the weights are drawn for real
        return construct(module.Model, init, 0)[0].eval(), True


def draw(module, mode):
    seed_all()
    try:
        with mode:
            return inputs_of(module)
    except Exception:
        return [mode.from_tensor(value) if isinstance(value, torch.Tensor) else value for value in inputs_of(module)]


def faked(tensor, mode):
    return tensor if isinstance(tensor, FakeTensor) else mode.from_tensor(tensor.detach())


def dtype_name(dtype):
    return str(dtype).removeprefix("torch.")


def described(tensor):
    if tensor.layout is not torch.strided:
        raise Cannot(f"a tensor is {tensor.layout}, and only strided ones are known here")
    numbers = [*tensor.shape, *tensor.stride(), tensor.storage_offset()]
    if not all(isinstance(number, int) for number in numbers):
        raise Cannot("a shape depends on the values of a tensor")
    return {"shape": list(tensor.shape), "strides": list(tensor.stride()), "offset": tensor.storage_offset(),
            "dtype": dtype_name(tensor.dtype)}


def encoded(value):
    if isinstance(value, torch.fx.Node):
        return {"node": value.name}
    if isinstance(value, (list, tuple)):
        return [encoded(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": str(value)}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, torch.dtype):
        return {"dtype": dtype_name(value)}
    return {"other": str(value)}


def as_numbers(tensor):
    """Complex ones as pairs of real ones, in the same memory where there is one."""
    return torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor


@dataclasses.dataclass(frozen=True)
class ComplexOutput:
    number: int


def structure(value):
    """How the results are packed: a tensor is its number in the list of outputs."""
    if value is None:
        raise Cannot("forward returns nothing: what it leaves in its arguments no candidate here gives back")
    value = with_fields(value)
    flat, spec = pytree.tree_flatten(value)
    if not all(isinstance(item, torch.Tensor) for item in flat):
        raise Cannot("the forward returns something that is no tensor")
    numbers = [ComplexOutput(number) if item.is_complex() else number for number, item in enumerate(flat)]
    return pytree.tree_unflatten(numbers, spec), [as_numbers(item) for item in flat]


def plain(value):
    if isinstance(value, int):
        return value
    if isinstance(value, ComplexOutput):
        return {"kind": "complex", "output": value.number}
    if isinstance(value, (list, tuple)):  # named or not, as for the judge
        return {"kind": "list" if isinstance(value, list) else "tuple", "items": [plain(item) for item in value]}
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {"kind": "dict", "keys": list(value), "items": [plain(item) for item in value.values()]}
    raise Cannot(f"the forward returns a {type(value).__name__}")


def values_of(tensor):
    """Of a tensor that forward makes of numbers: what it holds."""
    if isinstance(tensor, FakeTensor):
        tensor = tensor.constant
    if tensor is None:
        raise Cannot("forward makes a tensor whose values nobody knows before it runs")
    if tensor.numel() > MOST_LITERALS:
        raise Cannot(f"forward makes a tensor of {tensor.numel()} numbers, and {MOST_LITERALS} are the most here: make it a buffer")
    with torch.utils._python_dispatch._disable_current_modes():
        return [encoded(value) for value in tensor.detach().flatten().tolist()]


def nodes_of(graph, names, notes):
    nodes, outputs, placeholders = [], [], iter(names)
    for node in graph.nodes:
        if node.op == "placeholder":
            nodes.append({"name": node.name, "op": "leaf", **next(placeholders)})
        elif node.op == "output":
            outputs = [encoded(item) for item in pytree.tree_leaves(node.args)]
        elif node.op == "get_attr":
            value = getattr(graph.owning_module, node.target)
            nodes.append({"name": node.name, "op": "literal", "args": [values_of(value)], "keywords": {}, **described(value)})
        else:
            value = node.meta.get("val")
            target = str(node.target) if isinstance(node.target, torch._ops.OpOverload) else node.target.__name__
            entry = {"name": node.name, "op": target, "args": encoded(node.args),
                     "keywords": {key: encoded(item) for key, item in node.kwargs.items()}}
            if is_loop(node):
                entry["args"][3:] = [LOOPS[node.args[3]].turns, turn_of(node, notes)]
            if isinstance(value, torch.Tensor):
                entry.update(described(value))
            nodes.append(entry)
    return nodes, outputs


@contextlib.contextmanager
def without_library_layers():
    """A CPU's library has whole layers of cells as one operator; in Python they are loops, as on every device."""
    before = torch.backends.mkldnn.enabled
    torch.backends.mkldnn.enabled = False
    try:
        yield
    finally:
        torch.backends.mkldnn.enabled = before


def refuse_writing(graph, weights, positions):
    """A result is what forward returns: what is left in an argument would be missing."""
    leaves = [node for node in graph.nodes if node.op == "placeholder"]
    for node in graph.nodes:
        if node.target is torch.ops.aten.copy_.default and node.args[0] in leaves:
            place = leaves.index(node.args[0])
            if place >= weights:
                raise Cannot(f"forward writes into argument {positions[place - weights] + 1}, which no candidate here does")


def table_without(overloads):
    return {overload: function for overload, function in decompositions().items() if overload not in overloads}


def taken_apart(function, *arguments, strides=None):
    """One run of it as a graph of few kinds of operators, and what the graph says in other words.

    `strides`: of its results, where it is not what people wrote; else they are those of its first trace.
    """
    # Into what these are taken apart depends on what is around them.
    first = table_without(SORTS + UNPOOLS)
    try:
        traced = make_fx(torch.func.functionalize(function, remove="mutations"), first)(*arguments)
    except RuntimeError as problem:
        if not any(name in str(problem) for name in ("autograd.Function", "custom_function_call")):  # not followed by functionalize
            raise
        traced = make_fx(function, first)(*arguments)
    strides = strides or strides_of(traced.graph)
    if has_complex(traced.graph):
        traced = make_fx(ComplexPairs(traced).run, first)(*arguments)
    if has_order(traced.graph):
        traced = make_fx(Ranks(traced).run, table_without(UNPOOLS))(*arguments)
    if has_unpools(traced.graph):
        traced = make_fx(Unpooled(traced).run, decompositions())(*arguments)
    # What operators are taken apart into may write in place: once more, now that they are.
    traced = make_fx(torch.func.functionalize(traced, remove="mutations"))(*arguments)
    if is_written(traced.graph):
        traced = make_fx(Pieces(traced).run)(*arguments)
    if strides_of(traced.graph) != strides:
        traced = make_fx(with_strides(traced, strides))(*arguments)
    notes = []
    if has_products(traced.graph):
        linear = Linear(traced)
        try:
            linear.run(*arguments)  # without a trace, which costs several times as much
            notes = linear.notes()
            traced = make_fx(Linear(traced).run, decompositions())(*arguments) if notes else traced
        except Exception as problem:  # a fault of ours, for which no reference has to be refused
            notes = []
            print(f"products stay in their order: {type(problem).__name__}: {problem}", file=sys.stderr)
    traced.graph.eliminate_dead_code()
    return traced.graph, notes


def turn_of(node, notes):
    """One turn of a loop as a graph of its own: the graph's text, since it is an argument of an operator here."""
    def fakes(nodes, is_part=False):
        values = [each.meta["val"] for each in nodes]
        return [value.new_empty(value.shape[1:]) if is_part else torch.empty_strided(
            value.shape, value.stride(), dtype=value.dtype, device=value.device) for value in values]

    given = [fakes(node.args[0]), fakes(node.args[1], True), fakes(node.args[2])]
    body = LOOPS[node.args[3]].body
    key = (body, *[(tuple(value.shape), value.stride(), value.dtype) for value in sum(given, [])], *map(len, given))
    if key in TURNS:  # layers on layers say the same
        return TURNS[key]
    graph, own_notes = taken_apart(body, *given)
    notes += [note for note in own_notes if note not in notes]
    leaves = [{"kind": "input", "position": number, **described(tensor)} for number, tensor in enumerate(sum(given, []))]
    nodes, outputs = nodes_of(graph, leaves, notes)
    TURNS[key] = json.dumps({"format": FORMAT, "nodes": nodes, "outputs": outputs})
    return TURNS[key]


def read(module, whereabouts):
    whereabouts.stage = "making its inputs and parameters"
    mode = FakeTensorMode(allow_non_fake_inputs=True)
    inputs = draw(module, mode)
    for value in inputs:
        if isinstance(value, (list, tuple, dict)):
            raise Cannot("an input is a container of tensors")
    plain_before = [value for value in inputs if not isinstance(value, torch.Tensor)]
    if plain_before != [value for value in draw(module, mode) if not isinstance(value, torch.Tensor)]:
        raise Cannot("an input is a number that is drawn anew for each call")
    model, is_real = build(module, mode)
    model = with_attributes(model)
    if not any(isinstance(value, torch.Tensor) for value in pytree.tree_leaves(inputs)):
        raise Cannot("no input is a tensor")
    whereabouts.name_modules(model)
    whereabouts.stage = "running forward once on shapes"

    state = dict(model.named_parameters(remove_duplicate=False))
    kinds = {name: "parameter" for name in state}
    for name, buffer in model.named_buffers(remove_duplicate=False):
        state[name], kinds[name] = buffer, "buffer"
    kept = set(model.state_dict())
    names = list(state)
    fake_state = [faked(state[name], mode) for name in names]
    positions = [number for number, value in enumerate(inputs) if isinstance(value, torch.Tensor)]
    fake_inputs = [faked(inputs[number], mode) for number in positions]
    packed = {}
    are_complex = [tensor.is_complex() for tensor in fake_state], [tensor.is_complex() for tensor in fake_inputs]
    fake_state, fake_inputs = ([as_numbers(tensor) for tensor in tensors] for tensors in (fake_state, fake_inputs))

    def forward(*given):
        weights, tensors = ([torch.view_as_complex(tensor) if is_complex else tensor for tensor, is_complex in zip(*each)]
                            for each in zip(given, are_complex))
        arguments = list(inputs)
        for number, tensor in zip(positions, tensors):
            arguments[number] = tensor
        # A weight under two names is given twice.
        with whereabouts.operators, LibraryLayers():
            if looped:
                out = looped.run({**{id(state[name]): weight for name, weight in zip(names, weights)},
                                  **{id(inputs[number]): tensor for number, tensor in zip(positions, tensors)}})
            else:
                out = torch.func.functional_call(model, dict(zip(names, weights)), tuple(arguments), tie_weights=False)
        packed["structure"], flat = structure(out)
        whereabouts.stage = "taking its operators apart"
        return flat

    with torch.no_grad(), without_library_layers(), without_looks_at_values(), mode:
        looped = folded(lambda: model(*inputs))
        graph, notes = taken_apart(forward, fake_state, fake_inputs, strides=looped and looped.strides())
        if len(graph.nodes) > MOST_NODES:
            raise Cannot(f"one forward is {len(graph.nodes)} operators, an unrolled loop, and {MOST_NODES} are the most here")
        leaves = [{"kind": kinds[name], "path": name, "isStored": name in kept, "isComplex": is_complex, **described(tensor)}
                  for name, tensor, is_complex in zip(names, fake_state, are_complex[0])]
        leaves += [{"kind": "input", "position": number, "isComplex": is_complex, **described(tensor)}
                   for number, tensor, is_complex in zip(positions, fake_inputs, are_complex[1])]
        refuse_writing(graph, len(names), positions)
        unstored = [leaf for leaf, node in zip(leaves, graph.nodes)
                    if leaf["kind"] == "buffer" and not leaf["isStored"] and node.users]
        made = made_by(lambda: construct(module.Model, init_inputs(module), 0)[0], [leaf["path"] for leaf in unstored]) if unstored else {}
        for leaf in unstored:
            leaf["made"] = made.get(leaf["path"], [])
        nodes, outputs = nodes_of(graph, leaves, notes)
    forward_names = [parameter.name for parameter in inspect.signature(model.forward).parameters.values()
                     if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)]
    return {"format": FORMAT, "torch": torch.__version__, "inputCount": len(inputs), "drewWeights": is_real,
            "argumentNames": forward_names[:len(inputs)], "nodes": nodes, "outputs": outputs, "notes": notes,
            "structure": plain(packed["structure"]), "places": whereabouts.operators.first}


def answer_for(load_module, whereabouts=None):
    """The graph, or why there is none, in every case."""
    whereabouts = whereabouts or Whereabouts("model.py")
    try:
        return read(load_module(), whereabouts)
    except (Cannot, Unusable) as why:
        reason = str(why)
    except SystemExit:
        reason = f"{whereabouts.stage} ended the interpreter: it calls exit()"
    except Exception as problem:
        reason = reason_of(problem, whereabouts)
    return {"format": FORMAT, "cannot": reason}


def main():
    # Whatever a model prints is not the answer.
    answer, sys.stdout = sys.stdout, sys.stderr
    path = os.path.abspath(sys.argv[1])
    with contextlib.redirect_stdout(sys.stderr):
        whereabouts = Whereabouts(path)
        with watched(whereabouts):
            result = answer_for(lambda: load(path), whereabouts)
    json.dump(result, answer)
    answer.write("\n")


if __name__ == "__main__":
    main()
