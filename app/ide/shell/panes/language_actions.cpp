// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/panes/language_actions.h"

#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/language/editor_call_hint.h"
#include "app/ide/language/editor_completion.h"
#include "app/ide/language/editor_hover.h"
#include "app/ide/language/editor_menu.h"
#include "app/ide/language/format_style.h"
#include "app/ide/language/language_controller.h"
#include "app/ide/language/language_marks.h"
#include "app/ide/language/place_walk.h"
#include "app/ide/language/source_window.h"
#include "app/ide/language/symbol_rename.h"
#include "app/ide/language/text_format.h"
#include "app/ide/shell/place_opener.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/shell/window_pages.h"
#include "app/ide/workbench/job.h"
#include "app/ide/workbench/workbench.h"
#include "widgets/editor/code_editor.h"
#include "widgets/look/look.h"

#include <QAction>
#include <QApplication>

#include <utility>

namespace warpwright {
namespace {

/// The editor that has the focus, else that of the candidate.
CodeEditor &editorNow(const CandidatePanel &candidate) {
    auto *focused = qobject_cast<CodeEditor *>(QApplication::focusWidget());
    return focused != nullptr ? *focused : *candidate.currentEditor();
}

PlaceWalk::Window walkedIn(const LanguageActions::Parts &parts, QWidget *window) {
    return {window,
            [&parts](const QString &file, int line, int column) {
                const OpenText *text = parts.language.textOf(file);
                if (text == nullptr || text->isGuest())
                    return false;
                parts.places.goTo(file, line, column);
                return true;
            },
            [&parts] {
                const CodeEditor &editor = editorNow(parts.candidate);
                const OpenText *text = parts.language.textOf(&editor);
                return text == nullptr ? StoodAt() : stoodAt(text->file(), editor);
            }};
}

} // namespace

LanguageActions::LanguageActions(const Parts &parts, QWidget *window) : QObject(window), m_parts(parts) {
    LanguageController &language = m_parts.language;
    const Look &look = m_parts.look;
    new LanguageMarks(language);
    new EditorMenu(language, m_parts.actions);
    m_hover = new EditorHover(look, language, window);
    m_hint = new EditorCallHint(look, language, window);
    // The one that is made last hears keys first: Esc closes the list before what lies around it.
    m_completion = new EditorCompletion(look, language, window);
    m_format = new TextFormat(language);
    m_rename = new SymbolRename(look, language, m_parts.bench, m_parts.candidate);
    m_walk = new PlaceWalk(look, language, m_parts.bench, walkedIn(m_parts, window));
    connectNotices();
    connectActions();
    connectState();
}

void LanguageActions::say(const QString &title, const QString &text) {
    m_parts.notices.takeBack(title); // pressed again it is the newest that counts
    m_parts.notices.tell(newsNotice(title, text));
}

void LanguageActions::connectNotices() {
    connect(m_completion, &EditorCompletion::callBegun, m_hint,
            [hint = m_hint](CodeEditor *editor) { hint->begin(*editor); });
    connect(m_walk, &PlaceWalk::noticed, this, &LanguageActions::say);
    connect(m_rename, &SymbolRename::noticed, this, &LanguageActions::say);
    connect(m_format, &TextFormat::noticed, this, &LanguageActions::say);
    connect(m_format, &TextFormat::styleMissed, this, [this](const QString &title, const QString &text) {
        m_parts.notices.takeBack(title);
        Notice missed = newsNotice(title, text, true);
        missed.actionName = m_parts.actions.writeFormatStyle->text();
        missed.action = [this] {
            m_parts.actions.writeFormatStyle->trigger();
        };
        m_parts.notices.tell(missed);
    });
    connect(m_hover, &EditorHover::nothingKnown, this,
            [this](const QString &why) { say(tr("No documentation"), why); });
    connect(m_completion, &EditorCompletion::nothingKnown, this,
            [this](const QString &why) { say(tr("Nothing to complete"), why); });
    connect(m_hint, &EditorCallHint::nothingKnown, this,
            [this](const QString &why) { say(tr("No call"), why); });
}

void LanguageActions::connectActions() {
    const Actions &a = m_parts.actions;
    const auto on = [this](QAction *action, auto what) {
        connect(action, &QAction::triggered, this, [this, what] {
            CodeEditor &editor = editorNow(m_parts.candidate);
            // Nothing is asked or changed out of sight: the key leads to the text first.
            if (editor.isVisible())
                return what(editor);
            m_parts.pages.comeToWork();
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
    onFocused(a.completeHere, [this](CodeEditor &editor) { m_completion->ask(editor); });
    onFocused(a.callHint, [this](CodeEditor &editor) { m_hint->ask(editor); });
    onFocused(a.showDocumentation, [this](CodeEditor &editor) { m_hover->showHere(editor); });
    on(a.goToDefinition, [this](CodeEditor &editor) { m_walk->definition(editor); });
    on(a.findReferences, [this](CodeEditor &editor) { m_walk->references(editor); });
    on(a.goToSymbol, [this](CodeEditor &editor) { m_walk->symbols(editor); });
    on(a.renameSymbol, [this](CodeEditor &editor) { m_rename->ask(editor); });
    on(a.formatFile, [this](CodeEditor &editor) { m_format->formatAll(editor); });
    on(a.formatSelection, [this](CodeEditor &editor) { m_format->formatSelection(editor); });
    connect(a.writeFormatStyle, &QAction::triggered, this, &LanguageActions::writeStyle);
    connect(a.placeBack, &QAction::triggered, m_walk, &PlaceWalk::back);
    connect(a.placeForward, &QAction::triggered, m_walk, &PlaceWalk::forward);
    connect(a.restartLanguage, &QAction::triggered, &m_parts.language, &LanguageController::restart);
    for (QAction *action :
         {a.showDocumentation, a.goToDefinition, a.findReferences, a.goToSymbol, a.placeBack, a.placeForward})
        m_walk->otherFiles().addAction(action);
}

void LanguageActions::connectState() {
    const LanguageController *language = &m_parts.language;
    connect(m_walk, &PlaceWalk::trailChanged, this, &LanguageActions::enable);
    connect(language, &LanguageController::stateChanged, this, &LanguageActions::enable);
    connect(language, &LanguageController::stateChanged, this, [this, wasTrouble = false]() mutable {
        const bool isTrouble = m_parts.language.isTrouble(m_parts.candidate.currentEditor());
        if (std::exchange(wasTrouble, isTrouble) != isTrouble)
            tellTrouble(isTrouble);
    });
    connect(language, &LanguageController::textAdded, this, &LanguageActions::enable);
    connect(&m_parts.bench, &Workbench::shownChanged, this, &LanguageActions::enable);
    connect(&m_parts.bench, &Workbench::closed, this, &LanguageActions::enable);
    connect(&m_parts.candidate, &CandidatePanel::placeChanged, this,
            [this, file = QString()](const QString &now) mutable {
                if (std::exchange(file, now) != now)
                    enable(); // another file may have another server
            });
}

void LanguageActions::tellTrouble(bool isTrouble) {
    m_parts.notices.takeBack(tr("Language server ended"));
    if (!isTrouble)
        return;
    Notice ended = newsNotice(tr("Language server ended"),
                              m_parts.language.stateOf(m_parts.candidate.currentEditor()), true);
    ended.actionName = tr("Start again");
    ended.action = [this] {
        m_parts.actions.restartLanguage->trigger();
    };
    m_parts.notices.tell(ended);
}

void LanguageActions::enable() {
    const CodeEditor *editor = m_parts.candidate.currentEditor();
    emit stateTold(m_parts.language.stateOf(editor), m_parts.language.isTrouble(editor));
    bool isGood = true;
    const QString found = m_parts.language.foundText(&isGood);
    emit serversFound(isGood, found);
    // What is asked of the reference is said when it is asked: which editor has the focus changes too often.
    const QString whyNot =
        m_parts.bench.workspace().has_value() ? m_parts.language.whyNot(editor) : tr("no workspace is open");
    const QString readOnly = m_parts.bench.shown().isEarlier ? tr("an earlier iteration is read-only")
                                                             : m_parts.bench.readOnlyReason();
    for (QAction *action :
         {m_parts.actions.completeHere, m_parts.actions.callHint, m_parts.actions.renameSymbol,
          m_parts.actions.formatFile, m_parts.actions.formatSelection})
        Actions::setReason(action, readOnly.isEmpty() ? whyNot : readOnly);
    const bool isOpen = m_parts.bench.workspace().has_value();
    for (QAction *action : {m_parts.actions.showDocumentation, m_parts.actions.goToDefinition,
                            m_parts.actions.findReferences, m_parts.actions.goToSymbol})
        Actions::setReason(action, isOpen ? QString() : tr("no workspace is open"));
    Actions::setReason(m_parts.actions.writeFormatStyle, isOpen ? QString() : tr("no workspace is open"));
    Actions::setReason(m_parts.actions.placeBack,
                       m_walk->trail().hasBack() ? QString() : tr("there is no place to go back to"));
    Actions::setReason(m_parts.actions.placeForward,
                       m_walk->trail().hasForward() ? QString() : tr("there is no place to go forward to"));
    Actions::setReason(m_parts.actions.restartLanguage,
                       !isOpen ? tr("no workspace is open")
                       : m_parts.bench.settings().languageServer == QLatin1String("off")
                           ? tr("the language server is off in the settings")
                           : QString());
}

void LanguageActions::writeStyle() {
    inPool(
        this,
        [folder = m_parts.bench.workspace()->folder, resources = m_parts.bench.folders().resources] {
            return writeFormatStyle(folder, resources);
        },
        [this](const Result<QString> &written) {
            m_parts.notices.takeBack(TextFormat::tr("Not formatted"));
            if (!written.hasValue())
                return m_parts.notices.sayTrouble(tr("No .clang-format was written"), written.message());
            m_parts.notices.tell(
                newsNotice(tr("A .clang-format was written"),
                           tr("\"%1\" decides how texts are laid out from now on: 4 blanks, lines "
                              "of 110 columns.")
                               .arg(written.value()),
                           true));
        });
}

} // namespace warpwright
