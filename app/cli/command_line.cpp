// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"

#include "app/cli/commands.h"
#include "app/cli/options/unknown_command.h"
#include "app/cli/options/verdict_help.h"
#include "app/cli/setup/version_command.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace warpwright {
namespace {

void addTo(CLI::App &app, const std::vector<Command> &commands) {
    for (const Command &command : commands) {
        CLI::App *verb = app.add_subcommand(command.name, command.help);
        if (!command.verbs.empty())
            verb->require_subcommand(1);
        if (command.addOptions)
            command.addOptions(*verb);
        addTo(*verb, command.verbs);
    }
}

/// The verb that was typed, of a group the one within it; null: none.
const Command *typed(const CLI::App &app, const std::vector<Command> &commands) {
    for (const Command &command : commands)
        if (const CLI::App *verb = app.get_subcommand(command.name); verb->parsed())
            return command.verbs.empty() ? &command : typed(*verb, command.verbs);
    return nullptr;
}

/// "bench tasks --help": of the verbs that were typed, which is where the mistake is.
QString helpWords(const CLI::App &app, const std::vector<Command> &commands) {
    for (const Command &command : commands)
        if (const CLI::App *verb = app.get_subcommand(command.name); verb->parsed())
            return QLatin1String(command.name) + QLatin1Char(' ') + helpWords(*verb, command.verbs);
    return QStringLiteral("--help");
}

/// What CLI11 has not understood. It says what is missing before it says what is too much, but with a
/// misspelt option it is that which is wrong.
QString complaintOf(const CLI::App &app, const CLI::ParseError &problem) {
    if (dynamic_cast<const CLI::RequiredError *>(&problem) != nullptr)
        for (const std::string &word : app.remaining(true))
            if (word.size() > 1 && word.front() == '-' && word != "--")
                return QStringLiteral("The following argument was not expected: %1")
                    .arg(QString::fromStdString(word));
    return QString::fromStdString(problem.what());
}

CommandLine errorLine(const QString &text, bool asksJson, bool refusesWithEvaluation) {
    CommandLine line;
    line.kind = CommandLine::Kind::Error;
    line.text = text;
    line.asksJson = asksJson;
    line.refusesWithEvaluation = refusesWithEvaluation;
    return line;
}

CommandLine lineOf(const Command &command) {
    CommandLine line;
    line.kind = CommandLine::Kind::Run;
    line.asksJson = command.asksJson && command.asksJson();
    line.refusesWithEvaluation = command.refusesWithEvaluation;
    line.run = command.run;
    return line;
}

CommandLine helpLine(const std::string &help) {
    CommandLine line;
    line.text = QString::fromStdString(help);
    return line;
}

} // namespace

CommandLine parseCommandLine(const QStringList &arguments) {
    CLI::App app("Compiles, verifies and profiles kernels that are to replace a PyTorch reference.",
                 "wright");
    bool isVersion = false;
    app.set_help_flag("-h,--help", "This text");
    app.add_flag("--version", isVersion, "The versions of all parts");
    app.require_subcommand(0, 1);
    const std::vector<Command> all = commands();
    addTo(app, all);
    // Last, because each command takes over the footer that is there when it is made.
    app.footer("wright COMMAND --help tells more of a command.\n\n" + verdictTable().toStdString() + "\n\n" +
               rewardText().toStdString());

    const auto refused = [&](const QString &sentence) {
        const QString first = arguments.value(1);
        return errorLine(sentence, arguments.contains(QStringLiteral("--json")),
                         std::any_of(all.begin(), all.end(), [&first](const Command &command) {
                             return command.refusesWithEvaluation && first == QLatin1String(command.name);
                         }));
    };
    std::vector<std::string> words;
    for (const QString &argument : arguments.mid(1))
        words.push_back(argument.toStdString());
    std::reverse(words.begin(), words.end()); // CLI11 takes them from the back
    try {
        app.parse(words);
    } catch (const CLI::CallForHelp &) {
        const auto chosen = app.get_subcommands();
        return helpLine(chosen.empty() ? app.help() : chosen.front()->help("wright"));
    } catch (const CLI::ParseError &problem) {
        const QString unknown = unknownCommand(app, arguments.value(1));
        return refused(notUnderstood(unknown.isEmpty() ? complaintOf(app, problem) : unknown,
                                     QStringLiteral("wright ") + helpWords(app, all)));
    }
    if (isVersion)
        return lineOf(versionCommand());
    const Command *command = typed(app, all);
    if (command == nullptr)
        return helpLine(app.help());
    if (const QString why = command->understand ? command->understand() : QString(); !why.isEmpty())
        return refused(why);
    return lineOf(*command);
}

} // namespace warpwright
