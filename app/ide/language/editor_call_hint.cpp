// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/language/editor_call_hint.h"

#include "app/ide/language/text_places.h"
#include "widgets/editor/code_editor.h"
#include "widgets/popups/call_hint.h"

#include <QKeyEvent>
#include <QScrollBar>

#include <algorithm>

namespace warpwright {
namespace {

using Sci = QsciScintillaBase;
constexpr int soonMs = 120;

} // namespace

EditorCallHint::EditorCallHint(const Look &look, LanguageController &controller, QWidget *window)
    : QObject(window), m_controller(controller), m_hint(new CallHint(look, window)) {
    m_soon.setSingleShot(true);
    m_soon.setInterval(soonMs);
    connect(&m_soon, &QTimer::timeout, this, [this] { send(false); });
    connect(&controller, &LanguageController::textAdded, this, &EditorCallHint::watch);
}

void EditorCallHint::watch(OpenText *text) {
    CodeEditor *editor = text->editor();
    if (text->isGuest() || editor == nullptr)
        return;
    editor->installEventFilter(this);
    editor->viewport()->installEventFilter(this);
    connect(editor, &QsciScintillaBase::SCN_CHARADDED, text, [this, editor, text](int character) {
        if (editor->isReadOnly() || editor->sci(Sci::SCI_GETSELECTIONS) > 1 || text->server() == nullptr ||
            character <= 0 || character > 0x7f)
            return;
        const bool begins =
            text->server()->signatureTriggers().contains(QString(QChar(static_cast<char16_t>(character))));
        if (begins && !isProse(*editor, editor->sci(Sci::SCI_GETCURRENTPOS)))
            begin(*editor);
    });
    connect(editor, &QObject::destroyed, this, [this] {
        if (!m_editor && m_hint->isVisible())
            close();
    });
    // While it stands it follows the cursor from parameter to parameter.
    connect(editor, &QsciScintilla::cursorPositionChanged, text, [this, editor] {
        if (editor == m_editor && m_hint->isVisible())
            m_soon.start();
    });
    connect(editor->verticalScrollBar(), &QScrollBar::valueChanged, text, [this, editor] {
        if (editor == m_editor)
            close();
    });
}

void EditorCallHint::ask(CodeEditor &editor) {
    m_editor = &editor;
    send(true);
}

void EditorCallHint::begin(CodeEditor &editor) {
    m_editor = &editor;
    m_soon.start();
}

void EditorCallHint::close() {
    (void)m_jobs.next();
    m_soon.stop();
    m_editor.clear();
    m_hint->hide();
}

void EditorCallHint::send(bool isByKey) {
    const int number = m_jobs.next();
    OpenText *text = m_editor ? m_controller.textOf(m_editor) : nullptr;
    LanguageServer *server = text == nullptr ? nullptr : text->asked();
    if (server == nullptr) {
        if (isByKey)
            emit nothingKnown(m_controller.whyNot(m_editor));
        return close();
    }
    server->signatureHelp(
        text->file(), cursorOf(*m_editor),
        [self = QPointer(this), number, isByKey](const SignatureHelp &help, const QString &problem) {
            if (!self || self->m_jobs.isStale(number) || !self->m_editor)
                return;
            if (!help.signatures.empty())
                return self->show(help);
            if (isByKey)
                emit self->nothingKnown(problem.isEmpty() ? tr("the cursor stands in no call") : problem);
            self->close();
        });
}

void EditorCallHint::show(const SignatureHelp &help) {
    const int count = static_cast<int>(help.signatures.size());
    const int active = std::clamp(help.active, 0, count - 1);
    const SignatureText &signature = help.signatures[static_cast<std::size_t>(active)];
    std::pair<int, int> part{0, 0};
    if (help.activeParameter >= 0 &&
        static_cast<std::size_t>(help.activeParameter) < signature.parameters.size())
        part = signature.parameters[static_cast<std::size_t>(help.activeParameter)];
    const long caret = m_editor->sci(Sci::SCI_GETCURRENTPOS);
    m_hint->showAbove(m_editor->window(), rectOf(*m_editor, caret, caret), signature.label, part.first,
                      part.second, count > 1 ? tr("%1 of %2").arg(active + 1).arg(count) : QString());
}

bool EditorCallHint::eventFilter(QObject *watched, QEvent *event) {
    if (!m_editor || (watched != m_editor && watched != m_editor->viewport()))
        return false;
    const bool isEscape = (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride) &&
                          static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape && m_hint->isVisible();
    if (isEscape && event->type() == QEvent::ShortcutOverride) {
        event->accept();
        return true;
    }
    if (isEscape) {
        close();
        return true;
    }
    if (event->type() == QEvent::FocusOut || event->type() == QEvent::Hide ||
        event->type() == QEvent::MouseButtonPress)
        close();
    return false;
}

} // namespace warpwright
