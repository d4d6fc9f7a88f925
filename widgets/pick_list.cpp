// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pick_list.h"

#include "widgets/house_style.h"
#include "widgets/look.h"
#include "widgets/palette_match.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QStyledItemDelegate>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int indexRole = Qt::UserRole + 1;
constexpr int shownRows = 12;
constexpr std::size_t mostRows = 200;
constexpr int rowHeight = 28;

} // namespace

class PickList::Delegate : public QStyledItemDelegate {
public:
    Delegate(const PickList &list) : QStyledItemDelegate(list.m_list), m_of(list) {}

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override {
        const PickRow &row = m_of.m_rows[static_cast<std::size_t>(index.data(indexRole).toInt())];
        const Look &look = m_of.m_look;
        const bool isSelected = (option.state & QStyle::State_Selected) != 0;
        painter->fillRect(option.rect, look.color(isSelected ? "bg.selected" : "bg.card"));
        if (isSelected)
            painter->fillRect(option.rect.left(), option.rect.top(), look.px(3), option.rect.height(),
                              look.color("accent.focus"));
        const QString typed = m_of.m_field->text().trimmed();
        int x = option.rect.left() + look.px(14) + (typed.isEmpty() ? row.depth * look.px(16) : 0);
        if (!row.icon.isEmpty()) {
            const int side = look.px(16);
            look.icon(row.icon).paint(painter, QRect(x, option.rect.center().y() - side / 2 + 1, side, side));
            x += side + look.px(10);
        }
        const auto draw = [&](const QString &text, TextRole role, QFont::Weight weight, const char *ink) {
            painter->setFont(look.font(role, weight));
            painter->setPen(look.color(ink));
            const int room = std::max(0, option.rect.right() - look.px(12) - x);
            const QString shown = painter->fontMetrics().elidedText(text, Qt::ElideRight, room);
            painter->drawText(QRect(x, option.rect.top(), room, option.rect.height()),
                              Qt::AlignVCenter | Qt::AlignLeft, shown);
            x += painter->fontMetrics().horizontalAdvance(shown);
        };
        const qsizetype at = typed.isEmpty() ? -1 : row.name.indexOf(typed, 0, Qt::CaseInsensitive);
        if (at >= 0) {
            draw(row.name.left(at), TextRole::Body, QFont::Normal, "text.primary");
            draw(row.name.mid(at, typed.size()), TextRole::Body, QFont::DemiBold, "text.primary");
            draw(row.name.mid(at + typed.size()), TextRole::Body, QFont::Normal, "text.primary");
        } else {
            draw(row.name, TextRole::Body, QFont::Normal, "text.primary");
        }
        x += look.px(10);
        draw(row.behind, row.isBehindCode ? TextRole::Log : TextRole::Small, QFont::Normal, "text.secondary");
    }

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override {
        return {m_of.m_look.px(200), m_of.m_look.px(rowHeight)};
    }

private:
    const PickList &m_of;
};

