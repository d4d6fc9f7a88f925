# SPDX-License-Identifier: GPL-3.0-or-later
"""Reinforcement learning of a language model: how much likelier did each sampled token become, clipped on both sides,
times the answer's advantage; a mean over the answer's real tokens.
"""

import torch
from torch import nn

ANSWERS = 24
TOKENS = 500
VOCABULARY = 8003
SMALL = {"ANSWERS": 4, "TOKENS": 9, "VOCABULARY": 17}


class Model(nn.Module):
    def __init__(self, temperature: float, clip: float, worst: float):
        super().__init__()
        self.temperature = nn.Parameter(torch.tensor(temperature))
        self.clip = clip
        self.worst = worst

    def forward(self, logits: torch.Tensor, tokens: torch.Tensor, before: torch.Tensor, advantage: torch.Tensor,
                real: torch.Tensor) -> torch.Tensor:
        now = torch.log_softmax(logits / self.temperature, dim=-1).gather(-1, tokens[..., None]).squeeze(-1)
        ratio = torch.exp(now - before)
        gain = advantage[:, None]
        least = torch.minimum(ratio * gain, ratio.clamp(1.0 - self.clip, 1.0 + self.clip) * gain)
        bounded = torch.where(gain < 0.0, torch.maximum(least, self.worst * gain), least)
        return -(bounded * real).sum(dim=1) / real.sum(dim=1)


def get_inputs():
    logits = 2.0 * torch.randn(ANSWERS, TOKENS, VOCABULARY)
    tokens = torch.randint(0, VOCABULARY, (ANSWERS, TOKENS))
    before = torch.log_softmax(logits, dim=-1).gather(-1, tokens[..., None]).squeeze(-1)
    length = torch.randint(TOKENS // 3, TOKENS + 1, (ANSWERS, 1))
    real = (torch.arange(TOKENS) < length).to(logits.dtype)
    return [logits, tokens, before + 0.3 * torch.randn(ANSWERS, TOKENS), torch.randn(ANSWERS), real]


def get_init_inputs():
    return [0.9, 0.2, 3.0]
