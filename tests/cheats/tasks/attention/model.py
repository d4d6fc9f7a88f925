# SPDX-License-Identifier: GPL-3.0-or-later
"""Few queries that look at very many keys: each key alone matters little."""

import torch
from torch import nn

KEYS = 16384
WIDTH = 32


def rows(few: int, many: int) -> int:
    """A GPU needs more work than a processor to be busy."""
    return many if torch.empty(0).device.type == "cuda" else few


class Model(nn.Module):
    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        return torch.softmax(q @ k.t() / WIDTH**0.5, dim=-1) @ v


def get_inputs():
    return [torch.randn(rows(48, 4096), WIDTH), torch.randn(KEYS, WIDTH), torch.randn(KEYS, WIDTH)]


def get_init_inputs():
    return []