PickList::PickList(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_field(new QLineEdit(this)),
      m_list(new QListView(this)),
      m_foot(new QLabel(this)),
      m_model(new QStandardItemModel(this)) {
    setObjectName(QStringLiteral("pickList"));
    hide();
    m_field->setObjectName(QStringLiteral("pickField"));
    m_field->setFrame(false);
    m_field->installEventFilter(this);
    m_list->setObjectName(QStringLiteral("pickRows"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new Delegate(*this));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->verticalScrollBar()->setProperty("ground", QStringLiteral("bg.card"));
    m_foot->setObjectName(QStringLiteral("pickFoot"));
    connect(m_field, &QLineEdit::textChanged, this, &PickList::filter);
    connect(m_list, &QListView::clicked, this, &PickList::run);
    parent->installEventFilter(this);
}

void PickList::open(const QString &prompt, std::vector<PickRow> rows, int current) {
    if (!isVisible())
        m_before = QApplication::focusWidget();
    m_rows = std::move(rows);
    m_current = current;
    m_field->setPlaceholderText(prompt);
    m_field->setAccessibleName(prompt);
    m_field->clear();
    m_field->setFont(m_look.font(TextRole::Body));
    m_foot->setFont(m_look.font(TextRole::Axis));
    QPalette palette = this->palette();
    palette.setColor(QPalette::Base, m_look.color("bg.card"));
    palette.setColor(QPalette::WindowText, m_look.color("text.tertiary"));
    m_list->setPalette(palette);
    m_field->setPalette(palette);
    m_foot->setPalette(palette);
    filter({});
    show();
    raise();
    m_field->setFocus();
}

void PickList::filter(const QString &typed) {
    std::vector<std::pair<int, std::size_t>> ranked;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        int rank = 0; // untyped: in their own order
        if (!typed.trimmed().isEmpty()) {
            rank = paletteMatch(m_rows[i].name, typed, true).rank;
            if (rank < 0)
                if (const int other =
                        paletteMatch(m_rows[i].name + QLatin1Char(' ') + m_rows[i].behind, typed).rank;
                    other >= 0)
                    rank = other + 1000;
        }
        if (rank >= 0)
            ranked.emplace_back(rank, i);
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto &a, const auto &b) { return a.first < b.first; });
    const std::size_t fitting = ranked.size();
    ranked.resize(std::min(ranked.size(), mostRows));
    m_model->clear();
    int chosenRow = 0;
    for (const auto &[rank, i] : ranked) {
        auto *item = new QStandardItem(m_rows[i].name);
        item->setData(static_cast<int>(i), indexRole);
        item->setAccessibleText(m_rows[i].name + QStringLiteral(", ") + m_rows[i].behind);
        if (typed.trimmed().isEmpty() && static_cast<int>(i) == m_current)
            chosenRow = m_model->rowCount();
        m_model->appendRow(item);
    }
    m_list->setCurrentIndex(m_model->index(chosenRow, 0));
    m_foot->setText(fitting > ranked.size()
                        ? tr("the first %1 of %2; type to find others").arg(ranked.size()).arg(fitting)
                        : tr("%1 of %2").arg(fitting).arg(m_rows.size()));
    place();
    m_list->scrollTo(m_list->currentIndex(), QAbstractItemView::PositionAtCenter);
}

void PickList::place() {
    const QWidget *ground = parentWidget();
    const int width = std::min(m_look.px(720), ground->width() - m_look.px(24));
    const int rows = std::clamp(m_model->rowCount(), 1, shownRows);
    const int field = m_look.px(40);
    const int foot = m_look.px(28);
    setGeometry((ground->width() - width) / 2, m_look.px(88), width,
                field + rows * m_look.px(rowHeight) + foot + 2);
    m_field->setGeometry(m_look.px(40), 1, width - m_look.px(52), field - 1);
    m_list->setGeometry(1, field + 1, width - 2, rows * m_look.px(rowHeight));
    m_foot->setGeometry(m_look.px(14), height() - foot - 1, width - m_look.px(28), foot);
}

int PickList::chosen() const {
    return m_list->currentIndex().isValid() ? m_list->currentIndex().data(indexRole).toInt() : -1;
}

void PickList::run() {
    const int row = chosen();
    if (row < 0)
        return;
    closeAndReturn();
    emit picked(row);
}

void PickList::closeAndReturn() {
    hide();
    if (m_before)
        m_before->setFocus(Qt::PopupFocusReason);
}

bool PickList::eventFilter(QObject *watched, QEvent *event) {
    if (watched == parentWidget()) {
        if (event->type() == QEvent::Resize && isVisible())
            place();
        return false;
    }
    if (watched == m_field && event->type() == QEvent::FocusOut) {
        hide();
        return false;
    }
    if (watched != m_field || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const int row = m_list->currentIndex().row();
    const int last = m_model->rowCount() - 1;
    int next = row;
    switch (static_cast<QKeyEvent *>(event)->key()) {
    case Qt::Key_Escape:
        closeAndReturn();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        run();
        return true;
    case Qt::Key_Down:
        next = row >= last ? 0 : row + 1;
        break;
    case Qt::Key_Up:
        next = row <= 0 ? last : row - 1;
        break;
    case Qt::Key_PageDown:
        next = std::min(last, row + shownRows);
        break;
    case Qt::Key_PageUp:
        next = std::max(0, row - shownRows);
        break;
    default:
        return false;
    }
    m_list->setCurrentIndex(m_model->index(next, 0));
    return true;
}

void PickList::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.card"));
    drawBox(&painter, rect(), 0, {}, m_look.color("border.strong"));
    const int icon = m_look.px(16);
    m_look.icon(QStringLiteral("search"))
        .paint(&painter, QRect(m_look.px(14), m_look.px(20) - icon / 2, icon, icon));
    painter.fillRect(1, m_look.px(40), width() - 2, 1, m_look.color("border.subtle"));
    painter.fillRect(1, height() - m_look.px(28) - 1, width() - 2, 1, m_look.color("border.subtle"));
}

} // namespace warpwright
