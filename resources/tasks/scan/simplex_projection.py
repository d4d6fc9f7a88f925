# SPDX-License-Identifier: GPL-3.0-or-later
"""A softmax that gives real zeros: scores are projected on the simplex, by sorting, running sums and the last place
where they still fit (sparsemax). In interpretable attention.
"""

import torch
from torch import nn

ROWS = 12_000
COLUMNS = 900
SMALL = {"ROWS": 5, "COLUMNS": 21}


class Model(nn.Module):
    def __init__(self, columns: int):
        super().__init__()
        self.register_buffer("rank", torch.arange(1.0, columns + 1.0))
        self.prior = nn.Parameter(0.5 * torch.randn(columns))

    def forward(self, scores: torch.Tensor) -> torch.Tensor:
        scores = scores + self.prior
        ordered = torch.sort(scores, dim=-1, descending=True).values
        excess = torch.cumsum(ordered, dim=-1) - 1.0
        last = (self.rank * ordered > excess).sum(dim=-1, keepdim=True)
        level = excess.gather(-1, last - 1) / last
        return (scores - level).clamp(min=0.0)


def get_inputs():
    return [(0.05 + 0.8 * torch.rand(ROWS, 1)) * torch.randn(ROWS, COLUMNS)]


def get_init_inputs():
    return [COLUMNS]
