// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/tool_output/compiler_diagnostics.h"
#include "toolchain/workspace/workspace.h"

#include <optional>

namespace warpwright {

/// A line of a C++ or CUDA source that makes functions known to Python.
struct PythonRegistration {
    QString macro; ///< "PYBIND11_MODULE", "REGISTER_BINDING" …
    QString name;  ///< its first argument
    int line = 0;
    bool isSure = true; ///< not behind a condition that only the compiler knows

    bool operator==(const PythonRegistration &) const = default;
};

[[nodiscard]] std::vector<PythonRegistration> registrationsIn(const QByteArray &text);

/// Whether X.cpp beside X.cu is the binding of that kernel and no version of it for the CPU: it registers
/// what X.cu does not, or takes CUDA's headers whatever it is compiled for; and there is no X_binding.cpp.
/// The line that shows it, if so.
[[nodiscard]] std::optional<PythonRegistration> bindingBesideKernel(const QString &cpp, const QString &cu);

/// What becomes of binding.cpp where a kernel's file brings the Python module itself.
struct PythonModules {
    QString leftOut;                   ///< "binding.cpp", where nothing but that module needs it
    std::vector<Diagnostic> conflicts; ///< two modules in one library, or one that nobody can import
};

/// What is said of a file that brings the module a second time, and what to do. `first`: where it is
/// brought, "binding.cpp:65" or without the line; `how` it is here: "PYBIND11_MODULE(name, m)".
[[nodiscard]] QString secondModuleText(const QString &first, const QString &how);

/// `isCuda`: of what is linked for a CUDA device; else for the CPU.
[[nodiscard]] PythonModules pythonModulesOf(const Workspace &workspace, bool isCuda);

} // namespace warpwright
