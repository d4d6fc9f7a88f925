# SPDX-License-Identifier: GPL-3.0-or-later
"""All steps of a sequence and the last of them, as recurrent layers return them: one result is a view of the other."""

import torch
from torch import nn

COLUMNS = 512


def rows(few: int, many: int) -> int:
    """A GPU needs more work than a processor to be busy."""
    return many if torch.empty(0).device.type == "cuda" else few


class Model(nn.Module):
    def __init__(self, columns: int):
        super().__init__()
        self.scale = nn.Parameter(1.0 + 0.5 * torch.randn(columns))
        self.shift = nn.Parameter(torch.randn(columns))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        h = x * self.scale + self.shift
        y = h * torch.sigmoid(h)
        return y, y[:, -1]


def get_inputs():
    return [torch.randn(rows(32, 256), 64, COLUMNS)]


def get_init_inputs():
    return [COLUMNS]
