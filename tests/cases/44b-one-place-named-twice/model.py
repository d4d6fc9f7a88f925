# SPDX-License-Identifier: GPL-3.0-or-later
"""A descending sort of coarse values with its places."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.levels = nn.Parameter(torch.tensor(4.0))

    def forward(self, x):
        return torch.sort(torch.round(x * self.levels), dim=-1, descending=True)


def get_inputs():
    return [torch.rand(200, 40)]


def get_init_inputs():
    return []
