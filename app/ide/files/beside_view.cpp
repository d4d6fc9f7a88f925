// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/files/beside_view.h"

#include "widgets/editor/change_marks.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor_setup.h"
#include "widgets/frame/action_button.h"
#include "widgets/frame/tab_strip.h"
#include "widgets/look/look.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

namespace warpwright {

BesideView::BesideView(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_tabs(new TabStrip(look, this)),
      m_editor(makeCodeEditor(look, this).release()) {
    setObjectName(QStringLiteral("besideView"));
    setAccessibleName(tr("File beside"));
    m_editor->setObjectName(QStringLiteral("besideEditor"));
    m_tabs->setObjectName(QStringLiteral("besideTabs"));
    m_tabs->setAccessibleName(tr("File beside"));
    m_tabs->setOthersYield();
    m_editor->decorator<ChangeMarks>().setWas([this](int line) {
        return m_source != nullptr ? m_source->decorator<ChangeMarks>().was(line) : QString();
    });
    auto *close = new ActionButton(look, ActionButton::Kind::Flat, this);
    close->setObjectName(QStringLiteral("closeBeside"));
    close->setIconName(QStringLiteral("close"));
    close->setSmall(true);
    close->setToolTip(tr("Close the file beside"));
    close->setAccessibleName(close->toolTip());
    auto *head = new QHBoxLayout;
    head->setContentsMargins(look.px(8), 0, look.px(4), 0);
    head->addWidget(m_tabs, 1);
    head->addWidget(close);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(1, 0, 0, 0); // a line at its left
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(m_editor, 1);
    setMinimumWidth(look.px(160));
    connect(close, &QAbstractButton::clicked, this, &BesideView::closeAsked);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
        if (!m_isFilling && index >= 0)
            emit fileChosen(m_tabs->tabToolTip(index));
    });
    connect(&look, &Look::changed, this, qOverload<>(&QWidget::update));
}

BesideView::~BesideView() {
    m_editor->leaveDocument(); // whose colours go with the editor is its own
}

void BesideView::setFiles(const QStringList &files, const QStringList &shown) {
    m_isFilling = true;
    const QString before = file();
    while (m_tabs->count() > 0)
        m_tabs->removeTab(0);
    for (qsizetype i = 0; i < files.size(); ++i)
        m_tabs->setTabToolTip(m_tabs->addTab(shown[i]), files[i]);
    choose(before);
    m_isFilling = false;
}

void BesideView::setDirty(const QString &file, bool isDirty) {
    for (int i = 0; i < m_tabs->count(); ++i)
        if (m_tabs->tabToolTip(i) == file)
            m_tabs->setTabDirty(i, isDirty);
}

QString BesideView::file() const {
    return m_tabs->tabToolTip(m_tabs->currentIndex());
}

void BesideView::choose(const QString &file) {
    const bool wasFilling = std::exchange(m_isFilling, true);
    for (int i = 0; i < m_tabs->count(); ++i)
        if (m_tabs->tabToolTip(i) == file)
            m_tabs->setCurrentIndex(i);
    m_isFilling = wasFilling;
}

void BesideView::share(const QString &file, CodeEditor &source) {
    choose(file);
    m_text.clear();
    if (m_source == &source)
        return;
    m_source = &source;
    m_editor->showDocumentOf(&source);
    m_editor->setAccessibleName(tr("%1, beside").arg(file));
    m_editor->restoreViewState(source.viewState());
}

void BesideView::shareAnew() {
    if (m_source == nullptr)
        return;
    const EditorView view = m_editor->viewState();
    m_editor->showDocumentOf(m_source);
    m_editor->restoreViewState(view);
}

void BesideView::showText(const QString &file, const QString &text, const QString &readOnlyReason) {
    choose(file);
    const EditorView view = m_editor->viewState();
    const bool isSame = m_text == file;
    if (std::exchange(m_source, nullptr) != nullptr)
        m_editor->showDocumentOf(nullptr);
    m_text = file;
    m_editor->setReadOnlyReason({});
    m_editor->setLanguage(CodeEditor::languageOf(file));
    if (!isSame || m_editor->content() != text)
        m_editor->setContent(text);
    m_editor->setReadOnlyReason(readOnlyReason);
    m_editor->setAccessibleName(tr("%1, beside").arg(file));
    if (isSame)
        m_editor->restoreViewState(view);
}

void BesideView::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.bar"));
    painter.fillRect(0, 0, 1, height(), m_look.color("border.subtle"));
}

} // namespace warpwright
