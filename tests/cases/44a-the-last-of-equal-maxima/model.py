# SPDX-License-Identifier: GPL-3.0-or-later
"""Where each row is largest, after rounding to quarters and a relu: most rows have several such places, some are all zeros."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.shift = nn.Parameter(torch.randn(1))

    def forward(self, x):
        return torch.relu((torch.round(4 * x) / 4).clamp(max=1.5)).argmax(dim=-1), x.amax(dim=-1) + self.shift


def get_inputs():
    return [torch.randn(500, 24) - 1.5 * (torch.arange(500) % 7 == 0)[:, None] * 4]


def get_init_inputs():
    return []
