# SPDX-License-Identifier: GPL-3.0-or-later
"""Gives results the strides of the reference's own, however its graph was rewritten."""

import torch


def strides_of(graph):
    """Strides of a traced graph's results."""
    output = next(node for node in graph.nodes if node.op == "output")
    return [value.stride() for value in (node.meta.get("val") for node in torch.fx.node.map_arg(output.args[0], lambda node: node))
            if isinstance(value, torch.Tensor)]


def is_dense(shape, strides):
    """Without gaps and repeats, in some order of the dimensions."""
    expected = 1
    for stride, size in sorted((stride, size) for size, stride in zip(shape, strides) if size != 1):
        if stride != expected:
            return False
        expected *= size
    return True


def restrided(tensor, strides):
    """The tensor with these strides, if they are those of a dense tensor."""
    if tensor.stride() == strides or not is_dense(tensor.shape, strides):
        return tensor
    order = sorted(range(tensor.dim()), key=lambda dim: -strides[dim])
    back = [order.index(dim) for dim in range(tensor.dim())]
    return tensor.permute(order).contiguous().permute(back)


def with_strides(function, strides):
    def run(*arguments):
        return [restrided(tensor, stride) for tensor, stride in zip(function(*arguments), strides)]
    return run
