// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/setup/doctor_command.h"

#include "app/cli/options/shared_options.h"
#include "app/cli/process/interrupt.h"
#include "toolchain/process/processes_below.h"
#include "toolchain/report/text_table.h"
#include "toolchain/setup/doctor.h"

#include <CLI/CLI.hpp>

#include <QEventLoop>

#include <unistd.h>

namespace warpwright {
namespace {

struct DoctorOptions {
    QString python;
    bool asksJson = false;

    void addTo(CLI::App &app);
};

void DoctorOptions::addTo(CLI::App &app) {
    addText(app, "--python", python, "The interpreter to look at")->type_name("PROGRAM");
    app.add_flag("--json", asksJson, "Print the findings as JSON (warpwright.doctor/1)");
}

Ink inkOf(const DoctorFinding &finding) {
    if (finding.status == FindingStatus::Ok)
        return Ink::Plain;
    return finding.isNeeded && finding.status != FindingStatus::Unsure ? Ink::Bad : Ink::Unsure;
}

QString findingsText(const std::vector<DoctorFinding> &findings, const Terminal &terminal) {
    TextTable table;
    QString toDo;
    for (const DoctorFinding &finding : findings) {
        const QString fact = finding.version.isEmpty() ? finding.path : finding.version;
        const QString more = finding.version.isEmpty() ? QString() : finding.path;
        table.row({titleOf(finding), findingStatusName(finding.status), printable(fact), printable(more)},
                  inkOf(finding));
        if (finding.status == FindingStatus::Ok)
            continue;
        toDo += inked(terminal, inkOf(finding), titleOf(finding)) +
                (finding.isNeeded ? QString() : QStringLiteral(" (optional)")) + QStringLiteral("\n  ") +
                wrapped(printable(finding.message), terminal.columns - 2, 2) + QLatin1Char('\n');
        if (!finding.remedy.isEmpty())
            toDo += QStringLiteral("  to fix it: ") +
                    inked(terminal, Ink::Strong, printable(finding.remedy)) + QLatin1Char('\n');
    }
    QString text = table.text(terminal, 0);
    if (!toDo.isEmpty())
        text += QLatin1Char('\n') + toDo;
    text += isFitForChecks(findings) ? QStringLiteral("\nwright check can work here.\n")
                                     : QStringLiteral("\nwright check cannot work here yet: see above.\n");
    return text;
}

int runDoctor(const CommandContext &context, const DoctorOptions &asked) {
    adoptOrphans();
    ToolchainProbe::Request request;
    request.python = asked.python;
    request.settings = context.settings;
    request.folders = context.folders;

    QEventLoop loop;
    Interrupt interrupt;
    Doctor doctor(std::move(request));
    int exitCode = 0;
    bool isStopped = false;
    QObject::connect(&doctor, &Doctor::finished, &loop, [&](const std::vector<DoctorFinding> &findings) {
        if (isStopped) {
            exitCode = 130;
        } else {
            if (context.asksJson)
                print(STDOUT_FILENO,
                      QString::fromUtf8(dumpJson(findingsToJson(findings), 2)) + QLatin1Char('\n'));
            else
                print(STDOUT_FILENO, findingsText(findings, context.output));
            exitCode = isFitForChecks(findings) ? 0 : 2;
        }
        loop.quit();
    });
    QObject::connect(&interrupt, &Interrupt::stopAsked, &doctor, [&] {
        isStopped = true;
        doctor.cancel();
    });
    doctor.start();
    loop.exec();
    return exitCode;
}

} // namespace

Command doctorCommand() {
    return commandWith("doctor", "Show what was found on this machine, and how to fix the rest", runDoctor);
}

} // namespace warpwright
