# SPDX-License-Identifier: GPL-3.0-or-later
"""Learning to rank: each wanted item's score against all others of its list, with a hinge; mean over the list."""

import torch
from torch import nn

LISTS = 2048
WANTED = 12
OTHERS = 1500
MARGIN = 1.0
SMALL = {"LISTS": 4, "WANTED": 3, "OTHERS": 11}


class Model(nn.Module):
    def __init__(self, margin: float):
        super().__init__()
        self.margin = margin

    def forward(self, wanted: torch.Tensor, others: torch.Tensor) -> torch.Tensor:
        gap = wanted[:, :, None] - others[:, None, :]
        return torch.clamp(self.margin - gap, min=0.0).mean(dim=-1)


def get_inputs():
    return [torch.randn(LISTS, WANTED), torch.randn(LISTS, OTHERS)]


def get_init_inputs():
    return [MARGIN]
