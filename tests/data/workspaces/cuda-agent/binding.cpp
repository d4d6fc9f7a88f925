// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/csrc/utils/pybind.h>
#include <torch/types.h>

#include "binding_registry.h"

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    BindingRegistry::getInstance().applyBindings(m);
}
