// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/move_findings.h"

#include "agent/playbook/codegen/kernel_names.h"
#include "toolchain/counters/counter_store.h"
#include "toolchain/findings/findings.h"
#include "toolchain/report/findings_report.h"
#include "toolchain/timeline/timeline_store.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace warpwright {
namespace {

/// Which findings a move addresses. Moves that are not here address none: a variant of a kernel is tried, and
/// so is the usual program.
const QStringList &answersOf(const QString &move) {
    static const std::map<QString, QStringList> answers{
        {QStringLiteral("fuse"),
         {QStringLiteral("launch-bound"), QStringLiteral("host-sync"), QStringLiteral("redundant-passes")}},
        {QStringLiteral("wide-loads"),
         {QStringLiteral("narrow-access"), QStringLiteral("few-bytes-in-flight")}},
        {QStringLiteral("one-pass"), {QStringLiteral("redundant-passes")}},
        {QStringLiteral("tf32"), {QStringLiteral("no-matrix-unit")}},
        {QStringLiteral("stage-rows"), {QStringLiteral("uncoalesced")}},
        {QStringLiteral("cluster"), {QStringLiteral("small-grid")}},
        {QStringLiteral("warp-groups"),
         {QStringLiteral("older-matrix-instruction"), QStringLiteral("no-matrix-unit")}},
        {QStringLiteral("own-products"), {QStringLiteral("launch-bound")}},
        {QStringLiteral("attention"), {QStringLiteral("launch-bound")}},
        {QStringLiteral("sampled-images"), {QStringLiteral("uncoalesced")}},
        {QStringLiteral("config"),
         {QStringLiteral("tail-wave"), QStringLiteral("small-grid"), QStringLiteral("low-occupancy"),
          QStringLiteral("register-limited"), QStringLiteral("barrier-wait"), QStringLiteral("idle-warps")}},
    };
    static const QStringList none;
    const auto found = answers.find(move);
    return found == answers.end() ? none : found->second;
}

/// Files of the kernels that a move changes: "kernels/fused_rows.cu". Another program changes any of them.
std::set<QString> filesChanged(const PlaybookMove &move, const Program &program,
                               const std::vector<Knobs> &knobSets) {
    std::set<QString> files;
    const std::vector<KernelNames> names = kernelNames(program.graph, program);
    for (std::size_t i = 0; i < names.size(); ++i)
        if (move.program || i >= move.knobSets.size() || i >= knobSets.size() ||
            move.knobSets[i] != knobSets[i])
            files.insert(QStringLiteral("kernels/%1.cu").arg(names[i].stem));
    return files;
}

std::optional<Finding> largest(const Findings &findings, const QStringList &ids,
                               const std::function<bool(const Finding &)> &isMeant) {
    std::optional<Finding> most;
    for (const Finding &finding : findings.list)
        if (!finding.isNote && finding.isMeasured && ids.contains(finding.id) && isMeant(finding) &&
            (!most || finding.gainShare.value_or(0) > most->gainShare.value_or(0)))
            most = finding;
    return most;
}

} // namespace

Findings countedFindings(const AgentRequest &request, const QString &data) {
    const QString state = stateFolderFor(request.workspace, {}, data);
    FindingInput input;
    const QString textHash = textHashOf(request.texts);
    input.counters = CounterStore(state).latestOf(textHash);
    if (!input.counters)
        return {};
    input.texts = request.texts;
    input.evaluation = request.lastEvaluation;
    input.timeline = TimelineStore(state).latestOf(textHash);
    return findingsOf(input);
}

std::optional<Finding> findingAnswered(const PlaybookMove &move, const Program &program,
                                       const std::vector<Knobs> &knobSets, const Findings &findings) {
    const QStringList &ids = answersOf(move.move);
    if (ids.isEmpty() || findings.list.empty())
        return std::nullopt;
    const std::set<QString> files = filesChanged(move, program, knobSets);
    return largest(findings, ids, [&files](const Finding &finding) {
        return finding.kernel.isEmpty() || files.count(finding.file) > 0;
    });
}

std::optional<Finding> findingAnsweredByAll(const Findings &findings) {
    return largest(findings, answersOf(QStringLiteral("fuse")), [](const Finding &) { return true; });
}

QString answeredFindingText(const Finding &finding) {
    QString position = finding.kernel.isEmpty() ? QStringLiteral("of the whole call")
                                                : QStringLiteral("of %1").arg(finding.kernel);
    if (!finding.file.isEmpty() && finding.line > 0)
        position += QStringLiteral(" (%1:%2)").arg(finding.file).arg(finding.line);
    QString text =
        QStringLiteral("It answers the finding [%1] «%2» %3").arg(finding.id, finding.title, position);
    if (!finding.evidence.empty()) {
        const FindingEvidence &first = finding.evidence.front();
        text += QStringLiteral(": %1: %2 (%3)").arg(first.what, valueText(first), first.source);
    }
    return text + QStringLiteral("; %1, measured.").arg(gainText(finding));
}

double rankOf(const PlaybookMove &move, const std::optional<Finding> &finding) {
    const double predicted = move.prediction.timeRatio.value_or(1);
    return finding && finding->gainShare ? std::min(predicted, 1 - *finding->gainShare) : predicted;
}

void holdToFinding(PlaybookMove &move, const Finding &finding) {
    if (!finding.gainShare || !move.prediction.timeRatio ||
        *move.prediction.timeRatio >= 1 - *finding.gainShare)
        return;
    move.prediction.timeRatio = 1 - *finding.gainShare;
    move.prediction.words +=
        QStringLiteral("; the finding [%1] says at most %2").arg(finding.id, gainText(finding));
}

} // namespace warpwright
