// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/command_palette.h"

#include "widgets/action_button.h"
#include "widgets/house_style.h"
#include "widgets/look.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace warpwright {
namespace {

constexpr int indexRole = Qt::UserRole + 1;
constexpr int shownRows = 9;

class RowDelegate : public QStyledItemDelegate {
public:
    RowDelegate(const Look &look, const QList<QAction *> &actions, QLineEdit *field, QObject *parent)
        : QStyledItemDelegate(parent), m_look(look), m_actions(actions), m_field(field) {}

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override {
        const QAction *action = m_actions.value(index.data(indexRole).toInt());
        if (action == nullptr)
            return;
        const bool isSelected = (option.state & QStyle::State_Selected) != 0;
        painter->fillRect(option.rect, m_look.color(isSelected ? "bg.selected" : "bg.card"));
        const bool isEnabled = action->isEnabled();
        const char *ink = isEnabled ? "text.primary" : "text.tertiary";
        const int icon = m_look.px(16);
        const QString iconName = action->property("iconName").toString();
        if (!iconName.isEmpty())
            m_look.icon(iconName, m_look.color(isEnabled ? "text.secondary" : "text.tertiary"))
                .paint(painter, QRect(option.rect.left() + m_look.px(14),
                                      option.rect.center().y() - icon / 2 + 1, icon, icon));
        int right = option.rect.right() - m_look.px(12);
        const QStringList keys =
            action->shortcut().toString(QKeySequence::NativeText).split(QLatin1Char('+'), Qt::SkipEmptyParts);
        for (auto key = keys.rbegin(); key != keys.rend(); ++key) {
            right -= drawKeyCap(nullptr, m_look, *key, 0, 0, {}, {});
            drawKeyCap(painter, m_look, *key, right, option.rect.center().y() + 1,
                       m_look.color("text.secondary"), m_look.color("border.normal"));
            right -= m_look.px(4);
        }
        int x = option.rect.left() + m_look.px(40);
        const auto draw = [&](const QString &text, QFont::Weight weight, TextRole role, const char *color) {
            painter->setFont(m_look.font(role, weight));
            painter->setPen(m_look.color(color));
            const int room = right - x - m_look.px(8);
            const QString shown = painter->fontMetrics().elidedText(text, Qt::ElideRight, room);
            painter->drawText(QRect(x, option.rect.top(), std::max(0, room), option.rect.height()),
                              Qt::AlignVCenter | Qt::AlignLeft, shown);
            x += painter->fontMetrics().horizontalAdvance(shown);
        };
        const QString name = index.data(Qt::DisplayRole).toString();
        const QString typed = m_field->text().trimmed();
        const qsizetype at = typed.isEmpty() ? -1 : name.indexOf(typed, 0, Qt::CaseInsensitive);
        if (at >= 0) {
            draw(name.left(at), QFont::Normal, TextRole::Body, ink);
            draw(name.mid(at, typed.size()), QFont::DemiBold, TextRole::Body, ink);
            draw(name.mid(at + typed.size()), QFont::Normal, TextRole::Body, ink);
        } else {
            draw(name, QFont::Normal, TextRole::Body, ink);
        }
        x += m_look.px(8);
        QString behind = action->property("group").toString();
        const QString reason = action->property("whyDisabled").toString();
        if (!isEnabled && !reason.isEmpty())
            behind += QStringLiteral(" · ") + reason;
        draw(behind, QFont::Normal, TextRole::Small, "text.tertiary");
    }

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override {
        return {m_look.px(200), m_look.px(32)};
    }

private:
    const Look &m_look;
    const QList<QAction *> &m_actions;
    QLineEdit *m_field;
};

} // namespace

int paletteRank(const QString &name, const QString &typed) {
    int rank = 0;
    const QStringList words = typed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (const QString &word : words) {
        const qsizetype at = name.indexOf(word, 0, Qt::CaseInsensitive);
        if (at < 0)
            return -1;
        const bool beginsWord = at == 0 || !name.at(at - 1).isLetterOrNumber();
        rank += static_cast<int>(at) + (beginsWord ? 0 : 100);
    }
    return rank;
}

CommandPalette::CommandPalette(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_field(new QLineEdit(this)),
      m_list(new QListView(this)),
      m_foot(new QLabel(this)),
      m_model(new QStandardItemModel(this)) {
    setObjectName(QStringLiteral("commandPalette"));
    hide();
    m_field->setObjectName(QStringLiteral("paletteField"));
    m_field->setFrame(false);
    m_field->setPlaceholderText(tr("Type the name of an action"));
    m_field->setAccessibleName(tr("Command palette"));
    m_field->installEventFilter(this);
    m_list->setModel(m_model);
    m_list->setObjectName(QStringLiteral("paletteList"));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->verticalScrollBar()->setProperty("ground", QStringLiteral("bg.card"));
    m_list->setItemDelegate(new RowDelegate(m_look, m_actions, m_field, this));
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_list, &QListView::clicked, this, &CommandPalette::run);
    parent->installEventFilter(this);
}

