// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/kernel_names.h"

#include <QString>

#include <functional>
#include <initializer_list>
#include <set>
#include <utility>

/// What the texts of kernels that call libraries have in common.
namespace warpwright {

/// `text` with each «@name@» replaced; longer names first is not needed, for both ends are marked.
[[nodiscard]] QString fillTemplate(QString text,
                                   std::initializer_list<std::pair<const char *, QString>> values);

/// `text` without the lines that are for another number of dimensions of space: those that begin with «@3@»
/// are for three, those with «@2@» for fewer, and those with «@>@» stand one loop deeper in three.
[[nodiscard]] QString linesForDimensions(const QString &text, std::size_t dimensions);

/// "// y = …" and the paragraph that says why, with a line between.
[[nodiscard]] QString kernelHeadComment(const Kernel &kernel, const KernelNames &names, const QString &why);

/// A kernel's buffers, those that it reads first: as parameters of `element` (a type), restricted where no
/// two of them are the same memory; and as pointers that are told their type.
[[nodiscard]] QString pointerParameters(const KernelNames &names, const QString &element, bool isRestricted);
[[nodiscard]] QStringList castPointers(const KernelNames &names, const QString &element);

/// Bias and activation in a text of ours: statements for the element `target` of the result, whose library's
/// sum is `sum`; none where there is nothing to do. A second product's sum is called the same with «other»
/// for «sum». `counters`: the names of the counters of the kernel's loops. `functions`: filled with those of
/// ours that it calls. The other form is told what each leaf's element is, and the last one a target for each
/// of the kernel's stores, with a condition where that is not stored
/// everywhere: a line of its own, and the next one stands four places further in.
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
