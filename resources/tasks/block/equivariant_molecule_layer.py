# SPDX-License-Identifier: GPL-3.0-or-later
"""Molecules as they lie in space: each pair of atoms makes a message of both and their distance; messages move the
atoms along their differences and renew their features. Two results.
"""

import torch
from torch import nn

MOLECULES = 72
ATOMS = 45
WIDTH = 64
SMALL = {"MOLECULES": 2, "ATOMS": 5, "WIDTH": 6}


class Model(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.pair = nn.Sequential(nn.Linear(2 * width + 1, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.pull = nn.Sequential(nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 1, bias=False))
        self.renew = nn.Sequential(nn.Linear(2 * width, width), nn.SiLU(), nn.Linear(width, width))

    def forward(self, features: torch.Tensor, places: torch.Tensor):
        count = features.shape[1]
        apart = places[:, :, None] - places[:, None]
        distance = apart.square().sum(dim=-1, keepdim=True)
        first = features[:, :, None].expand(-1, -1, count, -1)
        second = features[:, None].expand(-1, count, -1, -1)
        messages = self.pair(torch.cat([first, second, distance], dim=-1))
        moved = places + (apart * self.pull(messages) / (1.0 + torch.sqrt(distance + 1e-8))).sum(dim=2)
        return features + self.renew(torch.cat([features, messages.sum(dim=2)], dim=-1)), moved


def get_inputs():
    return [torch.randn(MOLECULES, ATOMS, WIDTH), torch.randn(MOLECULES, ATOMS, 3)]


def get_init_inputs():
    return [WIDTH]
