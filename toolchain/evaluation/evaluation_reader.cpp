// SPDX-License-Identifier: GPL-3.0-or-later
// The other half of evaluation_json.h: from text to value.
#include "toolchain/evaluation/evaluation_json.h"

#include <algorithm>

namespace warpwright {
namespace {

/// The fields of one object. The first one that is missing or misshapen is remembered by its name.
class Fields {
public:
    Fields(const OrderedJson &object, QString place, QString &problem)
        : m_object(object), m_place(std::move(place)), m_problem(problem) {}

    const OrderedJson &at(const char *key) const {
        static const OrderedJson nothing;
        if (!m_object.is_object() || !m_object.contains(key)) {
            complain(key, QStringLiteral("is missing"));
            return nothing;
        }
        return m_object[key];
    }

    QString text(const char *key) const {
        const OrderedJson &value = at(key);
        if (value.is_string())
            return fromJson(value.get<std::string>());
        if (!value.is_null())
            complain(key, QStringLiteral("is not a text"));
        return {};
    }

    std::optional<double> number(const char *key) const {
        const OrderedJson &value = at(key);
        if (value.is_number())
            return value.get<double>();
        if (!value.is_null())
            complain(key, QStringLiteral("is not a number"));
        return std::nullopt;
    }

    int integer(const char *key) const { return static_cast<int>(number(key).value_or(0)); }

    OrderedJson object(const char *key) const {
        const OrderedJson &value = at(key);
        if (!value.is_object())
            complain(key, QStringLiteral("is not an object"));
        return value;
    }

    OrderedJson array(const char *key) const {
        const OrderedJson &value = at(key);
        if (value.is_array())
            return value;
        complain(key, QStringLiteral("is not a list"));
        return OrderedJson::array();
    }

    /// The value that `read` finds for the text at `key`.
    template <typename Reader>
    auto word(const char *key, Reader read) const {
        const auto value = read(text(key));
        if (!value)
            complain(key, QStringLiteral("is not one of the words it may be"));
        return value;
    }

