# SPDX-License-Identifier: GPL-3.0-or-later
"""Stands for CUDA-Agent's own file of this name: Warpwright sees that it is there, takes its flags, and never runs it."""

raise SystemExit("utils/compile.py was run; Warpwright compiles by itself")
