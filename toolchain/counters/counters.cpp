// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/counters/counters.h"

#include <QCoreApplication>
#include <QThreadPool>

namespace warpwright {

double InstructionCounters::value(const QString &name) const {
    const auto found = values.find(name);
    return found == values.end() ? 0 : found->second;
}

std::optional<double> KernelCounters::number(const QString &metric) const {
    const auto found = metrics.find(metric);
    return found == metrics.end() ? std::nullopt : found->second.number;
}

std::optional<double> KernelCounters::microseconds() const {
    const auto nanoseconds = number("gpu__time_duration.sum");
    return nanoseconds ? std::optional(*nanoseconds / 1000) : std::nullopt;
}

std::vector<const KernelCounters *> Counters::kernelsOf(const QString &arm) const {
    std::vector<const KernelCounters *> found;
    for (const KernelCounters &kernel : kernels)
        if (kernel.arm == arm)
            found.push_back(&kernel);
    return found;
}

SharedCounters makeShared(Counters counters) {
    return SharedCounters(new Counters(std::move(counters)), [](const Counters *gone) {
        if (QCoreApplication::instance() == nullptr || QCoreApplication::closingDown())
            delete gone;
        else
            QThreadPool::globalInstance()->start([gone] { delete gone; });
    });
}

QStringList Counters::arms() const {
    QStringList names;
    for (const KernelCounters &kernel : kernels)
        if (!names.contains(kernel.arm))
            names.append(kernel.arm);
    return names;
}

} // namespace warpwright
