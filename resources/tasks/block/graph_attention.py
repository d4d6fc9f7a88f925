# SPDX-License-Identifier: GPL-3.0-or-later
"""A layer of a graph attention network: scores of neighbours by two vectors, a softmax over those that exist,
four heads.
"""

import torch
import torch.nn.functional as F
from torch import nn

GRAPHS = 16
NODES = 400
WIDTH = 128
HEADS = 4
SMALL = {"GRAPHS": 2, "NODES": 7, "WIDTH": 6, "HEADS": 2}


class Model(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.project = nn.Linear(width, heads * width, bias=False)
        self.sender = nn.Parameter(torch.randn(heads, width, 1) / width**0.5)
        self.receiver = nn.Parameter(torch.randn(heads, width, 1) / width**0.5)

    def forward(self, x: torch.Tensor, edges: torch.Tensor) -> torch.Tensor:
        h = self.project(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = F.leaky_relu(4.0 * (h @ self.receiver + (h @ self.sender).mT), 0.2)
        weights = torch.softmax(scores.masked_fill(~edges[:, None], float("-inf")), dim=-1)
        return F.elu((weights @ h).mean(dim=1))


def get_inputs():
    edges = (torch.rand(GRAPHS, NODES, NODES) < 0.1) | torch.eye(NODES, dtype=torch.bool)
    return [2.0 * torch.randn(GRAPHS, NODES, WIDTH), edges]


def get_init_inputs():
    return [WIDTH, HEADS]
