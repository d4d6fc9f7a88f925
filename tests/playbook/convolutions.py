# SPDX-License-Identifier: GPL-3.0-or-later
"""Convolutions with an epilogue fused into our kernel, for check.py --emulated, and their twins for --numbers. A kernel before
converts inputs to channels last. A row as in rows.py."""

from odd import model


def convolution(name, result, inputs, arguments="x, w, b, o"):
    return name, model(f"def forward(self, {arguments}):\n    return {result}", f"[{inputs}]")


ROWS = (
    # Pixels, filters and channels do not fill their tiles; vectors of four pixels that cross into the next image; epilogue
    # operands shaped like the result, one a channel, one a channel of an image.
    convolution("pixels_in_floats", "torch.sigmoid(F.conv2d(x, w, b, padding=1)) * s + o",
                "torch.randn(3, 40, 18, 22), torch.randn(68, 40, 3, 3) / 16, torch.randn(68), torch.rand(3, 68, 1, 1), torch.randn(3, 68, 18, 22)", "x, w, b, s, o"),
    # Odd images, scalar access; dilation; another padding and kernel size across than down; strides.
    convolution("odd_pixels_in_floats", "F.conv2d(x, w, b, padding=(2, 0), dilation=(2, 1)).square() - o",
                "torch.randn(2, 36, 17, 19), torch.randn(132, 36, 3, 2) / 16, torch.randn(132), torch.randn(2, 132, 17, 18)"),
    # Whole warps of the last tile have no filters; arguments named like the text's own variables.
    convolution("odd_pixels_of_few_filters", "torch.sigmoid(F.conv2d(x, w, held, padding=1)) * results",
                "torch.randn(3, 64, 15, 15), torch.randn(80, 64, 3, 3) / 16, torch.randn(80), torch.rand(3, 80, 15, 15)", "x, w, held, results"),
    convolution("steps_in_halves", "torch.relu(F.conv2d(x, w, b, stride=(2, 3), padding=2)) * o",
                "torch.randn(5, 72, 23, 21).half(), torch.randn(128, 72, 5, 3).half() / 32, torch.randn(128).half(), torch.randn(5, 128, 12, 8).half()"),
    # Rounded to TF32, not truncated, as in products.py.
    convolution("positive_pixels", "(F.conv2d(x, w) - 282.0).abs()",
                "torch.randn(2, 64, 22, 22) / 10 + 0.7, torch.randn(64, 64, 3, 3) / 10 + 0.7", "x, w"),
    # A channels-last result for the next convolution; the last one is a result itself.
    convolution("one_after_another", "F.conv2d(torch.tanh(F.conv2d(x, w, b, padding=4, dilation=4) * o) * x, w, b, padding=1)",
                "torch.randn(2, 64, 14, 30).bfloat16(), torch.randn(64, 64, 3, 3).bfloat16() / 16, torch.randn(64).bfloat16(), torch.rand(64, 1, 1).bfloat16()"),
    # The residual of a layer, channels last, while the result is contiguous.
    convolution("past_a_layer", "torch.sigmoid(F.conv2d((h := torch.relu(F.conv2d(x, w, b, padding=1) * o)), w, b, padding=1)) + h",
                "torch.randn(2, 68, 14, 18), torch.randn(68, 68, 3, 3) / 16, torch.randn(68), torch.rand(68, 1, 1)"),
    # Few channels and large filters: a filter's row becomes channels; also two filters on one image, and strides.
    convolution("large_filters_of_few_channels", "(F.conv2d(x, w, padding=(3, 4)).square() + F.conv2d(x, v, b, padding=(3, 4)).square(), F.relu(F.conv2d(x, w, b, stride=(3, 2))))",
                "torch.randn(2, 3, 21, 26), torch.randn(64, 3, 7, 9) / 16, torch.randn(64, 3, 7, 9) / 16, torch.randn(64)", "x, w, v, b"),
    convolution("large_filters_of_halves", "torch.tanh(F.conv2d(x, w, b, padding=2, stride=(1, 2), dilation=(2, 1)))",
                "torch.randn(3, 2, 27, 22).half(), torch.randn(64, 2, 11, 7).half() / 8, torch.randn(64).half()", "x, w, b"),
    # 1-D with dilation, 3-D.
    convolution("sounds", "torch.tanh(F.conv1d(x, w, b, dilation=300)) * torch.sigmoid(o) + o",
                "torch.randn(2, 64, 900), torch.randn(128, 64, 2) / 8, torch.randn(128), torch.randn(2, 128, 600)"),
    convolution("volumes", "F.relu(F.conv3d(x, w, b, padding=(1, 0, 1), stride=(1, 1, 2)) + o)",
                "torch.randn(2, 32, 6, 7, 9), torch.randn(64, 32, 3, 3, 2) / 16, torch.randn(64), torch.randn(2, 64, 6, 5, 5)"),
    # Gates: halves of one convolution, two convolutions; vectorized, odd images and channels last.
    convolution("gated_sounds", "torch.tanh((h := F.conv1d(x, w, b, padding=6, dilation=3))[:, :72]) * torch.sigmoid(h[:, 72:]) + o",
                "torch.randn(3, 40, 600), torch.randn(144, 40, 3) / 8, torch.randn(144), torch.randn(3, 72, 606)"),
    convolution("gated_pixels", "F.glu(F.conv2d(x, w, b, padding=1), 1) * o",
                "torch.randn(3, 72, 15, 17).half(), torch.randn(152, 72, 3, 3).half() / 16, torch.randn(152).half(), torch.randn(3, 76, 15, 17).half()"),
    convolution("two_gated", "F.conv2d(F.conv2d(x, w, b, padding=1) * torch.sigmoid(F.conv2d(x, o, padding=1)), w[:, :80], padding=1)",
                "torch.randn(2, 80, 13, 15), torch.randn(80, 80, 3, 3) / 16, torch.randn(80), torch.randn(80, 80, 3, 3) / 16"),
    # Operands of a concat, and a result that is cropped.
    convolution("parts_of_joins", "torch.cat([F.silu(F.conv2d(x, w, b, padding=1)), o, F.silu(F.conv2d(o, w, b, padding=1))[:, :, :, :]], 1)",
                "torch.randn(2, 64, 12, 14), torch.randn(64, 64, 3, 3) / 16, torch.randn(64), torch.randn(2, 64, 12, 14)"),
    convolution("cut_results", "F.silu(F.conv1d(x, w, b, padding=6, dilation=3)[:, :, :-6])",
                "torch.randn(4, 96, 130), torch.randn(96, 96, 3) / 16, torch.randn(96)", "x, w, b"),
)
