# SPDX-License-Identifier: GPL-3.0-or-later
import torch.utils.cpp_extension as build
from torch import nn

SOURCE = """
torch::Tensor soft(torch::Tensor x, torch::Tensor border) {
    auto y = torch::empty_like(x);
    for (int64_t i = 0; i < x.numel(); ++i) {
        float v = x.data_ptr<float>()[i], b = border.data_ptr<float>()[i % border.numel()];
        y.data_ptr<float>()[i] = v > b ? v - b : v < -b ? v + b : 0.0f;
    }
    return y;
}
"""


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.border = nn.Parameter(0.2 + build.torch.rand(width))
        self.ops = build.load_inline("soft_ops", [SOURCE], functions=["soft"])

    def forward(self, x):
        return self.ops.soft(x, self.border)