void CommandPalette::open(const QList<QAction *> &actions) {
    if (isVisible()) {
        closeAndReturn();
        return;
    }
    m_before = QApplication::focusWidget();
    m_actions = actions;
    m_field->clear();
    m_field->setFont(m_look.font(TextRole::Body));
    m_foot->setFont(m_look.font(TextRole::Axis));
    QPalette palette = this->palette();
    palette.setColor(QPalette::Base, m_look.color("bg.card"));
    m_list->setPalette(palette);
    m_field->setPalette(palette);
    filter({});
    place();
    show();
    raise();
    m_field->setFocus();
}

void CommandPalette::filter(const QString &typed) {
    std::vector<std::pair<int, int>> ranked;
    for (int i = 0; i < m_actions.size(); ++i) {
        const QString name = m_actions[i]->text().remove(QLatin1Char('&'));
        int rank = paletteRank(name, typed);
        // By what else people call it, behind those that are named so.
        if (rank < 0)
            if (const int other = paletteRank(
                    name + QLatin1Char(' ') + m_actions[i]->property("otherNames").toString(), typed);
                other >= 0)
                rank = other + 1000;
        if (rank >= 0)
            ranked.emplace_back(m_actions[i]->isEnabled() ? rank : rank + 10000, i);
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto &a, const auto &b) { return a.first < b.first; });
    m_model->clear();
    for (const auto &[rank, i] : ranked) {
        auto *item = new QStandardItem(m_actions[i]->text().remove(QLatin1Char('&')));
        item->setData(i, indexRole);
        item->setEditable(false);
        m_model->appendRow(item);
    }
    m_list->setCurrentIndex(m_model->index(0, 0));
    m_foot->setText(tr("%1 of %2 actions").arg(ranked.size()).arg(m_actions.size()));
    place();
}

void CommandPalette::place() {
    const QWidget *ground = parentWidget();
    const int width = std::min(m_look.px(560), ground->width() - m_look.px(24));
    const int rows = std::clamp(m_model->rowCount(), 1, shownRows);
    const int field = m_look.px(40);
    const int foot = m_look.px(28);
    setGeometry((ground->width() - width) / 2, m_look.px(88), width, field + rows * m_look.px(32) + foot + 2);
    m_field->setGeometry(m_look.px(40), 1, width - m_look.px(52), field - 1);
    m_list->setGeometry(1, field + 1, width - 2, rows * m_look.px(32));
    m_foot->setGeometry(m_look.px(14), height() - foot, m_look.px(200), foot);
    QPalette palette = m_foot->palette();
    palette.setColor(QPalette::WindowText, m_look.color("text.tertiary"));
    m_foot->setPalette(palette);
}

void CommandPalette::run() {
    QAction *action = m_actions.value(m_list->currentIndex().data(indexRole).toInt());
    if (!m_list->currentIndex().isValid() || action == nullptr || !action->isEnabled())
        return;
    closeAndReturn();
    action->trigger();
}

void CommandPalette::closeAndReturn() {
    hide();
    if (m_before)
        m_before->setFocus(Qt::PopupFocusReason);
}

bool CommandPalette::eventFilter(QObject *watched, QEvent *event) {
    if (watched == parentWidget()) {
        if (event->type() == QEvent::Resize && isVisible())
            place();
        return false;
    }
    if (watched == m_field && event->type() == QEvent::FocusOut) {
        hide();
        return false;
    }
    if (watched == m_field && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const int row = m_list->currentIndex().row();
        const int last = m_model->rowCount() - 1;
        int next = row;
        switch (key->key()) {
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
    return QWidget::eventFilter(watched, event);
}

void CommandPalette::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.card"));
    drawBox(&painter, rect(), 0, {}, m_look.color("border.strong"));
    const int icon = m_look.px(16);
    m_look.icon(QStringLiteral("search"))
        .paint(&painter, QRect(m_look.px(14), m_look.px(20) - icon / 2, icon, icon));
    painter.fillRect(1, m_look.px(40), width() - 2, 1, m_look.color("border.subtle"));
    painter.fillRect(1, height() - m_look.px(28) - 1, width() - 2, 1, m_look.color("border.subtle"));
    const int y = height() - m_look.px(14);
    int x = width() - m_look.px(14);
    painter.setFont(m_look.font(TextRole::Axis));
    const auto hint = [&](const QString &key, const QString &word) {
        painter.setFont(m_look.font(TextRole::Axis));
        x -= painter.fontMetrics().horizontalAdvance(word);
        painter.setPen(m_look.color("text.tertiary"));
        painter.drawText(QRect(x, height() - m_look.px(28), m_look.px(80), m_look.px(28)), Qt::AlignVCenter,
                         word);
        x -= m_look.px(6) + drawKeyCap(nullptr, m_look, key, 0, 0, {}, {});
        drawKeyCap(&painter, m_look, key, x, y, m_look.color("text.secondary"),
                   m_look.color("border.normal"));
        x -= m_look.px(10);
    };
    hint(tr("Esc"), tr("closes"));
    hint(tr("Enter"), tr("runs"));
}

} // namespace warpwright
