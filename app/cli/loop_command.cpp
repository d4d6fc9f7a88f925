// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/stop_on_interrupt.h"
#include "app/cli/version_text.h"
#include "toolchain/base/figures.h"
#include "toolchain/bench/loop_trial.h"
#include "toolchain/report/text_table.h"
#include "toolchain/workspace/samples.h"

#include <QEventLoop>

#include <unistd.h>

namespace warpwright {
namespace {

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

} // namespace

int runLoop(const CommandContext &context) {
    adoptOrphans();
    LoopRequest request;
    request.path = context.line.path;
    request.device = context.line.device;
    request.python = context.line.python;
    request.warmTurns = context.line.warmTurns;
    request.peerTurns = context.line.peerTurns;
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
              context.line.asksJson
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

} // namespace warpwright
