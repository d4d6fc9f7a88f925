// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/find_bar.h"

#include "widgets/editor/code_editor.h"
#include "widgets/frame/action_button.h"
#include "widgets/listing/marked_scroll_bar.h"
#include "widgets/look/look.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace warpwright {

FindBar::FindBar(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_field(new QLineEdit(this)),
      m_replacement(new QLineEdit(this)),
      m_replaceRow(new QWidget(this)),
      m_count(new QLabel(this)),
      m_problem(new QLabel(this)) {
    setObjectName(QStringLiteral("findBar"));
    setAccessibleName(tr("Find and replace"));
    m_field->setObjectName(QStringLiteral("findField"));
    m_field->setPlaceholderText(tr("Find"));
    m_field->setAccessibleName(tr("Find"));
    m_replacement->setObjectName(QStringLiteral("replaceField"));
    m_replacement->setPlaceholderText(tr("Replace with"));
    m_replacement->setAccessibleName(tr("Replace with"));
    m_count->setObjectName(QStringLiteral("findCount"));
    m_problem->setObjectName(QStringLiteral("findProblem"));
    m_problem->setWordWrap(true);
    m_case = addButton({}, QStringLiteral("Aa"), tr("Match case"));
    m_word = addButton({}, QStringLiteral("ab|"), tr("Whole words"));
    m_expression = addButton({}, QStringLiteral(".*"), tr("Regular expression"));
    ActionButton *previous =
        addButton(QStringLiteral("prev"), {}, tr("Previous hit (Shift+Enter, Shift+F3)"));
    ActionButton *next = addButton(QStringLiteral("next"), {}, tr("Next hit (Enter, F3)"));
    ActionButton *close = addButton(QStringLiteral("close"), {}, tr("Close (Esc)"));
    auto *one = new ActionButton(look, ActionButton::Kind::Plain, this);
    one->setText(tr("Replace"));
    one->setSmall(true);
    auto *all = new ActionButton(look, ActionButton::Kind::Plain, this);
    all->setText(tr("Replace all"));
    all->setSmall(true);

    m_stops = {m_field, m_replacement, m_case, m_word, m_expression, previous, next, close, one, all};

    auto *row = new QHBoxLayout;
    row->addWidget(m_field, 1);
    for (ActionButton *option : {m_case, m_word, m_expression}) {
        option->setCheckable(true);
        row->addWidget(option);
        connect(option, &QAbstractButton::toggled, this, [this] { search(true); });
    }
    row->addWidget(m_count);
    row->addWidget(previous);
    row->addWidget(next);
    row->addWidget(close);
    auto *replaceRow = new QHBoxLayout(m_replaceRow);
    replaceRow->setContentsMargins(0, 0, 0, 0);
    replaceRow->addWidget(m_replacement, 1);
    replaceRow->addWidget(one);
    replaceRow->addWidget(all);
    auto *column = new QVBoxLayout(this);
    column->addLayout(row);
    column->addWidget(m_problem);
    column->addWidget(m_replaceRow);

    m_timer.setSingleShot(true);
    m_timer.setInterval(100); // hits follow the typing in the editor, they need not run with it
    connect(&m_timer, &QTimer::timeout, this, [this] { search(false); });
    connect(m_field, &QLineEdit::textChanged, this, [this] { search(true); });
    connect(previous, &QAbstractButton::clicked, this, &FindBar::findPrevious);
    connect(next, &QAbstractButton::clicked, this, &FindBar::findNext);
    connect(close, &QAbstractButton::clicked, this, &FindBar::closeBar);
    connect(one, &QAbstractButton::clicked, this, &FindBar::replaceOne);
    connect(all, &QAbstractButton::clicked, this, &FindBar::replaceAll);
    connect(&look, &Look::changed, this, &FindBar::applyLook);
    m_problem->hide();
    applyLook();
}

ActionButton *FindBar::addButton(const QString &icon, const QString &text, const QString &tip) {
    auto *button = new ActionButton(m_look, ActionButton::Kind::Flat, this);
    button->setSmall(true);
    if (!icon.isEmpty())
        button->setIconName(icon);
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    return button;
}

void FindBar::applyLook() {
    layout()->setContentsMargins(m_look.px(12), m_look.px(6), m_look.px(8), m_look.px(6));
    layout()->setSpacing(m_look.px(6));
    const auto paint = [this](QLabel *label, const char *token) {
        QPalette palette = label->palette();
        palette.setColor(QPalette::WindowText, m_look.color(token));
        label->setPalette(palette);
        label->setFont(m_look.font(TextRole::Small));
    };
    paint(m_count, "text.secondary");
    paint(m_problem, "verdict.wrong");
    // Its place is kept: the field does not jump when the count changes.
    m_count->setMinimumWidth(m_count->fontMetrics().horizontalAdvance(QStringLiteral("10,000 of 10,000+")));
    m_count->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    for (QLineEdit *field : {m_field, m_replacement}) {
        field->setFont(m_look.font(TextRole::Code));
        field->setFixedHeight(m_look.px(28));
        field->setTextMargins(m_look.px(6), 0, m_look.px(6), 0);
    }
    mark();
    update();
}

void FindBar::setEditor(CodeEditor *editor) {
    if (m_editor == editor)
        return;
    if (m_editor != nullptr) {
        m_hits = {};
        mark();
        disconnect(m_editor, nullptr, this, nullptr);
        m_editor->removeEventFilter(this);
    }
    m_editor = editor;
    if (editor == nullptr)
        return;
    editor->installEventFilter(this);
    connect(editor, &QsciScintilla::textChanged, &m_timer, qOverload<>(&QTimer::start));
    connect(editor, &QsciScintilla::selectionChanged, this, &FindBar::showCurrent);
    if (isVisible())
        search(false);
}

void FindBar::open(bool replaces) {
    m_replaceRow->setVisible(replaces);
    show();
    if (m_editor == nullptr)
        return;
    m_origin = m_editor->sci(QsciScintillaBase::SCI_GETSELECTIONSTART);
    const QString selected = m_editor->selectedText();
    if (!selected.isEmpty() && !selected.contains(u'\n')) {
        m_expression->setChecked(false);
        m_field->setText(selected);
    }
    search(false);
    m_field->selectAll();
    m_field->setFocus(Qt::ShortcutFocusReason);
}

void FindBar::closeBar() {
    hide();
    m_hits = {};
    mark();
    if (m_editor != nullptr)
        m_editor->setFocus(Qt::OtherFocusReason);
    emit closed();
}

SearchQuery FindBar::query() const {
    return {m_field->text(), m_case->isChecked(), m_word->isChecked(), m_expression->isChecked()};
}

void FindBar::search(bool follows) {
    if (m_editor == nullptr)
        return;
    m_timer.stop();
    m_hits = findInText(m_editor->content(), query());
    m_problem->setVisible(!m_hits.problem.isEmpty());
    m_problem->setText(m_hits.problem);
    m_field->setProperty("isBad", !m_hits.problem.isEmpty());
    m_field->update();
    mark();
    if (follows && !m_hits.hits.empty()) {
        const auto next = std::find_if(m_hits.hits.begin(), m_hits.hits.end(),
                                       [this](const SearchHit &hit) { return hit.start >= m_origin; });
        select(next == m_hits.hits.end() ? 0 : static_cast<std::size_t>(next - m_hits.hits.begin()));
    }
    showCurrent();
}

void FindBar::mark() {
    if (m_editor == nullptr)
        return;
    CodeEditor &editor = *m_editor;
    const bool isShown = isVisible();
    for (const int indicator : {CodeEditor::HitIndicator, CodeEditor::HitEdgeIndicator}) {
        editor.sci(QsciScintillaBase::SCI_SETINDICATORCURRENT, indicator);
        editor.sci(QsciScintillaBase::SCI_INDICATORCLEARRANGE, 0, editor.length());
        if (isShown)
            for (const SearchHit &hit : m_hits.hits)
                editor.sci(QsciScintillaBase::SCI_INDICATORFILLRANGE, hit.start, hit.length);
    }
    std::vector<double> places;
    long last = -1;
    const double lines = std::max(1, editor.lines());
    for (const SearchHit &hit : m_hits.hits) {
        const long line = editor.sci(QsciScintillaBase::SCI_LINEFROMPOSITION, hit.start);
        if (line != std::exchange(last, line) && isShown)
            places.push_back((static_cast<double>(line) + 0.5) / lines);
    }
    m_current = {};
    editor.scrollMarks().setMarks(MarkedScrollBar::Hits, places, m_look.color("verdict.inconclusive"));
}

std::size_t FindBar::current() const {
    if (m_editor == nullptr)
        return m_hits.hits.size();
    const long start = m_editor->sci(QsciScintillaBase::SCI_GETSELECTIONSTART);
    const long end = m_editor->sci(QsciScintillaBase::SCI_GETSELECTIONEND);
    const auto at = std::find(m_hits.hits.begin(), m_hits.hits.end(), SearchHit{start, end - start});
    return static_cast<std::size_t>(at - m_hits.hits.begin());
}

void FindBar::showCount() {
    if (!isVisible())
        return;
    const QLocale english(QLocale::English);
    const std::size_t count = m_hits.hits.size();
    const QString all =
        english.toString(static_cast<qlonglong>(count)) + (m_hits.isCut ? QStringLiteral("+") : QString());
    if (m_field->text().isEmpty() || !m_hits.problem.isEmpty())
        m_count->clear();
    else if (count == 0)
        m_count->setText(tr("no hits"));
    else if (const std::size_t at = current(); at < count)
        m_count->setText(tr("%1 of %2").arg(english.toString(static_cast<qlonglong>(at + 1)), all));
    else
        m_count->setText(count == 1 ? tr("1 hit") : tr("%1 hits").arg(all));
}

void FindBar::showCurrent() {
    // The ground of a hit would hide that it is the selected one.
    const std::size_t at = current();
    const bool isHit = isVisible() && at < m_hits.hits.size();
    const SearchHit hit = isHit ? m_hits.hits[at] : SearchHit{};
    if (hit != m_current && m_editor != nullptr) {
        m_editor->sci(QsciScintillaBase::SCI_SETINDICATORCURRENT, CodeEditor::HitIndicator);
        if (m_current.length > 0 &&
            std::find(m_hits.hits.begin(), m_hits.hits.end(), m_current) != m_hits.hits.end())
            m_editor->sci(QsciScintillaBase::SCI_INDICATORFILLRANGE, m_current.start, m_current.length);
        if (isHit)
            m_editor->sci(QsciScintillaBase::SCI_INDICATORCLEARRANGE, hit.start, hit.length);
        m_current = hit;
    }
    showCount();
}

void FindBar::select(std::size_t hit) {
    const SearchHit &place = m_hits.hits[hit];
    CodeEditor &editor = *m_editor;
    const long line = editor.sci(QsciScintillaBase::SCI_LINEFROMPOSITION, place.start);
    editor.sci(QsciScintillaBase::SCI_ENSUREVISIBLE, line);
    editor.sci(QsciScintillaBase::SCI_SETSEL, place.start, place.start + place.length);
    const long row = editor.sci(QsciScintillaBase::SCI_VISIBLEFROMDOCLINE, line);
    const long top = editor.sci(QsciScintillaBase::SCI_GETFIRSTVISIBLELINE);
    const long rows = editor.sci(QsciScintillaBase::SCI_LINESONSCREEN);
    if (row < top + 2 || row > top + rows - 3)
        editor.sci(QsciScintillaBase::SCI_SETFIRSTVISIBLELINE, std::max(0L, row - rows / 2));
    showCurrent();
}

void FindBar::findNext() {
    if (m_editor == nullptr)
        return;
    search(false);
    const long from = m_editor->sci(QsciScintillaBase::SCI_GETSELECTIONEND);
    const auto next = std::find_if(m_hits.hits.begin(), m_hits.hits.end(),
                                   [from](const SearchHit &hit) { return hit.start >= from; });
    if (!m_hits.hits.empty())
        select(next == m_hits.hits.end() ? 0 : static_cast<std::size_t>(next - m_hits.hits.begin()));
}

void FindBar::findPrevious() {
    if (m_editor == nullptr)
        return;
    search(false);
    const long from = m_editor->sci(QsciScintillaBase::SCI_GETSELECTIONSTART);
    const auto previous = std::find_if(m_hits.hits.rbegin(), m_hits.hits.rend(),
                                       [from](const SearchHit &hit) { return hit.start < from; });
    if (!m_hits.hits.empty())
        select(previous == m_hits.hits.rend() ? m_hits.hits.size() - 1
                                              : static_cast<std::size_t>(m_hits.hits.rend() - previous) - 1);
}

void FindBar::replace(const Replacement &replacement) {
    const QByteArray text = replacement.text.toUtf8();
    const SearchHit &hit = replacement.hit;
    m_editor->sci(QsciScintillaBase::SCI_SETTARGETRANGE, hit.start, hit.start + hit.length);
    m_editor->sci(QsciScintillaBase::SCI_REPLACETARGET, text.size(),
                  reinterpret_cast<long>(text.constData()));
}

void FindBar::replaceOne() {
    if (m_editor == nullptr || m_editor->isReadOnly())
        return;
    search(false);
    const std::size_t at = current();
    if (at == m_hits.hits.size()) { // first show what would be replaced
        findNext();
        return;
    }
    const auto all = replacementsInText(m_editor->content(), query(), m_replacement->text());
    if (at < all.size()) {
        replace(all[at]);
        m_editor->sci(QsciScintillaBase::SCI_SETEMPTYSELECTION,
                      all[at].hit.start + all[at].text.toUtf8().size());
    }
    findNext();
}

void FindBar::replaceAll() {
    if (m_editor == nullptr || m_editor->isReadOnly())
        return;
    const auto all = replacementsInText(m_editor->content(), query(), m_replacement->text());
    m_editor->beginUndoAction();
    for (auto each = all.rbegin(); each != all.rend(); ++each) // from the end back none moves another
        replace(*each);
    m_editor->endUndoAction();
    search(false);
    m_count->setText(
        all.size() == 1
            ? tr("1 replaced")
            : tr("%1 replaced").arg(QLocale(QLocale::English).toString(static_cast<qlonglong>(all.size()))));
}

void FindBar::keyPressEvent(QKeyEvent *event) {
    const bool hasShift = (event->modifiers() & Qt::ShiftModifier) != 0;
    switch (event->key()) {
    case Qt::Key_Escape:
        closeBar();
        return;
    case Qt::Key_F3:
        hasShift ? findPrevious() : findNext();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_replacement->hasFocus())
            replaceOne();
        else
            hasShift ? findPrevious() : findNext();
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

bool FindBar::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::KeyPress && watched == m_editor) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool isPlain = (key->modifiers() & ~Qt::ShiftModifier) == 0;
        if (key->key() == Qt::Key_F3 && isPlain && !m_field->text().isEmpty()) {
            key->modifiers() == Qt::NoModifier ? findNext() : findPrevious();
            return true;
        }
        if (key->key() == Qt::Key_Escape && isVisible() &&
            m_editor->sci(QsciScintillaBase::SCI_GETSELECTIONS) == 1) {
            closeBar();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

bool FindBar::focusNextPrevChild(bool next) {
    const int by = next ? 1 : -1;
    for (qsizetype at = m_stops.indexOf(focusWidget()); at >= 0;) {
        at += by;
        if (at < 0 || at >= m_stops.size())
            break; // out of the bar, as the window is read
        if (m_stops[at]->isVisible() && m_stops[at]->isEnabled()) {
            m_stops[at]->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
            return true;
        }
    }
    return QWidget::focusNextPrevChild(next);
}

void FindBar::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.bar"));
    painter.fillRect(0, 0, width(), 1, m_look.color("border.normal"));
}

} // namespace warpwright
