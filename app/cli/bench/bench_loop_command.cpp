// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench/bench_loop_command.h"

#include "app/cli/options/number_words.h"
#include "app/cli/options/shared_options.h"
#include "app/cli/process/stop_on_interrupt.h"
#include "app/cli/process/version_text.h"
#include "toolchain/base/figures.h"
#include "toolchain/bench/loop_trial.h"
#include "toolchain/report/text_table.h"
#include "toolchain/workspace/samples.h"

#include <CLI/CLI.hpp>

#include <QEventLoop>

#include <unistd.h>

namespace warpwright {
namespace {

struct BenchLoopOptions {
    QString path = QStringLiteral(".");
    int warmTurns = 5;
    int peerTurns = 2;
    MachineOptions machine;
    bool asksJson = false;

    void addTo(CLI::App &app);
    [[nodiscard]] QString understand() const;
};

void BenchLoopOptions::addTo(CLI::App &app) {
    addText(app, "DIR", path, "A workspace whose candidate passes (default: the current folder)")
        ->type_name("");
    app.add_option("--turns", warmTurns, "Turns with one kernel edited (default: 5)")
        ->check(between(1, 1000))
        ->type_name("COUNT");
    app.add_option("--peer-turns", peerTurns, "Turns of CUDA-Agent's steps (default: 2)")
        ->check(between(0, 100))
        ->type_name("COUNT");
    addDevice(app, machine.device);
    addPython(app, machine.python);
    app.add_flag("--json", asksJson, "Print all turns as JSON (warpwright.loop/1)");
    app.footer(
        "It works on copies; the workspace stays as it is. Exit code 0: measured; 2: it could not run.");
}

QString BenchLoopOptions::understand() const {
    const QString why = whyNoDevice(machine.device);
    return why.isEmpty() ? QString() : notUnderstood(why, QStringLiteral("wright bench loop --help"));
}

QString ratioText(std::optional<double> own, std::optional<double> peer) {
    if (!own || !peer || !(*own > 0))
        return QString();
    return QStringLiteral("1/%1").arg(*peer / *own, 0, 'f', *peer / *own < 10 ? 1 : 0);
}

QString tableText(const LoopTrial &trial, const Terminal &terminal) {
    TextTable table({1, 3, 4});
    table.heading({QStringLiteral("turn"), QStringLiteral("to the verdict"),
                   QStringLiteral("of CUDA-Agent's"), QStringLiteral("phases, seconds"),
                   QStringLiteral("verdict"), QStringLiteral("edited")});
    const std::optional<double> peer = trial.median(LoopTurn::Kind::Peer);
    for (const LoopTurn &turn : trial.turns()) {
        QStringList phases;
        for (const auto &[name, seconds] : turn.phases)
            phases << QStringLiteral("%1 %2").arg(name).arg(seconds, 0, 'f', 2);
        const bool isPeer = turn.kind == LoopTurn::Kind::Peer;
        table.row({nameOf(turn.kind), durationText(turn.seconds),
                   isPeer ? QString() : ratioText(turn.seconds, peer), phases.join(QStringLiteral(", ")),
                   isPeer ? QString() : verdictName(turn.verdict), turn.edited});
    }
    QString text = table.text(terminal, 0) + QLatin1Char('\n');
    for (const LoopTurn::Kind kind : loopTurnKinds) {
        const std::optional<double> own = trial.median(kind);
        if (own && peer && kind != LoopTurn::Kind::Peer)
            text += QStringLiteral("%1: %2, %3 of CUDA-Agent's %4 (medians)\n")
                        .arg(nameOf(kind), durationText(*own), ratioText(own, peer), durationText(*peer));
    }
    if (!trial.whyNoPeer().isEmpty())
        text += QStringLiteral("CUDA-Agent's steps did not run: %1\n").arg(printable(trial.whyNoPeer()));
    return text;
}

int runLoop(const CommandContext &context, const BenchLoopOptions &asked) {
    adoptOrphans();
    LoopRequest request;
    request.path = asked.path.isEmpty() ? QStringLiteral(".") : asked.path;
    request.device = asked.machine.device;
    request.python = asked.machine.python;
    request.warmTurns = asked.warmTurns;
    request.peerTurns = asked.peerTurns;
    request.judgeProgram = qEnvironmentVariable("WARPWRIGHT_JUDGE");
    request.programVersion = programVersion();
    request.settings = context.settings;
    request.folders = context.folders;

    QEventLoop loop;
    ProgressLine progress(context.errors);
    Interrupt interrupt;
    LoopTrial trial(std::move(request));
    int exitCode = 0;
    QObject::connect(&trial, &LoopTrial::progress, &progress, &ProgressLine::show);
    QObject::connect(&trial, &LoopTrial::finished, &loop, [&] {
        progress.clear();
        print(STDOUT_FILENO,
              context.asksJson
                  ? QString::fromUtf8(dumpJson(trial.document(programVersion()), 2)) + QLatin1Char('\n')
                  : tableText(trial, context.output));
        exitCode = interrupt.hasStopped() ? 130 : 0;
        loop.quit();
    });
    QObject::connect(&trial, &LoopTrial::failed, &loop, [&](const QString &message) {
        progress.clear();
        exitCode = refuse(context, message);
        loop.quit();
    });
    stopOnInterrupt(interrupt, trial, progress);
    // Not at once: a failure may come before the loop turns.
    QMetaObject::invokeMethod(&trial, &LoopTrial::start, Qt::QueuedConnection);
    loop.exec();
    return exitCode;
}

} // namespace

Command benchLoopCommand() {
    return commandWith("loop",
                       "How long it takes from an edit to a verdict, and CUDA-Agent's three steps beside it",
                       runLoop);
}

} // namespace warpwright
