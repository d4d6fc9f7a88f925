# SPDX-License-Identifier: GPL-3.0-or-later
"""Neural graphics: a point looks up the eight corners of its cell in a hashed table, at each of ten resolutions, and
weighs them by how near they are.
"""

import torch
from torch import nn

POINTS = 250_000
LEVELS = 10
SLOTS = 131_072
FEATURES = 2
SMALL = {"POINTS": 13, "LEVELS": 3, "SLOTS": 64}


class Model(nn.Module):
    def __init__(self, levels: int, slots: int, features: int):
        super().__init__()
        self.table = nn.Parameter(torch.randn(levels, slots, features))
        self.sizes = [int(16 * 1.45**level) for level in range(levels)]
        corners = torch.tensor([[number >> axis & 1 for axis in range(3)] for number in range(8)])
        self.register_buffer("corners", corners)

    def forward(self, points: torch.Tensor) -> torch.Tensor:
        results = []
        for table, size in zip(self.table, self.sizes):
            place = points * size
            cell = place.floor()
            share = (place - cell)[:, None]
            x, y, z = (cell.long()[:, None] + self.corners).unbind(dim=-1)
            slot = (x ^ (y * 2_654_435_761) ^ (z * 805_459_861)) & (table.shape[0] - 1)
            weight = torch.where(self.corners > 0, share, 1.0 - share).prod(dim=-1, keepdim=True)
            results.append((weight * table[slot]).sum(dim=1))
        return torch.cat(results, dim=-1)


def get_inputs():
    return [torch.rand(POINTS, 3)]


def get_init_inputs():
    return [LEVELS, SLOTS, FEATURES]
