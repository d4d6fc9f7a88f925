// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/judging/selftest_command.h"

#include "app/cli/options/shared_options.h"
#include "app/cli/process/stop_on_interrupt.h"
#include "app/cli/process/version_text.h"
#include "toolchain/base/figures.h"
#include "toolchain/bench/suite_run.h"
#include "toolchain/report/text_table.h"

#include <CLI/CLI.hpp>

#include <QEventLoop>

#include <unistd.h>

namespace warpwright {
namespace {

struct SelftestOptions {
    MachineOptions machine;
    QStringList rows;   ///< names; empty: all
    QString suite;      ///< another suite than ours, a folder
    QString shardWords; ///< as it was typed
    int shard = 1;
    int shards = 1;
    bool asksJson = false;

    void addTo(CLI::App &app);
    [[nodiscard]] QString understand();
};

void SelftestOptions::addTo(CLI::App &app) {
    addTexts(app, "ROW", rows, "Names of rows (default: all of the shard)")->type_name("");
    addText(app, "--device", machine.device,
            "auto, cpu or cuda:N (default: the settings', else auto: cuda:0 where there is one)")
        ->type_name("NAME");
    addText(app, "--suite", suite, "Another suite than the one that is shipped")->type_name("FOLDER");
    addText(app, "--shard", shardWords, "I/N: the I-th of N parts, from 1")->type_name("I/N");
    addPython(app, machine.python);
    app.add_flag("--json", asksJson, "Print the table as JSON (warpwright.selftest/1)");
    app.footer("Exit code 0: every row that this device can run came out as expected; 1: some did not; "
               "2: the suite cannot run here.");
}

QString SelftestOptions::understand() {
    QString why = takeShard(shardWords, shard, shards);
    if (why.isEmpty())
        why = whyNoDevice(machine.device);
    return why.isEmpty() ? QString() : notUnderstood(why, QStringLiteral("wright selftest --help"));
}

constexpr int whyColumns = 300;

QString wordOf(const SuiteResult &result) {
    return result.isOk     ? QStringLiteral("ok")
           : result.wasRun ? QStringLiteral("NOT OK")
                           : QStringLiteral("-");
}

QString tableText(const std::vector<SuiteResult> &results, const Terminal &terminal, double seconds) {
    TextTable table({5});
    table.heading({QStringLiteral("row"), QStringLiteral("kind"), QStringLiteral("expected"),
                   QStringLiteral("got"), QString(), QStringLiteral("time")});
    QString reasons;
    int ok = 0;
    int notRun = 0;
    for (const SuiteResult &result : results) {
        ok += result.isOk ? 1 : 0;
        notRun += result.wasRun ? 0 : 1;
        const Ink ink = result.isOk ? Ink::Plain : result.wasRun ? Ink::Bad : Ink::Faint;
        table.row({result.row.name, result.row.isAttack ? QStringLiteral("attack") : QStringLiteral("honest"),
                   result.row.expected, result.got, wordOf(result),
                   result.wasRun ? durationText(result.seconds) : QString()},
                  ink);
        if (result.wasRun && !result.isOk)
            reasons += inked(terminal, Ink::Bad, result.row.name) + QStringLiteral(" (") + result.row.does +
                       QStringLiteral(")\n  ") +
                       wrapped(printable(result.why.simplified().left(whyColumns)), terminal.columns - 2, 2) +
                       QLatin1Char('\n');
    }
    QString text = table.text(terminal, 0);
    if (!reasons.isEmpty())
        text += QLatin1Char('\n') + reasons;
    return text + QStringLiteral("\n%1 of %2 as expected, %3 not for this device; %4\n")
                      .arg(ok)
                      .arg(results.size() - static_cast<std::size_t>(notRun))
                      .arg(notRun)
                      .arg(durationText(seconds));
}

int runSelftest(const CommandContext &context, const SelftestOptions &asked) {
    adoptOrphans();
    SuiteRequest request;
    request.device = asked.machine.device;
    request.python = asked.machine.python;
    request.settings = context.settings;
    request.folders = context.folders;
    request.suite = asked.suite;
    request.shard = asked.shard;
    request.shards = asked.shards;
    request.only = asked.rows;

    QEventLoop loop;
    ProgressLine progress(context.errors);
    Interrupt interrupt;
    SuiteRun run(std::move(request));
    QElapsedTimer clock;
    clock.start();
    int exitCode = 0;
    QObject::connect(&run, &SuiteRun::progress, &progress, &ProgressLine::show);
    QObject::connect(&run, &SuiteRun::finished, &loop, [&] {
        progress.clear();
        const double seconds = static_cast<double>(clock.elapsed()) / 1000;
        if (context.asksJson)
            print(STDOUT_FILENO,
                  QString::fromUtf8(dumpJson(
                      suiteDocument(run.results(), run.device(), run.environment(programVersion()), seconds),
                      2)) +
                      QLatin1Char('\n'));
        else
            print(STDOUT_FILENO, tableText(run.results(), context.output, seconds));
        exitCode = interrupt.hasStopped() ? 130 : exitCodeFor(run.results());
        loop.quit();
    });
    QObject::connect(&run, &SuiteRun::failed, &loop, [&](const QString &message) {
        progress.clear();
        exitCode = refuse(context, message);
        loop.quit();
    });
    stopOnInterrupt(interrupt, run, progress);
    run.start();
    loop.exec();
    return exitCode;
}

} // namespace

Command selftestCommand() {
    return commandWith("selftest", "Try the judge with attacks, and with honest candidates beside them",
                       runSelftest);
}

} // namespace warpwright
