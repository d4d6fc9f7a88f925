// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/check/reproduction.h"

#include "toolchain/base/text_file.h"
#include "toolchain/evaluation/evaluation_json.h"
#include "toolchain/evaluation/unexercised.h"
#include "toolchain/history/iteration_store.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

using Answer = Result<Artefact>;

constexpr double leastAllowed = 0.01;

double halfWidth(const SpeedUp &speedup) {
    return (speedup.high - speedup.low) / 2 / speedup.value;
}

// The text of that hash in the history: the newest iteration that has it.
bool takeFromHistory(Artefact &artefact, const QString &state, const QString &hash) {
    const IterationStore store(state);
    const Result<std::vector<IterationRecord>> records = store.list();
    if (!records.hasValue())
        return false;
    for (auto record = records.value().rbegin(); record != records.value().rend(); ++record) {
        if (record->iteration.textHash != hash)
            continue;
        Result<CandidateTexts> texts = store.texts(record->iteration.number);
        if (!texts.hasValue() || textHashOf(texts.value()) != hash)
            continue;
        artefact.texts = std::move(texts).value();
        artefact.foundIn = QStringLiteral("iteration %1").arg(record->iteration.number);
        return true;
    }
    return false;
}

bool takeFromWorkspace(Artefact &artefact, const QString &folder, const QString &hash) {
    const Result<Workspace> workspace = Workspace::open(folder, DataFolders::find());
    if (!workspace.hasValue())
        return false;
    Result<CandidateTexts> texts = readCandidateTexts(workspace.value());
    if (!texts.hasValue() || textHashOf(texts.value()) != hash)
        return false;
    artefact.texts = std::move(texts).value();
    artefact.foundIn = QStringLiteral("the workspace");
    return true;
}

} // namespace

Result<Artefact> findArtefact(const QString &file) {
    const Result<QByteArray> bytes = readTextFile(file);
    if (!bytes.hasValue())
        return Answer::error(bytes.message());
    Result<Evaluation> evaluation = evaluationFromJson(bytes.value());
    if (!evaluation.hasValue())
        return Answer::error(
            QStringLiteral("Cannot measure \"%1\" again: %2").arg(file, evaluation.message()));
    Artefact artefact;
    artefact.evaluation = std::move(evaluation).value();
    const auto cannot = [&file](const QString &why) {
        return Answer::error(QStringLiteral("Cannot measure \"%1\" again: %2").arg(file, why));
    };
    if (!speedUpIn(artefact.evaluation.profile, "sameClass"))
        return cannot(QStringLiteral("it has no times to compare with (its verdict is \"%1\"). Name the "
                                     "evaluation of a candidate that was profiled.")
                          .arg(verdictName(artefact.evaluation.verdict)));
    const QString hash = stringIn(artefact.evaluation.workspace, "textHash");
    if (hash.isEmpty())
        return cannot(QStringLiteral("it does not say which text it is of. Check that text again."));
    // <workspace>/.warpwright/evaluations/<id>.json
    const QString state = QFileInfo(QFileInfo(file).absolutePath()).path();
    const QString named = stringIn(artefact.evaluation.workspace, "folder");
    if (takeFromHistory(artefact, state, hash) ||
        takeFromWorkspace(artefact, QFileInfo(state).path(), hash) ||
        (!named.isEmpty() && takeFromWorkspace(artefact, named, hash)))
        return Answer::ok(std::move(artefact));
    return cannot(
        QStringLiteral("its text (%1) is neither in the history beside it nor in the workspace. Put "
                       "the text back into the workspace, or name the document where it was stored.")
            .arg(hash.left(8)));
}

Result<void> layOut(const Artefact &artefact, const QString &folder) {
    for (const auto &[name, bytes] : artefact.texts)
        if (const Result<void> written = writeFileAtomically(folder + QLatin1Char('/') + name, bytes);
            !written.hasValue())
            return written;
    return Result<void>::ok();
}

