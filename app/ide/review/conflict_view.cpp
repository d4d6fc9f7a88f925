// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/review/conflict_view.h"

#include "app/ide/kit/card.h"
#include "widgets/frame/action_button.h"
#include "widgets/look/house_style.h"

#include <QAction>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QPlainTextEdit>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int fewestRows = 2;
constexpr int mostRows = 9; // before a side scrolls

QString textOf(const TextLines &lines) {
    QString text = QString::fromUtf8(joined(lines));
    text.replace(QLatin1String("\r\n"), QLatin1String("\n"));
    if (text.endsWith(QLatin1Char('\n')))
        text.chop(1);
    return text;
}

/// Bytes that are no UTF-8 would not come back as they were.
bool isText(const TextLines &lines) {
    const QByteArray bytes = joined(lines);
    return QString::fromUtf8(bytes).toUtf8() == bytes;
}

} // namespace

QString mergeBeginning(const Hunk &hunk) {
    TextLines lines = hunk.standing;
    for (const QByteArray &line : hunk.newLines)
        if (std::find(lines.begin(), lines.end(), line) == lines.end())
            lines.push_back(line);
    return textOf(lines);
}

TextLines mergedLines(const QString &text, const Hunk &hunk) {
    if (text.isEmpty())
        return {};
    const TextLines &like = hunk.standing.empty() ? hunk.newLines : hunk.standing;
    const bool hasReturns = !like.empty() && like.front().endsWith("\r\n");
    const bool isOpenEnded = !like.empty() && !like.back().endsWith('\n');
    QByteArray bytes = text.toUtf8();
    if (!isOpenEnded && !bytes.endsWith('\n'))
        bytes += '\n';
    if (hasReturns)
        bytes.replace("\n", "\r\n");
    return linesOf(bytes);
}

