# SPDX-License-Identifier: GPL-3.0-or-later
"""Decoding one token of a mixture of experts in bfloat16: of sixteen gated feed-forward layers only the four that the
router chose are read; their answers are weighed and added.
"""

import torch
import torch.nn.functional as F
from torch import nn

EXPERTS = 16
CHOSEN = 4
WIDTH = 3072
HIDDEN = 1792
SMALL = {"EXPERTS": 5, "CHOSEN": 2, "WIDTH": 12, "HIDDEN": 8}


class Model(nn.Module):
    def __init__(self, experts: int, width: int, hidden: int):
        super().__init__()
        self.up = nn.Parameter((torch.randn(experts, 2 * hidden, width) / width**0.5).to(torch.bfloat16))
        self.down = nn.Parameter((torch.randn(experts, width, hidden) / hidden**0.5).to(torch.bfloat16))

    def forward(self, token: torch.Tensor, chosen: torch.Tensor, share: torch.Tensor) -> torch.Tensor:
        gate, value = torch.matmul(self.up[chosen], token).chunk(2, dim=-1)
        answers = torch.bmm(self.down[chosen], (F.silu(gate) * value).unsqueeze(-1)).squeeze(-1)
        return torch.matmul(share, answers)


def get_inputs():
    share = torch.softmax(torch.randn(CHOSEN), dim=0).to(torch.bfloat16)
    return [(2.0 * torch.randn(WIDTH)).to(torch.bfloat16), torch.randperm(EXPERTS)[:CHOSEN], share]


def get_init_inputs():
    return [EXPERTS, WIDTH, HIDDEN]
