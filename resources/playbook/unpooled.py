# SPDX-License-Identifier: GPL-3.0-or-later
"""What max_unpool2d puts back where windows had their largest elements: where windows lie side by side, each element asks
the window that it is in whether it was the largest. Elsewhere any element may come from anywhere, and values are written
where places say.
"""

import torch

from apart import aten, numbers

UNPOOLS = (aten.max_unpool2d.default,)


class Unpooled(torch.fx.Interpreter):
    def __init__(self, module):
        super().__init__(module)
        self.windows = {}  # by identity of the places, which are kept beside: the windows' sizes, and the image's

    def call_function(self, target, args, kwargs):
        if target in UNPOOLS and not kwargs and id(args[1]) in self.windows:
            found = self.spread(*args)
            if found is not None:
                return found
        result = super().call_function(target, args, kwargs)
        if target is aten.max_pool2d_with_indices.default and not kwargs:
            size = is_side_by_side(*args)
            if size:
                self.windows[id(result[1])] = result[1], size, list(args[0].shape[-2:])
        return result

    def spread(self, values, places, size):
        _, window, image = self.windows[id(places)]
        if list(size) != image:
            return None
        rows, columns = (places.shape[d] * window[d] for d in (-2, -1))

        def over(tensor):
            shape = tensor.shape
            parts = tensor.unsqueeze(-1).unsqueeze(-3).expand(*shape[:-1], window[0], shape[-1], window[1])
            return parts.reshape(*shape[:-2], rows, columns)

        own = numbers(rows, values).unsqueeze(1) * image[1] + numbers(columns, values)
        found = torch.where(over(places) == own, over(values), 0)
        return torch.nn.functional.pad(found, (0, image[1] - columns, 0, image[0] - rows))


def is_side_by_side(x, kernel, stride=(), padding=(0, 0), dilation=(1, 1), ceil_mode=False):
    """The windows' size, if each element is in one at most."""
    def pair(numbers):
        return [*numbers] * 2 if len(numbers) == 1 else [*numbers]

    window = pair(kernel)
    is_plain = (not stride or pair(stride) == window) and pair(padding) == [0, 0] and pair(dilation) == [1, 1] and not ceil_mode
    return window if is_plain else None


def has_unpools(graph):
    return any(node.target in UNPOOLS for node in graph.nodes)