ConflictView::ConflictView(const Look &look, const Acts &acts, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_title(new Words(look, TextRole::Body, "text.primary", this, QFont::DemiBold)),
      m_sides{},
      m_heads{},
      m_mergeBox(new QWidget(this)),
      m_merge(new QPlainTextEdit(m_mergeBox)),
      m_mergeButton(nullptr) {
    setObjectName(QStringLiteral("conflictView"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    const QString names[] = {tr("Base"), tr("Yours"), tr("Proposed")};
    const QString tips[] = {tr("What the agent read there"), tr("What stands there now"),
                            tr("What the agent wants there")};
    auto *sides = new QHBoxLayout;
    sides->setSpacing(look.px(8));
    for (std::size_t side = 0; side < m_sides.size(); ++side) {
        m_heads[side] = new Words(look, TextRole::Small, "text.secondary", this, QFont::DemiBold);
        m_heads[side]->setText(names[side]);
        m_heads[side]->setToolTip(tips[side]);
        m_sides[side] = new QPlainTextEdit(this);
        m_sides[side]->setObjectName(QStringLiteral("conflictSide%1").arg(side));
        m_sides[side]->setAccessibleName(names[side] + QStringLiteral(": ") + tips[side]);
        m_sides[side]->setReadOnly(true);
        m_sides[side]->setTabChangesFocus(true);
        m_sides[side]->setLineWrapMode(QPlainTextEdit::NoWrap);
        auto *column = new QVBoxLayout;
        column->setSpacing(look.px(2));
        column->addWidget(m_heads[side]);
        column->addWidget(m_sides[side]);
        sides->addLayout(column, 1);
    }
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(look.px(6));
    const auto add = [&](QAction *action, const char *name) {
        auto *button = new ActionButton(look, ActionButton::Kind::Plain, this);
        button->setObjectName(QLatin1String(name));
        button->setAction(action, false);
        button->setText(action->iconText());
        button->setIconName(action->property("iconName").toString());
        button->setKey(action->shortcut().toString(QKeySequence::NativeText));
        button->setSmall(true);
        buttons->addWidget(button);
        return button;
    };
    add(acts.mine, "takeMineButton");
    add(acts.theirs, "takeTheirsButton");
    m_mergeButton = add(acts.merge, "editMergeButton");
    buttons->addStretch(1);

    m_merge->setObjectName(QStringLiteral("mergeText"));
    m_merge->setAccessibleName(tr("The merge: what is to stand there"));
    m_merge->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_merge->installEventFilter(this);
    auto *mergeHead = new Words(look, TextRole::Small, "text.secondary", m_mergeBox, QFont::DemiBold);
    mergeHead->setText(tr("The merge: your lines, then those of the proposal that are not among them"));
    auto *use = new ActionButton(look, ActionButton::Kind::Plain, m_mergeBox);
    use->setObjectName(QStringLiteral("useMergeButton"));
    use->setText(tr("Use the merge"));
    use->setKey(QStringLiteral("Ctrl+Enter"));
    use->setSmall(true);
    auto *later = new ActionButton(look, ActionButton::Kind::Flat, m_mergeBox);
    later->setText(tr("Not now"));
    later->setKey(QStringLiteral("Esc"));
    later->setSmall(true);
    auto *mergeButtons = new QHBoxLayout;
    mergeButtons->setSpacing(look.px(6));
    mergeButtons->addWidget(use);
    mergeButtons->addWidget(later);
    mergeButtons->addStretch(1);
    auto *merge = new QVBoxLayout(m_mergeBox);
    merge->setContentsMargins(0, look.px(4), 0, 0);
    merge->setSpacing(look.px(4));
    merge->addWidget(mergeHead);
    merge->addWidget(m_merge);
    merge->addLayout(mergeButtons);
    m_mergeBox->hide();

    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(look.px(12), look.px(8), look.px(12), look.px(8));
    column->setSpacing(look.px(6));
    column->addWidget(m_title);
    column->addLayout(sides);
    column->addLayout(buttons);
    column->addWidget(m_mergeBox);
    connect(use, &QAbstractButton::clicked, this, &ConflictView::take);
    connect(later, &QAbstractButton::clicked, this, &ConflictView::leave);
    connect(m_merge, &QPlainTextEdit::textChanged, this, &ConflictView::fit);
    connect(&look, &Look::changed, this, &ConflictView::restyle);
    restyle();
    hide();
}

void ConflictView::setConflict(const Hunk &hunk, int number) {
    const bool isSame = m_hunk && m_hunk->id == hunk.id;
    if (!isSame)
        keepDraft();
    if (m_hunk == hunk && m_number == number && isVisibleTo(parentWidget()))
        return;
    m_hunk = hunk;
    m_number = number;
    m_title->setText(tr("Conflict in hunk %1: you changed lines that the proposal wants, too").arg(number));
    const TextLines *texts[] = {&hunk.oldLines, &hunk.standing, &hunk.newLines};
    for (std::size_t side = 0; side < m_sides.size(); ++side)
        if (const QString text = textOf(*texts[side]); m_sides[side]->toPlainText() != text)
            m_sides[side]->setPlainText(text);
    if (!isSame)
        m_mergeBox->hide();
    const bool isMergeable = isText(hunk.standing) && isText(hunk.newLines);
    m_mergeButton->setVisible(isMergeable);
    show();
    fit();
}

void ConflictView::clear() {
    keepDraft();
    m_hunk.reset();
    m_mergeBox->hide();
    hide();
}

// What was written is there again when the person comes back to the hunk.
void ConflictView::keepDraft() {
    if (!m_hunk || m_mergeBox->isHidden())
        return;
    if (const QString text = m_merge->toPlainText(); text != mergeBeginning(*m_hunk))
        m_drafts[m_hunk->id] = {m_number, text};
}

std::map<int, QString> ConflictView::takeUnsaved() {
    keepDraft();
    std::map<int, QString> texts;
    for (const auto &[id, draft] : std::exchange(m_drafts, {}))
        texts[draft.number] = draft.text;
    m_hunk.reset();
    m_mergeBox->hide();
    hide();
    return texts;
}

void ConflictView::editMerge() {
    if (!m_hunk)
        return;
    if (m_mergeBox->isHidden()) {
        const auto draft = m_drafts.find(m_hunk->id);
        m_merge->setPlainText(draft == m_drafts.end() ? mergeBeginning(*m_hunk) : draft->second.text);
        m_mergeBox->show();
    }
    fit();
    m_merge->setFocus(Qt::OtherFocusReason);
}

void ConflictView::take() {
    if (!m_hunk)
        return;
    const Hunk hunk = *m_hunk;
    const TextLines lines = mergedLines(m_merge->toPlainText(), hunk);
    keepDraft(); // should the answer be refused
    m_mergeBox->hide();
    emit merged(hunk.id, lines);
    if (!m_hunk || m_hunk->id != hunk.id) // it was taken
        m_drafts.erase(hunk.id);
}

void ConflictView::leave() {
    keepDraft();
    m_mergeBox->hide();
    fit();
    m_mergeButton->setFocus(Qt::OtherFocusReason);
}

void ConflictView::fit() {
    const auto rowsOf = [](const QPlainTextEdit *edit) {
        return std::clamp(edit->blockCount(), fewestRows, mostRows);
    };
    int rows = fewestRows;
    for (const QPlainTextEdit *side : m_sides)
        rows = std::max(rows, rowsOf(side));
    const int row = QFontMetrics(m_look.font(TextRole::Code)).lineSpacing();
    for (QPlainTextEdit *side : m_sides)
        side->setFixedHeight(rows * row + m_look.px(18));
    m_merge->setFixedHeight(rowsOf(m_merge) * row + m_look.px(18));
    updateGeometry();
}

void ConflictView::restyle() {
    for (QPlainTextEdit *edit : {m_sides[0], m_sides[1], m_sides[2], m_merge}) {
        edit->setFont(m_look.font(TextRole::Code));
        QPalette palette = edit->palette();
        palette.setColor(QPalette::Base, m_look.color(edit == m_merge ? "bg.input" : "bg.pane"));
        palette.setColor(QPalette::Text, m_look.color("text.primary"));
        edit->setPalette(palette);
    }
    fit();
    update();
}

bool ConflictView::eventFilter(QObject *watched, QEvent *event) {
    if (watched != m_merge || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto *key = static_cast<QKeyEvent *>(event);
    const bool isEnter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    if (isEnter && (key->modifiers() & Qt::ControlModifier) != 0) {
        take();
        return true;
    }
    if (key->key() == Qt::Key_Escape) {
        leave();
        return true;
    }
    return false;
}

void ConflictView::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.card"));
    painter.fillRect(0, 0, m_look.px(3), height(), m_look.color("verdict.inconclusive"));
    painter.fillRect(0, height() - 1, width(), 1, m_look.color("border.normal"));
}

} // namespace warpwright
