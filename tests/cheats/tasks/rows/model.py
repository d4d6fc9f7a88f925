# SPDX-License-Identifier: GPL-3.0-or-later
"""Facts about rows: a dict of tensors, with a tuple, whole numbers, one number and nothing at all."""

import torch
from torch import nn

COLUMNS = 512


def rows(few: int, many: int) -> int:
    """A GPU needs more work than a processor to be busy."""
    return many if torch.empty(0).device.type == "cuda" else few


class Model(nn.Module):
    def forward(self, x: torch.Tensor):
        return {"sum": x.sum(dim=1), "top": x.max(dim=1)[:], "positive": (x > 0).sum(), "none": x[:0]}


def get_inputs():
    return [torch.randn(rows(512, 8192), COLUMNS)]


def get_init_inputs():
    return []
