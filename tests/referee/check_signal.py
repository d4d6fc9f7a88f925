# SPDX-License-Identifier: GPL-3.0-or-later
"""Parameters that carry the signal: deep models with their library's own parameters, whose results then move with what
comes in; and what may not change in them.

Exit code 0: all right, 1: complaints, 77: no Python with torch was found (an error where REQUIRE_TOOLS=1).
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "tasks"), os.path.join(HERE, "..", "..", "toolchain", "referee", "worker")]
from torch_python import with_torch  # noqa: E402

with_torch()
import torch  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402
from warpwright_signal import STRENGTHS, carry_signal  # noqa: E402
from warpwright_state import redraw  # noqa: E402

complaints = 0


def expect(what, is_so, found):
    global complaints
    if not is_so:
        complaints += 1
        print(f"{what}: {found}")


class Residual(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.inner = nn.Sequential(nn.Conv2d(channels, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels))
        self.gain = nn.Parameter(torch.full((channels, 1, 1), 1e-6))
        nn.init.zeros_(self.inner[1].weight)

    def forward(self, x):
        return F.relu(x + self.gain * self.inner(x))


class Functional(nn.Module):
    """Parameters of its own, read through views and copies, and one that has to stay positive."""

    def __init__(self, width):
        super().__init__()
        self.weights = nn.Parameter(torch.randn(20, width, width) * 1e-3)
        self.shifts = nn.Parameter(torch.randn(20, width))
        self.decay = nn.Parameter(torch.rand(width) * 0.1 + 0.01)
        self.register_buffer("table", torch.arange(width).float())

    def forward(self, x):
        for weight, shift in zip(self.weights, self.shifts):
            x = torch.tanh(x @ weight.t().contiguous() + shift)
        return torch.logsumexp(x * self.decay.log().neg().sqrt() + 0 * self.table, dim=-1)


class Attentive(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.ModuleList(nn.TransformerEncoderLayer(width, 4, 2 * width, batch_first=True) for _ in range(4))
        self.cell = nn.LSTM(width, width, num_layers=2, batch_first=True)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return torch.softmax(1e-4 * self.cell(x)[0][:, -1], -1)


def plain(depth):
    return nn.Sequential(*(layer for _ in range(depth) for layer in (nn.Linear(64, 64), nn.ReLU())))


torch.manual_seed(3)  # before the models: what they begin with decides how far they move
MODELS = {
    "linear layers": (plain(30), lambda: torch.rand(16, 64)),
    "one sample": (plain(30), lambda: torch.rand(1, 64)),
    "residual": (nn.Sequential(*(Residual(8) for _ in range(6)), nn.Flatten(), nn.Linear(8 * 64, 10), nn.Softmax(-1)),
                 lambda: torch.rand(4, 8, 8, 8)),
    "functional": (Functional(32), lambda: torch.randn(8, 32)),
    "weight norm": (nn.Sequential(*(nn.utils.parametrizations.weight_norm(nn.Linear(32, 32)) for _ in range(20)), nn.Softmax(-1)),
                    lambda: torch.randn(16, 32)),
}


def movement(model, draw):
    with torch.no_grad():
        first, second = (model.double()(draw().double()) for _ in range(2))
        model.float()
    return ((first - second).square().mean() / first.square().mean()).sqrt().item()


for name, (model, draw) in MODELS.items():
    model.eval()
    own = {key: value.clone() for key, value in model.state_dict().items()}
    best = 0.0
    for strength in range(len(STRENGTHS)):
        model.load_state_dict(own)
        redraw(model, 5)
        drawn = {key: value.clone() for key, value in model.state_dict().items()}
        changed = carry_signal(model, [draw()], 7, strength)
        best = max(best, movement(model, draw))
        expect(f"{name}: parameters that were set", changed > 0, changed)
        for key, value in model.state_dict().items():
            if (drawn[key] > 0).all() and not key.endswith("running_var"):
                expect(f"{name}: {key} stays positive", (value > 0).all(), value)
            if key == "table":
                expect(f"{name}: a table stays", torch.equal(value, own[key]), value)
    expect(f"{name}: moves with its inputs", best > 0.05, best)

# Nothing is left of the watch, and what it cannot take apart does not stop it.
model, draw = Attentive(32).eval(), lambda: torch.randn(4, 12, 32)
before = (torch._C._get_mkldnn_enabled(), torch.backends.mha.get_fastpath_enabled())
carry_signal(model, [draw()], 7, 0)
expect("flags are put back", before == (torch._C._get_mkldnn_enabled(), torch.backends.mha.get_fastpath_enabled()), before)
first = nn.Linear(8, 8)
carry_signal(first, [torch.zeros(4, 8)], 7, 0)
expect("no signal at all", torch.isfinite(first.weight).all(), first.weight)
sys.exit(1 if complaints else 0)
