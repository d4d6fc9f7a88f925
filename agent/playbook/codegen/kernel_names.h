// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"
#include "agent/playbook/schedule/knobs.h"

#include <QString>
#include <QStringList>

#include <map>

namespace warpwright {

/// Names in the text of one kernel, taken from the reference where these are good; the program does not
/// depend on them.
struct KernelNames {
    QString stem;                 ///< of its files and its function in Python: "fused_rows"
    QString function;             ///< "fusedRows"; its launcher is launchFusedRows
    QStringList buffers;          ///< by position among the kernel's buffers
    std::vector<int> readBuffers; ///< of the program, in the order of arguments
    std::vector<int> writtenBuffers;

    [[nodiscard]] QString launcher() const;
    [[nodiscard]] QString nameOf(int buffer) const; ///< of the program
};
[[nodiscard]] std::vector<KernelNames> kernelNames(const ReferenceGraph &graph, const Program &program);

/// The same for all kernels together, as one function that Python calls once per forward.
struct ForwardNames {
    QString stem;                 ///< "forward", or the only kernel's
    QString function;             ///< in C++
    std::vector<int> readBuffers; ///< inputs and weights that a kernel reads, in the order of arguments
    std::vector<int> madeBuffers; ///< in the order of kernels: temporaries and results
    std::map<int, QString> names; ///< of all of these
    std::vector<int> results;     ///< the buffers that are returned, each once
};
[[nodiscard]] ForwardNames forwardNames(const ReferenceGraph &graph, const Program &program,
                                        const std::vector<KernelNames> &kernels);

/// "one kernel", "3 kernels", "2 kernels and one call of a library".
[[nodiscard]] QString kernelCount(const Program &program);
/// "fused_rows": the name of its files, if there is one of its kind.
[[nodiscard]] QString stemOf(const Kernel &kernel);

/// A line or two of what it computes, for the head of its files: "y = row-sum of exp(…)".
[[nodiscard]] QString formulaOf(const Kernel &kernel, const KernelNames &names);

/// The parameters of its launcher, without the stream: "const float *x, float *y".
[[nodiscard]] QString launcherParameters(const ReferenceGraph &graph, const Program &program,
                                         const KernelNames &names);

[[nodiscard]] ElementType typeOfBuffer(const ReferenceGraph &graph, const Program &program, int buffer);
[[nodiscard]] const GraphNode &nodeOfBuffer(const ReferenceGraph &graph, const Program &program, int buffer);

} // namespace warpwright
