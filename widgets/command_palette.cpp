// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/command_palette.h"

#include "widgets/action_button.h"
#include "widgets/house_style.h"
#include "widgets/look.h"
#include "widgets/palette_model.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QLocale>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollBar>

namespace warpwright {
namespace {

constexpr int shownRows = 9;

} // namespace

QStringList keyParts(const QString &key) {
    QStringList parts = key.split(QLatin1Char('+'), Qt::SkipEmptyParts);
    if (key.endsWith(QLatin1Char('+'))) // the key itself is a plus
        parts << QStringLiteral("+");
    return parts;
}

CommandPalette::CommandPalette(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_field(new QLineEdit(this)),
      m_list(new QListView(this)),
      m_foot(new QLabel(this)),
      m_model(new PaletteModel(this)) {
    setObjectName(QStringLiteral("commandPalette"));
    hide();
    m_field->setObjectName(QStringLiteral("paletteField"));
    m_field->setFrame(false);
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
    m_list->setItemDelegate(new PaletteDelegate(m_look, *m_model, this));
    m_list->setAccessibleName(tr("What was found"));
    m_foot->setObjectName(QStringLiteral("paletteFoot"));
    connect(m_field, &QLineEdit::textChanged, this, [this] {
        m_model->setFound({});
        filter();
    });
    connect(m_list, &QListView::clicked, this, &CommandPalette::run);
    parent->installEventFilter(this);
}

void CommandPalette::setKinds(std::vector<PaletteKind> kinds) {
    Q_ASSERT(!kinds.empty() && kinds.front().prefix.isEmpty());
    m_kinds = std::move(kinds);
}

void CommandPalette::setRows(const QString &prefix, std::vector<PaletteRow> rows) {
    m_rows[prefix] = std::move(rows);
    if (isVisible() && kindOf(m_field->text()).prefix == prefix)
        filter();
}

const PaletteKind &CommandPalette::kindOf(const QString &typed) const {
    for (const PaletteKind &kind : m_kinds)
        if (!kind.prefix.isEmpty() && typed.startsWith(kind.prefix))
            return kind;
    return m_kinds.front();
}

void CommandPalette::open(const QString &typed) {
    if (isVisible()) {
        if (kindOf(m_field->text()).prefix == kindOf(typed).prefix)
            closeAndReturn();
        else
            m_field->setText(typed);
        return;
    }
    m_before = QApplication::focusWidget();
    m_model->setFound({}); // what was chosen the last time is not chosen now
    m_field->setText(typed);
    m_field->setFont(m_look.font(TextRole::Body));
    m_foot->setFont(m_look.font(TextRole::Axis));
    QPalette palette = this->palette();
    palette.setColor(QPalette::Base, m_look.color("bg.card"));
    m_list->setPalette(palette);
    m_field->setPalette(palette);
    filter();
    place();
    show();
    raise();
    m_field->setFocus();
}

void CommandPalette::filter() {
    const PaletteKind &kind = kindOf(m_field->text());
    QString words = m_field->text().mid(kind.prefix.size());
    m_line = 0;
    static const QRegularExpression line(QStringLiteral("^(.*?):(\\d*)$"));
    if (const auto match = line.match(words); kind.takesLine && match.hasMatch()) {
        words = match.captured(1);
        m_line = match.captured(2).toInt();
    }
    m_field->setPlaceholderText(kind.invites);
    const FoundRow *chosen = m_model->at(m_list->currentIndex());
    const QString id = chosen == nullptr ? QString() : chosen->row.id;
    const std::vector<PaletteRow> &rows = m_rows[kind.prefix];
    std::vector<FoundRow> found = foundRows(rows, words, kind.isFuzzy);
    const QLocale english(QLocale::English);
    m_foot->setText(tr("%1 of %2 %3")
                        .arg(english.toString(static_cast<qlonglong>(found.size())),
                             english.toString(static_cast<qlonglong>(rows.size())), kind.what));
    if (found.size() > mostRows)
        found.resize(mostRows);
    m_model->setFound(std::move(found));
    m_list->setCurrentIndex(m_model->index(std::max(0, m_model->rowOf(id)), 0));
    place();
    update();
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
    m_foot->setGeometry(m_look.px(14), height() - foot, m_look.px(190), foot);
    QPalette palette = m_foot->palette();
    palette.setColor(QPalette::WindowText, m_look.color("text.tertiary"));
    m_foot->setPalette(palette);
}

void CommandPalette::run() {
    const FoundRow *found = m_model->at(m_list->currentIndex());
    if (found == nullptr || !found->row.whyDisabled.isEmpty())
        return;
    const QString id = found->row.id;
    closeAndReturn();
    emit picked(id, m_line);
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
    hint(tr("Enter"), kindOf(m_field->text()).prefix == QLatin1String(">") ? tr("runs") : tr("opens"));
    for (auto kind = m_kinds.rbegin(); kind != m_kinds.rend(); ++kind)
        if (!kind->prefix.isEmpty() && kind->prefix != kindOf(m_field->text()).prefix)
            hint(kind->prefix, kind->what);
    if (kindOf(m_field->text()).takesLine)
        hint(QStringLiteral(":12"), tr("line"));
}

} // namespace warpwright
