# SPDX-License-Identifier: GPL-3.0-or-later
"""The end of a mixture of experts in bfloat16: each token fetches its two experts' rows, weighs and adds them, and
adds them, scaled, to what it was.
"""

import torch
from torch import nn

TOKENS = 16_384
ROWS = 30_000
WIDTH = 2880
SMALL = {"TOKENS": 7, "ROWS": 11, "WIDTH": 10}


class Model(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.gamma = nn.Parameter((0.5 + torch.rand(width)).to(torch.bfloat16))

    def forward(self, x: torch.Tensor, expert_rows: torch.Tensor, places: torch.Tensor, share: torch.Tensor):
        rows = expert_rows.index_select(0, places.flatten()).unflatten(0, (-1, 2))
        return x + self.gamma * (rows * share[:, :, None]).sum(dim=1)


def get_inputs():
    share = torch.softmax(torch.randn(TOKENS, 2), dim=-1)
    places = torch.randint(0, ROWS, (TOKENS, 2))
    wide = [torch.randn(TOKENS, WIDTH).to(torch.bfloat16), 2.0 * torch.randn(ROWS, WIDTH).to(torch.bfloat16)]
    return [*wide, places, share.to(torch.bfloat16)]


def get_init_inputs():
    return [WIDTH]
