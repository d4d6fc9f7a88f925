// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/panes/shell_actions.h"

#include "app/ide/editing/candidate_panel.h"
#include "app/ide/files/command_page.h"
#include "app/ide/files/shell_place.h"
#include "app/ide/files/text_keys.h"
#include "app/ide/kit/actions.h"
#include "app/ide/language/text_format.h"
#include "app/ide/layout/window_state.h"
#include "app/ide/results/build_panel.h"
#include "app/ide/shell/device_display.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/shell/window_pages.h"
#include "app/ide/workbench/workbench.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/editor_commands.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStandardPaths>

namespace warpwright {

ShellActions::ShellActions(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {
    connect(m_parts.actions.openTerminal, &QAction::triggered, this, [this] { openTerminal(); });
    const auto toLine = [this] {
        m_parts.build.showPage(QStringLiteral("command"));
        m_parts.build.command().focusLine();
    };
    connect(m_parts.actions.runCommand, &QAction::triggered, this, [this, toLine] {
        toLine();
        if (m_parts.pages.isOnWork())
            return;
        // Where the page is another one, showWork() gives the keys to the candidate a moment later.
        m_parts.pages.showWork();
        QMetaObject::invokeMethod(this, toLine, Qt::QueuedConnection);
    });
    m_parts.build.command().setHistory(QString::fromUtf8(m_parts.state.bytes(QStringLiteral("commands")))
                                           .split(QLatin1Char('\n'), Qt::SkipEmptyParts));
}

void ShellActions::keep() const {
    m_parts.state.setBytes(QStringLiteral("commands"),
                           m_parts.build.command().history().join(QLatin1Char('\n')).toUtf8());
}

void ShellActions::enable() {
    const bool isOpen = m_parts.bench.workspace().has_value();
    for (QAction *action : {m_parts.actions.openTerminal, m_parts.actions.runCommand})
        Actions::setReason(action, isOpen ? QString() : tr("no workspace is open"));
    m_parts.build.command().setPlace(isOpen ? placeNow() : ShellPlace());
}

void ShellActions::openTerminal() {
    const QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const ShellPlace place = placeNow();
    const Result<TerminalCommand> command = terminalFor(
        place, environment, [](const QString &name) { return QStandardPaths::findExecutable(name); });
    if (!command.hasValue()) {
        // It can be done here, too; a notice that stays would lie over it.
        m_parts.actions.runCommand->trigger();
        m_parts.build.command().say(command.message());
        return;
    }
    QProcess terminal; // it lives on without us
    terminal.setProgram(command.value().program);
    terminal.setArguments(command.value().arguments);
    terminal.setWorkingDirectory(place.folder);
    if (!terminal.startDetached())
        m_parts.notices.sayTrouble(tr("No terminal"),
                                   tr("Cannot start \"%1\": %2. Name another one in $TERMINAL.")
                                       .arg(command.value().program, terminal.errorString()));
}

ShellPlace ShellActions::placeNow() const {
    return shellPlace(m_parts.bench.workspace() ? m_parts.bench.workspace()->folder : QString(),
                      QCoreApplication::applicationDirPath(), m_parts.device.toolchain());
}

} // namespace warpwright
