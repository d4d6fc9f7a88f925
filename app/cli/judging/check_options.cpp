// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/judging/check_options.h"

#include "app/cli/command.h"
#include "app/cli/options/verdict_help.h"

#include <CLI/CLI.hpp>

namespace warpwright {

void CheckOptions::addTo(CLI::App &app) {
    addText(app, "DIR|FILE", path, "A workspace, or a lone model.py (default: the current folder)")
        ->type_name("");
    addText(app, "--device", machine.device,
            "auto, cpu or cuda:N (default: the settings', else auto: cuda:0 where there is one)")
        ->type_name("NAME");
    app.add_option_function<std::string>(
           "--tier", [this](const std::string &words) { tierWords = QString::fromStdString(words); },
           "quick: one live baseline; certify: all of them (default: the settings', else quick)")
        ->type_name("NAME");
    addText(app, "--stages", stageWords, "compile or compile,verify or compile,verify,profile (default: all)")
        ->type_name("LIST");
    addText(app, "--python", machine.python,
            "The interpreter whose torch is used (default: the settings', else our environment's)")
        ->type_name("PROGRAM");
    app.add_flag(
        "--sweep", sweepsConfigs,
        "On a GPU, after a quick profile: try the other values that ModelNew.CHOICES names, as hints");
    app.add_flag("--json", asksJson, "Print the evaluation as JSON (warpwright.evaluation/1)");
    app.footer(verdictTable().toStdString() + "\n\n" + rewardText().toStdString());
}

QString CheckOptions::understand() {
    QString why = whyNoDevice(machine.device);
    if (tierWords)
        tier = tierFromName(*tierWords);
    if (why.isEmpty() && tierWords && !tier)
        why = QStringLiteral("--tier \"%1\" is not quick or certify").arg(*tierWords);
    if (!why.isEmpty())
        return notUnderstood(why, QStringLiteral("wright check --help"));
    const Result<LastStage> last = parseStages(stageWords);
    if (!last.hasValue())
        return last.message();
    lastStage = last.value();
    return {};
}

} // namespace warpwright
