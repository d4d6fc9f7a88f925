// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/environment/shown_devices.h"

#include "toolchain/base/json.h"

#include <QRegularExpression>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int timeLimitMs = 30 * 1000;

/// CUDA reads numbers as strtoul does: "1gpu" is 1.
const GpuDevice *numbered(const std::vector<GpuDevice> &all, const QString &entry) {
    static const QRegularExpression digits(QStringLiteral("^[0-9]{1,4}"));
    const QRegularExpressionMatch match = digits.match(entry);
    if (!match.hasMatch())
        return nullptr;
    const auto found = std::find_if(all.begin(), all.end(), [&match](const GpuDevice &device) {
        return device.index == match.captured().toInt();
    });
    return found == all.end() ? nullptr : &*found;
}

const GpuDevice *named(const std::vector<GpuDevice> &all, const QString &entry) {
    const GpuDevice *match = nullptr;
    for (const GpuDevice &device : all) {
        if (!device.uuid.startsWith(entry))
            continue;
        if (match != nullptr)
            return nullptr; // it could mean several
        match = &device;
    }
    return match;
}

} // namespace

std::vector<GpuDevice> visibleDevices(const std::vector<GpuDevice> &all, const QString &cudaVisibleDevices) {
    std::vector<GpuDevice> visible;
    const QString list = cudaVisibleDevices.trimmed();
    // The first entry says of which kind all are.
    const QString prefix = list.startsWith(QLatin1String("GPU-"))   ? QStringLiteral("GPU-")
                           : list.startsWith(QLatin1String("MIG-")) ? QStringLiteral("MIG-")
                                                                    : QString();
    for (const QString &part : list.split(QLatin1Char(','))) {
        const QString entry = part.trimmed();
        const GpuDevice *match = prefix.isEmpty()           ? numbered(all, entry)
                                 : entry.startsWith(prefix) ? named(all, entry)
                                                            : nullptr;
        if (match == nullptr)
            break;
        if (std::any_of(visible.begin(), visible.end(),
                        [match](const GpuDevice &device) { return device.uuid == match->uuid; }))
            return {};
        visible.push_back(*match);
        visible.back().index = static_cast<int>(visible.size()) - 1;
    }
    return visible;
}

bool needsDriver(const std::vector<GpuDevice> &all) {
    return all.size() > 1 ||
           std::any_of(all.begin(), all.end(), [](const GpuDevice &device) { return device.isSliced; });
}

ProcessRequest driverQuestion(const QString &interpreter, const QString &resources,
                              const QProcessEnvironment &environment, const std::vector<GpuDevice> &all) {
    ProcessRequest request;
    request.program = interpreter;
    request.arguments = {resources + QStringLiteral("/list_devices.py")};
    for (const GpuDevice &device : all)
        request.arguments << device.uuid + (device.isSliced ? QStringLiteral("/sliced") : QString());
    request.environment = environment;
    request.timeLimitMs = timeLimitMs;
    request.outputLimitBytes = 1024 * 1024;
    return request;
}

Result<std::vector<GpuDevice>> readDriverAnswer(const QByteArray &json, const std::vector<GpuDevice> &all) {
    using Answer = Result<std::vector<GpuDevice>>;
    const Result<Json> parsed = parseJson(json);
    if (!parsed.hasValue() || !parsed.value().is_object() || !parsed.value().contains("devices"))
        return Answer::error(parsed.hasValue() ? stringIn(parsed.value(), "problem") : parsed.message());
    std::vector<GpuDevice> devices;
    for (const Json &entry : parsed.value()["devices"]) {
        if (!entry.is_object())
            continue;
        GpuDevice device;
        device.cardUuid = stringIn(entry, "cardUuid");
        const auto card = std::find_if(
            all.begin(), all.end(), [&device](const GpuDevice &one) { return one.uuid == device.cardUuid; });
        if (card != all.end())
            device = *card; // the driver's version, and the card's own UUID
        else if (!all.empty())
            device.driver = all.front().driver, device.driverCudaVersion = all.front().driverCudaVersion;
        device.index = static_cast<int>(devices.size());
        device.name = stringIn(entry, "name");
        device.uuid = stringIn(entry, "uuid");
        device.computeMajor = entry.value("computeMajor", 0);
        device.computeMinor = entry.value("computeMinor", 0);
        device.memoryBytes = entry.value("memoryBytes", std::int64_t{0});
        devices.push_back(device);
    }
    return Answer::ok(std::move(devices));
}

QString whyNoneIsShown(const QString &cudaVisibleDevices, std::size_t count) {
    return QStringLiteral(
               "CUDA_VISIBLE_DEVICES=\"%1\" shows none of this machine's %2. Unset it, or name one that "
               "\"nvidia-smi -L\" lists")
        .arg(cudaVisibleDevices,
             count == 1 ? QStringLiteral("one CUDA device") : QStringLiteral("%1 CUDA devices").arg(count));
}

} // namespace warpwright
