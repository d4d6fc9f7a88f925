// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/layout/dock.h"

#include "widgets/frame/action_button.h"
#include "widgets/look/look.h"

#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPainter>
#include <QStackedWidget>

#include <utility>

namespace warpwright {

class DockHead : public QWidget {
public:
    DockHead(const Look &look, QString icon, QString title, QWidget *parent)
        : QWidget(parent), m_look(look), m_icon(std::move(icon)), m_title(std::move(title)) {}

    void setCall(const QString &words) {
        m_call = words;
        update();
    }
    void setTitle(const QString &title) {
        m_title = title;
        update();
    }
    [[nodiscard]] QSize sizeHint() const override { return {m_look.px(120), m_look.px(33)}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        painter.fillRect(rect(), m_look.color("bg.bar"));
        painter.fillRect(0, height() - 1, width(), 1, m_look.color("border.subtle"));
        const int icon = m_look.px(14);
        m_look.icon(m_icon).paint(&painter, QRect(m_look.px(10), (height() - icon) / 2, icon, icon));
        painter.setFont(m_look.font(TextRole::Small, QFont::DemiBold));
        painter.setPen(m_look.color("text.primary"));
        const QRect text = rect().adjusted(m_look.px(30), 0, -m_look.px(60), 0);
        painter.drawText(text, Qt::AlignVCenter, m_title);
        painter.setFont(m_look.font(TextRole::Small));
        painter.setPen(m_look.color("accent.text"));
        painter.drawText(text, Qt::AlignVCenter | Qt::AlignRight, m_call);
    }

private:
    const Look &m_look;
    QString m_icon, m_title, m_call;
};

class DockRail : public QWidget {
public:
    DockRail(const Look &look, QString icon, QString title, QWidget *parent)
        : QWidget(parent), m_look(look), m_icon(std::move(icon)), m_title(std::move(title)) {}

    void setCall(const QString &words) {
        m_call = words;
        update();
    }
    void setTitle(const QString &title) {
        m_title = title;
        update();
    }
    /// All of the rail presses it.
    void setButton(QAbstractButton *button) { m_button = button; }

protected:
    void mouseReleaseEvent(QMouseEvent *event) override {
        if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint()))
            m_button->click();
    }
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        painter.fillRect(rect(), m_look.color("bg.bar"));
        const int icon = m_look.px(16);
        m_look.icon(m_icon).paint(&painter, QRect((width() - icon) / 2, m_look.px(44), icon, icon));
        painter.setFont(m_look.font(TextRole::Small));
        painter.setPen(m_look.color("text.secondary"));
        painter.translate(width() / 2.0, m_look.px(70));
        painter.rotate(90);
        const auto draw = [&](int from, const QString &words) {
            painter.drawText(QRect(from, -m_look.px(10), m_look.px(240), m_look.px(20)),
                             Qt::AlignVCenter | Qt::AlignLeft, words);
            return from + painter.fontMetrics().horizontalAdvance(words) + m_look.px(12);
        };
        const int behind = draw(0, m_title);
        painter.setPen(m_look.color("accent.text"));
        draw(behind, m_call);
    }

private:
    const Look &m_look;
    QString m_icon, m_title, m_call;
    QAbstractButton *m_button = nullptr;
};

Dock::Dock(const Look &look, const QString &objectName, const QString &iconName, const QString &title,
           QWidget *content, QWidget *parent)
    : QDockWidget(title, parent), m_look(look), m_stack(new QStackedWidget(this)) {
    setObjectName(objectName);
    setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
    m_head = new DockHead(look, iconName, title, this);
    QWidget *head = m_head;
    auto *row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, look.px(4), 0);
    row->setSpacing(0);
    row->addStretch(1);
    const auto small = [&look](const QString &icon, const QString &name, QWidget *owner) {
        auto *button = new ActionButton(look, ActionButton::Kind::Flat, owner);
        button->setIconName(icon, "text.secondary");
        button->setSmall(true);
        button->setToolTip(name);
        button->setAccessibleName(name);
        return button;
    };
    m_fold = small(QStringLiteral("panel-right"), tr("Fold %1 to a rail").arg(title), head);
    m_hide = small(QStringLiteral("close"), tr("Hide %1").arg(title), head);
    row->addWidget(m_fold);
    row->addWidget(m_hide);
    setTitleBarWidget(head);

    m_rail = new DockRail(look, iconName, title, this);
    QWidget *rail = m_rail;
    m_unfold = small(QStringLiteral("panel-right"), tr("Unfold %1").arg(title), rail);
    m_rail->setButton(m_unfold);
    m_rail->setCursor(Qt::PointingHandCursor);
    auto *railColumn = new QVBoxLayout(rail);
    railColumn->setContentsMargins(look.px(8), look.px(6), look.px(8), 0);
    railColumn->addWidget(m_unfold);
    railColumn->addStretch(1);
    m_stack->addWidget(content);
    m_stack->addWidget(rail);
    setWidget(m_stack);
    connect(m_hide, &QAbstractButton::clicked, this, &QDockWidget::close);
    connect(m_fold, &QAbstractButton::clicked, this, [this] { emit foldAsked(true); });
    connect(m_unfold, &QAbstractButton::clicked, this, [this] { emit foldAsked(false); });
    connect(this, &QDockWidget::topLevelChanged, this, [this](bool isFloating) {
        if (isFloating)
            setFolded(false);
    });
    // Larger text wants more room.
    connect(&look, &Look::changed, this, [this] {
        if (m_isFolded)
            m_stack->setFixedWidth(m_look.px(40));
        else
            m_stack->setMinimumWidth(m_look.px(m_least));
        m_head->updateGeometry();
    });
    setWidths(m_least, m_usual);
}

void Dock::setWidths(int least, int usual) {
    m_least = least;
    m_usual = usual;
    setFolded(m_isFolded);
}

int Dock::usualWidth() const {
    return m_look.px(m_usual);
}

void Dock::toggle() {
    if (isVisible() && !m_isFolded)
        return hide();
    reveal();
}

void Dock::reveal() {
    show();
    if (m_isFolded)
        emit foldAsked(false);
}

void Dock::setCall(const QString &words) {
    m_head->setCall(words);
    m_rail->setCall(words);
}

void Dock::setTitle(const QString &title) {
    setWindowTitle(title);
    m_head->setTitle(title);
    m_rail->setTitle(title);
    for (const auto &[button, words] :
         {std::pair(m_fold, tr("Fold %1 to a rail")), std::pair(m_hide, tr("Hide %1")),
          std::pair(m_unfold, tr("Unfold %1"))}) {
        button->setToolTip(words.arg(title));
        button->setAccessibleName(words.arg(title));
    }
}

void Dock::setFolded(bool isFolded) {
    m_isFolded = isFolded;
    m_stack->setCurrentIndex(isFolded ? 1 : 0);
    m_head->setVisible(!isFolded);
    if (isFolded) {
        auto *none = new QWidget(this);
        none->setFixedHeight(0);
        setTitleBarWidget(none);
        m_stack->setFixedWidth(m_look.px(40));
    } else {
        QWidget *before = titleBarWidget();
        setTitleBarWidget(m_head);
        m_head->show();
        if (before != m_head)
            delete before;
        m_stack->setMinimumWidth(m_look.px(m_least));
        m_stack->setMaximumWidth(QWIDGETSIZE_MAX);
    }
}

} // namespace warpwright
