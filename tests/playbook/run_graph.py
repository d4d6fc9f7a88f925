# SPDX-License-Identifier: GPL-3.0-or-later
"""A graph as read_reference.py prints it, computed by torch: whether reading has changed what a reference means."""

import json
import operator

import torch


def operator_of(name):
    if name == "getitem":
        return operator.getitem
    if name == "aten.view.default":  # what it looks at may lie in another order here
        return torch.reshape
    library, op, overload = name.split(".")
    return getattr(getattr(getattr(torch.ops, library), op), overload)


def results_of(graph, leaves):
    """`leaves`: tensors in the order of the graph's leaves."""
    values, given = {}, iter(leaves)

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
            values[node["name"]] = next(given)
        elif node["op"].startswith("warpwright.loop"):
            values[node["name"]] = turned(*map(argument, node["args"][:4]), json.loads(node["args"][4]))
        else:
            keywords = {key: argument(item) for key, item in node["keywords"].items()
                        if key in ("dtype", "keepdim", "dim", "correction", "alpha")}
            values[node["name"]] = operator_of(node["op"])(*map(argument, node["args"]), **keywords)
    return [values[output["node"]] for output in graph["outputs"]]


def turned(states, parts, whole, turns, turn):
    every = []
    for number in range(turns):
        left = results_of(turn, [*states, *[part[number] for part in parts], *whole])
        states = left[:len(states)]
        every.append(left)
    return [*every[-1], *[torch.stack(each) for each in zip(*every)]]


def meaning_changed(graph, name, module):
    """Complaints about results that are not the reference's."""
    if "cannot" in graph:
        return []
    torch.manual_seed(3)
    model = module.Model(*module.get_init_inputs()).eval()
    state = {**dict(model.named_parameters()), **dict(model.named_buffers())}
    inputs = module.get_inputs()

    def numbers(tensor):
        return torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor

    leaves = [numbers(state[node["path"]] if node["kind"] != "input" else inputs[node["position"]])
              for node in graph["nodes"] if node["op"] == "leaf"]
    with torch.no_grad():
        expected = [numbers(each) for each in torch.utils._pytree.tree_leaves(model(*inputs))]
        found = results_of(graph, leaves)
    return [f"{name}: result {number} is another one, by {(mine - own).abs().max():.3g}"
            for number, (mine, own) in enumerate(zip(found, expected, strict=True))
            if mine.shape != own.shape or not torch.allclose(mine, own, rtol=1e-4, atol=1e-5)]
