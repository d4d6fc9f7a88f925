// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/language/editor_hover.h"

#include "app/ide/language/text_places.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/diagnostic_marks.h"
#include "widgets/popups/text_popup.h"

#include <QApplication>
#include <QCursor>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>

namespace warpwright {
namespace {

using Sci = QsciScintillaBase;
constexpr int restMs = 400;

} // namespace

EditorHover::EditorHover(const Look &look, LanguageController &controller, QWidget *window)
    : QObject(window), m_controller(controller), m_popup(new TextPopup(look, window)) {
    m_rest.setSingleShot(true);
    m_rest.setInterval(restMs);
    connect(&m_rest, &QTimer::timeout, this, &EditorHover::rest);
    connect(&controller, &LanguageController::textAdded, this, &EditorHover::watch);
    connect(m_popup, &TextPopup::left, this, &EditorHover::close);
}

void EditorHover::watch(OpenText *text) {
    CodeEditor *editor = text->editor();
    if (editor == nullptr)
        return;
    editor->installEventFilter(this);
    editor->viewport()->setMouseTracking(true);
    editor->viewport()->installEventFilter(this); // before the editor's own, so that one of both speaks
    connect(editor, &QObject::destroyed, this, [this] {
        if (!m_editor && m_popup->isVisible())
            close();
    });
    connect(editor->verticalScrollBar(), &QScrollBar::valueChanged, text, [this, editor] {
        if (editor == m_editor)
            close();
    });
    connect(editor, &QsciScintilla::textChanged, text, [this, editor] {
        if (editor == m_editor)
            close();
    });
}

void EditorHover::close() {
    (void)m_jobs.next();
    m_rest.stop();
    m_isAwaited = false;
    m_isByKey = false;
    m_editor.clear();
    m_popup->hide();
}

void EditorHover::moveTo(CodeEditor &editor, const QPoint &point) {
    const long position = editor.sci(Sci::SCI_POSITIONFROMPOINTCLOSE, point.x(), point.y());
    const bool isSame = &editor == m_editor && position >= m_from && position < m_to;
    if (isSame && (m_popup->isVisible() || m_isAwaited))
        return;
    close();
    m_editor = &editor;
    m_point = point;
    m_rest.start();
}

void EditorHover::rest() {
    if (!m_editor)
        return;
    const long position = m_editor->sci(Sci::SCI_POSITIONFROMPOINTCLOSE, m_point.x(), m_point.y());
    if (position < 0)
        return; // beside the text, where the editor's own tooltips speak alone
    ask(*m_editor, position, m_editor->toolTipAt(m_point), false);
}

void EditorHover::showHere(CodeEditor &editor) {
    close();
    m_editor = &editor;
    m_isByKey = true;
    const long position = editor.sci(Sci::SCI_GETCURRENTPOS);
    // What is marked at the cursor's line is said as well: by key there is no other way to a warning's words.
    QStringList own;
    const EditorPlace here = editor.cursorPlace();
    for (const EditorMark &mark : editor.decorator<DiagnosticMarks>().marks())
        if (mark.line == here.line)
            own << mark.text;
    ask(editor, position, own.join(QStringLiteral("\n\n")), true);
}

void EditorHover::ask(CodeEditor &editor, long position, const QString &own, bool isByKey) {
    std::tie(m_from, m_to) = nameAt(editor, position);
    OpenText *text = m_controller.textOf(&editor);
    LanguageServer *server = text == nullptr || m_from == m_to ? nullptr : text->asked();
    if (server == nullptr) {
        if (isByKey && own.isEmpty()) {
            emit nothingKnown(m_from == m_to ? tr("the cursor stands at no name")
                                             : m_controller.whyNot(&editor));
            return close();
        }
        if (isByKey)
            show(own, {});
        return;
    }
    const int number = m_jobs.next();
    m_isAwaited = true;
    server->hover(text->file(), placeOf(editor, m_from),
                  [self = QPointer(this), number, own, isByKey](const std::optional<HoverText> &hover,
                                                                const QString &problem) {
                      if (!self || self->m_jobs.isStale(number) || !self->m_editor)
                          return;
                      self->m_isAwaited = false;
                      const QString markdown = hover ? hover->markdown : QString();
                      if (isByKey && own.isEmpty() && markdown.isEmpty()) {
                          emit self->nothingKnown(problem.isEmpty() ? tr("nothing is documented here")
                                                                    : problem);
                          return self->close();
                      }
                      self->show(own, markdown);
                  });
}

void EditorHover::show(const QString &own, const QString &markdown) {
    QToolTip::hideText();
    m_popup->showBeside(m_editor->window(), rectOf(*m_editor, m_from, m_to), own, markdown);
}

bool EditorHover::eventFilter(QObject *watched, QEvent *event) {
    auto *editor = qobject_cast<CodeEditor *>(watched);
    const bool isViewport = editor == nullptr;
    if (isViewport)
        editor = qobject_cast<CodeEditor *>(watched->parent());
    if (editor == nullptr)
        return false;
    switch (event->type()) {
    case QEvent::MouseMove:
        if (!isViewport || m_isByKey)
            return false;
        if (static_cast<QMouseEvent *>(event)->buttons() != Qt::NoButton)
            close(); // text is being selected
        else
            moveTo(*editor, static_cast<QMouseEvent *>(event)->position().toPoint());
        return false;
    case QEvent::ToolTip:
        if (!isViewport || editor != m_editor || !(m_popup->isVisible() || m_isAwaited))
            return false;
        // The server takes its time: the editor's own words come at once, in the same place.
        if (!m_popup->isVisible())
            show(editor->toolTipAt(m_point), {});
        return true;
    case QEvent::Leave:
        // Into the popup, which lies over the text, one may go: to turn the wheel there.
        if (isViewport && editor == m_editor && !m_isByKey &&
            !(m_popup->isVisible() && m_popup->rect().contains(m_popup->mapFromGlobal(QCursor::pos()))))
            close();
        return false;
    case QEvent::ShortcutOverride:
        if (editor == m_editor && m_popup->isVisible() &&
            static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape)
            event->accept();
        return false;
    case QEvent::KeyPress:
        if (editor != m_editor || !m_popup->isVisible())
            return false;
        if (const int key = static_cast<QKeyEvent *>(event)->key();
            key == Qt::Key_PageDown || key == Qt::Key_PageUp) {
            if (m_popup->scrollPages(key == Qt::Key_PageDown ? 1 : -1))
                return true;
        } else if (key == Qt::Key_Escape) {
            close();
            return true;
        } else if (key == Qt::Key_Control || key == Qt::Key_Shift || key == Qt::Key_Alt) {
            return false;
        }
        close();
        return false;
    case QEvent::FocusOut:
    case QEvent::Hide:
    case QEvent::MouseButtonPress:
        if (editor == m_editor)
            close();
        return false;
    default:
        return false;
    }
}

} // namespace warpwright
