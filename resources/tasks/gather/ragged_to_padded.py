# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts of different lengths lie one after the other; they are spread over rows of one length, with a learned
padding.
"""

import torch
from torch import nn

TEXTS = 256
LONGEST = 700
WIDTH = 512
SMALL = {"TEXTS": 4, "LONGEST": 9, "WIDTH": 5}


class Model(nn.Module):
    def __init__(self, longest: int, width: int):
        super().__init__()
        self.longest = longest
        self.padding = nn.Parameter(torch.randn(width))

    def forward(self, tokens: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        start = torch.cumsum(lengths, dim=0) - lengths
        place = torch.arange(self.longest, device=lengths.device)
        index = (start[:, None] + place).clamp(max=tokens.shape[0] - 1)
        return torch.where((place < lengths[:, None])[:, :, None], tokens[index], self.padding)


def get_inputs():
    lengths = torch.randint(LONGEST // 3, LONGEST, (TEXTS,))
    return [torch.randn(TEXTS * LONGEST, WIDTH), lengths]


def get_init_inputs():
    return [LONGEST, WIDTH]
