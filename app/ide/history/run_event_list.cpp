// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/history/run_event_list.h"

#include "app/ide/workbench/job.h"
#include "widgets/look/house_style.h"
#include "widgets/look/look.h"

#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int eventsAPage = 256;

/// What a person looks for in a long list.
bool isDeed(const QString &kind) {
    static const std::set<QString> deeds{QStringLiteral("proposal"),  QStringLiteral("applied"),
                                         QStringLiteral("hand-edit"), QStringLiteral("restored"),
                                         QStringLiteral("run-began"), QStringLiteral("run-continued"),
                                         QStringLiteral("run-ended"), QStringLiteral("run-stopped")};
    return deeds.count(kind) > 0;
}

class EventDelegate : public QStyledItemDelegate {
public:
    EventDelegate(const Look &look, QObject *parent) : QStyledItemDelegate(parent), m_look(look) {}

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override {
        return {m_look.px(120), m_look.px(24)};
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override {
        painter->save();
        const QRect rect = option.rect;
        const bool isSelected = (option.state & QStyle::State_Selected) != 0;
        if (isSelected) {
            painter->fillRect(rect, m_look.color("bg.selected"));
            painter->fillRect(rect.left(), rect.top(), m_look.px(3), rect.height(),
                              m_look.color("accent.focus"));
        } else if ((option.state & QStyle::State_MouseOver) != 0) {
            painter->fillRect(rect, m_look.color("bg.hover"));
        }
        const bool strong = isDeed(index.data(RunEventModel::KindRole).toString());
        const QFont small = m_look.font(TextRole::Small);
        const int numberWidth =
            QFontMetrics(small).horizontalAdvance(QString::number(index.model()->rowCount())) + m_look.px(20);
        painter->setFont(small);
        painter->setPen(m_look.color("text.tertiary"));
        painter->drawText(QRect(rect.left(), rect.top(), numberWidth, rect.height()),
                          Qt::AlignVCenter | Qt::AlignRight,
                          index.data(RunEventModel::NumberRole).toString());
        painter->setFont(m_look.font(TextRole::Small, strong ? QFont::DemiBold : QFont::Normal));
        painter->setPen(m_look.color(strong ? "text.primary" : "text.secondary"));
        const QRect place = rect.adjusted(numberWidth + m_look.px(10), 0, -m_look.px(12), 0);
        painter->drawText(
            place, Qt::AlignVCenter | Qt::AlignLeft,
            painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, place.width()));
        if (isSelected && (option.state & QStyle::State_HasFocus) != 0 &&
            (option.state & QStyle::State_KeyboardFocusChange) != 0)
            drawBox(painter, rect, 0, {}, m_look.color("accent.focus"), 2);
        painter->restore();
    }

private:
    const Look &m_look;
};

} // namespace

void RunEventModel::setRun(const QString &stateFolder, const QString &run, qint64 events) {
    beginResetModel();
    m_state = stateFolder;
    m_run = run;
    m_count = events;
    m_pages.clear();
    m_asked.clear();
    m_numbers.clear();
    ++m_filtering;
    endResetModel();
    if (m_filter != EventFilter::All)
        setFilter(m_filter);
}

void RunEventModel::setFilter(EventFilter filter) {
    // Whose rows there are is one thing with the filter: until they are known there are none.
    beginResetModel();
    m_filter = filter;
    m_numbers.clear();
    endResetModel();
    const int question = ++m_filtering;
    const auto take = [this](std::vector<qint64> numbers) {
        beginResetModel();
        m_numbers = std::move(numbers);
        endResetModel();
        emit filtered();
    };
    if (filter == EventFilter::All || m_run.isEmpty())
        return take({});
    using Answer = Result<std::vector<qint64>>;
    inPool(
        this,
        [state = m_state, run = m_run, filter] {
            Result<RunIndex> opened = RunIndex::open(state);
            if (!opened.hasValue())
                return Answer::error(opened.message());
            RunIndex index = std::move(opened).value();
            return index.numbers(run, filter);
        },
        [this, question, take](Answer answer) {
            if (question != m_filtering)
                return;
            if (answer.hasValue())
                take(std::move(answer).value());
            else
                emit failed(answer.message());
        });
}

qint64 RunEventModel::numberAt(int row) const {
    if (row < 0 || row >= rowCount())
        return 0;
    return m_filter == EventFilter::All ? row + 1 : m_numbers[static_cast<std::size_t>(row)];
}

int RunEventModel::rowOf(qint64 number) const {
    if (m_filter == EventFilter::All)
        return static_cast<int>(std::min(number, m_count)) - 1;
    return static_cast<int>(std::upper_bound(m_numbers.begin(), m_numbers.end(), number) -
                            m_numbers.begin()) -
           1;
}

const IndexedEvent *RunEventModel::event(qint64 number) const {
    const auto row = static_cast<int>(number - 1);
    const auto page = m_pages.constFind(row / eventsAPage);
    if (page == m_pages.cend()) {
        const_cast<RunEventModel *>(this)->ask(row / eventsAPage); // what is looked at is fetched
        return nullptr;
    }
    // Numbers have no gaps but where lines were lost: then the row is not the place.
    for (auto at = std::min<std::size_t>(static_cast<std::size_t>(row % eventsAPage), page->size());
         at < page->size(); ++at)
        if ((*page)[at].number == number)
            return &(*page)[at];
    return nullptr;
}

int RunEventModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid()               ? 0
           : m_filter == EventFilter::All ? static_cast<int>(m_count)
                                          : static_cast<int>(m_numbers.size());
}

QVariant RunEventModel::data(const QModelIndex &index, int role) const {
    const qint64 number = numberAt(index.row());
    if (role == NumberRole)
        return number;
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != KindRole && role != TimeRole)
        return {};
    const IndexedEvent *event = this->event(number);
    if (event == nullptr)
        return role == Qt::DisplayRole ? QVariant(tr("…")) : QVariant();
    switch (role) {
    case KindRole:
        return event->kind;
    case TimeRole:
        return event->at;
    case Qt::ToolTipRole:
        return tr("%1, event %2: %3")
            .arg(event->at.toLocalTime().toString(QStringLiteral("d MMM, HH:mm:ss")))
            .arg(number)
            .arg(event->summary);
    default:
        return event->summary;
    }
}

void RunEventModel::ask(int page) {
    if (m_run.isEmpty() || !m_asked.insert(page).second)
        return;
    using Answer = Result<std::vector<IndexedEvent>>;
    inPool(
        this,
        [state = m_state, run = m_run, page] {
            Result<RunIndex> opened = RunIndex::open(state);
            if (!opened.hasValue())
                return Answer::error(opened.message());
            RunIndex index = std::move(opened).value();
            return index.events(run, qint64{page} * eventsAPage + 1, eventsAPage);
        },
        [this, run = m_run, page](Answer answer) {
            if (run != m_run)
                return;
            if (!answer.hasValue()) {
                emit failed(answer.message());
                return;
            }
            m_pages.insert(page, std::move(answer).value());
            const qint64 first = qint64{page} * eventsAPage;
            const int from = std::max(0, rowOf(first + 1));
            const int to = rowOf(first + eventsAPage);
            if (to >= from)
                emit dataChanged(index(from), index(to));
        });
}

RunEventList::RunEventList(const Look &look, QWidget *parent)
    : LongList(parent), m_look(look), m_model(new RunEventModel(this)) {
    setObjectName(QStringLiteral("runEvents"));
    setAccessibleName(tr("Events of the run"));
    setModel(m_model);
    setItemDelegate(new EventDelegate(look, this));
    setFrameShape(QFrame::NoFrame);
    setEditTriggers(NoEditTriggers);
    verticalScrollBar()->setProperty("ground", QStringLiteral("bg.bar"));
    const auto restyle = [this] {
        QPalette colours = palette();
        colours.setColor(QPalette::Base, m_look.color("bg.bar"));
        setPalette(colours);
        scheduleDelayedItemsLayout();
    };
    restyle();
    connect(&look, &Look::changed, this, restyle);
    connect(selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex &now) {
        if (m_isSetting || !now.isValid())
            return;
        m_current = m_model->numberAt(now.row());
        emit eventPicked(m_current);
    });
    connect(this, &QAbstractItemView::clicked, this, [this](const QModelIndex &now) {
        // The row that keys went on from: it was current, and not the event that is shown.
        const qint64 number = m_model->numberAt(now.row());
        if (number == m_current)
            return;
        m_current = number;
        emit eventPicked(number);
    });
    connect(m_model, &RunEventModel::filtered, this, [this] { setCurrentEvent(m_current); });
}

void RunEventList::keyPressEvent(QKeyEvent *event) {
    if (event->modifiers() != Qt::NoModifier)
        return LongList::keyPressEvent(event);
    const int by = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    const qint64 before = m_model->numberAt(currentIndex().row());
    if ((by < 0 || event->key() == Qt::Key_Up) && before > 0 && before < m_current) {
        setCurrentEvent(before); // what is shown has no row: this is the one before it
        emit eventPicked(before);
    } else if (by != 0) {
        const QModelIndex next = m_model->index(currentIndex().row() + by);
        if (next.isValid())
            setCurrentIndex(next);
    } else if (event->key() == Qt::Key_Space) {
        emit playAsked();
    } else if (event->key() == Qt::Key_PageUp || event->key() == Qt::Key_PageDown) {
        emit pageAsked(event->key() == Qt::Key_PageUp ? -1 : 1);
    } else {
        LongList::keyPressEvent(event);
    }
}

void RunEventList::setCurrentEvent(qint64 number) {
    m_isSetting = true;
    m_current = number;
    const QModelIndex index = m_model->index(m_model->rowOf(number));
    // A filter may have left it out: keys go on from the row before it, which does not look like it.
    const bool isRow = index.isValid() && m_model->numberAt(index.row()) == number;
    selectionModel()->setCurrentIndex(index, isRow ? QItemSelectionModel::ClearAndSelect
                                                   : QItemSelectionModel::Clear);
    if (index.isValid())
        scrollTo(index);
    m_isSetting = false;
}

} // namespace warpwright
