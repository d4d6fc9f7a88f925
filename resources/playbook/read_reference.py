# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads a reference as a graph: read_reference.py MODEL.py prints one JSON object (warpwright.graph/1).

Model, inputs and parameters are fake tensors, which have shapes and no memory: a laptop reads a model of 40 GB. One
forward pass is traced below autograd, where modules and functions are the same operators, and decomposed into few of them:
softmax and norms become primitive operators. Python's loops and branches are executed by the trace; those that depend on
values cannot be read, and the answer says so.

For what cannot be read it prints {"cannot": "because ..."} with exit code 0; another exit code is a bug of this program.
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
# Models are imported and made as the judge's workers do it; in the source tree the judge is in toolchain/.
sys.path += [os.path.join(HERE, way, "referee/worker") for way in ("..", "../../toolchain")]

import decompose_scatter  # noqa: F401  # adds to the table of decompositions
from buffer_constructors import MAX_LITERALS, constructor_lines, with_registered_tensors
from complex_pairs import ComplexPairs, has_complex
from decompose_factories import value_independent_functions
from decompose_topk import SORTS, OrderStatistics, has_sorts
from decompose_unpool import UNPOOLS, UnpoolDecomposer, has_unpools
from decompositions import decompositions
from diagnostics import ForwardTracker, progress_reported, reason_of
from loop_operator import LOOPS, LibraryLayers, is_loop
from loop_rerolling import rerolled
from matmul_chain_order import MatmulReordering, has_matmuls
from output_strides import strides_of, with_strides
from slice_scatter_folding import SliceScatterFolding, has_slice_writes
from warpwright_models import Unusable, construct, import_reference, init_inputs, inputs_of
from warpwright_values import with_fields

FORMAT = "warpwright.graph/1"
MAX_NODES = 30_000  # more take minutes to trace
LOOP_BODY_GRAPHS = {}  # as text, by body and by shapes


class Unsupported(Exception):
    """Why this reference cannot be read, as a sentence for a person."""


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
    except Exception:  # numpy, .item() and the like need values: then with real weights
        return construct(module.Model, init, 0)[0].eval(), True


def draw(module, mode):
    seed_all()
    try:
        with mode:
            return inputs_of(module)
    except Exception:
        return [mode.from_tensor(value) if isinstance(value, torch.Tensor) else value for value in inputs_of(module)]


def as_fake(tensor, mode):
    return tensor if isinstance(tensor, FakeTensor) else mode.from_tensor(tensor.detach())


def dtype_name(dtype):
    return str(dtype).removeprefix("torch.")


def tensor_json(tensor):
    if tensor.layout is not torch.strided:
        raise Unsupported(f"a tensor is {tensor.layout}, and only strided ones are known here")
    numbers = [*tensor.shape, *tensor.stride(), tensor.storage_offset()]
    if not all(isinstance(number, int) for number in numbers):
        raise Unsupported("a shape depends on the values of a tensor")
    return {"shape": list(tensor.shape), "strides": list(tensor.stride()), "offset": tensor.storage_offset(),
            "dtype": dtype_name(tensor.dtype)}


