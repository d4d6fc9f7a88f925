// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/playbook_setup.h"

#include "agent/playbook/target/device_rows.h"
#include "toolchain/environment/gpu_device.h"
#include "toolchain/environment/python_environment.h"
#include "toolchain/environment/shown_devices.h"

#include <algorithm>

namespace warpwright {
namespace {

/// The request's, or the first. `isSliced`: a slice of that card, which has less than the card has.
std::optional<DetectedDevice> factsOf(const std::vector<GpuDevice> &devices, const QString &asked,
                                      bool isSliced) {
    if (devices.empty())
        return std::nullopt;
    const auto named = std::find_if(devices.begin(), devices.end(), [&asked](const GpuDevice &device) {
        return asked == QStringLiteral("cuda:%1").arg(device.index);
    });
    const GpuDevice &device = named != devices.end() ? *named : devices.front();
    const QString name =
        isSliced || device.isSliced ? QStringLiteral("a slice of %1").arg(device.name) : device.name;
    return DetectedDevice{name, device.computeMajor, device.computeMinor, {}, {}};
}

} // namespace

Result<PlaybookSetup> playbookSetup(const EvaluationRequest &request, SessionMode mode) {
    using Answer = Result<PlaybookSetup>;
    const Result<PythonChoice> python =
        choosePython(request.python, request.settings, request.folders, request.environment);
    if (!python.hasValue())
        return Answer::error(python.message());
    const auto rows = readDeviceRows(deviceRowsFolder(request.folders.resources));
    if (!rows.hasValue())
        return Answer::error(rows.message());
    const Result<std::vector<GpuDevice>> found = findGpuDevices();
    std::vector<GpuDevice> devices = found.hasValue() ? found.value() : std::vector<GpuDevice>();
    const QString list = request.environment.value(QStringLiteral("CUDA_VISIBLE_DEVICES"));
    const bool isSliced = list.startsWith(QLatin1String("MIG-"));
    // Only the driver knows of which card a slice is; it supports what all cards support.
    if (request.environment.contains(QStringLiteral("CUDA_VISIBLE_DEVICES")) && !isSliced)
        devices = visibleDevices(devices, list);
    PlaybookSetup setup;
    setup.interpreter = python.value().interpreter;
    setup.resources = request.folders.resources;
    setup.hasCudaDevice = !devices.empty();
    setup.deviceRows = rows.value();
    setup.deviceFacts = factsOf(devices, request.device, isSliced);
    setup.pace = mode == SessionMode::Auto ? PlaybookPace::AllAtOnce : PlaybookPace::OneIdea;
    setup.asksPerson = mode != SessionMode::Auto;
    setup.dataFolder = request.folders.data;
    setup.measurementsFile = request.folders.data + QStringLiteral("/playbook-measurements.jsonl");
    setup.measurements = MeasurementTable::load(setup.measurementsFile);
    return Answer::ok(std::move(setup));
}

} // namespace warpwright
