# SPDX-License-Identifier: GPL-3.0-or-later
"""Tensors whose elements do not lie side by side: slices with gaps, expanded ones, windows that overlap.

A candidate meets an input as get_inputs() made it: with its strides, and beside the other views of its memory.
"""

import torch

ALIGNMENT = 512


def aligned(offset):
    return (offset + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT


def extent_elements(sizes, strides):
    """Elements from the first to the last one that a strided tensor touches."""
    if any(size == 0 for size in sizes):
        return 0
    return 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides))


def is_dense(tensor):
    """True where the strides are a permutation of contiguous ones: no gap, no element twice."""
    expected = 1
    for size, stride in sorted(zip(tensor.shape, tensor.stride()), key=lambda pair: (pair[1], pair[0])):
        if size == 1:
            continue
        if stride != expected:
            return False
        expected *= size
    return True


def flat(tensor):
    """All elements from its first to its last in memory, those of gaps too."""
    return tensor.as_strided((extent_elements(tensor.shape, tensor.stride()),), (1,), tensor.storage_offset())


def same_layout(tensor, change):
    """change(tensor) for a `change` of elements one by one, with the strides that the tensor has."""
    return change(tensor) if is_dense(tensor) else change(flat(tensor)).as_strided(tensor.shape, tensor.stride(), 0)


def write(destination, source):
    """`source`, of the same strides, into `destination`, which is left as it is in its gaps."""
    for dimension, (size, stride) in enumerate(zip(destination.shape, destination.stride())):
        if stride == 0 and size > 1:
            destination, source = destination.narrow(dimension, 0, 1), source.narrow(dimension, 0, 1)
    reach = 0
    for stride, size in sorted((stride, size) for size, stride in zip(destination.shape, destination.stride()) if size > 1):
        if stride <= reach:  # windows
            destination, source = flat(destination), flat(source)
            break
        reach += (size - 1) * stride
    destination.copy_(source)


def shared_spans(tensors):
    """{storage: (first byte, one past the last, its views are floats)} of memory that views with gaps or repeats look at."""
    spans, sparse = {}, set()
    for tensor in tensors:
        if not tensor.numel():
            continue
        key = tensor.untyped_storage().data_ptr()
        first = tensor.storage_offset() * tensor.dtype.itemsize
        end = first + extent_elements(tensor.shape, tensor.stride()) * tensor.dtype.itemsize
        known = spans.get(key, (first, end, True))
        spans[key] = (min(first, known[0]), max(end, known[1]), known[2] and tensor.dtype.is_floating_point)
        if not is_dense(tensor):
            sparse.add(key)
    return {key: span for key, span in spans.items() if key in sparse}
