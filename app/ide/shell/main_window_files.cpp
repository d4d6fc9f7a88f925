// SPDX-License-Identifier: GPL-3.0-or-later
// Writing and files in main_window.h: lines and cursors, changes, files beside each other, terminal and
// command.
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/files/command_page.h"
#include "app/ide/files/shell_place.h"
#include "app/ide/files/text_keys.h"
#include "app/ide/files/workspace_question.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/layout/window_state.h"
#include "app/ide/results/build_panel.h"
#include "app/ide/shell/main_window.h"
#include "toolchain/base/text_file.h"
#include "toolchain/workspace/workspace_template.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/editor_commands.h"
#include "widgets/frame/toasts.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QProcess>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QTextEdit>

namespace warpwright {

void MainWindow::connectFiles() {
    Actions &a = *m_actions;
    const auto on = [this](QAction *action, auto what) {
        connect(action, &QAction::triggered, this, what);
    };
    const std::pair<QAction *, void (EditorCommands::*)()> acts[] = {
        {a.moveLinesUp, &EditorCommands::moveLinesUp},
        {a.moveLinesDown, &EditorCommands::moveLinesDown},
        {a.duplicateLines, &EditorCommands::duplicateLines},
        {a.deleteLines, &EditorCommands::deleteLines},
        {a.joinLines, &EditorCommands::joinLines},
        {a.indentLines, &EditorCommands::indentLines},
        {a.dedentLines, &EditorCommands::dedentLines},
        {a.caretAbove, &EditorCommands::addCaretAbove},
        {a.caretBelow, &EditorCommands::addCaretBelow}};
    for (const auto &[action, act] : acts)
        on(action, [this, what = act] {
            if (CodeEditor *editor = editorToWriteIn(); editor != nullptr)
                (editor->decorator<EditorCommands>().*what)();
        });
    for (QAction *action : a.all())
        if (action->property("isKeyOfTexts").toBool())
            on(action, [this, action] { pressKeyOf(*action, m_candidate->currentEditor()); });
    on(a.nextChange, [this] { m_candidate->goToChange(1); });
    on(a.previousChange, [this] { m_candidate->goToChange(-1); });
    on(a.revertChange, [this] { m_candidate->revertChange(); });
    on(a.revertFile, [this] { m_candidate->revertToDisk(); });
    on(a.takeShownText, [this] { m_candidate->takeShownText(); });
    connect(a.changesSinceHead, &QAction::toggled, m_candidate, &CandidatePanel::setChangesSinceHead);
    if (!m_state->bytes(QStringLiteral("changesSinceHead")).isEmpty())
        a.changesSinceHead->setChecked(true);
    connect(m_candidate, &CandidatePanel::headKnown, this, [this](const QString &whyNot) {
        Actions::setReason(m_actions->changesSinceHead,
                           m_bench->workspace() ? whyNot : tr("no workspace is open"));
    });
    on(a.openBeside, [this] { m_candidate->openBeside(); });
    on(a.closeBeside, [this] { m_candidate->closeBeside(); });
    on(a.findChild<QAction *>(QStringLiteral("closeFile")), [this] { m_candidate->closeCurrent(); });
    on(a.otherEditor, [this] { m_candidate->goToOther(); });
    on(a.findChild<QAction *>(QStringLiteral("firstEditor")), [this] {
        if (m_pages->currentWidget() != m_workPage)
            showPage(m_workPage);
        m_candidate->focusHere();
    });
    on(a.findChild<QAction *>(QStringLiteral("secondEditor")), [this] {
        if (m_pages->currentWidget() != m_workPage)
            return showPage(m_workPage);
        if (!m_candidate->hasBeside())
            m_candidate->openBeside();
        m_candidate->focusHere();
        m_candidate->goToOther();
    });
    connect(m_candidate, &CandidatePanel::besideChanged, this, &MainWindow::enableFiles);
    on(a.nextFile, [this] { m_candidate->stepFile(1); });
    on(a.previousFile, [this] { m_candidate->stepFile(-1); });
    connect(m_candidate, &CandidatePanel::tabMenuAsked, this, &MainWindow::openTabMenu);
    connect(m_candidate, &CandidatePanel::renamedFiles, this,
            [this](const QString &title, const QString &text, const std::function<void()> &back) {
                Notice renamed = newsNotice(title, text, true);
                renamed.actionName = tr("Undo");
                renamed.action = back;
                m_toasts->show(renamed);
            });
    on(a.openTerminal, [this] { openTerminal(); });
    // Where the page is another one, showPage() gives the keys to the candidate a moment later.
    const auto onWorkPage = [this](auto what) {
        what();
        if (m_pages->currentWidget() == m_workPage)
            return;
        showPage(m_workPage);
        QMetaObject::invokeMethod(this, what, Qt::QueuedConnection);
    };
    on(a.runCommand, [this, onWorkPage] {
        onWorkPage([this] {
            m_build->showPage(QStringLiteral("command"));
            m_build->command().focusLine();
        });
    });
    m_build->command().setHistory(QString::fromUtf8(m_state->bytes(QStringLiteral("commands")))
                                      .split(QLatin1Char('\n'), Qt::SkipEmptyParts));
}

// A key that deletes lines may not do so out of sight, while somebody writes a message.
CodeEditor *MainWindow::editorToWriteIn() {
    QWidget *focused = QApplication::focusWidget();
    if (auto *editor = qobject_cast<CodeEditor *>(focused); editor != nullptr)
        return editor;
    CodeEditor *editor = m_candidate->currentEditor();
    const bool isInText = qobject_cast<QLineEdit *>(focused) != nullptr ||
                          qobject_cast<QPlainTextEdit *>(focused) != nullptr ||
                          qobject_cast<QTextEdit *>(focused) != nullptr;
    if (!isInText)
        return editor;
    editor->setFocus(Qt::ShortcutFocusReason);
    return nullptr;
}

void MainWindow::saveFiles() {
    m_state->setBytes(QStringLiteral("changesSinceHead"),
                      m_actions->changesSinceHead->isChecked() ? "yes" : "");
    m_state->setBytes(QStringLiteral("commands"),
                      m_build->command().history().join(QLatin1Char('\n')).toUtf8());
}

ShellPlace MainWindow::shellPlaceNow() const {
    return shellPlace(m_bench->workspace() ? m_bench->workspace()->folder : QString(),
                      QCoreApplication::applicationDirPath(), m_toolchain);
}

void MainWindow::enableFiles() {
    const bool isOpen = m_bench->workspace().has_value();
    const bool isEarlier = m_bench->shown().isEarlier;
    const QString noWorkspace = isOpen ? QString() : tr("no workspace is open");
    const QString noEdit = !isOpen     ? noWorkspace
                           : isEarlier ? tr("an earlier iteration is read-only")
                                       : m_bench->readOnlyReason();
    Actions &a = *m_actions;
    for (QAction *action :
         {a.moveLinesUp, a.moveLinesDown, a.duplicateLines, a.deleteLines, a.joinLines, a.indentLines,
          a.dedentLines, a.caretAbove, a.caretBelow, a.revertChange, a.revertFile})
        Actions::setReason(action, noEdit);
    Actions::setReason(a.takeShownText, !isOpen      ? noWorkspace
                                        : !isEarlier ? tr("no iteration is shown: pick one in Iterations")
                                                     : m_bench->readOnlyReason());
    for (QAction *action : {a.nextChange, a.previousChange})
        Actions::setReason(action, isEarlier ? tr("an earlier iteration is shown") : noWorkspace);
    for (QAction *action : {a.openBeside, a.nextFile, a.previousFile, a.openTerminal, a.runCommand,
                            a.findChild<QAction *>(QStringLiteral("firstEditor")),
                            a.findChild<QAction *>(QStringLiteral("closeFile")),
                            a.findChild<QAction *>(QStringLiteral("secondEditor"))})
        Actions::setReason(action, noWorkspace);
    if (!isOpen)
        Actions::setReason(a.changesSinceHead, noWorkspace);
    const QString none = m_candidate->hasBeside() ? QString() : tr("no file is open beside another");
    Actions::setReason(a.closeBeside, none);
    Actions::setReason(a.otherEditor, none);
    m_build->command().setPlace(isOpen ? shellPlaceNow() : ShellPlace());
}

void MainWindow::askWorkspaceFrom(const QString &modelFile) {
    inPool(
        this, [modelFile, data = m_bench->folders().data] { return workspacePlaces(modelFile, data); },
        [this](const WorkspacePlaces &places) {
            askForWorkspacePlace(this, places, [this, modelFile = places.modelFile](const QString &folder) {
                makeWorkspaceIn(folder, modelFile);
            });
        });
}

void MainWindow::makeWorkspaceIn(const QString &folder, const QString &modelFile) {
    inPool(
        this,
        [folder, modelFile, resources = m_bench->folders().resources] {
            // One of this very reference is gone on with: nothing is written twice.
            const Result<QByteArray> there = readTextFile(folder + QStringLiteral("/model.py"));
            const Result<QByteArray> text = readTextFile(modelFile);
            if (QFileInfo::exists(folder + QStringLiteral("/model_new.py")) && there.hasValue() &&
                text.hasValue() && there.value() == text.value())
                return Result<void>::ok();
            const Result<QStringList> made = createWorkspace(folder, modelFile, resources);
            return made.hasValue() ? Result<void>::ok() : Result<void>::error(made.message());
        },
        [this, folder](const Result<void> &made) {
            if (!made.hasValue())
                return sayTrouble(tr("No new workspace"), made.message());
            openWorkspace(folder);
        });
}

void MainWindow::openTabMenu(const QString &file, const QPoint &globalPosition) {
    auto *menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("fileTabMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(menu->addAction(tr("Open beside")), &QAction::triggered, this,
            [this, file] { m_candidate->openBeside(file); });
    connect(menu->addAction(tr("Copy the path")), &QAction::triggered, this, [this, file] {
        if (m_bench->workspace())
            QApplication::clipboard()->setText(m_bench->workspace()->folder + QLatin1Char('/') + file);
    });
    menu->addSeparator();
    // They are about the open file.
    for (QAction *action :
         {m_actions->revertFile, m_actions->takeShownText, m_actions->renameFile, m_actions->deleteFile}) {
        QAction *row = menu->addAction(action->text());
        row->setEnabled(action->isEnabled());
        connect(row, &QAction::triggered, this, [this, file, action] {
            if (m_candidate->showFile(file))
                action->trigger();
        });
    }
    menu->popup(globalPosition);
}

void MainWindow::openTerminal() {
    const QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const ShellPlace place = shellPlaceNow();
    const Result<TerminalCommand> command = terminalFor(
        place, environment, [](const QString &name) { return QStandardPaths::findExecutable(name); });
    if (!command.hasValue()) {
        // It can be done here, too; a notice that stays would lie over it.
        m_actions->runCommand->trigger();
        m_build->command().say(command.message());
        return;
    }
    QProcess terminal; // it lives on without us
    terminal.setProgram(command.value().program);
    terminal.setArguments(command.value().arguments);
    terminal.setWorkingDirectory(place.folder);
    if (!terminal.startDetached())
        sayTrouble(tr("No terminal"), tr("Cannot start \"%1\": %2. Name another one in $TERMINAL.")
                                          .arg(command.value().program, terminal.errorString()));
}

} // namespace warpwright
