# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluates a graph as read_reference.py prints it by torch, to check that reading kept the meaning of a reference."""

import json
import operator

import torch


def operator_of(name):
    if name == "getitem":
        return operator.getitem
    if name == "aten.view.default":  # its operand may have other strides here
        return torch.reshape
    library, op, overload = name.split(".")
    return getattr(getattr(getattr(torch.ops, library), op), overload)


def results_of(graph, inputs):
    """`inputs`: tensors in the order of the graph's inputs."""
    values, remaining = {}, iter(inputs)

    def argument(value):
        if isinstance(value, list):
            return [argument(item) for item in value]
        if isinstance(value, dict):
            if "node" in value:
                return values[value["node"]]
            return getattr(torch, value["dtype"]) if "dtype" in value else float(value["float"])
        return value

    for node in graph["nodes"]:
        if node["op"] == "leaf":
            values[node["name"]] = next(remaining)
        elif node["op"].startswith("warpwright.loop"):
            values[node["name"]] = run_loop(*map(argument, node["args"][:4]), json.loads(node["args"][4]))
        else:
            keywords = {key: argument(item) for key, item in node["keywords"].items()
                        if key in ("dtype", "keepdim", "dim", "correction", "alpha")}
            values[node["name"]] = operator_of(node["op"])(*map(argument, node["args"]), **keywords)
    return [values[output["node"]] for output in graph["outputs"]]


def run_loop(states, scanned, invariants, trip_count, body):
    all_steps = []
    for number in range(trip_count):
        outputs = results_of(body, [*states, *[part[number] for part in scanned], *invariants])
        states = outputs[:len(states)]
        all_steps.append(outputs)
    return [*all_steps[-1], *[torch.stack(each) for each in zip(*all_steps)]]


def meaning_changed(graph, name, module):
    """Complaints about results that differ from the reference's."""
    if "cannot" in graph:
        return []
    torch.manual_seed(3)
    model = module.Model(*module.get_init_inputs()).eval()
    state = {**dict(model.named_parameters()), **dict(model.named_buffers())}
    inputs = module.get_inputs()

    def numbers(tensor):
        return torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor

    graph_inputs = [numbers(state[node["path"]] if node["kind"] != "input" else inputs[node["position"]])
              for node in graph["nodes"] if node["op"] == "leaf"]
    with torch.no_grad():
        expected = [numbers(each) for each in torch.utils._pytree.tree_leaves(model(*inputs))]
        found = results_of(graph, graph_inputs)
    return [f"{name}: result {number} differs by {(mine - wanted).abs().max():.3g}"
            for number, (mine, wanted) in enumerate(zip(found, expected, strict=True))
            if mine.shape != wanted.shape or not torch.allclose(mine, wanted, rtol=1e-4, atol=1e-5)]
