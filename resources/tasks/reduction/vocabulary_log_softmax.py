# SPDX-License-Identifier: GPL-3.0-or-later
"""Log probabilities over a vocabulary in bfloat16, with a temperature for each row: sampling from a language
model.
"""

import torch
import torch.nn.functional as F
from torch import nn

ROWS = 4096
VOCABULARY = 32011
SMALL = {"ROWS": 5, "VOCABULARY": 61}


class Model(nn.Module):
    def forward(self, logits: torch.Tensor, temperature: torch.Tensor) -> torch.Tensor:
        return F.log_softmax(logits / temperature[:, None], dim=-1)


def get_inputs():
    logits = (4.0 * torch.randn(ROWS, VOCABULARY)).to(torch.bfloat16)
    return [logits, (0.5 + torch.rand(ROWS)).to(torch.bfloat16)]


def get_init_inputs():
    return []
