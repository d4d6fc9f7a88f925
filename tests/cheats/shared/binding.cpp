// SPDX-License-Identifier: GPL-3.0-or-later
// The Python module: TORCH_EXTENSION_NAME is `cuda_extension` in every build.
// Part of the workspace contract; leave it as it is.
#include "binding_registry.h"

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    BindingRegistry::getInstance().applyBindings(m);
}
