# SPDX-License-Identifier: GPL-3.0-or-later
"""References with complex numbers and Fourier transforms, for check.py: as views of real ones, as parameters, inputs and
results, and transforms whose length takes one matmul, several, or is a prime."""

from run_graph import meaning_changed

MODEL = """
import torch
import torch.nn.functional as F
from torch import nn

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        {members}

    def forward(self, {arguments}):
        {lines}

def get_inputs():
    return [{inputs}]

def get_init_inputs():
    return []
"""


def row(name, members, lines, inputs, arguments="x"):
    def indented(text):
        return "\n        ".join(text.strip("\n").split("\n"))
    return name, MODEL.format(members=indented(members), lines=indented(lines), inputs=inputs, arguments=arguments)


ROWS = (
    row("turned_pairs", "angles = torch.arange(9)[:, None] * 100.0 ** (-torch.arange(4) / 4)\n"
        "self.register_buffer('turn', torch.polar(torch.ones_like(angles), angles))",
        "pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)))\nreturn torch.view_as_real(pairs * self.turn).flatten(-2)", "torch.randn(3, 9, 8)"),
    row("turned_by_an_unstored_table", "angles = torch.outer(torch.arange(9), 1.0 / 100.0 ** (torch.arange(0, 8, 2) / 8))\n"
        "self.register_buffer('turn', torch.polar(torch.ones_like(angles), angles), persistent=False)",
        "pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)))\nreturn torch.view_as_real(pairs * self.turn[: x.shape[1]]).flatten(-2)",
        "torch.randn(3, 7, 8)"),
    row("layer_of_complex_numbers", "self.weight = nn.Parameter(torch.randn(12, 8, dtype=torch.cfloat) / 4)\n"
        "self.bias = nn.Parameter(torch.randn(12, dtype=torch.cfloat))\nself.b = nn.Parameter(torch.randn(12) * 0.1)",
        "y = F.linear(torch.complex(x, other), self.weight) + self.bias\ny = torch.relu(y.abs() + self.b) * torch.exp(1j * y.angle())\n"
        "return y.real, y.imag, y.conj()", "torch.randn(5, 8), torch.randn(5, 8)", "x, other"),
    row("complex_inputs_and_results", "", "y = (x - 2j) / (other + 3) + x.conj() * 0.5\n"
        "return {'whole': y, 'sum': y.sum(-1), 'parts': (torch.view_as_real(y)[..., 1], y.abs().mean(0))}",
        "torch.randn(4, 6, dtype=torch.cfloat), torch.rand(4, 6)", "x, other"),
    row("functions_of_complex_numbers", "", "z = torch.complex(x, other)\n"
        "return torch.sqrt(z), torch.exp(z), torch.log(z), z ** 3, torch.tanh(z), z.reciprocal(), torch.sgn(z), torch.where(x > 0, z, 1j)",
        "torch.randn(5, 7), torch.randn(5, 7)", "x, other"),
    row("joined_and_masked", "", "z = torch.view_as_complex(x)\nz = torch.cat([z, z.flip(0).conj(), other], 0)\n"
        "z = F.pad(z.masked_fill(z.real < 0, 2.5), (0, 2), value=1.0)\nout = torch.zeros_like(z)\nout[1:, ::2] = z[:-1, ::2]\nreturn torch.view_as_real(out), z.t().contiguous().real",
        "torch.randn(3, 6, 2), torch.randn(2, 6)", "x, other"),
    row("products_of_complex_matrices", "self.weight = nn.Parameter(torch.randn(2, 6, 5, dtype=torch.cfloat))",
        "z = torch.complex(x, x.flip(-1))\nreturn torch.einsum('bij,bjk->bik', z, self.weight).abs(), (z @ z.mH).real, torch.linalg.vector_norm(z, dim=-1)",
        "torch.randn(2, 4, 6)"),
    row("transforms", "", "y = torch.fft.fft(x)\nreturn y.real, y.imag, torch.fft.ifft(y * 1j).imag", "torch.randn(3, 12)"),
    row("transforms_of_several_factors", "", "y = torch.fft.rfft(x, norm='ortho')\nreturn y.abs(), torch.fft.irfft(y * y.conj(), n=192, norm='forward')",
        "torch.randn(3, 192)"),
    row("long_transforms", "", "return torch.fft.fftshift(torch.fft.fft(x, dim=0).abs(), 0)", "torch.randn(4800, 2)"),
    row("odd_transforms", "", "y = torch.fft.rfft(x, n=67)\nreturn torch.fft.irfft(y, n=67), torch.fft.irfft(y[..., :20], n=39), torch.fft.hfft(y, n=60)",
        "torch.randn(2, 3, 70)"),
    row("transforms_of_images", "self.weight = nn.Parameter(torch.randn(4, 4, 3, 3, dtype=torch.cfloat) / 4)",
        "y = torch.fft.rfft2(x)\nout = torch.zeros(x.shape[0], 4, 20, 9, dtype=torch.cfloat)\n"
        "out[:, :, :3, :3] = torch.einsum('bixy,ioxy->boxy', y[:, :, :3, :3], self.weight)\n"
        "out[:, :, -3:, :3] = torch.einsum('bixy,ioxy->boxy', y[:, :, -3:, :3], self.weight)\n"
        "return F.gelu(torch.fft.irfft2(out, s=(20, 16)))", "torch.randn(2, 4, 20, 16)"),
    row("windows_of_a_signal", "self.register_buffer('window', torch.hann_window(64))\nself.register_buffer('filters', torch.rand(10, 33))",
        "spectrum = torch.stft(x, n_fft=64, hop_length=16, window=self.window, return_complex=True)\n"
        "return torch.log10((self.filters @ spectrum.abs().square()).clamp(min=1e-5))", "torch.randn(2, 400)"),
    row("a_signal_again", "self.register_buffer('window', torch.hann_window(32))",
        "spectrum = torch.stft(x, 32, 8, window=self.window, return_complex=True)\n"
        "return torch.istft(spectrum * torch.sigmoid(spectrum.abs()), 32, 8, window=self.window, length=200)", "torch.randn(2, 200)"),
    row("windows_that_do_not_divide", "self.register_buffer('window', torch.hamming_window(36))",
        "spectrum = torch.stft(x, 40, 16, 36, self.window, return_complex=True)\n"
        "return torch.istft(spectrum * 0.5, 40, 16, 36, self.window), spectrum.angle().cos()", "torch.randn(2, 200)"),
    row("convolution_by_transforms", "self.filter = nn.Parameter(torch.randn(6, 40) / 6)",
        "return torch.fft.irfft(torch.fft.rfft(x, n=128) * torch.fft.rfft(self.filter, n=128), n=128)[..., :64] + x", "torch.randn(2, 6, 64)"),
    row("tokens_mixed", "self.norm = nn.LayerNorm(16)", "return self.norm(x + torch.fft.fft2(x).real)", "torch.randn(2, 24, 16)"),
    row("states_of_complex_numbers", "self.log_rate = nn.Parameter(torch.rand(8))\nself.angle = nn.Parameter(torch.rand(8))\n"
        "self.enter = nn.Parameter(torch.randn(8, 5, dtype=torch.cfloat))",
        "turn = torch.exp(torch.complex(-self.log_rate.exp(), self.angle))\nstate = torch.zeros(x.shape[0], 8, dtype=turn.dtype)\nout = []\n"
        "for t in range(x.shape[1]):\n    state = turn * state + x[:, t].to(turn.dtype) @ self.enter.t()\n    out.append(state.real)\n"
        "return torch.stack(out, 1)", "torch.randn(2, 300, 5)"),
)


def wrongly_read(read, task_of):
    """Complaints about graphs that compute something else than the reference, and about refusals."""
    for name, text in ROWS:
        graph = read.answer_for(task_of(name, text).module)
        if "cannot" in graph:
            yield f"{name}: {graph['cannot']}"
        yield from meaning_changed(graph, name, task_of(name, text).module())
