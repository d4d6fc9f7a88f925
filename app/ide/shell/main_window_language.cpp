// SPDX-License-Identifier: GPL-3.0-or-later
// The language servers in main_window.h: their actions, their state in the last line, the setting's words.
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/editing/reference_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/language/editor_call_hint.h"
#include "app/ide/language/editor_completion.h"
#include "app/ide/language/editor_hover.h"
#include "app/ide/language/editor_menu.h"
#include "app/ide/language/format_style.h"
#include "app/ide/language/language_desk.h"
#include "app/ide/language/language_marks.h"
#include "app/ide/language/place_walk.h"
#include "app/ide/language/source_window.h"
#include "app/ide/language/symbol_rename.h"
#include "app/ide/language/text_format.h"
#include "app/ide/layout/status_line.h"
#include "app/ide/settings/settings_page.h"
#include "app/ide/shell/main_window.h"
#include "widgets/editor/code_editor.h"
#include "widgets/frame/toasts.h"

#include <QApplication>

namespace warpwright {
namespace {

/// The editor that has the focus, else that of the candidate.
CodeEditor &editorNow(const CandidatePanel &candidate) {
    auto *focused = qobject_cast<CodeEditor *>(QApplication::focusWidget());
    return focused != nullptr ? *focused : *candidate.currentEditor();
}

} // namespace

void MainWindow::connectLanguage() {
    m_language = new LanguageDesk(*m_bench, *m_candidate, *m_reference, this);
    new LanguageMarks(*m_language);
    new EditorMenu(*m_language, *m_actions);
    auto *hover = new EditorHover(m_look, *m_language, this);
    auto *hint = new EditorCallHint(m_look, *m_language, this);
    // The one that is made last hears keys first: Esc closes the list before what lies around it.
    auto *completion = new EditorCompletion(m_look, *m_language, this);
    connect(completion, &EditorCompletion::callBegun, hint,
            [hint](CodeEditor *editor) { hint->begin(*editor); });
    m_format = new TextFormat(*m_language);
    auto *rename = new SymbolRename(m_look, *m_language, *m_bench, *m_candidate);
    m_walk = new PlaceWalk(m_look, *m_language, *m_bench,
                           {this,
                            [this](const QString &file, int line, int column) {
                                const OpenText *text = m_language->textOf(file);
                                if (text == nullptr || text->isGuest())
                                    return false;
                                goTo(file, line, column);
                                return true;
                            },
                            [this] {
                                const CodeEditor &editor = editorNow(*m_candidate);
                                const OpenText *text = m_language->textOf(&editor);
                                return text == nullptr ? StoodAt() : stoodAt(text->file(), editor);
                            }});

    const auto say = [this](const QString &title, const QString &text) {
        m_toasts->closeAll(title); // pressed again it is the newest that counts
        m_toasts->show(newsNotice(title, text));
    };
    connect(m_walk, &PlaceWalk::noticed, this, say);
    connect(rename, &SymbolRename::noticed, this, say);
    connect(m_format, &TextFormat::noticed, this, say);
    connect(m_format, &TextFormat::styleMissed, this, [this](const QString &title, const QString &text) {
        m_toasts->closeAll(title);
        Notice missed = newsNotice(title, text, true);
        missed.actionName = m_actions->writeFormatStyle->text();
        missed.action = [this] {
            m_actions->writeFormatStyle->trigger();
        };
        m_toasts->show(missed);
    });
    connect(m_actions->writeFormatStyle, &QAction::triggered, this, &MainWindow::writeStyle);
    connect(hover, &EditorHover::nothingKnown, this,
            [say](const QString &why) { say(tr("No documentation"), why); });
    connect(completion, &EditorCompletion::nothingKnown, this,
            [say](const QString &why) { say(tr("Nothing to complete"), why); });
    connect(hint, &EditorCallHint::nothingKnown, this,
            [say](const QString &why) { say(tr("No call"), why); });

    const auto on = [this](QAction *action, auto what) {
        connect(action, &QAction::triggered, this, [this, what] {
            CodeEditor &editor = editorNow(*m_candidate);
            // Nothing is asked or changed out of sight: the key leads to the text first.
            if (editor.isVisible())
                return what(editor);
            showPage(m_workPage);
            editor.setFocus(Qt::ShortcutFocusReason);
        });
    };
    // Their popups go with the focus, so it has to be there.
    const auto onFocused = [&on](QAction *action, auto what) {
        on(action, [what](CodeEditor &editor) {
            editor.setFocus(Qt::ShortcutFocusReason);
            what(editor);
        });
    };
    onFocused(m_actions->completeHere, [completion](CodeEditor &editor) { completion->ask(editor); });
    onFocused(m_actions->callHint, [hint](CodeEditor &editor) { hint->ask(editor); });
    onFocused(m_actions->showDocumentation, [hover](CodeEditor &editor) { hover->showHere(editor); });
    on(m_actions->goToDefinition, [this](CodeEditor &editor) { m_walk->definition(editor); });
    on(m_actions->findReferences, [this](CodeEditor &editor) { m_walk->references(editor); });
    on(m_actions->goToSymbol, [this](CodeEditor &editor) { m_walk->symbols(editor); });
    on(m_actions->renameSymbol, [rename](CodeEditor &editor) { rename->ask(editor); });
    on(m_actions->formatFile, [this](CodeEditor &editor) { m_format->formatAll(editor); });
    on(m_actions->formatSelection, [this](CodeEditor &editor) { m_format->formatSelection(editor); });
    connect(m_actions->placeBack, &QAction::triggered, m_walk, &PlaceWalk::back);
    connect(m_actions->placeForward, &QAction::triggered, m_walk, &PlaceWalk::forward);
    connect(m_actions->restartLanguage, &QAction::triggered, m_language, &LanguageDesk::restart);
    for (QAction *action :
         {m_actions->showDocumentation, m_actions->goToDefinition, m_actions->findReferences,
          m_actions->goToSymbol, m_actions->placeBack, m_actions->placeForward})
        m_walk->otherFiles().addAction(action);

    connect(m_walk, &PlaceWalk::trailChanged, this, &MainWindow::enableLanguage);
    connect(m_language, &LanguageDesk::stateChanged, this, &MainWindow::enableLanguage);
    connect(m_language, &LanguageDesk::stateChanged, this, [this, wasTrouble = false]() mutable {
        const CodeEditor *editor = m_candidate->currentEditor();
        const bool isTrouble = m_language->isTrouble(editor);
        if (std::exchange(wasTrouble, isTrouble) == isTrouble)
            return;
        m_toasts->closeAll(tr("Language server ended"));
        if (!isTrouble)
            return;
        Notice ended = newsNotice(tr("Language server ended"), m_language->stateOf(editor), true);
        ended.actionName = tr("Start again");
        ended.action = [this] {
            m_actions->restartLanguage->trigger();
        };
        m_toasts->show(ended);
    });
    connect(m_language, &LanguageDesk::textAdded, this, &MainWindow::enableLanguage);
    connect(m_bench, &Workbench::shownChanged, this, &MainWindow::enableLanguage);
    connect(m_bench, &Workbench::closed, this, &MainWindow::enableLanguage);
    connect(m_candidate, &CandidatePanel::placeChanged, this,
            [this, file = QString()](const QString &now) mutable {
                if (std::exchange(file, now) != now)
                    enableLanguage(); // another file may have another server
            });
    enableLanguage();
}

void MainWindow::enableLanguage() {
    const CodeEditor *editor = m_candidate->currentEditor();
    m_status->setLanguage(m_language->stateOf(editor), m_language->isTrouble(editor));
    bool isGood = true;
    const QString found = m_language->foundText(&isGood);
    m_settingsPage->setLanguageServers({isGood, found});
    // What is asked of the reference is said when it is asked: which editor has the focus changes too often.
    const QString whyNot =
        m_bench->workspace().has_value() ? m_language->whyNot(editor) : tr("no workspace is open");
    const QString readOnly =
        m_bench->shown().isEarlier ? tr("an earlier iteration is read-only") : m_bench->readOnlyReason();
    for (QAction *action : {m_actions->completeHere, m_actions->callHint, m_actions->renameSymbol,
                            m_actions->formatFile, m_actions->formatSelection})
        Actions::setReason(action, readOnly.isEmpty() ? whyNot : readOnly);
    const bool isOpen = m_bench->workspace().has_value();
    for (QAction *action : {m_actions->showDocumentation, m_actions->goToDefinition,
                            m_actions->findReferences, m_actions->goToSymbol})
        Actions::setReason(action, isOpen ? QString() : tr("no workspace is open"));
    Actions::setReason(m_actions->writeFormatStyle, isOpen ? QString() : tr("no workspace is open"));
    Actions::setReason(m_actions->placeBack, m_walk->trail().hasBack() ? QString() : tr("no place was left"));
    Actions::setReason(m_actions->placeForward,
                       m_walk->trail().hasForward() ? QString() : tr("nobody went back"));
    Actions::setReason(m_actions->restartLanguage,
                       !isOpen ? tr("no workspace is open")
                       : m_bench->settings().languageServer == QLatin1String("off")
                           ? tr("the language server is off in the settings")
                           : QString());
}

void MainWindow::writeStyle() {
    inPool(
        this,
        [folder = m_bench->workspace()->folder, resources = m_bench->folders().resources] {
            return writeFormatStyle(folder, resources);
        },
        [this](const Result<QString> &written) {
            m_toasts->closeAll(TextFormat::tr("Not formatted"));
            if (!written.hasValue())
                return sayTrouble(tr("No .clang-format was written"), written.message());
            m_toasts->show(newsNotice(tr("A .clang-format was written"),
                                      tr("\"%1\" decides how texts are laid out from now on: 4 blanks, lines "
                                         "of 110 columns.")
                                          .arg(written.value()),
                                      true));
        });
}

void MainWindow::saveByHand() {
    const auto save = [this] {
        m_candidate->saveAll([](bool) {});
    };
    if (m_bench->settings().formatOnSave == QLatin1String("on"))
        m_format->formatChanged(save);
    else
        save();
}

} // namespace warpwright
