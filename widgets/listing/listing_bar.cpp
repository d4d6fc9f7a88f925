// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/listing/listing_bar.h"

#include "widgets/frame/action_button.h"
#include "widgets/look/look.h"

#include <QBoxLayout>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPainter>
#include <QThreadPool>

namespace warpwright {
namespace {

QString counted(std::size_t count, bool isCut) {
    return QLocale(QLocale::English).toString(static_cast<qlonglong>(count)) +
           (isCut ? QStringLiteral("+") : QString());
}

/// Also in the layouts within it.
QBoxLayout *columnWith(QLayout *layout, QWidget *widget) {
    if (layout == nullptr)
        return nullptr;
    if (layout->indexOf(widget) >= 0) {
        auto *box = qobject_cast<QBoxLayout *>(layout);
        return box != nullptr && box->direction() == QBoxLayout::TopToBottom ? box : nullptr;
    }
    for (int i = 0; i < layout->count(); ++i)
        if (QBoxLayout *inner = columnWith(layout->itemAt(i)->layout(), widget))
            return inner;
    return nullptr;
}

/// Keys that the bar takes, also while the listing has the focus.
bool isOurs(const QKeyEvent &event) {
    const bool isPlain = (event.modifiers() & ~Qt::ShiftModifier) == 0;
    return isPlain && (event.key() == Qt::Key_Escape || event.key() == Qt::Key_F3);
}

} // namespace

bool placeBelow(QWidget *widget, QWidget *bar) {
    for (QWidget *child = widget; child != nullptr && !child->isWindow(); child = child->parentWidget()) {
        QWidget *parent = child->parentWidget();
        QBoxLayout *column = parent == nullptr ? nullptr : columnWith(parent->layout(), child);
        if (column == nullptr)
            continue;
        if (const int at = column->indexOf(bar); at >= 0 && at == column->indexOf(child) + 1)
            return true;
        if (bar->parentWidget() != nullptr && bar->parentWidget()->layout() != nullptr)
            bar->parentWidget()->layout()->removeWidget(bar);
        column->insertWidget(column->indexOf(child) + 1, bar);
        return true;
    }
    return false;
}

ListingBar::ListingBar(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_field(new QLineEdit(this)),
      m_count(new QLabel(this)),
      m_problem(new QLabel(this)) {
    setObjectName(QStringLiteral("listingBar"));
    setAccessibleName(tr("Find in this listing"));
    hide();
    m_field->setObjectName(QStringLiteral("listingField"));
    m_field->setPlaceholderText(tr("Find"));
    m_field->setAccessibleName(tr("Find"));
    m_count->setObjectName(QStringLiteral("listingCount"));
    m_problem->setObjectName(QStringLiteral("listingProblem"));
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->hide();
    m_case = addButton({}, QStringLiteral("Aa"), tr("Match case"));
    m_word = addButton({}, QStringLiteral("ab|"), tr("Whole words"));
    m_expression = addButton({}, QStringLiteral(".*"), tr("Regular expression"));
    ActionButton *previous =
        addButton(QStringLiteral("prev"), {}, tr("Previous hit (Shift+Enter, Shift+F3)"));
    ActionButton *next = addButton(QStringLiteral("next"), {}, tr("Next hit (Enter, F3)"));
    ActionButton *close = addButton(QStringLiteral("close"), {}, tr("Close (Esc)"));
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
    auto *column = new QVBoxLayout(this);
    column->addLayout(row);
    column->addWidget(m_problem);
    m_timer.setSingleShot(true);
    m_timer.setInterval(200); // a console that runs need not be searched line by line
    connect(&m_timer, &QTimer::timeout, this, [this] { search(false); });
    connect(m_field, &QLineEdit::textChanged, this, [this] { search(true); });
    connect(previous, &QAbstractButton::clicked, this, &ListingBar::findPrevious);
    connect(next, &QAbstractButton::clicked, this, &ListingBar::findNext);
    connect(close, &QAbstractButton::clicked, this, &ListingBar::closeBar);
    connect(&look, &Look::changed, this, &ListingBar::applyLook);
    applyLook();
}

ActionButton *ListingBar::addButton(const QString &icon, const QString &text, const QString &tip) {
    auto *button = new ActionButton(m_look, ActionButton::Kind::Flat, this);
    button->setSmall(true);
    if (!icon.isEmpty())
        button->setIconName(icon);
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    return button;
}

void ListingBar::applyLook() {
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
    m_count->setMinimumWidth(m_count->fontMetrics().horizontalAdvance(QStringLiteral("10,000 of 10,000+")));
    m_count->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_field->setFont(m_look.font(TextRole::Code));
    m_field->setFixedHeight(m_look.px(28));
    m_field->setTextMargins(m_look.px(6), 0, m_look.px(6), 0);
    if (m_face)
        m_face->mark(m_hits.hits);
}

QWidget *ListingBar::listing() const {
    return m_face ? m_face->widget() : nullptr;
}

bool ListingBar::open(ListingFace *face) {
    const bool isSame = m_face && m_face->widget() == face->widget();
    leave();
    m_face = face;
    face->setParent(this);
    if (!placeBelow(face->widget(), this)) {
        leave();
        return false;
    }
    face->widget()->installEventFilter(this);
    connect(face, &ListingFace::changed, &m_timer, qOverload<>(&QTimer::start));
    connect(face->widget(), &QObject::destroyed, this, [this, face] {
        if (m_face == face) {
            m_face = nullptr;
            ++m_asked; // an answer that is on its way is of nothing any more
            m_hits = {};
            QMetaObject::invokeMethod(this, &QWidget::hide, Qt::QueuedConnection);
        }
        face->deleteLater();
    });
    show();
    (void)face->read(); // its lines are known before it is asked where it stands
    m_origin = face->currentLine();
    if (!isSame)
        m_current = -1;
    search(false);
    m_field->selectAll();
    m_field->setFocus(Qt::ShortcutFocusReason);
    return true;
}

void ListingBar::leave() {
    ++m_asked;
    m_timer.stop();
    m_hits = {};
    if (!m_face)
        return;
    m_face->mark({});
    m_face->widget()->removeEventFilter(this);
    disconnect(m_face->widget(), &QObject::destroyed, this, nullptr);
    delete m_face;
}

// Another page is in its place.
void ListingBar::leaveHidden() {
    if (listing() == nullptr || listing()->isVisible())
        return;
    hide();
    leave();
}

void ListingBar::closeBar() {
    QWidget *listing = this->listing();
    hide();
    leave();
    if (listing != nullptr)
        listing->setFocus(Qt::OtherFocusReason);
}

SearchQuery ListingBar::query() const {
    return {m_field->text(), m_case->isChecked(), m_word->isChecked(), m_expression->isChecked()};
}

void ListingBar::search(bool follows) {
    if (!m_face)
        return;
    m_timer.stop();
    const int job = ++m_asked;
    QThreadPool::globalInstance()->start([guarded = QPointer<ListingBar>(this), job, follows,
                                          read = m_face->read(), query = query(), once = m_face->isByLine()] {
        LineHits hits = findInLines(read(), query, once);
        QMetaObject::invokeMethod(
            qApp,
            [guarded, job, follows, hits = std::move(hits)]() mutable {
                if (guarded && guarded->m_asked == job)
                    guarded->take(std::move(hits), follows);
            },
            Qt::QueuedConnection);
    });
}

void ListingBar::take(LineHits hits, bool follows) {
    const LineHit before = m_current >= 0 && m_current < static_cast<int>(m_hits.hits.size())
                               ? m_hits.hits[static_cast<std::size_t>(m_current)]
                               : LineHit{-1, 0, 0};
    m_hits = std::move(hits);
    m_hits.isCut = m_hits.isCut || !m_face->isWhole();
    m_problem->setText(m_hits.problem);
    m_problem->setVisible(!m_hits.problem.isEmpty());
    m_field->setProperty("isBad", !m_hits.problem.isEmpty());
    m_field->update();
    m_face->mark(m_hits.hits);
    const auto same = std::find(m_hits.hits.begin(), m_hits.hits.end(), before);
    m_current = same == m_hits.hits.end() ? -1 : static_cast<int>(same - m_hits.hits.begin());
    if (follows && !m_hits.hits.empty()) {
        const auto next = std::find_if(m_hits.hits.begin(), m_hits.hits.end(),
                                       [this](const LineHit &hit) { return hit.line >= m_origin; });
        select(next == m_hits.hits.end() ? 0 : static_cast<int>(next - m_hits.hits.begin()));
    }
    describe();
}

void ListingBar::select(int hit) {
    m_current = hit;
    m_face->show(m_hits.hits[static_cast<std::size_t>(hit)]);
    describe();
}

void ListingBar::step(int by) {
    const int count = static_cast<int>(m_hits.hits.size());
    if (!m_face || count == 0)
        return;
    if (m_current >= 0) {
        select((m_current + by + count) % count);
        return;
    }
    const auto next = std::find_if(m_hits.hits.begin(), m_hits.hits.end(),
                                   [this](const LineHit &hit) { return hit.line >= m_origin; });
    const int first = static_cast<int>(next - m_hits.hits.begin());
    select(((by > 0 ? first : first - 1) + count) % count);
}

void ListingBar::findNext() {
    step(1);
}

void ListingBar::findPrevious() {
    step(-1);
}

void ListingBar::describe() {
    const std::size_t count = m_hits.hits.size();
    if (m_field->text().isEmpty() || !m_hits.problem.isEmpty())
        m_count->clear();
    else if (count == 0)
        m_count->setText(tr("no hits"));
    else if (m_current >= 0)
        m_count->setText(
            tr("%1 of %2")
                .arg(counted(static_cast<std::size_t>(m_current) + 1, false), counted(count, m_hits.isCut)));
    else
        m_count->setText(count == 1 ? tr("1 hit") : tr("%1 hits").arg(counted(count, m_hits.isCut)));
}

void ListingBar::keyPressEvent(QKeyEvent *event) {
    const int by = (event->modifiers() & Qt::ShiftModifier) != 0 ? -1 : 1;
    switch (event->key()) {
    case Qt::Key_Escape:
        closeBar();
        return;
    case Qt::Key_F3:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        step(by);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

// Esc closes the bar before it closes the page that it lies in.
bool ListingBar::event(QEvent *event) {
    if (event->type() == QEvent::ShortcutOverride && isOurs(*static_cast<QKeyEvent *>(event))) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

bool ListingBar::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::Hide && !event->spontaneous())
        QMetaObject::invokeMethod(this, &ListingBar::leaveHidden, Qt::QueuedConnection);
    if (event->type() == QEvent::ShortcutOverride && isVisible() && watched == listing() &&
        isOurs(*static_cast<QKeyEvent *>(event))) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::KeyPress && isVisible() && watched == listing()) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_F3 && (key->modifiers() & ~Qt::ShiftModifier) == 0) {
            step(key->modifiers() == Qt::NoModifier ? 1 : -1);
            return true;
        }
        if (key->key() == Qt::Key_Escape) {
            closeBar();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void ListingBar::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.bar"));
    painter.fillRect(0, 0, width(), 1, m_look.color("border.normal"));
}

} // namespace warpwright
