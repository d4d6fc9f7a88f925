# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentences that lie packed one after the other, each with a row of its own in a padded batch again; a learned vector
stands where there is no word.
"""

import torch
from torch import nn

SENTENCES = 512
LONGEST = 200
WIDTH = 512
SMALL = {"SENTENCES": 4, "LONGEST": 7, "WIDTH": 6}


class Model(nn.Module):
    def __init__(self, longest: int, width: int):
        super().__init__()
        self.longest = longest
        self.padding = nn.Parameter(torch.randn(width))

    def forward(self, packed: torch.Tensor, offsets: torch.Tensor):
        word = torch.arange(self.longest, device=packed.device)
        is_word = word < (offsets[1:] - offsets[:-1])[:, None]
        place = (offsets[:-1, None] + word).clamp(max=packed.shape[0] - 1)
        return torch.where(is_word[:, :, None], packed[place], self.padding), is_word


def get_inputs():
    # Two sentences together always have one word more than the longest, so that all batches have as many.
    first = torch.randint(1, LONGEST + 1, (SENTENCES // 2,))
    lengths = torch.stack([first, LONGEST + 1 - first], dim=1).flatten()
    offsets = torch.cat([torch.zeros(1, dtype=torch.int64), lengths.cumsum(0)])
    return [torch.randn(SENTENCES // 2 * (LONGEST + 1), WIDTH), offsets]


def get_init_inputs():
    return [LONGEST, WIDTH]
