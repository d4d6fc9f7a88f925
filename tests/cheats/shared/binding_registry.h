// SPDX-License-Identifier: GPL-3.0-or-later
// Lets each kernels/*_binding.cpp add its functions to the Python module without a central list:
// a static object registers the function when the library is loaded, binding.cpp applies them all.
// Part of the workspace contract; leave it as it is.
#pragma once

#include <torch/csrc/utils/pybind.h>

#include <string>
#include <utility>
#include <vector>

// Hidden like pybind11's own types, which it holds: GCC warns about a class more visible than its members.
class __attribute__((visibility("hidden"))) BindingRegistry {
public:
    using BindFunction = void (*)(pybind11::module_ &);

    static BindingRegistry &getInstance() {
        // Constructed on first use: the order of static objects across files is not defined.
        static BindingRegistry registry;
        return registry;
    }

    void addBinding(std::string name, BindFunction bind) { m_bindings.emplace_back(std::move(name), bind); }

    void applyBindings(pybind11::module_ &module) const {
        for (const auto &[name, bind] : m_bindings)
            bind(module);
    }

private:
    std::vector<std::pair<std::string, BindFunction>> m_bindings;
};

struct BindingRegistrar {
    BindingRegistrar(const char *name, BindingRegistry::BindFunction bind) {
        BindingRegistry::getInstance().addBinding(name, bind);
    }
};

// REGISTER_BINDING(any_unique_name, function) where function is void(pybind11::module_ &).
#define REGISTER_BINDING(name, function) \
    static const BindingRegistrar bindingRegistrar_##name(#name, function)