def argument_json(value):
    if isinstance(value, torch.fx.Node):
        return {"node": value.name}
    if isinstance(value, (list, tuple)):
        return [argument_json(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": str(value)}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, torch.dtype):
        return {"dtype": dtype_name(value)}
    return {"other": str(value)}


def as_real(tensor):
    """A complex tensor as its view as real."""
    return torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor


@dataclasses.dataclass(frozen=True)
class ComplexOutput:
    number: int


def output_structure(value):
    """The structure of the results, with each tensor as its index in the list of outputs; and that list."""
    if value is None:
        raise Unsupported("forward returns nothing: what it leaves in its arguments no candidate here gives back")
    value = with_fields(value)
    flat, spec = pytree.tree_flatten(value)
    if not all(isinstance(item, torch.Tensor) for item in flat):
        raise Unsupported("the forward returns something that is no tensor")
    numbers = [ComplexOutput(number) if item.is_complex() else number for number, item in enumerate(flat)]
    return pytree.tree_unflatten(numbers, spec), [as_real(item) for item in flat]


def structure_json(value):
    if isinstance(value, int):
        return value
    if isinstance(value, ComplexOutput):
        return {"kind": "complex", "output": value.number}
    if isinstance(value, (list, tuple)):  # named tuples too, as the judge takes them
        return {"kind": "list" if isinstance(value, list) else "tuple", "items": [structure_json(item) for item in value]}
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {"kind": "dict", "keys": list(value), "items": [structure_json(item) for item in value.values()]}
    raise Unsupported(f"the forward returns a {type(value).__name__}")


def values_of(tensor):
    """The values of a tensor that forward makes of Python numbers."""
    if isinstance(tensor, FakeTensor):
        tensor = tensor.constant
    if tensor is None:
        raise Unsupported("forward makes a tensor whose values nobody knows before it runs")
    if tensor.numel() > MAX_LITERALS:
        raise Unsupported(f"forward makes a tensor of {tensor.numel()} numbers, and {MAX_LITERALS} are the most here: make it a buffer")
    with torch.utils._python_dispatch._disable_current_modes():
        return [argument_json(value) for value in tensor.detach().flatten().tolist()]


def nodes_of(graph, names, notes):
    nodes, outputs, placeholders = [], [], iter(names)
    for node in graph.nodes:
        if node.op == "placeholder":
            nodes.append({"name": node.name, "op": "leaf", **next(placeholders)})
        elif node.op == "output":
            outputs = [argument_json(item) for item in pytree.tree_leaves(node.args)]
        elif node.op == "get_attr":
            value = getattr(graph.owning_module, node.target)
            nodes.append({"name": node.name, "op": "literal", "args": [values_of(value)], "keywords": {}, **tensor_json(value)})
        else:
            value = node.meta.get("val")
            target = str(node.target) if isinstance(node.target, torch._ops.OpOverload) else node.target.__name__
            entry = {"name": node.name, "op": target, "args": argument_json(node.args),
                     "keywords": {key: argument_json(item) for key, item in node.kwargs.items()}}
            if is_loop(node):
                entry["args"][3:] = [LOOPS[node.args[3]].trip_count, loop_body_graph(node, notes)]
            if isinstance(value, torch.Tensor):
                entry.update(tensor_json(value))
            nodes.append(entry)
    return nodes, outputs


@contextlib.contextmanager
def without_library_layers():
    """mkldnn has a recurrent layer as one operator; without it layers are loops of Python, as on every device."""
    before = torch.backends.mkldnn.enabled
    torch.backends.mkldnn.enabled = False
    try:
        yield
    finally:
        torch.backends.mkldnn.enabled = before


def reject_input_mutation(graph, weights, positions):
    """Only what forward returns is a result: what it writes into an argument would be lost."""
    entries = [node for node in graph.nodes if node.op == "placeholder"]
    for node in graph.nodes:
        if node.target is torch.ops.aten.copy_.default and node.args[0] in entries:
            position = entries.index(node.args[0])
            if position >= weights:
                raise Unsupported(f"forward writes into argument {positions[position - weights] + 1}, which no candidate here does")


def table_without(overloads):
    return {overload: function for overload, function in decompositions().items() if overload not in overloads}


def decomposed_graph(function, *arguments, strides=None):
    """The trace of one call as a graph of few kinds of operators, and notes on its algebraic rewrites.

    `strides`: what its results must have; those of the first trace, if None.
    """
    # How sorts and unpooling decompose depends on the operators around them: they come later.
    first = table_without(SORTS + UNPOOLS)
    try:
        traced = make_fx(torch.func.functionalize(function, remove="mutations"), first)(*arguments)
    except RuntimeError as problem:
        if not any(name in str(problem) for name in ("autograd.Function", "custom_function_call")):  # which functionalize does not support
            raise
        traced = make_fx(function, first)(*arguments)
    strides = strides or strides_of(traced.graph)
    if has_complex(traced.graph):
        traced = make_fx(ComplexPairs(traced).run, first)(*arguments)
    if has_sorts(traced.graph):
        traced = make_fx(OrderStatistics(traced).run, table_without(UNPOOLS))(*arguments)
    if has_unpools(traced.graph):
        traced = make_fx(UnpoolDecomposer(traced).run, decompositions())(*arguments)
    # Decompositions may write in place: functionalize again.
    traced = make_fx(torch.func.functionalize(traced, remove="mutations"))(*arguments)
    if has_slice_writes(traced.graph):
        traced = make_fx(SliceScatterFolding(traced).run)(*arguments)
    if strides_of(traced.graph) != strides:
        traced = make_fx(with_strides(traced, strides))(*arguments)
    notes = []
    if has_matmuls(traced.graph):
        linear = MatmulReordering(traced)
        try:
            linear.run(*arguments)  # a dry run: tracing costs several times as much
            notes = linear.notes()
            traced = make_fx(MatmulReordering(traced).run, decompositions())(*arguments) if notes else traced
        except Exception as problem:  # a bug of ours is no reason to refuse the reference
            notes = []
            print(f"matmuls stay in their order: {type(problem).__name__}: {problem}", file=sys.stderr)
    traced.graph.eliminate_dead_code()
    return traced.graph, notes


def loop_body_graph(node, notes):
    """The body of a loop as a graph of its own, as JSON text: it is an argument of the loop's node."""
    def fakes(nodes, is_part=False):
        values = [each.meta["val"] for each in nodes]
        return [value.new_empty(value.shape[1:]) if is_part else torch.empty_strided(
            value.shape, value.stride(), dtype=value.dtype, device=value.device) for value in values]

    given = [fakes(node.args[0]), fakes(node.args[1], True), fakes(node.args[2])]
    body = LOOPS[node.args[3]].body
    key = (body, *[(tuple(value.shape), value.stride(), value.dtype) for value in sum(given, [])], *map(len, given))
    if key in LOOP_BODY_GRAPHS:  # stacked layers share a body
        return LOOP_BODY_GRAPHS[key]
    graph, own_notes = decomposed_graph(body, *given)
    notes += [note for note in own_notes if note not in notes]
    entries = [{"kind": "input", "position": number, **tensor_json(tensor)} for number, tensor in enumerate(sum(given, []))]
    nodes, outputs = nodes_of(graph, entries, notes)
    LOOP_BODY_GRAPHS[key] = json.dumps({"format": FORMAT, "nodes": nodes, "outputs": outputs})
    return LOOP_BODY_GRAPHS[key]


def read(module, tracker):
    tracker.stage = "making its inputs and parameters"
    mode = FakeTensorMode(allow_non_fake_inputs=True)
    inputs = draw(module, mode)
    for value in inputs:
        if isinstance(value, (list, tuple, dict)):
            raise Unsupported("an input is a container of tensors")
    plain_before = [value for value in inputs if not isinstance(value, torch.Tensor)]
    if plain_before != [value for value in draw(module, mode) if not isinstance(value, torch.Tensor)]:
        raise Unsupported("an input is a number that is drawn anew for each call")
    model, is_real = build(module, mode)
    model = with_registered_tensors(model)
    if not any(isinstance(value, torch.Tensor) for value in pytree.tree_leaves(inputs)):
        raise Unsupported("no input is a tensor")
    tracker.name_modules(model)
    tracker.stage = "running forward once on shapes"

    state = dict(model.named_parameters(remove_duplicate=False))
    kinds = {name: "parameter" for name in state}
    for name, buffer in model.named_buffers(remove_duplicate=False):
        state[name], kinds[name] = buffer, "buffer"
    kept = set(model.state_dict())
    names = list(state)
    fake_state = [as_fake(state[name], mode) for name in names]
    positions = [number for number, value in enumerate(inputs) if isinstance(value, torch.Tensor)]
    fake_inputs = [as_fake(inputs[number], mode) for number in positions]
    packed = {}
    are_complex = [tensor.is_complex() for tensor in fake_state], [tensor.is_complex() for tensor in fake_inputs]
    fake_state, fake_inputs = ([as_real(tensor) for tensor in tensors] for tensors in (fake_state, fake_inputs))

    def forward(*given):
        weights, tensors = ([torch.view_as_complex(tensor) if is_complex else tensor for tensor, is_complex in zip(*each)]
                            for each in zip(given, are_complex))
        arguments = list(inputs)
        for number, tensor in zip(positions, tensors):
            arguments[number] = tensor
        # A tied weight is passed under each of its names.
        with tracker.operators, LibraryLayers():
            if loops:
                out = loops.run({**{id(state[name]): weight for name, weight in zip(names, weights)},
                                  **{id(inputs[number]): tensor for number, tensor in zip(positions, tensors)}})
            else:
                out = torch.func.functional_call(model, dict(zip(names, weights)), tuple(arguments), tie_weights=False)
        packed["structure"], flat = output_structure(out)
        tracker.stage = "decomposing its operators"
        return flat

    with torch.no_grad(), without_library_layers(), value_independent_functions(), mode:
        loops = rerolled(lambda: model(*inputs))
        graph, notes = decomposed_graph(forward, fake_state, fake_inputs, strides=loops and loops.strides())
        if len(graph.nodes) > MAX_NODES:
            raise Unsupported(f"one forward is {len(graph.nodes)} operators, an unrolled loop, and {MAX_NODES} are the most here")
        entries = [{"kind": kinds[name], "path": name, "isStored": name in kept, "isComplex": is_complex, **tensor_json(tensor)}
                  for name, tensor, is_complex in zip(names, fake_state, are_complex[0])]
        entries += [{"kind": "input", "position": number, "isComplex": is_complex, **tensor_json(tensor)}
                   for number, tensor, is_complex in zip(positions, fake_inputs, are_complex[1])]
        reject_input_mutation(graph, len(names), positions)
        unstored = [entry for entry, node in zip(entries, graph.nodes)
                    if entry["kind"] == "buffer" and not entry["isStored"] and node.users]
        lines = constructor_lines(lambda: construct(module.Model, init_inputs(module), 0)[0], [entry["path"] for entry in unstored]) if unstored else {}
        for entry in unstored:
            entry["made"] = lines.get(entry["path"], [])
        nodes, outputs = nodes_of(graph, entries, notes)
    forward_names = [parameter.name for parameter in inspect.signature(model.forward).parameters.values()
                     if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)]
    return {"format": FORMAT, "torch": torch.__version__, "inputCount": len(inputs), "drewWeights": is_real,
            "argumentNames": forward_names[:len(inputs)], "nodes": nodes, "outputs": outputs, "notes": notes,
            "structure": structure_json(packed["structure"]), "places": tracker.operators.first}


def answer_for(load_module, tracker=None):
    """The graph, or why there is none; never raises."""
    tracker = tracker or ForwardTracker("model.py")
    try:
        return read(load_module(), tracker)
    except (Unsupported, Unusable) as why:
        reason = str(why)
    except SystemExit:
        reason = f"{tracker.stage} ended the interpreter: it calls exit()"
    except Exception as problem:
        reason = reason_of(problem, tracker)
    return {"format": FORMAT, "cannot": reason}


def main():
    # What a model prints must not mix with the answer.
    answer, sys.stdout = sys.stdout, sys.stderr
    path = os.path.abspath(sys.argv[1])
    with contextlib.redirect_stdout(sys.stderr):
        tracker = ForwardTracker(path)
        with progress_reported(tracker):
            result = answer_for(lambda: load(path), tracker)
    json.dump(result, answer)
    answer.write("\n")


if __name__ == "__main__":
    main()
