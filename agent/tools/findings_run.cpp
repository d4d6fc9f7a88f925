// SPDX-License-Identifier: GPL-3.0-or-later
// The tool `findings`: what is known of the work folder's text, and what the compiler makes of it.
#include "agent/tools/inspecting_run.h"
#include "agent/tools/kept_output.h"
#include "toolchain/counters/counter_store.h"
#include "toolchain/evaluation/evaluation_summary.h"
#include "toolchain/findings/stored_input.h"
#include "toolchain/process/in_pool.h"
#include "toolchain/report/findings_report.h"
#include "toolchain/tool_output/kernel_name.h"

namespace warpwright {
namespace {

constexpr std::size_t mostFindings = 8; ///< some 15 lines each

Json structuredOf(const Findings &findings) {
    Json list = Json::array();
    for (const Finding &finding : findings.list) {
        if (list.size() == mostFindings)
            break;
        Json one(toJson(finding));
        one.erase("evidence");
        list.push_back(std::move(one));
    }
    return Json{{"count", findings.list.size()}, {"findings", std::move(list)}};
}

ToolAnswer findingsAnswer(const Workspace &workspace, const CandidateTexts &texts,
                          const std::vector<Evaluation> &timed, const std::optional<Inspection> &inspection,
                          const QStringList &missing, const QString &kernel) {
    StoredInput stored = storedInputOf(workspace, texts, 0);
    // What this caller had measured just now need not be an iteration's.
    for (const Evaluation &one : timed)
        if (summaryOf(one).textHash == stored.subject.textHash)
            stored.input.evaluation = one;
    stored.input.inspection = inspection;
    QStringList absent = missing;
    if (!stored.input.evaluation)
        absent << QStringLiteral("no times of this text: profile measures them");
    if (!stored.damagedCounters.isEmpty())
        absent << stored.damagedCounters;
    else if (!stored.input.counters) {
        const QString other = CounterStore(workspace.state).newestText();
        absent << QStringLiteral("no counters of this text%1: counters collects them on a GPU")
                      .arg(other.isEmpty() ? QString()
                                           : QStringLiteral(" (there are some of %1)").arg(other));
    }
    if (!stored.input.timeline)
        absent << QStringLiteral("no timeline of this text: timeline traces one");
    const Findings all = findingsOf(stored.input);
    Findings findings = findingsNamed(all, kernel);
    findings.missing = absent + findings.missing;
    if (!kernel.isEmpty() && findings.list.empty()) {
        QStringList names;
        for (const Finding &finding : all.list)
            if (!finding.kernel.isEmpty() && !names.contains(finding.kernel))
                names << finding.kernel;
        findings.missing << QStringLiteral("no finding is of a kernel \"%1\"; there are some of: %2")
                                .arg(kernel.left(200), names.isEmpty() ? QStringLiteral("none")
                                                                       : names.join(QStringLiteral(", ")));
    }
    return {ToolAnswer::Outcome::Ok,
            cutInTheMiddle(findingsText(findings, Terminal(), static_cast<int>(mostFindings)),
                           mostAnswerBytes, QStringLiteral("Name a kernel to see less")),
            structuredOf(findings)};
}

class FindingsRun : public InspectingRun {
public:
    FindingsRun(ToolContext &context, const Json &arguments)
        : InspectingRun(context), m_kernel(stringIn(arguments, "kernel")) {}

    void start() override {
        withToolchain([this](const Toolchain &) {
            withTexts([this](const CandidateTexts &texts) {
                inspectTexts(texts, Listing::Sass,
                             [this, texts](const Result<Inspection> &read) { think(texts, read); });
            });
        });
    }

private:
    void think(const CandidateTexts &texts, const Result<Inspection> &read) {
        std::optional<Inspection> inspection;
        QStringList missing;
        if (!read.hasValue())
            missing << read.message();
        else if (read.value().status != CompileStatus::Passed)
            missing << QStringLiteral("no listing of the kernels: they do not compile; compile says why");
        else
            inspection = read.value();
        if (inspection && !inspection->note.isEmpty())
            missing << inspection->note;
        std::vector<Evaluation> timed;
        for (const std::optional<Evaluation> &one : {m_context.request.lastEvaluation, m_context.timed})
            if (one)
                timed.push_back(*one);
        inPool(
            this,
            [workspace = m_context.place.workspace, texts, timed = std::move(timed),
             inspection = std::move(inspection), missing, kernel = m_kernel] {
                return findingsAnswer(workspace, texts, timed, inspection, missing, kernel);
            },
            [this](const ToolAnswer &answer) { emit ended(answer); });
    }

    QString m_kernel;
};

} // namespace

MadeRun makeFindingsRun(ToolContext &context, const Json &arguments) {
    return std::make_unique<FindingsRun>(context, arguments);
}

} // namespace warpwright
