# SPDX-License-Identifier: GPL-3.0-or-later
"""Recommendation: the weighed sum of the embeddings of what a user has looked at, 40 rows of a large table a
user.
"""

import torch
import torch.nn.functional as F
from torch import nn

USERS = 20_000
ITEMS = 400_000
SEEN = 40
WIDTH = 160
SMALL = {"USERS": 5, "ITEMS": 61, "SEEN": 4, "WIDTH": 10}


class Model(nn.Module):
    def __init__(self, items: int, width: int):
        super().__init__()
        self.table = nn.Parameter(torch.randn(items, width))

    def forward(self, seen: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        return (F.embedding(seen, self.table) * weights[:, :, None]).sum(dim=1)


def get_inputs():
    return [torch.randint(0, ITEMS, (USERS, SEEN)), torch.rand(USERS, SEEN)]


def get_init_inputs():
    return [ITEMS, WIDTH]
