// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/language/source_window.h"

#include "toolchain/text/source_text.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor_setup.h"
#include "widgets/look/look.h"

#include <QAction>
#include <QFileInfo>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

namespace warpwright {

SourceWindow::SourceWindow(const Look &look, QWidget *parent)
    : QWidget(parent, Qt::Window),
      m_look(look),
      m_path(new QLabel(this)),
      m_editor(makeCodeEditor(look, this).release()) {
    setObjectName(QStringLiteral("sourceWindow"));
    m_editor->setObjectName(QStringLiteral("sourceEditor"));
    m_editor->setReadOnlyReason(tr("This file is none of the workspace's: it is only read here."));
    m_path->setTextFormat(Qt::PlainText);
    m_path->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_path->setWordWrap(true);
    m_path->setMargin(look.px(8));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_path);
    column->addWidget(m_editor, 1);
    resize(look.px(900), look.px(700));
    auto *leave = new QAction(tr("Close"), this);
    leave->setShortcut(QKeySequence(Qt::Key_Escape));
    connect(leave, &QAction::triggered, this, &QWidget::close);
    addAction(leave);
}

void SourceWindow::open(const QString &file, int line, int column) {
    const int number = m_jobs.next(); // what was asked before is not waited for any more
    if (file == m_file)
        return showAt(line, column);
    inPool(
        this, [file] { return readSourceText(file); },
        [this, number, file, line, column](const Result<SourceText> &text) {
            if (m_jobs.isStale(number))
                return;
            if (!text.hasValue())
                return emit failed(text.message());
            m_file = file;
            m_editor->setLanguage(QFileInfo(file).suffix().isEmpty() ? CodeEditor::Language::Cuda
                                                                     : CodeEditor::languageOf(file));
            m_editor->setContent(text.value().text);
            m_editor->setAccessibleName(tr("%1, read-only").arg(file));
            m_path->setText(tr("%1 (read-only)").arg(file));
            m_path->setFont(m_look.font(TextRole::Small));
            setWindowTitle(QFileInfo(file).fileName());
            emit shown(file);
            showAt(line, column);
        });
}

void SourceWindow::showAt(int line, int column) {
    show();
    raise();
    activateWindow();
    m_editor->goTo(line, column);
}

void SourceWindow::paintEvent(QPaintEvent *) {
    QPainter(this).fillRect(rect(), m_look.color("bg.bar"));
}

} // namespace warpwright
