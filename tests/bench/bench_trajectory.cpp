// SPDX-License-Identifier: GPL-3.0-or-later
// bench_trajectory [ITERATIONS]: writes a run of so many iterations (10,000) into a temporary folder and says
// how long its index, its pages and its replay take: the median and the longest of several tries, in
// milliseconds.
#include "agent/replay.h"
#include "agent/run_index.h"
#include "agent/text_change.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>

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

Json evaluationOf(int iteration) {
    const double speedUp = 1 + 0.0001 * iteration;
    EvaluationSummary summary;
    summary.id = QStringLiteral("e%1").arg(iteration);
    summary.startedAt = QDateTime::currentDateTimeUtc();
    summary.verdict = Verdict::Pass;
    summary.eager = SpeedUp{speedUp, speedUp * 0.99, speedUp * 1.01, QStringLiteral("eager")};
    summary.candidate = ArmTiming{100 / speedUp, 99 / speedUp, 101 / speedUp, 1600, true};
    return {{"of", "iteration"}, {"iteration", iteration}, {"summary", summaryToJson(summary)}};
}

/// Seven events an iteration. Not by the writer: its fsync would take most of the time.
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
        add("evaluation", evaluationOf(i));
        before = after;
    }
    return folder;
}

void measure(const char *what, int tries, const std::function<bool(int)> &act) {
    std::vector<double> times;
    for (int i = 0; i < tries; ++i) {
        QElapsedTimer clock;
        clock.start();
        if (!act(i))
            qFatal("%s failed", what);
        times.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
    }
    std::sort(times.begin(), times.end());
    std::printf("%-52s %9.2f %9.2f\n", what, times[times.size() / 2], times.back());
    std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
    const int iterations = argc > 1 ? std::max(200, std::atoi(argv[1])) : 10000;
    const QTemporaryDir folder;
    const QString state = folder.path();
    const QString run = writeRun(state, iterations);
    const QString id = QFileInfo(run).fileName();
    std::printf("%d iterations, %lld bytes\n%-52s %9s %9s\n", iterations,
                static_cast<long long>(QFileInfo(trajectoryFile(run)).size()), "milliseconds", "median",
                "longest");
    std::mt19937 random(7);
    const auto anyOf = [&random](int count) {
        return static_cast<int>(random() % static_cast<unsigned>(count));
    };
    measure("index made from nothing", 1, [&](int) { return RunIndex::open(state).hasValue(); });
    measure("opening with a warm index, runs, first 100 rows", 9, [&](int) {
        Result<RunIndex> opened = RunIndex::open(state);
        if (!opened.hasValue())
            return false;
        RunIndex index = std::move(opened).value();
        return index.runs().value().size() == 1 && index.iterations(id, 0, 100).value().size() == 100;
    });
    Result<RunIndex> opened = RunIndex::open(state);
    if (!opened.hasValue())
        return 1;
    RunIndex index = std::move(opened).value();
    measure("100 iterations anywhere", 99,
            [&](int) { return index.iterations(id, anyOf(iterations - 100), 100).value().size() == 100; });
    measure("100 events anywhere", 99, [&](int) {
        return index.events(id, 1 + anyOf(iterations * 7 - 100), 100).value().size() == 100;
    });
    measure("100 found events", 9,
            [&](int) { return index.search("unroll step", id, 100).value().size() == 100; });
    measure("one found event", 9, [&](int i) {
        return !index.search(QStringLiteral("step %1").arg(iterations - i), id, 100).value().empty();
    });
    TrajectoryReplay replay = TrajectoryReplay::open(trajectoryFile(run)).value();
    measure("replay to the end, every text checked", 1,
            [&](int) { return replay.seekIteration(iterations).hasValue(); });
    measure("replay of an iteration anywhere, once passed", 49,
            [&](int) { return replay.seekIteration(1 + anyOf(iterations)).hasValue(); });
    return replay.problems().empty() ? 0 : 1;
}
