// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/finding/find_page.h"

#include "widgets/frame/action_button.h"
#include "widgets/listing/long_list.h"
#include "widgets/look/look.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPainter>
#include <QScrollBar>
#include <QVBoxLayout>

namespace warpwright {
namespace {

constexpr int pauseMs = 250; ///< of the typing, before it is looked for

QString counted(int count) {
    return QLocale(QLocale::English).toString(count);
}

} // namespace

FindPage::FindPage(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_field(new QLineEdit(this)),
      m_replacement(new QLineEdit(this)),
      m_replaceRow(new QWidget(this)),
      m_state(new QLabel(this)),
      m_list(new LongList(this)),
      m_rows(new FoundRows(this)) {
    setObjectName(QStringLiteral("findPage"));
    m_field->setObjectName(QStringLiteral("findAllField"));
    m_field->setPlaceholderText(tr("Find in all texts"));
    m_field->setToolTip(tr("Find in all texts: files, compiler output, SASS and the conversation"));
    m_field->setAccessibleName(tr("Find in all texts"));
    m_replacement->setObjectName(QStringLiteral("replaceAllField"));
    m_replacement->setPlaceholderText(tr("Replace in the candidate's files with"));
    m_replacement->setToolTip(m_replacement->placeholderText());
    m_replacement->setAccessibleName(tr("Replace with"));
    m_state->setObjectName(QStringLiteral("findAllState"));
    m_state->setWordWrap(true);
    m_state->setTextFormat(Qt::PlainText);
    m_list->setObjectName(QStringLiteral("findAllList"));
    m_list->setAccessibleName(tr("What was found"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setModel(m_rows);
    m_list->setItemDelegate(new FoundDelegate(look, *m_rows, this));
    m_case = addButton(QStringLiteral("Aa"), tr("Match case"));
    m_word = addButton(QStringLiteral("ab|"), tr("Whole words"));
    m_expression = addButton(QStringLiteral(".*"), tr("Regular expression"));
    m_replaces = addButton(tr("Replace"), tr("Replace in the candidate's files"));
    for (ActionButton *option : {m_case, m_word, m_expression, m_replaces}) {
        option->setCheckable(true);
        connect(option, &QAbstractButton::toggled, this, &FindPage::askNow);
    }
    connect(m_replaces, &QAbstractButton::toggled, m_replaceRow, &QWidget::setVisible);
    m_again = addButton({}, {});
    m_replaceAll = addButton(tr("Replace all"), tr("In one step of undo for each file; nothing is saved"));
    m_replaceAll->setObjectName(QStringLiteral("replaceAllButton"));

    m_question = new QBoxLayout(QBoxLayout::LeftToRight);
    m_question->addWidget(m_field, 1);
    auto *options = new QHBoxLayout;
    for (ActionButton *option : {m_case, m_word, m_expression, m_replaces})
        options->addWidget(option);
    options->addStretch(0);
    m_question->addLayout(options);
    auto *replaceRow = new QHBoxLayout(m_replaceRow);
    replaceRow->setContentsMargins(0, 0, 0, 0);
    replaceRow->addWidget(m_replacement, 1);
    replaceRow->addWidget(m_replaceAll);
    auto *stateRow = new QHBoxLayout;
    stateRow->addWidget(m_state, 1);
    stateRow->addWidget(m_again);
    auto *head = new QVBoxLayout;
    head->addLayout(m_question);
    head->addWidget(m_replaceRow);
    head->addLayout(stateRow);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(m_list, 1);
    head->setContentsMargins(look.px(12), look.px(6), look.px(8), look.px(6));
    head->setSpacing(look.px(6));
    m_replaceRow->hide();

    m_soon.setSingleShot(true);
    m_soon.setInterval(pauseMs);
    connect(&m_soon, &QTimer::timeout, this, &FindPage::askNow);
    for (QLineEdit *field : {m_field, m_replacement}) {
        connect(field, &QLineEdit::textChanged, &m_soon, qOverload<>(&QTimer::start));
        field->installEventFilter(this);
    }
    m_list->installEventFilter(this);
    connect(m_list, &QAbstractItemView::clicked, this,
            [this](const QModelIndex &index) { activate(index.row()); });
    connect(m_again, &QAbstractButton::clicked, this, [this] {
        if (m_isRunning) {
            emit stopAsked();
            return;
        }
        m_last = {};
        askNow();
    });
    connect(m_replaceAll, &QAbstractButton::clicked, this, [this] {
        if (m_soon.isActive()) // nobody has seen yet what this would do
            askNow();
        else
            emit replaceAsked();
    });
    connect(&look, &Look::changed, this, &FindPage::applyLook);
    setFocusProxy(m_field);
    applyLook();
    describe();
}

// Beside its options a narrow pane would leave the field no room for a word.
void FindPage::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    m_question->setDirection(width() < m_look.px(360) ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

ActionButton *FindPage::addButton(const QString &text, const QString &tip) {
    auto *button = new ActionButton(
        m_look, text.size() > 3 || text.isEmpty() ? ActionButton::Kind::Plain : ActionButton::Kind::Flat,
        this);
    button->setSmall(true);
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    return button;
}

void FindPage::applyLook() {
    for (QLineEdit *field : {m_field, m_replacement}) {
        field->setFont(m_look.font(TextRole::Code));
        field->setFixedHeight(m_look.px(28));
        field->setTextMargins(m_look.px(6), 0, m_look.px(6), 0);
    }
    QPalette palette = m_list->palette();
    palette.setColor(QPalette::Base, m_look.color("bg.pane"));
    m_list->setPalette(palette);
    describe();
}

Question FindPage::question() const {
    Question now{{m_field->text(), m_case->isChecked(), m_word->isChecked(), m_expression->isChecked()}, {}};
    if (m_replaces->isChecked())
        now.replacement = m_replacement->text();
    return now;
}

void FindPage::ask(const QString &words, bool replaces) {
    if (replaces)
        m_replaces->setChecked(true);
    if (!words.isEmpty()) {
        m_expression->setChecked(false);
        m_field->setText(words);
        askNow();
    }
    m_field->selectAll();
    m_field->setFocus(Qt::ShortcutFocusReason);
}

void FindPage::askNow() {
    m_soon.stop();
    const Question now = question();
    if (now == m_last && !m_isStale)
        return;
    m_last = now;
    m_said.clear();
    const QString why = whyNoQuery(now.query);
    m_field->setProperty("isBad", !why.isEmpty());
    m_field->update();
    emit stopAsked();
    if (now.query.words.isEmpty() || !why.isEmpty()) {
        m_rows->begin({});
        m_ending = {};
        m_said = why;
        describe();
        return;
    }
    emit asked(now);
}

void FindPage::begin(std::vector<SearchedText> texts) {
    m_rows->begin(std::move(texts));
    m_isRunning = true;
    m_isStale = false;
    m_ending = {};
    m_said.clear();
    describe();
}

void FindPage::add(const std::vector<FoundHit> &hits) {
    m_rows->add(hits);
    describe();
}

void FindPage::end(const TextHunt::Ending &ending) {
    m_isRunning = false;
    m_ending = ending;
    describe();
}

void FindPage::setStale(bool isStale) {
    const bool matters = isStale && (m_isRunning || m_rows->rowCount() > 0);
    if (std::exchange(m_isStale, matters) != matters)
        describe();
}

void FindPage::setWhyNoReplace(const QString &why) {
    if (std::exchange(m_whyNoReplace, why) != why)
        describe();
}

void FindPage::say(const QString &words) {
    m_said = words;
    m_last = {};
    describe();
}

void FindPage::describe() {
    const int hits = m_rows->hitCount();
    const int texts = m_rows->textCount();
    QString words = m_said;
    bool isBad = !m_said.isEmpty() && m_field->property("isBad").toBool();
    if (words.isEmpty() && m_isRunning)
        words = tr("searching, %1 found so far").arg(counted(hits));
    else if (words.isEmpty() && m_ending.isStopped && !m_field->text().isEmpty())
        words = tr("stopped, %1 found until then").arg(counted(hits));
    else if (words.isEmpty() && m_ending.isCut)
        words = tr("more than %1 hits: the first %1 are listed").arg(counted(static_cast<int>(mostHits)));
    else if (words.isEmpty() && hits > 0)
        words = tr("%1 in %2")
                    .arg(hits == 1 ? tr("1 hit") : tr("%1 hits").arg(counted(hits)),
                         texts == 1 ? tr("1 text") : tr("%1 texts").arg(counted(texts)));
    else if (words.isEmpty() && m_ending.texts > 0)
        words = tr("no hits in %1 texts").arg(counted(static_cast<int>(m_ending.texts)));
    if (m_isStale && !m_isRunning)
        words += (words.isEmpty() ? QString() : QStringLiteral(" · ")) + tr("text changed since");
    m_state->setText(words);
    m_state->setFont(m_look.font(TextRole::Small));
    QPalette palette = m_state->palette();
    palette.setColor(QPalette::WindowText, m_look.color(isBad       ? "verdict.wrong"
                                                        : m_isStale ? "verdict.buildFailed"
                                                                    : "text.secondary"));
    m_state->setPalette(palette);
    m_again->setText(m_isRunning ? tr("Stop") : tr("Search again"));
    m_again->setAccessibleName(m_again->text());
    m_again->setVisible(m_isRunning || m_isStale || m_ending.isStopped);
    const QString why = !m_whyNoReplace.isEmpty() ? m_whyNoReplace
                        : m_isRunning             ? tr("the search is going on")
                        : hits == 0               ? tr("nothing was found")
                                                  : QString();
    m_replaceAll->setEnabled(why.isEmpty());
    m_replaceAll->setToolTip(why.isEmpty() ? tr("In one step of undo for each file; nothing is saved") : why);
}

void FindPage::activate(int row) {
    const FoundHit *hit = m_rows->hitAt(row);
    if (hit == nullptr) // a text leads to its first hit
        hit = m_rows->hitAt(row + 1);
    if (hit != nullptr)
        emit hitActivated(*hit);
}

void FindPage::step(int by) {
    const int row = m_rows->nextHit(m_list->currentIndex().isValid() ? m_list->currentIndex().row() : -1, by);
    if (row < 0)
        return;
    m_list->setCurrentIndex(m_rows->index(row));
    activate(row);
}

bool FindPage::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto *key = static_cast<QKeyEvent *>(event);
    const bool isEnter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    if (key->key() == Qt::Key_Escape) {
        if (m_isRunning)
            emit stopAsked();
        else
            emit closed();
        return true;
    }
    if (watched == m_list) {
        const int row = m_list->currentIndex().row();
        if (isEnter) {
            activate(row);
            return true;
        }
        if (key->key() == Qt::Key_Delete && row >= 0) {
            m_rows->dismiss(row);
            m_list->setCurrentIndex(m_rows->index(std::min(row, m_rows->rowCount() - 1)));
            describe();
            return true;
        }
        return false;
    }
    if (key->key() == Qt::Key_Down && m_rows->rowCount() > 0) {
        m_list->setFocus(Qt::TabFocusReason);
        if (!m_list->currentIndex().isValid())
            m_list->setCurrentIndex(m_rows->index(m_rows->nextHit(-1, 1)));
        return true;
    }
    if (isEnter) {
        if (question() == m_last && !m_isStale && !m_isRunning)
            step((key->modifiers() & Qt::ShiftModifier) != 0 ? -1 : 1);
        else
            askNow();
        return true;
    }
    return false;
}

void FindPage::paintEvent(QPaintEvent *) {
    QPainter(this).fillRect(rect(), m_look.color("bg.bar"));
}

} // namespace warpwright
