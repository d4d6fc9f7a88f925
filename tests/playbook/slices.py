# SPDX-License-Identifier: GPL-3.0-or-later
"""References that reduce slices of the same tensor, fused into one kernel, for check.py --numbers and --emulated: a row as in
rows.py."""

from odd import model


def sums(inputs, names, *lines):
    body = "".join(f"\n    {line}" for line in lines)
    return model(f"def forward(self, {names}):" + body, inputs)


ROWS = (
    ("edges_of_two_images", sums(
        "[torch.rand(2, 3, 20, 36), torch.rand(2, 3, 20, 36)]", "x, y",
        "dx = (x[..., 1:] - x[..., :-1]) - (y[..., 1:] - y[..., :-1])",
        "dy = (x[..., 1:, :] - x[..., :-1, :]) - (y[..., 1:, :] - y[..., :-1, :])",
        "return (x - y).abs().mean() + 0.5 * (torch.sqrt(dx * dx + 1e-6).mean() + torch.sqrt(dy * dy + 1e-6).mean())")),
    ("variation_of_odd_images", sums(
        "[torch.rand(2, 3, 31, 37)]", "x",
        "dx, dy = x[..., 1:] - x[..., :-1], x[..., 1:, :] - x[..., :-1, :]",
        "return dx.abs().mean((1, 2, 3)) + dy.abs().mean((1, 2, 3))")),
    ("values_slopes_curves", sums(
        "[torch.randn(5, 516), torch.randn(5, 516)]", "x, y",
        "d = x - y", "s = d[:, 1:] - d[:, :-1]", "c = s[:, 1:] - s[:, :-1]",
        "return d.square().mean() + s.square().mean() + c.abs().mean()")),
    ("gradients_of_volumes", sums(
        "[torch.randn(2, 3, 5, 9, 24)]", "x",
        "dz, dy, dx = x[:, :, 1:] - x[:, :, :-1], x[:, :, :, 1:] - x[:, :, :, :-1], x[..., 1:] - x[..., :-1]",
        "return (dz * dz).mean() + (dy * dy).mean() + (dx * dx).mean()")),
    ("edges_in_halves", sums(
        "[torch.rand(2, 3, 18, 40).half(), torch.rand(2, 3, 18, 40)]", "x, y",
        "h = x.float()", "dx, dy = h[..., 1:] - h[..., :-1], h[..., 1:, :] - h[..., :-1, :]",
        "wx, wy = y[..., 1:] - y[..., :-1], y[..., 1:, :] - y[..., :-1, :]",
        "return (dx.abs() * torch.exp(-wx.abs())).mean() + (dy.abs() * torch.exp(-wy.abs())).mean()")),
    # Beyond the slice the summand is NaN.
    ("ratios_of_neighbours", sums(
        "[torch.rand(4, 30, 32) + 0.5]", "x",
        "return torch.log(x[..., 1:] / x[..., :-1]).sum((1, 2)), torch.log(x[:, 2:, 1:] / x[:, :-2, :-1]).abs().sum((1, 2)), "
        "(1.0 / x).sum((1, 2))")),
    # Offsets beyond one vector and beyond several, and an interior slice.
    ("far_neighbours", sums(
        "[torch.randn(3, 40, 64)]", "x",
        "return (x[..., 5:] * x[..., :-5]).sum() + (x[..., 8:] * x[..., :-8]).sum() + (x[..., 3:] - x[..., :-3]).abs().sum(), "
        "x[:, 2:-2, 2:-2].exp().sum()")),
    # Row strides longer than the rows, and of zero.
    ("parts_of_images", sums(
        "[torch.rand(2, 3, 20, 44)[..., :36], torch.rand(2, 3, 20, 40)[..., 4:], torch.rand(1, 3, 20, 36).expand(2, 3, 20, 36)]", "x, y, z",
        "dx = (x[..., 1:] - x[..., :-1]) - (y[..., 1:] - y[..., :-1])",
        "dy = (x[..., 1:, :] - x[..., :-1, :]) * (z[..., 1:, :] - z[..., :-1, :])",
        "zx = (z[..., 1:] - z[..., :-1]) * x[..., 1:]",
        "return dx.abs().sum(), dy.abs().sum(), zx.exp().sum()")),
    # Shifted neighbours without a reduction, at the end of memory.
    ("shifted_rows", sums(
        "[torch.randn(3, 7, 64), torch.randn(5, 48).half()]", "x, y",
        "a, b = F.pad(x, (0, 1))[..., 1:], F.pad(x, (0, 2), value=3.0)[..., 2:]", "c = F.pad(x, (0, 0, 0, 1))[:, 1:]",
        "return a * b + x - c, F.pad(y, (0, 5))[:, 5:] + y, (F.pad(x, (0, 1))[..., 1:] - x).square().sum(-1)")),
    ("long_signals", sums(
        "[torch.randn(2, 150000)]", "x",
        "s = x[:, 1:] - x[:, :-1]", "return x.abs().sum(1), s.abs().sum(1), (x[:, 2:] - x[:, :-2]).square().sum(1)")),
    # Sums a class of a softmax over the classes: one pass for all classes.
    ("shares_of_classes", sums(
        "[torch.randn(3, 7, 150, 1602), torch.randint(0, 7, (3, 150, 1602))]", "x, labels",
        "share = torch.softmax(x * 3.0, 1)", "wanted = F.one_hot(labels, 7).movedim(-1, 1).to(x.dtype)",
        "both, all = (share * wanted).sum((2, 3)), share.sum((2, 3)) + wanted.sum((2, 3))", "return 2.0 * both / (all + 1e-5)")),
    # Each of a few values of a row against all others; enough rows for all blocks.
    ("values_beside_others", sums(
        "[torch.randn(640, 6), torch.randn(640, 7001)]", "x, y",
        "return torch.relu(1.0 - (x[:, :, None] - y[:, None, :])).mean(-1), (x[:, :, None] < y[:, None, :]).sum(-1)")),
)
