// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/long_run.h"

#include "agent/record/trajectory_event.h"
#include "agent/review/text_change.h"
#include "toolchain/evaluation/evaluation_summary.h"
#include "toolchain/history/iteration_store.h"

#include <QDir>
#include <QFile>

#include <string>

using namespace warpwright;

namespace {

constexpr int linesOfKernel = 300;

CandidateTexts textAt(int iteration) {
    QByteArray kernel;
    for (int line = 0; line < linesOfKernel; ++line)
        kernel += "    value[" + QByteArray::number(line) + "] = step(" +
                  QByteArray::number(line == iteration % linesOfKernel ? iteration : 0) + ");\n";
    return {{"model.py", QByteArray(2000, 'm')},
            {"model_new.py", QByteArray(1500, 'n')},
            {"kernels/a.cu", kernel}};
}

Json evaluationOf(int iteration, const Json &textHash) {
    const double speedUp = 1 + 0.0001 * iteration;
    EvaluationSummary summary;
    summary.id = QStringLiteral("e%1").arg(iteration);
    summary.startedAt = QDateTime::currentDateTimeUtc();
    summary.verdict = Verdict::Pass;
    summary.eager = SpeedUp{speedUp, speedUp * 0.99, speedUp * 1.01, QStringLiteral("eager")};
    summary.candidate = ArmTiming{100 / speedUp, 99 / speedUp, 101 / speedUp, 1600, true};
    return {{"of", "iteration"},
            {"iteration", iteration},
            {"proposal", "p" + std::to_string(iteration)},
            {"textHash", textHash},
            {"evaluation", "e" + std::to_string(iteration)},
            {"summary", summaryToJson(summary)}};
}

} // namespace

QString writeRun(const QString &state, int iterations) {
    const QString folder = runsFolder(state) + QStringLiteral("/20261121T200000.000Z-abcdef");
    QDir().mkpath(folder);
    QFile file(trajectoryFile(folder));
    if (!file.open(QIODevice::WriteOnly))
        qFatal("cannot write %s", qPrintable(file.fileName()));
    TrajectoryEvent event;
    event.at = QDateTime::currentDateTimeUtc();
    const auto add = [&](const char *kind, Json body) {
        event.kind = QString::fromLatin1(kind);
        event.body = std::move(body);
        ++event.number;
        event.at = event.at.addMSecs(300);
        file.write(lineOf(event));
    };
    CandidateTexts before = textAt(0);
    Json began = changeToJson(textChange({}, before));
    began["baseHash"] = began["resultHash"];
    began["agent"] = {{"kind", "script"}};
    add("run-began", began);
    for (int i = 1; i <= iterations; ++i) {
        const CandidateTexts after = textAt(i);
        Json change = changeToJson(textChange(before, after));
        change["proposal"] = "p" + std::to_string(i);
        change["prediction"] = {{"timeRatio", 0.999}};
        change["title"] = "unroll step " + std::to_string(i);
        add("message",
            {{"role", "agent"}, {"text", "I look at line " + std::to_string(i) + std::string(400, 'w')}});
        add("tool-call",
            {{"name", "compile"}, {"outcome", "ok"}, {"seconds", 1.5}, {"result", std::string(800, 'r')}});
        add("proposal", change);
        add("decision", {{"proposal", change["proposal"]}, {"answer", "accept"}, {"by", "policy"}});
        add("applied", change);
        add("iteration", {{"number", i},
                          {"parent", i - 1},
                          {"textHash", change["resultHash"]},
                          {"note", change["title"]}});
        add("evaluation", evaluationOf(i, change["resultHash"]));
        before = after;
    }
    return folder;
}

bool writeHistory(const QString &state, int iterations) {
    const IterationStore store(state);
    for (int i = 1; i <= iterations; ++i)
        if (!store.commit(textAt(i), i - 1, {AuthorKind::Script, {}}, QStringLiteral("unroll step %1").arg(i))
                 .hasValue())
            return false;
    return true;
}
