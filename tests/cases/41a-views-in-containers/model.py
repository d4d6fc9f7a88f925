# SPDX-License-Identifier: GPL-3.0-or-later
"""One buffer, three views of it in a dict of a tensor and a tuple."""

import torch
from torch import nn

TOKENS, WIDTH = 90, 40


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gain = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, joint):
        q, k, v = (joint * self.gain).unflatten(-1, (3, -1)).unbind(-2)
        return {"query": q, "pair": (k.transpose(0, 1), v)}


def get_inputs():
    return [torch.randn(TOKENS, 3 * WIDTH)]


def get_init_inputs():
    return [3 * WIDTH]
