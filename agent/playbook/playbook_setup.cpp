// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/playbook_setup.h"

#include "toolchain/gpu_device.h"
#include "toolchain/python_environment.h"

#include <algorithm>

namespace warpwright {

Result<PlaybookSetup> playbookSetup(const EvaluationRequest &request, SessionMode mode) {
    using Answer = Result<PlaybookSetup>;
    const Result<PythonChoice> python =
        choosePython(request.python, request.settings, request.folders, request.environment);
    if (!python.hasValue())
        return Answer::error(python.message());
    const Result<std::vector<GpuDevice>> found = findGpuDevices();
    const std::vector<GpuDevice> devices = found.hasValue() ? found.value() : std::vector<GpuDevice>();
    PlaybookSetup setup;
    setup.interpreter = python.value().interpreter;
    setup.resources = request.folders.resources;
    setup.hasCudaDevice = !devices.empty();
    setup.hasClusters = std::all_of(devices.begin(), devices.end(),
                                    [](const GpuDevice &device) { return device.computeMajor >= 9; });
    setup.hasWarpGroups = std::all_of(devices.begin(), devices.end(), [](const GpuDevice &device) {
        return device.computeMajor == 9 && device.computeMinor == 0;
    });
    setup.pace = mode == SessionMode::Auto ? PlaybookPace::AllAtOnce : PlaybookPace::OneIdea;
    setup.measurementsFile = request.folders.data + QStringLiteral("/playbook-measurements.jsonl");
    setup.measurements = MeasurementTable::load(setup.measurementsFile);
    return Answer::ok(std::move(setup));
}

} // namespace warpwright
