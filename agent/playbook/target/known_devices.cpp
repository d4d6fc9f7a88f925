// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/target/known_devices.h"

#include "agent/playbook/target/device_figures.h"
#include "toolchain/environment/gpu_device.h"
#include "toolchain/inspect/occupancy.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>

namespace warpwright {
namespace {

/// A variant of that chip, by its name: "NVIDIA H200 NVL", "a slice of NVIDIA H200".
bool isVariantOf(const Device &row, const QString &name) {
    return name.contains(row.name);
}

/// By compute capability, then by name, then by size.
const Device &nearestRow(const DetectedDevice &facts, const std::vector<SharedDevice> &rows) {
    const auto distance = [&facts](const Device &row) {
        const double memory =
            facts.memoryBytesASecond ? std::abs(row.memoryBytesASecond - *facts.memoryBytesASecond) : 0.0;
        return std::tuple(std::abs(row.computeMajor - facts.computeMajor),
                          std::abs(row.computeMinor - facts.computeMinor), !isVariantOf(row, facts.name),
                          std::abs(row.processors - facts.processors.value_or(row.processors)), memory);
    };
    return **std::min_element(rows.begin(), rows.end(),
                              [&](const SharedDevice &one, const SharedDevice &other) {
                                  return distance(*one) < distance(*other);
                              });
}

/// Null: there is none.
SharedDevice rowNamed(const QString &name, const std::vector<SharedDevice> &rows) {
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const SharedDevice &row) { return row->name == name; });
    return found == rows.end() ? nullptr : *found;
}

} // namespace

SharedDevice defaultDevice(const std::vector<SharedDevice> &rows) {
    const SharedDevice known = rowNamed(QStringLiteral("NVIDIA H200"), rows);
    return known ? known : rows.front();
}

namespace {

/// Without counts and rates that no chip has: they would divide by zero.
DetectedDevice usableFacts(DetectedDevice facts) {
    if (facts.processors.value_or(1) < 1)
        facts.processors.reset();
    if (const double rate = facts.memoryBytesASecond.value_or(1); !std::isfinite(rate) || rate <= 0)
        facts.memoryBytesASecond.reset();
    return facts;
}

} // namespace

ChosenDevice deviceFor(const DetectedDevice &detected, const std::vector<SharedDevice> &rows) {
    const DetectedDevice facts = usableFacts(detected);
    const SharedDevice known = rowNamed(facts.name, rows);
    if (known && facts.processors.value_or(known->processors) == known->processors)
        return {known};
    constexpr int warp = 32;
    const Device &nearest = nearestRow(facts, rows);
    Device made = nearest;
    made.name = facts.name;
    made.computeMajor = facts.computeMajor;
    made.computeMinor = facts.computeMinor;
    QStringList taken;
    if (const auto limits = multiprocessorLimits(architectureFor(facts.computeMajor, facts.computeMinor))) {
        made.registersOfProcessor = limits->registers;
        made.threadsOfProcessor = limits->warps * warp;
        made.sharedBytesOfBlock = limits->sharedBytesPerBlock;
    } else {
        taken << QStringLiteral("registers and shared memory");
    }
    if (facts.processors)
        made.processors = *facts.processors;
    else
        taken << QStringLiteral("number of multiprocessors");
    const double ofMemory =
        facts.memoryBytesASecond.value_or(nearest.memoryBytesASecond) / nearest.memoryBytesASecond;
    const double ofProcessors = static_cast<double>(made.processors) / nearest.processors;
    for (const RateOfDevice &rate : ratesOfDevices())
        made.*rate.rate *= rate.scalesWith == ScalesWith::Memory       ? ofMemory
                           : rate.scalesWith == ScalesWith::Processors ? ofProcessors
                                                                       : 1;
    taken << QStringLiteral("rates");
    return {std::make_shared<const Device>(std::move(made)),
            QStringLiteral("%1 was not measured by us: its %2 are taken from %3, the nearest "
                           "that was, so its predictions are guesses.")
                .arg(facts.name, taken.join(QStringLiteral(", its ")), nearest.name)};
}

} // namespace warpwright
