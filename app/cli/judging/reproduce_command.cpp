// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/judging/reproduce_command.h"

#include "app/cli/options/shared_options.h"
#include "app/cli/process/stop_on_interrupt.h"
#include "app/cli/process/version_text.h"
#include "toolchain/base/figures.h"
#include "toolchain/check/evaluation_run.h"
#include "toolchain/check/reproduction.h"
#include "toolchain/report/text_table.h"

#include <CLI/CLI.hpp>

#include <QDir>
#include <QEventLoop>
#include <QTemporaryDir>

#include <unistd.h>

namespace warpwright {
namespace {

struct ReproduceOptions {
    QString file; ///< the evaluation
    MachineOptions machine;
    bool asksJson = false;

    void addTo(CLI::App &app);
    [[nodiscard]] QString understand() const;
};

void ReproduceOptions::addTo(CLI::App &app) {
    addText(app, "FILE", file, "The evaluation: .warpwright/evaluations/ID.json of a workspace")
        ->required()
        ->type_name("");
    addText(app, "--device", machine.device, "auto, cpu or cuda:N (default: as the evaluation says)")
        ->type_name("NAME");
    addPython(app, machine.python);
    app.add_flag("--json", asksJson, "Print both as JSON (warpwright.reproduction/1)");
    app.footer("Exit code 0: the same verdict, and each speed-up within the greater of 1 % and both "
               "intervals; 1: not; 4: it could not be measured again; 2: the evaluation cannot be used.");
}

QString ReproduceOptions::understand() const {
    const QString why = whyNoDevice(machine.device);
    return why.isEmpty() ? QString() : notUnderstood(why, QStringLiteral("wright reproduce --help"));
}

QString deviceOf(const Evaluation &evaluation) {
    if (stringIn(evaluation.device, "kind") != QLatin1String("cuda"))
        return QStringLiteral("cpu");
    const auto index = evaluation.device.find("index");
    const bool isKnown = index != evaluation.device.end() && index->is_number_integer();
    return QStringLiteral("cuda:%1").arg(isKnown ? index->get<int>() : 0);
}

QString percent(double share) {
    return QStringLiteral("%1 %").arg(share * 100, 0, 'f', 1);
}

QString tableText(const Artefact &artefact, const Evaluation &again, const Terminal &terminal) {
    TextTable table({1, 2, 3, 4});
    table.heading({isCertifiedAsGraph(artefact.evaluation.profile)
                       ? QStringLiteral("speed-up as one CUDA graph")
                       : QStringLiteral("speed-up"),
                   QStringLiteral("before"), QStringLiteral("again"), QStringLiteral("difference"),
                   QStringLiteral("allowed"), QString()});
    const auto cell = [](const SpeedUp &speedup) {
        const FactorText text = factorText(speedup.value, speedup.low, speedup.high);
        return QStringLiteral("%1 %2").arg(text.value, text.interval);
    };
    for (const Reproduced &row : compareTimes(artefact.evaluation, again))
        table.row({QStringLiteral("over %1").arg(row.before.arm), cell(row.before), cell(row.again),
                   percent(row.difference), percent(row.allowed),
                   row.agrees ? QStringLiteral("agrees") : QStringLiteral("DOES NOT AGREE")},
                  row.agrees ? Ink::Plain : Ink::Bad);
    QString text = QStringLiteral("%1, the text of %2\n\n%3")
                       .arg(artefact.evaluation.id, artefact.foundIn, table.text(terminal, 2));
    for (const QString &difference : otherConditions(artefact.evaluation, again))
        text += QStringLiteral("  other conditions: %1\n").arg(difference);
    const std::optional<bool> agrees = isReproduced(artefact.evaluation, again);
    if (!agrees)
        text += QStringLiteral("\nnot measured again: the verdict is \"%1\" now. %2\n")
                    .arg(verdictName(again.verdict), plainText(again.message));
    else if (again.verdict != artefact.evaluation.verdict)
        text += QStringLiteral("\nnot reproduced: the verdict was \"%1\" and is \"%2\" now. %3\n")
                    .arg(verdictName(artefact.evaluation.verdict), verdictName(again.verdict),
                         plainText(again.message));
    else
        text += *agrees ? QStringLiteral("\nreproduced: within the greater of 1 % and the intervals\n")
                        : QStringLiteral("\nnot reproduced\n");
    return text;
}

int runReproduce(const CommandContext &context, const ReproduceOptions &asked) {
    const Result<Artefact> artefact = findArtefact(QDir::current().absoluteFilePath(asked.file));
    if (!artefact.hasValue())
        return refuse(context, artefact.message());
    // A folder of its own: neither the person's workspace nor its stored baselines are touched.
    const QTemporaryDir folder;
    const QString workspace =
        folder.filePath(stringIn(artefact.value().evaluation.task, "name", QStringLiteral("task")));
    if (!folder.isValid())
        return refuse(context,
                      QStringLiteral("Cannot make a temporary folder: %1").arg(folder.errorString()));
    if (const Result<void> laid = layOut(artefact.value(), workspace); !laid.hasValue())
        return refuse(context, laid.message());

    EvaluationRequest request;
    request.path = workspace;
    request.device =
        asked.machine.device.isEmpty() ? deviceOf(artefact.value().evaluation) : asked.machine.device;
    request.python = asked.machine.python;
    request.tier = artefact.value().evaluation.tier;
    request.settings = context.settings;
    request.folders = context.folders;
    request.programVersion = programVersion();
    request.judgeProgram = qEnvironmentVariable("WARPWRIGHT_JUDGE");

    adoptOrphans();
    QEventLoop loop;
    ProgressLine progress(context.errors);
    Interrupt interrupt;
    EvaluationRun run(request);
    int exitCode = 2;
    QObject::connect(&run, &EvaluationRun::progress, &progress, &ProgressLine::show);
    QObject::connect(&run, &EvaluationRun::stageEnded, &progress, &ProgressLine::stageEnded);
    QObject::connect(&run, &EvaluationRun::finished, &loop, [&](const Evaluation &again) {
        progress.clear();
        if (context.asksJson)
            print(STDOUT_FILENO,
                  QString::fromUtf8(dumpJson(reproductionDocument(artefact.value(), again), 2)) +
                      QLatin1Char('\n'));
        else
            print(STDOUT_FILENO, tableText(artefact.value(), again, context.output));
        const std::optional<bool> agrees = isReproduced(artefact.value().evaluation, again);
        exitCode = again.verdict == Verdict::Cancelled ? 130 : !agrees ? 4 : *agrees ? 0 : 1;
        loop.quit();
    });
    stopOnInterrupt(interrupt, run, progress);
    run.start();
    loop.exec();
    return exitCode;
}

} // namespace

Command reproduceCommand() {
    return commandWith("reproduce", "Measure the text of a stored evaluation again, and compare the times",
                       runReproduce);
}

} // namespace warpwright
