# SPDX-License-Identifier: GPL-3.0-or-later
import torch
import triton
import triton.language as tl
from torch import nn


@triton.jit
def gated(x, y, half, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    places = tl.arange(0, BLOCK)
    inside = places < half
    gate = tl.load(x + row * 2 * half + places, mask=inside)
    value = tl.load(x + row * 2 * half + half + places, mask=inside)
    tl.store(y + row * half + places, gate * tl.sigmoid(gate) * value, mask=inside)


class ModelNew(nn.Module):
    def forward(self, x):
        half = x.shape[-1] // 2
        y = torch.empty(*x.shape[:-1], half, device=x.device, dtype=x.dtype)
        gated[(x.numel() // x.shape[-1],)](x, y, half, BLOCK=triton.next_power_of_2(half))
        return y
