# SPDX-License-Identifier: GPL-3.0-or-later
"""Beam search: keys and values that were kept for each beam follow the beams that were chosen, in bfloat16;
two results.
"""

import torch
from torch import nn

TEXTS = 8
BEAMS = 5
HEADS = 12
TOKENS = 1555
WIDTH = 64
SMALL = {"TEXTS": 2, "BEAMS": 3, "HEADS": 2, "TOKENS": 5, "WIDTH": 4}


class Model(nn.Module):
    def __init__(self, beams: int):
        super().__init__()
        self.beams = beams

    def forward(self, keys: torch.Tensor, values: torch.Tensor, chosen: torch.Tensor):
        first = self.beams * torch.arange(chosen.shape[0], device=chosen.device)[:, None]
        place = (first + chosen).flatten()
        return keys.index_select(0, place), values.index_select(0, place)


def get_inputs():
    shape = (TEXTS * BEAMS, HEADS, TOKENS, WIDTH)
    chosen = torch.randint(0, BEAMS, (TEXTS, BEAMS))
    return [torch.randn(shape).to(torch.bfloat16), torch.randn(shape).to(torch.bfloat16), chosen]


def get_init_inputs():
    return [BEAMS]
