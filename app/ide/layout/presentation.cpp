// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/layout/presentation.h"

#include "app/ide/kit/card.h"
#include "app/ide/layout/four_panes.h"
#include "widgets/look/look.h"
#include "widgets/look/tool_tip_text.h"
#include "widgets/popups/completion_list.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace warpwright {

PresentedLine::PresentedLine(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_about(new Words(look, TextRole::Title, "text.primary", this, QFont::DemiBold)),
      m_place(new Words(look, TextRole::Body, "text.secondary", this)) {
    setObjectName(QStringLiteral("presentedLine"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_about->setObjectName(QStringLiteral("presentedAbout"));
    m_about->setWordWrap(true);
    m_about->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_place->setObjectName(QStringLiteral("presentedPlace"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(look.px(12), look.px(4), look.px(12), look.px(4));
    row->setSpacing(look.px(12));
    row->addWidget(m_about, 1);
    row->addWidget(m_place, 0, Qt::AlignTop);
    connect(&look, &Look::changed, this, [this] {
        update();
        fit();
    });
    hide();
}

void PresentedLine::say(const QString &about, const QString &place) {
    m_said = about;
    m_about->setToolTip(toolTipText(about));
    m_place->setText(place);
    setAccessibleName(about + QStringLiteral(", ") + place);
    fit();
}

// The pane below keeps two thirds.
void PresentedLine::fit() {
    const int room =
        std::max(m_look.px(120), width() - m_look.px(12 + 12 + 12) - m_place->sizeHint().width());
    const QFontMetrics metrics(m_about->font());
    const int most = std::max(metrics.lineSpacing(), window()->height() / 3 - m_look.px(4 + 4));
    const auto heightOf = [&](const QString &text) {
        return metrics
            .boundingRect(QRect(0, 0, room, QWIDGETSIZE_MAX), Qt::TextWordWrap | Qt::AlignLeft, text)
            .height();
    };
    QString shown = m_said;
    if (heightOf(shown) > most) {
        const auto cutAt = [this](qsizetype length) {
            return m_said.left(length).trimmed() + QStringLiteral(" \u2026");
        };
        qsizetype fits = 0;
        for (qsizetype step = m_said.size(); step > 0; step /= 2)
            while (fits + step <= m_said.size() && heightOf(cutAt(fits + step)) <= most)
                fits += step;
        shown = cutAt(fits);
    }
    m_about->setText(shown);
    const int high = std::max(heightOf(shown), m_place->sizeHint().height()) + m_look.px(4 + 4);
    if (high != height() || high != minimumHeight())
        setFixedHeight(high);
}

void PresentedLine::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        fit();
}

void PresentedLine::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    fit();
}

void PresentedLine::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.bar"));
    painter.fillRect(0, height() - 1, width(), 1, m_look.color("border.normal"));
}

Presentation::Presentation(Parts parts, Steps steps, QObject *parent)
    : QObject(parent), m_parts(std::move(parts)), m_steps(std::move(steps)) {}

void Presentation::begin(int pane) {
    if (pane == m_pane)
        return;
    const bool wasOn = isOn();
    m_pane = pane;
    if (!wasOn) {
        m_before = QApplication::focusWidget();
        qApp->installEventFilter(this);
        for (QWidget *other : m_parts.others)
            other->hide();
        emit began();
    }
    m_parts.line.show();
    m_parts.panes.setVisible(pane != besidePane);
    if (pane != besidePane)
        m_parts.panes.showAlone(pane);
    emit presented();
}

void Presentation::end() {
    if (!isOn())
        return;
    m_pane = -1;
    qApp->removeEventFilter(this);
    m_parts.line.hide();
    m_parts.panes.show();
    m_parts.panes.showAlone(-1);
    for (QWidget *other : m_parts.others)
        other->show();
    emit ended();
    if (m_before && m_before->isVisible() && m_before->isEnabled())
        m_before->setFocus(Qt::OtherFocusReason);
}

// A list, a menu or a field to write into has these keys for itself.
bool Presentation::hasKeys(const QWidget &place) const {
    if (QApplication::activePopupWidget() != nullptr || qobject_cast<const QLineEdit *>(&place) != nullptr)
        return true;
    const QList<CompletionList *> lists = m_parts.window.findChildren<CompletionList *>();
    return std::any_of(lists.begin(), lists.end(),
                       [](const CompletionList *list) { return list->isVisible(); });
}

// Before a text sees them: it would scroll, or take Esc for its own.
bool Presentation::eventFilter(QObject *watched, QEvent *event) {
    if ((event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride) ||
        !watched->isWidgetType())
        return QObject::eventFilter(watched, event);
    const auto *place = static_cast<QWidget *>(watched);
    const auto *key = static_cast<QKeyEvent *>(event);
    const int by = key->key() == Qt::Key_PageDown ? 1 : key->key() == Qt::Key_PageUp ? -1 : 0;
    const bool isEnd = key->key() == Qt::Key_Escape;
    const bool isOurs = (by != 0 || isEnd) && (key->modifiers() & ~Qt::KeypadModifier) == 0 &&
                        place->window() == &m_parts.window && !hasKeys(*place);
    if (!isOurs || (by != 0 && !m_steps.can(by)))
        return QObject::eventFilter(watched, event);
    event->accept();
    if (event->type() == QEvent::ShortcutOverride)
        return true; // comes again as a press, and not as a shortcut of others
    if (isEnd)
        end();
    else
        m_steps.go(by);
    return true;
}

} // namespace warpwright
