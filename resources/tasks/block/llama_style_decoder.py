# SPDX-License-Identifier: GPL-3.0-or-later
"""A decoder's block in bfloat16: RMS norms, rotary places, causal attention with shared keys, and a SwiGLU
feed-forward.
"""

import torch
import torch.nn.functional as F
from torch import nn

BATCH = 4
TOKENS = 2048
WIDTH = 2048
HEADS = 16
SHARED = 4
HIDDEN = 5632
SMALL = {"BATCH": 2, "TOKENS": 7, "WIDTH": 32, "HEADS": 4, "SHARED": 2, "HIDDEN": 24}


class Model(nn.Module):
    def __init__(self, tokens: int, width: int, heads: int, shared: int, hidden: int):
        super().__init__()
        kind = {"bias": False, "dtype": torch.bfloat16}
        self.size = width // heads
        self.first = nn.RMSNorm(width, eps=1e-5, dtype=torch.bfloat16)
        self.second = nn.RMSNorm(width, eps=1e-5, dtype=torch.bfloat16)
        nn.init.normal_(self.first.weight, 1.5, 0.3)
        nn.init.normal_(self.second.weight, 1.5, 0.3)
        self.query = nn.Linear(width, width, **kind)
        self.key = nn.Linear(width, shared * self.size, **kind)
        self.value = nn.Linear(width, shared * self.size, **kind)
        self.out = nn.Linear(width, width, **kind)
        self.gate = nn.Linear(width, hidden, **kind)
        self.up = nn.Linear(width, hidden, **kind)
        self.down = nn.Linear(hidden, width, **kind)
        angle = torch.arange(tokens)[:, None] * 10_000.0 ** (-torch.arange(0, self.size, 2) / self.size)
        self.register_buffer("cosine", torch.cos(angle).to(torch.bfloat16))
        self.register_buffer("sine", torch.sin(angle).to(torch.bfloat16))

    def heads_of(self, x: torch.Tensor) -> torch.Tensor:
        return x.unflatten(-1, (-1, self.size)).transpose(1, 2)

    def turned(self, x: torch.Tensor) -> torch.Tensor:
        left, right = x.chunk(2, dim=-1)
        return torch.cat([left * self.cosine - right * self.sine, left * self.sine + right * self.cosine], dim=-1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = self.first(x)
        query, key = self.turned(self.heads_of(self.query(h))), self.turned(self.heads_of(self.key(h)))
        seen = F.scaled_dot_product_attention(
            query, key, self.heads_of(self.value(h)), is_causal=True, enable_gqa=True
        )
        x = x + self.out(seen.transpose(1, 2).flatten(2))
        h = self.second(x)
        return x + self.down(F.silu(self.gate(h)) * self.up(h))


def get_inputs():
    return [torch.randn(BATCH, TOKENS, WIDTH).to(torch.bfloat16)]


def get_init_inputs():
    return [TOKENS, WIDTH, HEADS, SHARED, HIDDEN]
