// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench/bench_clock_command.h"

#include "app/cli/options/number_words.h"
#include "app/cli/options/shared_options.h"
#include "app/cli/process/stop_on_interrupt.h"
#include "app/cli/process/version_text.h"
#include "toolchain/base/figures.h"
#include "toolchain/bench/clock_trial.h"
#include "toolchain/process/processes_below.h"
#include "toolchain/report/text_table.h"

#include <CLI/CLI.hpp>

#include <QEventLoop>

#include <algorithm>
#include <unistd.h>

namespace warpwright {
namespace {

struct BenchClockOptions {
    QString path = QStringLiteral(".");
    QString arm = QStringLiteral("eager"); ///< or compile
    int quickRuns = 20;
    int certifyRuns = 5;
    MachineOptions machine;
    bool asksJson = false;

    void addTo(CLI::App &app);
    [[nodiscard]] QString understand() const;
};

void BenchClockOptions::addTo(CLI::App &app) {
    addWorkspace(app, path);
    addText(app, "--arm", arm, "eager or compile (default: eager)")
        ->check(CLI::IsMember({"eager", "compile"}))
        ->type_name("NAME");
    app.add_option("--quick", quickRuns, "Runs of the quick tier (default: 20)")
        ->check(between(0, 1000))
        ->type_name("COUNT");
    app.add_option("--certify", certifyRuns, "Runs of the certify tier (default: 5)")
        ->check(between(0, 1000))
        ->type_name("COUNT");
    addDevice(app, machine.device);
    addPython(app, machine.python);
    app.add_flag("--json", asksJson, "Print the runs as JSON (warpwright.clock/1)");
    app.footer(
        "Exit code 0: never faster by more than 5 %, the truth inside the interval in 90 of 100 runs, and "
        "each slow-down that can be certified found; 1: not; 2: it could not run.");
}

QString BenchClockOptions::understand() const {
    const QString why = whyNoDevice(machine.device);
    return why.isEmpty() ? QString() : notUnderstood(why, QStringLiteral("wright bench clock --help"));
}

constexpr double muchFaster = 0.05;
constexpr double wantedCoverage = 0.9;

/// What all runs come to.
struct Summary {
    int same = 0; ///< runs in which nothing was slower
    int covered = 0;
    int muchFaster = 0;
    int slowed = 0; ///< runs with a slow-down that were certified
    int found = 0;

    [[nodiscard]] bool isKept() const {
        return muchFaster == 0 && covered >= wantedCoverage * same && found == slowed;
    }
};

Summary summaryOf(const std::vector<ClockMeasurement> &runs) {
    Summary summary;
    for (const ClockMeasurement &run : runs) {
        summary.muchFaster += run.saysFaster(muchFaster) ? 1 : 0;
        if (run.slowdown == 0) {
            ++summary.same;
            summary.covered += run.covers() ? 1 : 0;
        } else if (!run.certificate.isEmpty()) {
            ++summary.slowed;
            summary.found += run.saysSlower() ? 1 : 0;
        }
    }
    return summary;
}

QString percentOver(double ratio) {
    return QStringLiteral("%1%2 %")
        .arg(ratio < 1 ? QString() : QStringLiteral("+"))
        .arg((ratio - 1) * 100, 0, 'f', 2);
}

QString wordOf(const ClockMeasurement &run) {
    if (!run.hasTimes)
        return run.reason;
    QString word = run.covers() ? QStringLiteral("covers the truth") : QStringLiteral("MISSES the truth");
    if (run.slowdown > 0)
        word += run.saysSlower() ? QStringLiteral(", found") : QStringLiteral(", not found");
    if (run.tier == Tier::Certify)
        word += run.certificate.isEmpty() ? QStringLiteral(", not certified")
                                          : QStringLiteral(", certified (%1)").arg(run.certificate);
    return word;
}

QString tableText(const ClockTrial &trial, const Terminal &terminal) {
    TextTable table({1, 2, 3, 5});
    table.heading({QStringLiteral("tier"), QStringLiteral("slower by"), QStringLiteral("found"),
                   QStringLiteral("95 % interval"), QString(), QStringLiteral("time")});
    for (const ClockMeasurement &run : trial.measurements()) {
        table.row(
            {tierName(run.tier), QStringLiteral("%1 %").arg(run.slowdown * 100),
             run.hasTimes ? percentOver(run.value) : QString(),
             run.hasTimes ? percentOver(run.low) + QStringLiteral(" to ") + percentOver(run.high) : QString(),
             wordOf(run), durationText(run.seconds)},
            run.covers() ? Ink::Plain : Ink::Bad);
    }
    const Summary summary = summaryOf(trial.measurements());
    return table.text(terminal, 0) +
           QStringLiteral("\n%1 of %2 intervals of the same code hold 1; faster by more than 5 %: %3; "
                          "slow-downs found: %4 of %5 certified\n")
               .arg(summary.covered)
               .arg(summary.same)
               .arg(summary.muchFaster)
               .arg(summary.found)
               .arg(summary.slowed);
}

int runClock(const CommandContext &context, const BenchClockOptions &asked) {
    adoptOrphans();
    ClockRequest request;
    request.path = asked.path.isEmpty() ? QStringLiteral(".") : asked.path;
    request.device = asked.machine.device;
    request.python = asked.machine.python;
    request.arm = asked.arm;
    request.quickRuns = asked.quickRuns;
    request.certifyRuns = asked.certifyRuns;
    request.judgeProgram = qEnvironmentVariable("WARPWRIGHT_JUDGE");
    request.settings = context.settings;
    request.folders = context.folders;

    QEventLoop loop;
    ProgressLine progress(context.errors);
    Interrupt interrupt;
    ClockTrial trial(std::move(request));
    int exitCode = 0;
    QObject::connect(&trial, &ClockTrial::progress, &progress, &ProgressLine::show);
    const auto show = [&] {
        progress.clear();
        if (context.asksJson)
            print(STDOUT_FILENO,
                  QString::fromUtf8(dumpJson(trial.document(programVersion()), 2)) + QLatin1Char('\n'));
        else
            print(STDOUT_FILENO, tableText(trial, context.output));
    };
    QObject::connect(&trial, &ClockTrial::finished, &loop, [&] {
        show();
        exitCode = interrupt.hasStopped() ? 130 : summaryOf(trial.measurements()).isKept() ? 0 : 1;
        loop.quit();
    });
    QObject::connect(&trial, &ClockTrial::failed, &loop, [&](const QString &message) {
        progress.clear();
        if (!trial.measurements().empty()) // what it has found so far
            show();
        exitCode = refuse(context, message);
        loop.quit();
    });
    stopOnInterrupt(interrupt, trial, progress);
    // Not at once: a failure may come before the loop turns.
    QMetaObject::invokeMethod(&trial, &ClockTrial::start, Qt::QueuedConnection);
    loop.exec();
    return exitCode;
}

} // namespace

Command benchClockCommand() {
    return commandWith("clock",
                       "What the judge's clock says of a reference against itself, and of one made slower",
                       runClock);
}

} // namespace warpwright
