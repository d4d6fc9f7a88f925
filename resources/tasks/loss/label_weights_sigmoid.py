# SPDX-License-Identifier: GPL-3.0-or-later
"""Many labels at once in bfloat16: binary cross entropy with a weight for rare labels, a number for each
sample.
"""

import torch
import torch.nn.functional as F
from torch import nn

SAMPLES = 98_304
LABELS = 1031
SMALL = {"SAMPLES": 5, "LABELS": 37}


class Model(nn.Module):
    def __init__(self, labels: int):
        super().__init__()
        self.weight = nn.Parameter((10.0 ** (3.0 * torch.rand(labels))).to(torch.bfloat16))

    def forward(self, logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        positive = self.weight * labels * F.softplus(-logits)
        return (positive + (1.0 - labels) * F.softplus(logits)).mean(dim=-1)


def get_inputs():
    logits = (torch.randn(SAMPLES, LABELS) * (0.5 + 2.0 * torch.rand(SAMPLES, 1))).to(torch.bfloat16)
    return [logits, (torch.rand(SAMPLES, LABELS) < 0.05).to(torch.bfloat16)]


def get_init_inputs():
    return [LABELS]
