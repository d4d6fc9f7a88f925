// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "toolchain/child_process.h"
#include "toolchain/json.h"
#include "toolchain/samples.h"

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

} // namespace

int runBench(const CommandContext &context) {
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
    const Result<Json> events = measured(QStringLiteral("events"), workspace.value());
    if (!events.hasValue())
        return refuse(context, events.message());
    for (const char *phase : {"check", "typing"}) {
        const Json part = events.value().value(phase, Json::object());
        print(STDOUT_FILENO,
              QStringLiteral(
                  "%1: %2 events, the costliest %3 ms of the window's CPU time (%4), %5 over 16 ms\n")
                  .arg(QLatin1String(qstrcmp(phase, "check") == 0 ? "while a check runs"
                                                                  : "typing into 5,000 lines"))
                  .arg(part.value("events", 0))
                  .arg(part.value("worstMilliseconds", 0.0), 0, 'f', 1)
                  .arg(QString::fromStdString(part.value("worstEvent", std::string())))
                  .arg(part.value("over16Milliseconds", 0)));
    }
    return 0;
}

} // namespace warpwright
