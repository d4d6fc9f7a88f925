# SPDX-License-Identifier: GPL-3.0-or-later
"""Decomposes max_unpool2d: where pooling windows are disjoint, each element compares its index with that of its window's
maximum. Where they overlap it stays a scatter by indices.
"""

import torch

from decompositions import arange_on, aten

UNPOOLS = (aten.max_unpool2d.default,)


class UnpoolDecomposer(torch.fx.Interpreter):
    def __init__(self, module):
        super().__init__(module)
        self.windows = {}  # by id() of the indices, which are kept alive here: window size and image size

    def call_function(self, target, args, kwargs):
        if target in UNPOOLS and not kwargs and id(args[1]) in self.windows:
            found = self.upsample(*args)
            if found is not None:
                return found
        result = super().call_function(target, args, kwargs)
        if target is aten.max_pool2d_with_indices.default and not kwargs:
            size = disjoint_windows(*args)
            if size:
                self.windows[id(result[1])] = result[1], size, list(args[0].shape[-2:])
        return result

    def upsample(self, values, indices, size):
        _, window, image_size = self.windows[id(indices)]
        if list(size) != image_size:
            return None
        rows, columns = (indices.shape[d] * window[d] for d in (-2, -1))

        def repeated(tensor):
            shape = tensor.shape
            parts = tensor.unsqueeze(-1).unsqueeze(-3).expand(*shape[:-1], window[0], shape[-1], window[1])
            return parts.reshape(*shape[:-2], rows, columns)

        flat_index = arange_on(rows, values).unsqueeze(1) * image_size[1] + arange_on(columns, values)
        found = torch.where(repeated(indices) == flat_index, repeated(values), 0)
        return torch.nn.functional.pad(found, (0, image_size[1] - columns, 0, image_size[0] - rows))


def disjoint_windows(x, kernel, stride=(), padding=(0, 0), dilation=(1, 1), ceil_mode=False):
    """The window size, if no two windows overlap."""
    def pair(numbers):
        return [*numbers] * 2 if len(numbers) == 1 else [*numbers]

    window = pair(kernel)
    is_plain = (not stride or pair(stride) == window) and pair(padding) == [0, 0] and pair(dilation) == [1, 1] and not ceil_mode
    return window if is_plain else None


def has_unpools(graph):
    return any(node.target in UNPOOLS for node in graph.nodes)
