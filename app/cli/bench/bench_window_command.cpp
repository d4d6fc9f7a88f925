// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench/bench_window_command.h"

#include "toolchain/base/json.h"
#include "toolchain/process/child_process.h"
#include "toolchain/workspace/samples.h"

#include <QCoreApplication>
#include <QDir>
#include <QEventLoop>
#include <QTemporaryDir>

#include <algorithm>
#include <ctime>
#include <unistd.h>

namespace warpwright {
namespace {

constexpr int starts = 10;

double monotonicMs() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

Result<Json> measured(const QString &what, const QString &workspace) {
    ProcessRequest request;
    request.program = QCoreApplication::applicationDirPath() + QStringLiteral("/warpwright");
    request.arguments = {QStringLiteral("--measure"), what, workspace};
    request.environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    request.environment.insert(QStringLiteral("WARPWRIGHT_BENCH_BEGUN_MS"),
                               QString::number(monotonicMs(), 'f', 3));
    request.timeLimitMs = 10 * 60'000;
    ChildProcess process;
    QEventLoop loop;
    Result<Json> answer = Result<Json>::error(QStringLiteral("no answer"));
    QObject::connect(&process, &ChildProcess::failed, &loop, [&](const QString &message) {
        answer = Result<Json>::error(message);
        loop.quit();
    });
    QObject::connect(&process, &ChildProcess::finished, &loop, [&](const ProcessOutcome &outcome) {
        answer = outcome.succeeded()
                     ? parseJson(outcome.standardOutput.trimmed())
                     : Result<Json>::error(QStringLiteral("The window ended with exit code %1: %2")
                                               .arg(outcome.exitCode)
                                               .arg(QString::fromUtf8(outcome.standardError).trimmed()));
        loop.quit();
    });
    process.start(request);
    loop.exec();
    return answer;
}

/// The phases of a measurement, and what goes on in each.
std::vector<std::pair<QString, QString>> phasesOf(const QString &what) {
    if (what == QLatin1String("events"))
        return {{QStringLiteral("check"), QStringLiteral("while a check runs")},
                {QStringLiteral("typing"), QStringLiteral("typing into 5,000 lines")}};
    return {{QStringLiteral("review"), QStringLiteral("a proposal of 2,000 lines comes under review")},
            {QStringLiteral("stream"),
             QStringLiteral("200 tokens a second for 10 s beside the diff of 2,000 lines")}};
}

void printPhase(const QString &title, const Json &phase) {
    const auto both = [&phase](const char *key) {
        return QStringLiteral("%1 (%2)")
            .arg(phase.value("cpuMilliseconds", Json::object()).value(key, 0.0), 0, 'f', 2)
            .arg(phase.value("wallMilliseconds", Json::object()).value(key, 0.0), 0, 'f', 2);
    };
    print(STDOUT_FILENO,
          QStringLiteral("%1: %2 events; median %3, 99 % %4, 99.9 % %5, longest %6: %7; %8 over 16 ms\n")
              .arg(title)
              .arg(phase.value("events", 0))
              .arg(both("p50"), both("p99"), both("p999"), both("worst"),
                   QString::fromStdString(phase.value("worstEvent", std::string())))
              .arg(phase.value("over16Milliseconds", 0)));
    if (const std::string tooLong = phase.value("tooLong", std::string()); !tooLong.empty())
        print(STDOUT_FILENO, QStringLiteral("  over 16 ms: %1\n").arg(QString::fromStdString(tooLong)));
}

int runBenchWindow(const CommandContext &context, const NoOptions & /*asked*/) {
    const QTemporaryDir folder;
    const Result<std::vector<Sample>> samples = listSamples(context.folders.resources);
    if (!samples.hasValue() || samples.value().empty())
        return refuse(context,
                      samples.hasValue() ? QStringLiteral("There is no sample to open.") : samples.message());
    const Result<QString> workspace = openSampleCopy(samples.value().front(), folder.path());
    if (!workspace.hasValue())
        return refuse(context, workspace.message());

    std::vector<double> times;
    for (int run = 0; run <= starts; ++run) {
        const Result<Json> answer = measured(QStringLiteral("start"), workspace.value());
        if (!answer.hasValue())
            return refuse(context, answer.message());
        // The first one warms the disk.
        if (run > 0)
            times.push_back(answer.value().value("startMilliseconds", 0.0));
    }
    std::sort(times.begin(), times.end());
    const double median = (times[starts / 2 - 1] + times[starts / 2]) / 2;
    print(
        STDOUT_FILENO,
        QStringLiteral("start to a usable editor, %1 times, warm disk, no display: median %2 ms, %3–%4 ms\n")
            .arg(starts)
            .arg(median, 0, 'f', 0)
            .arg(times.front(), 0, 'f', 0)
            .arg(times.back(), 0, 'f', 0));
    print(STDOUT_FILENO,
          QStringLiteral("events of the window's thread, offscreen: CPU time in ms (the wall's in brackets: "
                         "with what other programs take). An event below 16 ms is not noticed.\n"));
    for (const char *what : {"events", "stream"}) {
        const Result<Json> phases = measured(QLatin1String(what), workspace.value());
        if (!phases.hasValue())
            return refuse(context, phases.message());
        for (const auto &[phase, title] : phasesOf(QLatin1String(what)))
            printPhase(title, phases.value().value(phase.toStdString(), Json::object()));
    }
    return 0;
}

} // namespace

Command benchWindowCommand() {
    return commandWith("window", "How fast the window starts, and what its events cost while it works",
                       runBenchWindow);
}

} // namespace warpwright
