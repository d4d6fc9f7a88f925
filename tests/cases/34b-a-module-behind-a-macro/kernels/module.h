// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <pybind11/pybind11.h>

#define PYTHON_MODULE(m) PYBIND11_MODULE(TORCH_EXTENSION_NAME, m)
