// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/profiler_views/counters/recorded_counters.h"

#include "tests/toolchain/places.h"

#include <QFile>

using namespace warpwright;

std::shared_ptr<const Counters> recordedCounters() {
    static const auto kept = [] {
        QFile file(testData("/counters/h200-three-kernels.json"));
        if (!file.open(QIODevice::ReadOnly))
            qFatal("cannot read %s", qPrintable(file.fileName()));
        Result<Counters> read = countersFromJson(Json::parse(file.readAll().toStdString()));
        if (!read.hasValue())
            qFatal("%s", qPrintable(read.message()));
        return std::make_shared<const Counters>(read.value());
    }();
    return kept;
}

std::shared_ptr<const Counters> countersTimes(double factor) {
    Counters other = *recordedCounters();
    other.iteration = 6;
    for (KernelCounters &kernel : other.kernels)
        for (auto &[name, value] : kernel.metrics)
            if (value.number)
                value.number = *value.number * factor;
    return std::make_shared<const Counters>(other);
}
