// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/evaluation/evaluation_json.h"

namespace warpwright {
namespace {

OrderedJson textOrNull(const QString &text) {
    return text.isEmpty() ? OrderedJson(nullptr) : OrderedJson(toJson(text));
}

template <typename Number>
OrderedJson numberOrNull(const std::optional<Number> &number) {
    return number ? OrderedJson(*number) : OrderedJson(nullptr);
}

// A place that the tool did not name is null, not 0: line 0 exists in no editor.
OrderedJson placeOrNull(int place) {
    return place > 0 ? OrderedJson(place) : OrderedJson(nullptr);
}

} // namespace

OrderedJson diagnosticToJson(const Diagnostic &diagnostic) {
    OrderedJson notes = OrderedJson::array();
    for (const DiagnosticNote &note : diagnostic.notes) {
        notes.push_back(OrderedJson{{"file", textOrNull(note.file)},
                                    {"line", placeOrNull(note.line)},
                                    {"column", placeOrNull(note.column)},
                                    {"message", toJson(note.message)}});
    }
    return OrderedJson{
        {"file", textOrNull(diagnostic.file)},      {"line", placeOrNull(diagnostic.line)},
        {"column", placeOrNull(diagnostic.column)}, {"severity", toJson(severityName(diagnostic.severity))},
        {"message", toJson(diagnostic.message)},    {"option", textOrNull(diagnostic.option)},
        {"tool", toJson(diagnostic.tool)},          {"notes", std::move(notes)}};
}

OrderedJson kernelToJson(const KernelResources &kernel) {
    OrderedJson json{{"name", toJson(kernel.name)},
                     {"mangled", toJson(kernel.mangled)},
                     {"arch", toJson(kernel.arch)},
                     {"registers", kernel.registers},
                     {"spillStoreBytes", kernel.spillStoreBytes},
                     {"spillLoadBytes", kernel.spillLoadBytes},
                     {"staticSharedBytes", kernel.staticSharedBytes},
                     {"stackBytes", kernel.stackBytes},
                     {"constantBytes", kernel.constantBytes},
                     {"barriers", kernel.barriers},
                     {"maxThreads", kernel.maxThreads}};
    if (kernel.launchThreads)
        json["launchThreads"] = *kernel.launchThreads;
    return json;
}

namespace {

OrderedJson compileToJson(const CompileSection &compile) {
    OrderedJson diagnostics = OrderedJson::array();
    for (const Diagnostic &diagnostic : compile.diagnostics)
        diagnostics.push_back(diagnosticToJson(diagnostic));
    OrderedJson kernels = OrderedJson::array();
    for (const KernelResources &kernel : compile.kernels)
        kernels.push_back(kernelToJson(kernel));
    return OrderedJson{{"status", toJson(statusName(compile.status))},
                       {"seconds", numberOrNull(compile.seconds)},
                       {"architecture", textOrNull(compile.architecture)},
                       {"objects", compile.objects},
                       {"cachedObjects", compile.cachedObjects},
                       {"wall", textOrNull(compile.sandbox)},
                       {"diagnostics", std::move(diagnostics)},
                       {"kernels", std::move(kernels)}};
}

OrderedJson messageToJson(const EvaluationMessage &message) {
    if (message.isEmpty())
        return nullptr;
    return OrderedJson{{"what", toJson(message.what)},
                       {"thing", textOrNull(message.thing)},
                       {"why", textOrNull(message.why)},
                       {"advice", textOrNull(message.advice)},
                       {"detail", textOrNull(message.detail)}};
}

} // namespace

OrderedJson toJson(const Evaluation &evaluation) {
    const QString time =
        evaluation.startedAt.toUTC().toString(QStringLiteral("yyyy-MM-dd'T'hh:mm:ss.zzz'Z'"));
    OrderedJson json{
        {"schema", evaluationSchema},
        {"id", toJson(evaluation.id)},
        {"startedAt", toJson(time)},
        {"seconds", numberOrNull(evaluation.seconds)},
        {"verdict", toJson(verdictName(evaluation.verdict))},
        {"reward", numberOrNull(evaluation.reward)},
        {"message", messageToJson(evaluation.message)},
        {"tier", toJson(tierName(evaluation.tier))},
        {"stages", stringsToJson<OrderedJson>(stageNames(evaluation.lastStage))},
        {"precision",
         {{"allowed", stringsToJson<OrderedJson>(evaluation.precisionAllowed)},
          {"measured", textOrNull(evaluation.precisionMeasured)}}},
        {"workspace", evaluation.workspace},
        {"task", evaluation.task},
        {"device", evaluation.device},
        {"environment", evaluation.environment},
        {"inputsHash", textOrNull(evaluation.inputsHash)},
        {"compile", compileToJson(evaluation.compile)},
        {"verify", evaluation.verify},
        {"profile", evaluation.profile},
        {"sanitizers", toJson(evaluation.sanitizers)},
        {"integrity", evaluation.integrity},
        {"doubts", stringsToJson<OrderedJson>(evaluation.doubts)},
        {"exercised", toJson(evaluation.exercised)},
    };
    if (evaluation.unexercised)
        json["unexercised"] = toJson(*evaluation.unexercised);
    return json;
}

QByteArray toText(const Evaluation &evaluation) {
    return dumpJson(toJson(evaluation), 2) + '\n';
}

} // namespace warpwright
