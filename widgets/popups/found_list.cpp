// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/popups/found_list.h"

#include "widgets/look/house_style.h"
#include "widgets/look/look.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int fieldHeight = 40;
constexpr int footHeight = 28;

} // namespace

FoundList::FoundList(const Look &look, Shape shape, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_shape(std::move(shape)),
      m_field(new QLineEdit(this)),
      m_list(new QListView(this)),
      m_foot(new QLabel(this)),
      m_none(new QLabel(this)),
      m_model(new PaletteModel(this)) {
    hide();
    m_field->setObjectName(m_shape.name + QStringLiteral("Field"));
    m_field->setFrame(false);
    m_field->installEventFilter(this);
    m_list->setObjectName(m_shape.name + QStringLiteral("Rows"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new PaletteDelegate(m_look, *m_model, m_shape.rowHeight, this));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->verticalScrollBar()->setProperty("ground", QStringLiteral("bg.card"));
    m_list->setAccessibleName(tr("What was found"));
    m_foot->setObjectName(m_shape.name + QStringLiteral("Foot"));
    m_none->setObjectName(m_shape.name + QStringLiteral("None"));
    m_none->setTextFormat(Qt::PlainText);
    m_none->setWordWrap(true);
    m_none->hide();
    connect(m_field, &QLineEdit::textChanged, this, [this] {
        m_model->setFound({}); // what was chosen is chosen no more
        filter();
    });
    connect(m_list, &QListView::clicked, this, &FoundList::takeChosen);
    parent->installEventFilter(this);
}

void FoundList::openWith(const QString &typed) {
    if (!isVisible())
        m_before = QApplication::focusWidget();
    m_model->setFound({}); // what was chosen the last time is not chosen now
    m_field->setText(typed);
    m_field->setFont(m_look.font(TextRole::Body));
    m_foot->setFont(m_look.font(TextRole::Axis));
    QPalette palette = this->palette();
    palette.setColor(QPalette::Base, m_look.color("bg.card"));
    m_list->setPalette(palette);
    m_field->setPalette(palette);
    palette.setColor(QPalette::WindowText, m_look.color("text.tertiary"));
    m_foot->setPalette(palette);
    palette.setColor(QPalette::WindowText, m_look.color("text.secondary"));
    m_none->setFont(m_look.font(TextRole::Small));
    m_none->setPalette(palette);
    filter();
    show();
    raise();
    m_field->setFocus();
}

void FoundList::showRows(std::vector<FoundRow> rows, int chosen, const QString &foot, const QString &none) {
    m_none->setText(none);
    m_none->setVisible(rows.empty() && !none.isEmpty());
    m_list->setVisible(m_none->isHidden());
    m_model->setFound(std::move(rows));
    m_foot->setText(foot);
    m_list->setCurrentIndex(m_model->index(std::max(0, chosen), 0));
    place();
    m_list->scrollTo(m_list->currentIndex(), QAbstractItemView::PositionAtCenter);
    update();
}

const FoundRow *FoundList::chosen() const {
    return m_model->at(m_list->currentIndex());
}

void FoundList::place() {
    const QWidget *ground = parentWidget();
    const int width = std::min(m_look.px(m_shape.width), ground->width() - m_look.px(24));
    const int least = m_none->isHidden() ? 1 : 2; // a sentence may take two lines
    const int rows = std::clamp(m_model->rowCount(), least, m_shape.rows) * m_look.px(m_shape.rowHeight);
    const int field = m_look.px(fieldHeight);
    const int foot = m_look.px(footHeight);
    setGeometry((ground->width() - width) / 2, m_look.px(88), width, field + rows + foot + 2);
    m_field->setGeometry(m_look.px(40), 1, width - m_look.px(52), field - 1);
    m_list->setGeometry(1, field + 1, width - 2, rows);
    m_none->setGeometry(m_look.px(14), field + 1, width - m_look.px(28), rows);
    m_foot->setGeometry(m_look.px(14), height() - foot,
                        m_shape.footWidth > 0 ? m_look.px(m_shape.footWidth) : width - m_look.px(28), foot);
}

void FoundList::takeChosen() {
    if (const FoundRow *found = chosen(); found != nullptr && found->row.whyDisabled.isEmpty()) {
        const FoundRow taken = *found; // the rows may be others by then
        closeAndReturn();
        take(taken);
    }
}

void FoundList::closeAndReturn() {
    hide();
    if (m_before)
        m_before->setFocus(Qt::PopupFocusReason);
}

bool FoundList::pressed(int key) {
    const int row = m_list->currentIndex().row();
    const int last = m_model->rowCount() - 1;
    int next = row;
    switch (key) {
    case Qt::Key_Escape:
        closeAndReturn();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        takeChosen();
        return true;
    case Qt::Key_Down:
    case Qt::Key_Tab: // else it would lead out, and close
        next = row >= last ? 0 : row + 1;
        break;
    case Qt::Key_Up:
    case Qt::Key_Backtab:
        next = row <= 0 ? last : row - 1;
        break;
    case Qt::Key_PageDown:
        next = std::min(last, row + m_shape.rows);
        break;
    case Qt::Key_PageUp:
        next = std::max(0, row - m_shape.rows);
        break;
    default:
        return false;
    }
    m_list->setCurrentIndex(m_model->index(next, 0));
    return true;
}

bool FoundList::eventFilter(QObject *watched, QEvent *event) {
    if (watched == parentWidget()) {
        if (event->type() == QEvent::Resize && isVisible())
            place();
        return false;
    }
    if (watched != m_field)
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::FocusOut) {
        hide();
        return false;
    }
    return event->type() == QEvent::KeyPress && pressed(static_cast<QKeyEvent *>(event)->key());
}

void FoundList::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.card"));
    drawBox(&painter, rect(), 0, {}, m_look.color("border.strong"));
    const int icon = m_look.px(16);
    const int field = m_look.px(fieldHeight);
    m_look.icon(QStringLiteral("search"))
        .paint(&painter, QRect(m_look.px(14), field / 2 - icon / 2, icon, icon));
    painter.fillRect(1, field, width() - 2, 1, m_look.color("border.subtle"));
    painter.fillRect(1, height() - m_look.px(footHeight) - 1, width() - 2, 1, m_look.color("border.subtle"));
}

} // namespace warpwright
