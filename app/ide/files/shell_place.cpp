// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/files/shell_place.h"

#include <QFileInfo>

#include <vector>

namespace warpwright {
namespace {

struct Known {
    const char *name;
    QStringList folder;  ///< %1: the folder
    QStringList command; ///< before the command that runs in it
};

const std::vector<Known> &known() {
    static const auto words = [](std::initializer_list<const char *> all) {
        QStringList list;
        for (const char *word : all)
            list << QString::fromLatin1(word);
        return list;
    };
    static const std::vector<Known> all{{"x-terminal-emulator", {}, words({"-e"})},
                                        {"gnome-terminal", words({"--working-directory=%1"}), words({"--"})},
                                        {"konsole", words({"--workdir", "%1"}), words({"-e"})},
                                        {"xfce4-terminal", words({"--working-directory=%1"}), words({"-x"})},
                                        {"kitty", words({"--directory", "%1"}), {}},
                                        {"alacritty", words({"--working-directory", "%1"}), words({"-e"})},
                                        {"foot", words({"--working-directory=%1"}), {}},
                                        {"wezterm", words({"start", "--cwd", "%1"}), words({"--"})},
                                        {"mate-terminal", words({"--working-directory=%1"}), words({"-x"})},
                                        {"lxterminal", words({"--working-directory=%1"}), words({"-e"})},
                                        {"urxvt", {}, words({"-e"})},
                                        {"xterm", {}, words({"-e"})}};
    return all;
}

} // namespace

ShellPlace shellPlace(const QString &folder, const QString &ownPrograms,
                      const std::optional<Toolchain> &toolchain) {
    ShellPlace place{folder, {ownPrograms}};
    if (toolchain && toolchain->python)
        place.programs << QFileInfo(toolchain->python->interpreter).path();
    if (toolchain && toolchain->cuda)
        place.programs << QFileInfo(toolchain->cuda->nvcc).path();
    place.programs.removeDuplicates();
    return place;
}

Result<TerminalCommand> terminalFor(const ShellPlace &place, const QProcessEnvironment &environment,
                                    const std::function<QString(const QString &)> &find) {
    QStringList names;
    const QString own = environment.value(QStringLiteral("TERMINAL"));
    if (!own.isEmpty())
        names << own;
    for (const Known &one : known())
        names << QString::fromLatin1(one.name);
    for (const QString &name : std::as_const(names)) {
        const QString program = find(name);
        if (program.isEmpty())
            continue;
        const QString base = QFileInfo(name).fileName();
        Known how{"", {}, {QStringLiteral("-e")}};
        for (const Known &one : known())
            if (base == QLatin1String(one.name))
                how = one;
        TerminalCommand command{program, {}};
        for (QString word : std::as_const(how.folder))
            command.arguments << word.replace(QStringLiteral("%1"), place.folder);
        // Some terminals are one server for all windows, whose environment is not ours.
        const QString path =
            (place.programs + QStringList{environment.value(QStringLiteral("PATH"))}).join(QLatin1Char(':'));
        command.arguments << how.command << QStringLiteral("env") << QStringLiteral("PATH=") + path
                          << environment.value(QStringLiteral("SHELL"), QStringLiteral("/bin/sh"));
        return Result<TerminalCommand>::ok(std::move(command));
    }
    return Result<TerminalCommand>::error(
        QStringLiteral(
            "Cannot open a terminal: none of %1 is in PATH. Install one, or name yours in $TERMINAL.")
            .arg(names.join(QStringLiteral(", "))));
}

} // namespace warpwright
