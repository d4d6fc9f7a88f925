# SPDX-License-Identifier: GPL-3.0-or-later
"""A graph network for molecules: every bond carries its first atom's features and what kind of bond it is, ReLU, to
its second atom, where all that arrive are summed.
"""

import torch
from torch import nn

ATOMS = 90_001
BONDS = 400_000
KINDS = 22
WIDTH = 100
SMALL = {"ATOMS": 9, "BONDS": 25, "KINDS": 4, "WIDTH": 6}


class Model(nn.Module):
    def __init__(self, kinds: int, width: int):
        super().__init__()
        self.kind = nn.Embedding(kinds, width)
        self.own = nn.Parameter(torch.tensor(1.3))

    def forward(self, atoms: torch.Tensor, bonds: torch.Tensor, kinds: torch.Tensor) -> torch.Tensor:
        source, target = bonds
        messages = torch.relu(atoms[source] + self.kind(kinds))
        return (self.own * atoms).index_add(0, target, messages)


def get_inputs():
    bonds = torch.randint(0, ATOMS, (2, BONDS))
    return [torch.randn(ATOMS, WIDTH), bonds, torch.randint(0, KINDS, (BONDS,))]


def get_init_inputs():
    return [KINDS, WIDTH]
