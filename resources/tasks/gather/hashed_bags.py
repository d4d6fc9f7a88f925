# SPDX-License-Identifier: GPL-3.0-or-later
"""Several tables of hashed features, each summed over a bag of its own indices; the sums side by side."""

import torch
from torch import nn

ROWS = 16_384
TABLES = 10
SLOTS = 100_003
SEEN = 24
WIDTH = 64
SMALL = {"ROWS": 5, "TABLES": 3, "SLOTS": 53, "SEEN": 4, "WIDTH": 8}


class Model(nn.Module):
    def __init__(self, tables: int, slots: int, width: int):
        super().__init__()
        self.bags = nn.ModuleList(nn.EmbeddingBag(slots, width, mode="sum") for _ in range(tables))

    def forward(self, indices: torch.Tensor) -> torch.Tensor:
        return torch.cat([bag(indices[number]) for number, bag in enumerate(self.bags)], dim=1)


def get_inputs():
    return [torch.randint(0, SLOTS, (TABLES, ROWS, SEEN))]


def get_init_inputs():
    return [TABLES, SLOTS, WIDTH]