std::vector<Reproduced> compareTimes(const Evaluation &before, const Evaluation &again) {
    std::vector<Reproduced> rows;
    const bool isGraph = isCertifiedAsGraph(before.profile);
    const OrderedJson none;
    const OrderedJson &now = !isGraph                          ? again.profile
                             : again.profile.contains("graph") ? again.profile["graph"]
                                                               : none;
    for (const char *name : {"sameClass", "eager", "compile"}) {
        const std::optional<SpeedUp> first = speedUpIn(headlineTimes(before.profile), name);
        const std::optional<SpeedUp> second = speedUpIn(now, name);
        // Two baselines that are equally fast take turns in being the fastest: then the others decide.
        if (!first || !second || first->arm != second->arm)
            continue;
        const bool isThere = std::any_of(rows.begin(), rows.end(), [&first](const Reproduced &row) {
            return row.before.arm == first->arm;
        });
        if (isThere)
            continue;
        Reproduced row{QString::fromLatin1(name),        *first, *second,
                       second->value / first->value - 1, 0,      false};
        row.allowed = std::max(leastAllowed, halfWidth(*first) + halfWidth(*second));
        row.agrees = std::abs(row.difference) <= row.allowed; // false for what is no number
        rows.push_back(row);
    }
    return rows;
}

QStringList otherConditions(const Evaluation &before, const Evaluation &again) {
    QStringList differences;
    const auto compare = [&](const OrderedJson &one, const OrderedJson &other, const char *key,
                             const QString &name) {
        const QString then = stringIn(one, key);
        const QString now = stringIn(other, key);
        if (then != now)
            differences << QStringLiteral("%1: %2 before, %3 now")
                               .arg(name, then.isEmpty() ? QStringLiteral("unknown") : then,
                                    now.isEmpty() ? QStringLiteral("unknown") : now);
    };
    compare(before.device, again.device, "name", QStringLiteral("device"));
    compare(before.device, again.device, "uuid", QStringLiteral("device's UUID"));
    for (const char *key : {"driver", "torch", "cuda", "hostCompiler", "python", "warpwright"})
        compare(before.environment, again.environment, key, QString::fromLatin1(key));
    if (before.tier != again.tier)
        differences
            << QStringLiteral("tier: %1 before, %2 now").arg(tierName(before.tier), tierName(again.tier));
    return differences;
}

std::optional<bool> isReproduced(const Evaluation &before, const Evaluation &again) {
    const std::vector<Reproduced> rows = compareTimes(before, again);
    // What was kept of a parent was not found here, and cannot be found again.
    const Verdict found = measuredVerdict(before);
    if (again.verdict != Verdict::Pass && (exitCodeFor(again.verdict) != 1 || found == again.verdict))
        return std::nullopt;
    if (again.verdict != found)
        return false;
    if (rows.empty())
        return std::nullopt;
    return std::all_of(rows.begin(), rows.end(), [](const Reproduced &row) { return row.agrees; });
}

OrderedJson reproductionDocument(const Artefact &artefact, const Evaluation &again) {
    const auto speedup = [](const SpeedUp &value) {
        return OrderedJson{
            {"value", value.value}, {"low", value.low}, {"high", value.high}, {"arm", toJson(value.arm)}};
    };
    OrderedJson rows = OrderedJson::array();
    for (const Reproduced &row : compareTimes(artefact.evaluation, again))
        rows.push_back({{"name", toJson(row.name)},
                        {"before", speedup(row.before)},
                        {"again", speedup(row.again)},
                        {"difference", row.difference},
                        {"allowed", row.allowed},
                        {"agrees", row.agrees}});
    const std::optional<bool> agrees = isReproduced(artefact.evaluation, again);
    OrderedJson conditions = OrderedJson::array();
    for (const QString &difference : otherConditions(artefact.evaluation, again))
        conditions.push_back(toJson(difference));
    return {{"schema", "warpwright.reproduction/1"},
            {"before", toJson(artefact.evaluation.id)},
            {"foundIn", toJson(artefact.foundIn)},
            {"agrees", agrees ? OrderedJson(*agrees) : OrderedJson(nullptr)},
            {"lane", isCertifiedAsGraph(artefact.evaluation.profile) ? "graph" : "calls"},
            {"rows", rows},
            {"otherConditions", conditions},
            {"evaluation", toJson(again)}};
}

} // namespace warpwright
