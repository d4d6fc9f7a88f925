// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/help/words_page.h"

#include "app/ide/help/glossary.h"
#include "app/ide/kit/card.h"
#include "widgets/frame/action_button.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QScrollBar>
#include <QShortcut>
#include <QVBoxLayout>

namespace warpwright {
namespace {

/// A word over its meaning.
QWidget *rowOf(const Look &look, const GlossaryEntry &entry, QWidget *parent) {
    auto *row = new QWidget(parent);
    auto *word = new Words(look, TextRole::Body, "text.primary", row, QFont::DemiBold);
    word->setText(entry.word);
    auto *meaning = new Words(look, TextRole::Body, "text.secondary", row);
    meaning->setProse();
    meaning->setText(entry.meaning);
    auto *column = new QVBoxLayout(row);
    column->setContentsMargins(look.px(16), look.px(8), look.px(16), look.px(10));
    column->setSpacing(look.px(2));
    column->addWidget(word);
    column->addWidget(meaning);
    row->setAccessibleName(entry.word);
    row->setAccessibleDescription(entry.meaning);
    return row;
}

} // namespace

WordsPage::WordsPage(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_search(new QLineEdit(this)),
      m_none(new Words(look, TextRole::Body, "text.secondary", this)),
      m_content(new QWidget),
      m_card(new Card(look, m_content)) {
    setObjectName(QStringLiteral("wordsPage"));
    m_search->setObjectName(QStringLiteral("wordsSearch"));
    m_search->setPlaceholderText(tr("Search a word, ours or yours"));
    m_search->setAccessibleName(tr("Search the words"));
    m_search->setClearButtonEnabled(true);
    m_search->setTextMargins(look.px(4), 0, look.px(4), 0);
    m_search->installEventFilter(this);
    m_none->setObjectName(QStringLiteral("noWord"));
    auto *title = new Words(look, TextRole::Title, "text.primary", this, QFont::DemiBold);
    title->setText(tr("Words used here"));
    auto *close = new ActionButton(look, ActionButton::Kind::Plain, this);
    close->setText(tr("Close"));
    close->setKey(QStringLiteral("Esc"));
    auto *head = new QHBoxLayout;
    head->setContentsMargins(look.px(16), look.px(10), look.px(12), look.px(10));
    head->setSpacing(look.px(12));
    head->addWidget(title, 1);
    head->addWidget(m_search, 1);
    head->addWidget(close);
    auto *inner = new QVBoxLayout(m_content);
    inner->addWidget(m_none);
    inner->addWidget(m_card);
    inner->addStretch(1);
    m_scroll = new ScrollPage(look, m_content, this);
    m_scroll->setFocusPolicy(Qt::StrongFocus); // it is read, and scrolls by keys
    m_scroll->setAccessibleName(title->text());
    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->setSpacing(0);
    whole->addLayout(head);
    whole->addWidget(m_scroll, 1);
    setFocusProxy(m_search);
    connect(m_search, &QLineEdit::textChanged, this, &WordsPage::filter);
    connect(close, &QAbstractButton::clicked, this, &WordsPage::closed);
    auto *escape = new QShortcut(Qt::Key_Escape, this);
    escape->setContext(Qt::WidgetWithChildrenShortcut);
    connect(escape, &QShortcut::activated, this, [this] {
        if (m_search->text().isEmpty())
            emit closed();
        else
            m_search->clear();
    });
    connect(&look, &Look::changed, this, qOverload<>(&QWidget::update));
    filter({});
}

void WordsPage::open(const QString &typed) {
    m_search->setText(typed);
    m_scroll->verticalScrollBar()->setValue(0);
}

QStringList WordsPage::shownWords() const {
    return m_shown;
}

void WordsPage::filter(const QString &typed) {
    const std::vector<GlossaryEntry> found = explained(typed.split(QLatin1Char(' '), Qt::SkipEmptyParts));
    m_card->clear();
    m_shown.clear();
    for (const GlossaryEntry &entry : found) {
        m_card->add(rowOf(m_look, entry, m_card));
        m_shown << entry.word;
    }
    m_card->setVisible(!found.empty());
    m_none->setVisible(found.empty());
    m_none->setText(tr("No word fits «%1». Ctrl+Shift+P finds commands.").arg(typed));
    m_scroll->verticalScrollBar()->setValue(0);
}

// Who types reads on without leaving the field.
bool WordsPage::eventFilter(QObject *watched, QEvent *event) {
    if (watched != m_search || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    QScrollBar *bar = m_scroll->verticalScrollBar();
    switch (static_cast<QKeyEvent *>(event)->key()) {
    case Qt::Key_Down:
        bar->triggerAction(QAbstractSlider::SliderSingleStepAdd);
        return true;
    case Qt::Key_Up:
        bar->triggerAction(QAbstractSlider::SliderSingleStepSub);
        return true;
    case Qt::Key_PageDown:
        bar->triggerAction(QAbstractSlider::SliderPageStepAdd);
        return true;
    case Qt::Key_PageUp:
        bar->triggerAction(QAbstractSlider::SliderPageStepSub);
        return true;
    default:
        return false;
    }
}

void WordsPage::resizeEvent(QResizeEvent *) {
    // Wider lines are hard to read.
    const int side = std::max(m_look.px(24), (width() - m_look.px(760)) / 2);
    m_content->layout()->setContentsMargins(side, m_look.px(12), side, m_look.px(24));
}

void WordsPage::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.bar"));
    painter.fillRect(0, m_scroll->y() - 1, width(), 1, m_look.color("border.normal"));
}

} // namespace warpwright
