// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/panes/text_actions.h"

#include "app/ide/editing/candidate_panel.h"
#include "app/ide/files/command_page.h"
#include "app/ide/files/shell_place.h"
#include "app/ide/files/text_keys.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/language/text_format.h"
#include "app/ide/layout/window_state.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/shell/window_pages.h"
#include "app/ide/workbench/workbench.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/editor_commands.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QTextEdit>

namespace warpwright {
namespace {

/// Without a key, where the settings say «when you pause».
constexpr int saveWhenIdleMs = 1000;

} // namespace

TextActions::TextActions(const Parts &parts, QWidget *window)
    : QObject(window), m_parts(parts), m_window(window) {
    connectSaving();
    connectLines();
    connectChanges();
    connectEditors();
    connectFiles();
}

void TextActions::connectSaving() {
    connect(m_parts.actions.save, &QAction::triggered, this, [this] { saveByHand(); });
    m_idle.setSingleShot(true);
    m_idle.setInterval(saveWhenIdleMs);
    connect(&m_parts.candidate, &CandidatePanel::editsChanged, &m_idle, [this] { m_idle.start(); });
    connect(&m_idle, &QTimer::timeout, this, [this] {
        if (m_parts.bench.settings().compileOn == QLatin1String("idle") && m_parts.candidate.hasUnsaved() &&
            m_parts.bench.readOnlyReason().isEmpty())
            m_parts.candidate.saveAll([](bool) {});
    });
}

void TextActions::connectLines() {
    Actions &a = m_parts.actions;
    const std::pair<QAction *, void (EditorCommands::*)()> acts[] = {
        {a.toggleComment, &EditorCommands::toggleComment},
        {a.addOccurrence, &EditorCommands::addNextOccurrence},
        {a.matchingBrace, &EditorCommands::goToMatchingBrace},
        {a.toggleFold, &EditorCommands::toggleFold},
        {a.unfoldAll, &EditorCommands::unfoldAll},
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
        connect(action, &QAction::triggered, this, [this, what = act] {
            if (CodeEditor *editor = editorToWriteIn(); editor != nullptr)
                (editor->decorator<EditorCommands>().*what)();
        });
    for (QAction *action : a.all())
        if (action->property("isKeyOfTexts").toBool())
            connect(action, &QAction::triggered, this,
                    [this, action] { pressKeyOf(*action, m_parts.candidate.currentEditor()); });
    connect(a.replace, &QAction::triggered, this, [this] { m_parts.candidate.find(true); });
    connect(a.goToLine, &QAction::triggered, this, [this] { m_parts.candidate.askLine(); });
}

void TextActions::connectChanges() {
    Actions &a = m_parts.actions;
    const auto on = [this](QAction *action, auto what) {
        connect(action, &QAction::triggered, this, what);
    };
    on(a.nextChange, [this] { m_parts.candidate.goToChange(1); });
    on(a.previousChange, [this] { m_parts.candidate.goToChange(-1); });
    on(a.revertChange, [this] { m_parts.candidate.revertChange(); });
    on(a.revertFile, [this] { m_parts.candidate.revertToDisk(); });
    on(a.takeShownText, [this] { m_parts.candidate.takeShownText(); });
    connect(a.changesSinceHead, &QAction::toggled, &m_parts.candidate, &CandidatePanel::setChangesSinceHead);
    if (!m_parts.state.bytes(QStringLiteral("changesSinceHead")).isEmpty())
        a.changesSinceHead->setChecked(true);
    connect(&m_parts.candidate, &CandidatePanel::headKnown, this, [this](const QString &whyNot) {
        Actions::setReason(m_parts.actions.changesSinceHead,
                           m_parts.bench.workspace() ? whyNot : tr("no workspace is open"));
    });
}

void TextActions::connectEditors() {
    Actions &a = m_parts.actions;
    const auto on = [this](QAction *action, auto what) {
        connect(action, &QAction::triggered, this, what);
    };
    on(a.openBeside, [this] { m_parts.candidate.openBeside(); });
    on(a.closeBeside, [this] { m_parts.candidate.closeBeside(); });
    on(a.findChild<QAction *>(QStringLiteral("closeFile")), [this] { m_parts.candidate.closeCurrent(); });
    on(a.otherEditor, [this] { m_parts.candidate.goToOther(); });
    on(a.findChild<QAction *>(QStringLiteral("firstEditor")), [this] {
        m_parts.pages.showWork();
        m_parts.candidate.focusHere();
    });
    on(a.findChild<QAction *>(QStringLiteral("secondEditor")), [this] {
        if (!m_parts.pages.isOnWork())
            return m_parts.pages.showWork();
        if (!m_parts.candidate.hasBeside())
            m_parts.candidate.openBeside();
        m_parts.candidate.focusHere();
        m_parts.candidate.goToOther();
    });
    connect(&m_parts.candidate, &CandidatePanel::besideChanged, this, &TextActions::enable);
    on(a.nextFile, [this] { m_parts.candidate.stepFile(1); });
    on(a.previousFile, [this] { m_parts.candidate.stepFile(-1); });
}

void TextActions::connectFiles() {
    Actions &a = m_parts.actions;
    const auto on = [this](QAction *action, auto what) {
        connect(action, &QAction::triggered, this, what);
    };
    on(a.newKernel, [this] { m_parts.candidate.newKernel(); });
    on(a.renameFile, [this] { m_parts.candidate.renameCurrent(); });
    on(a.deleteFile, [this] { m_parts.candidate.deleteCurrent(); });
    connect(&m_parts.candidate, &CandidatePanel::tabMenuAsked, this, &TextActions::openTabMenu);
    connect(&m_parts.candidate, &CandidatePanel::renamedFiles, this,
            [this](const QString &title, const QString &text, const std::function<void()> &back) {
                Notice renamed = newsNotice(title, text, true);
                renamed.actionName = tr("Undo");
                renamed.action = back;
                m_parts.notices.tell(renamed);
            });
}

// A key that deletes lines may not do so out of sight, while somebody writes a message.
CodeEditor *TextActions::editorToWriteIn() const {
    QWidget *focused = QApplication::focusWidget();
    if (auto *editor = qobject_cast<CodeEditor *>(focused); editor != nullptr)
        return editor;
    CodeEditor *editor = m_parts.candidate.currentEditor();
    const bool isInText = qobject_cast<QLineEdit *>(focused) != nullptr ||
                          qobject_cast<QPlainTextEdit *>(focused) != nullptr ||
                          qobject_cast<QTextEdit *>(focused) != nullptr;
    if (!isInText)
        return editor;
    editor->setFocus(Qt::ShortcutFocusReason);
    return nullptr;
}

void TextActions::keep() const {
    m_parts.state.setBytes(QStringLiteral("changesSinceHead"),
                           m_parts.actions.changesSinceHead->isChecked() ? "yes" : "");
}

void TextActions::enable() {
    const bool isOpen = m_parts.bench.workspace().has_value();
    const bool isEarlier = m_parts.bench.shown().isEarlier;
    const QString noWorkspace = isOpen ? QString() : tr("no workspace is open");
    const QString noEdit = !isOpen     ? noWorkspace
                           : isEarlier ? tr("an earlier iteration is read-only")
                                       : m_parts.bench.readOnlyReason();
    Actions &a = m_parts.actions;
    for (QAction *action :
         {a.moveLinesUp, a.moveLinesDown, a.duplicateLines, a.deleteLines, a.joinLines, a.indentLines,
          a.dedentLines, a.caretAbove, a.caretBelow, a.revertChange, a.revertFile})
        Actions::setReason(action, noEdit);
    Actions::setReason(a.takeShownText, !isOpen      ? noWorkspace
                                        : !isEarlier ? tr("no iteration is shown: pick one in Iterations")
                                                     : m_parts.bench.readOnlyReason());
    for (QAction *action : {a.nextChange, a.previousChange})
        Actions::setReason(action, isEarlier ? tr("an earlier iteration is shown") : noWorkspace);
    for (QAction *action :
         {a.openBeside, a.nextFile, a.previousFile, a.findChild<QAction *>(QStringLiteral("firstEditor")),
          a.findChild<QAction *>(QStringLiteral("closeFile")),
          a.findChild<QAction *>(QStringLiteral("secondEditor"))})
        Actions::setReason(action, noWorkspace);
    if (!isOpen)
        Actions::setReason(a.changesSinceHead, noWorkspace);
    const QString none = m_parts.candidate.hasBeside() ? QString() : tr("no file is open beside another");
    Actions::setReason(a.closeBeside, none);
    Actions::setReason(a.otherEditor, none);
}

void TextActions::openTabMenu(const QString &file, const QPoint &globalPosition) {
    auto *menu = new QMenu(m_window);
    menu->setObjectName(QStringLiteral("fileTabMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(menu->addAction(tr("Open beside")), &QAction::triggered, this,
            [this, file] { m_parts.candidate.openBeside(file); });
    connect(menu->addAction(tr("Copy the path")), &QAction::triggered, this, [this, file] {
        if (m_parts.bench.workspace())
            QApplication::clipboard()->setText(m_parts.bench.workspace()->folder + QLatin1Char('/') + file);
    });
    menu->addSeparator();
    // They are about the open file.
    for (QAction *action : {m_parts.actions.revertFile, m_parts.actions.takeShownText,
                            m_parts.actions.renameFile, m_parts.actions.deleteFile}) {
        QAction *row = menu->addAction(action->text());
        row->setEnabled(action->isEnabled());
        connect(row, &QAction::triggered, this, [this, file, action] {
            if (m_parts.candidate.showFile(file))
                action->trigger();
        });
    }
    menu->popup(globalPosition);
}

void TextActions::saveByHand() {
    const auto save = [this] {
        m_parts.candidate.saveAll([](bool) {});
    };
    if (m_parts.bench.settings().formatOnSave == QLatin1String("on"))
        m_parts.format.formatChanged(save);
    else
        save();
}

} // namespace warpwright
