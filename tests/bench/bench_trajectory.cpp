// SPDX-License-Identifier: GPL-3.0-or-later
// bench_trajectory [ITERATIONS]: writes a run of so many iterations (10,000) into a temporary folder and says
// how long its index, its pages and its replay take: the median and the longest of several tries, in
// milliseconds.
#include "agent/record/replay.h"
#include "agent/record/run_index.h"
#include "tests/bench/long_run.h"

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
