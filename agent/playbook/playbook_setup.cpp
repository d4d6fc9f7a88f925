// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/playbook_setup.h"

#include "toolchain/gpu_device.h"
#include "toolchain/python_environment.h"

namespace warpwright {

Result<PlaybookSetup> playbookSetup(const EvaluationRequest &request, SessionMode mode) {
    using Answer = Result<PlaybookSetup>;
    const Result<PythonChoice> python =
        choosePython(request.python, request.settings, request.folders, request.environment);
    if (!python.hasValue())
        return Answer::error(python.message());
    const Result<std::vector<GpuDevice>> devices = findGpuDevices();
    const QString measured = request.folders.data + QStringLiteral("/playbook-measurements.jsonl");
    return Answer::ok({python.value().interpreter, request.folders.resources,
                       devices.hasValue() && !devices.value().empty(),
                       mode == SessionMode::Auto ? PlaybookPace::AllAtOnce : PlaybookPace::OneIdea, measured,
                       MeasurementTable::load(measured)});
}

} // namespace warpwright
