# SPDX-License-Identifier: GPL-3.0-or-later
"""Active learning: an ensemble votes on samples without a label. How unsure is it as a whole, and how much of that is
because its members disagree? The latter are worth asking about.
"""

import torch
from torch import nn

MEMBERS = 10
SAMPLES = 20_000
CLASSES = 301
SMALL = {"MEMBERS": 3, "SAMPLES": 5, "CLASSES": 11}


class Model(nn.Module):
    def __init__(self, members: int):
        super().__init__()
        self.sharpness = nn.Parameter(0.5 + torch.rand(members, 1, 1))

    def forward(self, logits: torch.Tensor):
        log_share = torch.log_softmax(logits * self.sharpness, dim=-1)
        share = log_share.exp()
        own = -(share * log_share).sum(dim=-1).mean(dim=0)
        joint = share.mean(dim=0)
        whole = -(joint * torch.log(joint + 1e-12)).sum(dim=-1)
        return whole, whole - own


def get_inputs():
    agreed = 2.0 * torch.randn(SAMPLES, CLASSES)
    return [agreed + 2.0 * torch.rand(SAMPLES, 1) * torch.randn(MEMBERS, SAMPLES, CLASSES)]


def get_init_inputs():
    return [MEMBERS]
