// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/judge/evaluation_facts.h"

#include "toolchain/base/text_file.h"
#include "toolchain/failure_map/failure_pattern.h"
#include "toolchain/workspace/exercised_files.h"
#include "toolchain/workspace/inputs_hash.h"
#include "toolchain/workspace/task_files.h"

#include <algorithm>

namespace warpwright {
namespace {

OrderedJson textOrNull(const QString &text) {
    return text.isEmpty() ? OrderedJson(nullptr) : OrderedJson(toJson(text));
}

/// What the device adds to a key: another chip or another driver gives other times.
void addDevice(HashedInputs &inputs, const Toolchain &toolchain, const DeviceChoice &device) {
    inputs.add(QStringLiteral("device"), device.gpu ? device.gpu->uuid : processorName());
    inputs.add(QStringLiteral("driver"), device.gpu ? device.gpu->driver : QString());
    inputs.add(QStringLiteral("torch"), toolchain.python ? toolchain.python->torchVersion : QString());
    inputs.add(QStringLiteral("torchCuda"), toolchain.python ? toolchain.python->torchCuda : QString());
    inputs.add(QStringLiteral("python"), toolchain.python ? toolchain.python->version : QString());
}

} // namespace

Evaluation emptyEvaluation(const QString &program) {
    Evaluation evaluation = newEvaluation();
    evaluation.workspace = workspaceSection(Workspace{});
    evaluation.environment = environmentSection(Toolchain{}, program);
    for (const char *key : {"kind", "name", "index", "uuid", "architecture"})
        evaluation.device[key] = nullptr;
    return evaluation;
}

OrderedJson workspaceSection(const Workspace &workspace) {
    OrderedJson sources = OrderedJson::array();
    for (const SourceFile &source : workspace.sources)
        sources.push_back(
            OrderedJson{{"file", toJson(source.name)}, {"kind", toJson(sourceKindName(source.kind))}});
    return OrderedJson{{"folder", textOrNull(workspace.folder)},
                       {"name", textOrNull(workspace.name)},
                       {"model", textOrNull(workspace.modelFile)},
                       {"modelNew", textOrNull(workspace.modelNewFile)},
                       {"sources", std::move(sources)},
                       {"hasUtils", workspace.hasUtils},
                       {"flags",
                        {{"nvcc", stringsToJson<OrderedJson>(workspace.task.nvccFlags)},
                         {"cxx", stringsToJson<OrderedJson>(workspace.task.cxxFlags)}}}};
}

OrderedJson environmentSection(const Toolchain &toolchain, const QString &program) {
    const PythonEnvironment python = toolchain.python.value_or(PythonEnvironment{});
    return OrderedJson{
        {"warpwright", textOrNull(program)},
        {"python", textOrNull(python.version)},
        {"interpreter", textOrNull(python.interpreter)},
        {"torch", textOrNull(python.torchVersion)},
        {"torchCuda", textOrNull(python.torchCuda)},
        {"cuda", textOrNull(toolchain.cuda ? toolchain.cuda->version : QString())},
        {"driver", textOrNull(toolchain.devices.empty() ? QString() : toolchain.devices.front().driver)},
        {"hostCompiler",
         textOrNull(toolchain.hostCompiler ? toolchain.hostCompiler->description : QString())}};
}

QString inputsHashOf(const Workspace &workspace, const Toolchain &toolchain, const DeviceChoice &device,
                     const CompilePlan &plan) {
    HashedInputs inputs;
    if (!addWorkspaceTexts(inputs, workspace).hasValue())
        return {};
    addDevice(inputs, toolchain, device);
    // Not the plan's own key: with -lineinfo an object belongs to its folder, and its result does not.
    for (const CompileStep &step : plan.steps)
        inputs.add(QStringLiteral("step ") + step.source, step.arguments.join(QLatin1Char('\n')));
    inputs.add(QStringLiteral("link"), plan.linkArguments.join(QLatin1Char('\n')));
    inputs.add(QStringLiteral("cuda"), toolchain.cuda ? toolchain.cuda->version : QString());
    inputs.add(QStringLiteral("hostCompiler"),
               toolchain.hostCompiler ? toolchain.hostCompiler->description : QString());
    return inputsHash(std::move(inputs));
}

QString baselinesFile(const QString &cache, const Workspace &workspace, const Toolchain &toolchain,
                      const DeviceChoice &device) {
    HashedInputs inputs;
    addDevice(inputs, toolchain, device);
    const Result<QByteArray> model = readTextFile(workspace.modelFile);
    inputs.add(QStringLiteral("model"), model.hasValue() ? model.value() : QByteArray());
    for (const TaskFile &file : neighboursOf(workspace.modelFile))
        inputs.add(QStringLiteral("beside ") + file.name, file.state());
    return cache + QStringLiteral("/baselines/") + inputsHash(std::move(inputs)).left(32) +
           QStringLiteral(".json");
}

EvaluationMessage verdictMessage(Verdict verdict, const Workspace &workspace, const QString &reason,
                                 const QString &advice) {
    EvaluationMessage message = messageFrom({}, reason, advice);
    message.thing = workspace.modelNewFile.isEmpty() ? workspace.modelFile : workspace.modelNewFile;
    switch (verdict) {
    case Verdict::Wrong:
        message.what = QStringLiteral("Wrong result from forward of");
        break;
    case Verdict::Rejected:
        message.what = QStringLiteral("Rejected");
        break;
    case Verdict::RunFailed:
        message.what = QStringLiteral("Cannot run");
        break;
    case Verdict::Impossible:
        message.what = QStringLiteral("Cannot believe");
        break;
    case Verdict::BuildFailed:
        message.what = QStringLiteral("Cannot compile");
        break;
    case Verdict::TaskFailed:
        message.what = QStringLiteral("Cannot use the reference");
        message.thing = workspace.modelFile;
        break;
    case Verdict::Unverifiable:
        message.what = QStringLiteral("Cannot verify against the reference");
        message.thing = workspace.modelFile;
        break;
    case Verdict::Inconclusive:
        message.what = QStringLiteral("Cannot decide how fast this is");
        break;
    case Verdict::Pass:
    case Verdict::Usage:
    case Verdict::Environment:
    case Verdict::NotRun:
    case Verdict::Cancelled:
        message.what = QStringLiteral("Did not finish");
        break;
    }
    return message;
}

namespace {

bool holdsResultOfTheCallBefore(const OrderedJson &verify) {
    for (const FailureMap &map : failureMaps(verify))
        for (const OutputFailure &output : map.outputs) {
            const std::vector<FailurePattern> patterns = patternsOf(output);
            if (std::any_of(patterns.begin(), patterns.end(), [](const FailurePattern &pattern) {
                    return pattern.kind == FailurePattern::Kind::Stale;
                }))
                return true;
        }
    return false;
}

} // namespace

EvaluationMessage judgedMessage(Verdict verdict, const Workspace &workspace, const Json &reply,
                                const OrderedJson &verify) {
    QString advice = stringIn(reply, "advice");
    if (verdict == Verdict::Wrong && holdsResultOfTheCallBefore(verify))
        advice = QStringLiteral(
            "Look for a result that is kept from call to call: an address (data_ptr) says nothing of what "
            "lies "
            "there now, the next inputs may have the same one. Compute it anew in each call, or return early "
            "nowhere; and look whether the kernel was launched and has written all of its output.");
    return verdictMessage(verdict, workspace, stringIn(reply, "reason"), advice);
}

void mergeFacts(OrderedJson &section, const Json &facts) {
    if (!facts.is_object())
        return;
    for (const auto &[key, value] : facts.items()) {
        if (!value.is_null() || !section.contains(key))
            section[key] = OrderedJson(value);
    }
}

double secondsInQueue(const Evaluation &evaluation) {
    const OrderedJson &environment = evaluation.environment;
    const auto found = environment.find("waitedSeconds");
    return found != environment.end() && found->is_number() ? found->get<double>() : 0;
}

void addSecondsInQueue(Evaluation &evaluation, double seconds) {
    evaluation.environment["waitedSeconds"] = secondsInQueue(evaluation) + seconds;
}

} // namespace warpwright
