// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/kernel_names.h"

#include <QString>

#include <functional>
#include <initializer_list>
#include <set>
#include <utility>

/// Shared by the texts of kernels that call libraries.
namespace warpwright {

/// `text` with each «@name@» replaced; longer names first is not needed, for both ends are marked.
[[nodiscard]] QString fillTemplate(QString text,
                                   std::initializer_list<std::pair<const char *, QString>> values);

/// `text` for that many dimensions of space: lines that begin with «@3@» are for three, those with «@2@» for
/// fewer, and those with «@>@» are indented one loop deeper in three.
[[nodiscard]] QString linesForDimensions(const QString &text, std::size_t dimensions);

/// "// y = …" and the paragraph that explains the kernel, with an empty line between.
[[nodiscard]] QString kernelHeadComment(const Kernel &kernel, const KernelNames &names, const QString &why);

/// A kernel's buffers, inputs first: as parameters of `element` (a type), __restrict__ unless two of them
/// alias; and as pointers cast to their type.
[[nodiscard]] QString pointerParameters(const KernelNames &names, const QString &element, bool isRestricted);
[[nodiscard]] QStringList castPointers(const KernelNames &names, const QString &element);

/// Bias and activation in a kernel of ours: statements for the element `target` of the result, with the
/// library's sum in `sum`; none where there is nothing to do. A second matmul's sum has the same name with
/// «other» for «sum». `counters`: names of the kernel's loop counters. `functions`: collects the helper
/// functions that it calls. The other overload takes each input's element, and a target per store, with a
/// condition where that is not stored everywhere: a line of its own, and the next one is indented by four.
[[nodiscard]] QStringList epilogueStatements(const Kernel &kernel,
                                             const std::function<QString(int input)> &elementOf,
                                             const QString &sum, const QString &target,
                                             std::set<QString> &functions, CodeDialect dialect);
[[nodiscard]] QStringList epilogueStatements(const Kernel &kernel,
                                             const std::function<QString(int buffer)> &nameOf,
                                             const QStringList &counters, const QString &sum,
                                             const QString &target, std::set<QString> &functions,
                                             CodeDialect dialect = CodeDialect::VectorCpu);
struct StoredElement {
    QString target;
    QString condition = {}; ///< none: always
};
[[nodiscard]] QStringList epilogueStatements(const Kernel &kernel,
                                             const std::function<QString(int input)> &elementOf,
                                             const QString &sum, const std::vector<StoredElement> &targets,
                                             std::set<QString> &functions, CodeDialect dialect);

} // namespace warpwright
