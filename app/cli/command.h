// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/process/terminal.h"
#include "toolchain/base/data_folders.h"
#include "toolchain/base/settings.h"
#include "toolchain/base/verdict.h"

#include <QString>

#include <functional>
#include <memory>
#include <vector>

namespace CLI {
class App;
}

namespace warpwright {

/// What every command of `wright` is given, besides its own options.
struct CommandContext {
    DataFolders folders;
    Settings settings;
    Terminal output;                    ///< standard output
    Terminal errors;                    ///< standard error
    bool asksJson = false;              ///< --json was said
    bool refusesWithEvaluation = false; ///< of check: its errors are evaluations, too
};

/// A verb of `wright`: its name, its line in the help, its options, and what it does with them.
struct Command {
    const char *name = "";
    const char *help = "";
    std::function<void(CLI::App &)> addOptions;
    /// Once all words are read: the sentence about those that cannot be understood; empty: all can.
    std::function<QString()> understand;
    std::function<bool()> asksJson; ///< whether --json was said; none: the command has no such option
    /// Runs to its end and gives the exit code. Turns the event loop itself (there is none around it).
    std::function<int(const CommandContext &)> run;
    bool refusesWithEvaluation = false;
    std::vector<Command> verbs; ///< of a group like `bench`, one of which must be named
};

/// Of a command that takes none.
struct NoOptions {
    void addTo(CLI::App & /*app*/) const {}
};

/// `Options` is a struct of the command's own: addTo(CLI::App &) declares the fields; understand(), where it
/// has one, is Command::understand and may complete them; asksJson, where it has it, is its --json.
template <typename Options>
[[nodiscard]] Command commandWith(const char *name, const char *help,
                                  int (*run)(const CommandContext &, const Options &)) {
    const auto options = std::make_shared<Options>();
    Command command;
    command.name = name;
    command.help = help;
    command.addOptions = [options](CLI::App &app) {
        options->addTo(app);
    };
    if constexpr (requires(Options & one) { one.understand(); })
        command.understand = [options] {
            return options->understand();
        };
    if constexpr (requires(Options & one) { one.asksJson; })
        command.asksJson = [options] {
            return options->asksJson;
        };
    command.run = [options, run](const CommandContext &context) {
        return run(context, *options);
    };
    return command;
}

/// "Cannot understand the command: WHY. Run wright tune --help.": `help` is that last command.
[[nodiscard]] QString notUnderstood(const QString &why, const QString &help);

/// A sentence on standard error; with --json also a document on standard output, for those who only read
/// that: of check an evaluation, of all others `warpwright.error/1`. `verdict` gives the exit code: usage, or
/// cancelled where the person stopped it.
[[nodiscard]] int refuse(const CommandContext &context, const QString &message,
                         Verdict verdict = Verdict::Usage);

} // namespace warpwright