    void complain(const char *key, const QString &what) const {
        if (m_problem.isEmpty())
            m_problem = QStringLiteral("%1%2 %3").arg(m_place, QString::fromLatin1(key), what);
    }

private:
    const OrderedJson &m_object;
    QString m_place;
    QString &m_problem;
};

std::optional<Severity> severityFromName(const QString &name) {
    for (const Severity severity : {Severity::Note, Severity::Warning, Severity::Error, Severity::Fatal}) {
        if (name == severityName(severity))
            return severity;
    }
    return std::nullopt;
}

Diagnostic readDiagnostic(const OrderedJson &json, QString &problem) {
    const Fields fields(json, QStringLiteral("compile.diagnostics[]."), problem);
    Diagnostic diagnostic{
        fields.text("file"),      fields.integer("line"),
        fields.integer("column"), fields.word("severity", severityFromName).value_or(Severity::Error),
        fields.text("message"),   fields.text("option"),
        fields.text("tool"),      {}};
    for (const OrderedJson &entry : fields.array("notes")) {
        const Fields note(entry, QStringLiteral("compile.diagnostics[].notes[]."), problem);
        diagnostic.notes.push_back(DiagnosticNote{note.text("file"), note.integer("line"),
                                                  note.integer("column"), note.text("message")});
    }
    return diagnostic;
}

KernelResources readKernel(const OrderedJson &json, QString &problem) {
    const Fields fields(json, QStringLiteral("compile.kernels[]."), problem);
    KernelResources kernel;
    kernel.name = fields.text("name");
    kernel.mangled = fields.text("mangled");
    kernel.arch = fields.text("arch");
    kernel.registers = fields.integer("registers");
    kernel.spillStoreBytes = fields.integer("spillStoreBytes");
    kernel.spillLoadBytes = fields.integer("spillLoadBytes");
    kernel.staticSharedBytes = fields.integer("staticSharedBytes");
    kernel.stackBytes = fields.integer("stackBytes");
    kernel.constantBytes = fields.integer("constantBytes");
    kernel.barriers = fields.integer("barriers");
    kernel.maxThreads = fields.integer("maxThreads");
    if (json.is_object() && json.contains("launchThreads"))
        kernel.launchThreads = std::clamp(fields.integer("launchThreads"), 0, 1024);
    return kernel;
}

CompileSection readCompile(const OrderedJson &json, QString &problem) {
    const Fields fields(json, QStringLiteral("compile."), problem);
    CompileSection compile;
    compile.status = fields.word("status", statusFromName).value_or(StageStatus::NotRun);
    compile.seconds = fields.number("seconds");
    compile.architecture = fields.text("architecture");
    compile.objects = fields.integer("objects");
    compile.cachedObjects = fields.integer("cachedObjects");
    if (json.is_object() && json.contains("wall")) // not in documents before it was built
        compile.sandbox = fields.text("wall");
    for (const OrderedJson &entry : fields.array("diagnostics"))
        compile.diagnostics.push_back(readDiagnostic(entry, problem));
    for (const OrderedJson &entry : fields.array("kernels"))
        compile.kernels.push_back(readKernel(entry, problem));
    return compile;
}

EvaluationMessage readMessage(const OrderedJson &json, QString &problem) {
    if (json.is_null())
        return {};
    const Fields fields(json, QStringLiteral("message."), problem);
    // The format is additive: documents from before `detail` are still good.
    return EvaluationMessage{fields.text("what"), fields.text("thing"), fields.text("why"),
                             fields.text("advice"),
                             json.contains("detail") ? fields.text("detail") : QString()};
}

} // namespace

Result<Evaluation> evaluationFromJson(const QByteArray &text) {
    const Result<OrderedJson> parsed = parseJson<OrderedJson>(text);
    if (!parsed.hasValue())
        return Result<Evaluation>::error(parsed.message());
    const OrderedJson &document = parsed.value();
    if (stringIn(document, "schema") != QLatin1String(evaluationSchema)) {
        return Result<Evaluation>::error(
            QStringLiteral("its schema is \"%1\", and this version reads %2")
                .arg(stringIn(document, "schema"), QString::fromLatin1(evaluationSchema)));
    }

    QString problem;
    const Fields fields(document, {}, problem);
    Evaluation evaluation;
    evaluation.id = fields.text("id");
    evaluation.startedAt = QDateTime::fromString(fields.text("startedAt"), Qt::ISODateWithMs).toUTC();
    evaluation.seconds = fields.number("seconds");
    evaluation.verdict = fields.word("verdict", verdictFromName).value_or(Verdict::NotRun);
    if (const std::optional<double> reward = fields.number("reward"))
        evaluation.reward = static_cast<int>(*reward);
    evaluation.message = readMessage(fields.at("message"), problem);
    evaluation.tier = fields.word("tier", tierFromName).value_or(Tier::Quick);
    const Result<LastStage> stages = parseStages(stringsIn(fields.at("stages")).join(QLatin1Char(',')));
    if (stages.hasValue())
        evaluation.lastStage = stages.value();
    else
        fields.complain("stages", QStringLiteral("is not a list of stages"));
    const OrderedJson precisionObject = fields.object("precision");
    const Fields precision(precisionObject, QStringLiteral("precision."), problem);
    evaluation.precisionAllowed = stringsIn(precision.at("allowed"));
    evaluation.precisionMeasured = precision.text("measured");
    evaluation.workspace = fields.object("workspace");
    evaluation.task = fields.object("task");
    evaluation.device = fields.object("device");
    evaluation.environment = fields.object("environment");
    evaluation.inputsHash = fields.text("inputsHash");
    evaluation.compile = readCompile(fields.object("compile"), problem);
    evaluation.verify = fields.object("verify");
    evaluation.profile = fields.object("profile");
    if (document.contains("sanitizers")) // not in documents before they were built
        evaluation.sanitizers = sanitizersFromJson(document["sanitizers"]);
    evaluation.integrity = fields.object("integrity");
    evaluation.doubts = stringsIn(fields.array("doubts"));
    // Neither is in documents before it was told which files ran.
    evaluation.exercised = exercisedFilesFromJson(document.value("exercised", OrderedJson()));
    evaluation.unexercised = unexercisedFromJson(document.value("unexercised", OrderedJson()));
    if (!problem.isEmpty())
        return Result<Evaluation>::error(problem);
    return Result<Evaluation>::ok(std::move(evaluation));
}

} // namespace warpwright
