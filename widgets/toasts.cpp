// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/toasts.h"

#include "widgets/action_button.h"
#include "widgets/house_style.h"
#include "widgets/look.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QTimer>

namespace warpwright {
namespace {

constexpr std::size_t shownAtMost = 3;
constexpr std::size_t keptAtMost = 200;

class Toast : public QWidget {
public:
    Toast(const Look &look, const Notice &notice, QWidget *parent)
        : QWidget(parent), m_look(look), m_token(notice.token.toLatin1()), m_icon(notice.iconName) {
        setObjectName(QStringLiteral("toast"));
        setAccessibleName(notice.title + QStringLiteral(". ") + notice.text);
        setFixedWidth(std::min(look.px(400), parent->width() - look.px(24)));
        auto *column = new QVBoxLayout(this);
        column->setContentsMargins(look.px(42), look.px(10), look.px(36), look.px(12));
        column->setSpacing(look.px(4));
        auto *title = new QLabel(notice.title, this);
        title->setFont(look.font(TextRole::Body, QFont::Medium));
        title->setWordWrap(true);
        auto *text = new QLabel(notice.text, this);
        text->setObjectName(QStringLiteral("toastText"));
        text->setFont(look.font(TextRole::Small));
        text->setWordWrap(true);
        text->setTextFormat(Qt::PlainText);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
        QPalette palette = text->palette();
        palette.setColor(QPalette::WindowText, look.color("text.secondary"));
        text->setPalette(palette);
        column->addWidget(title);
        if (!notice.text.isEmpty())
            column->addWidget(text);
        if (!notice.actionName.isEmpty()) {
            auto *button = new ActionButton(look, ActionButton::Kind::Plain, this);
            button->setText(notice.actionName);
            column->addSpacing(look.px(4));
            column->addWidget(button);
            connect(button, &QAbstractButton::clicked, this, [this, action = notice.action] {
                hide();
                deleteLater();
                if (action)
                    action();
            });
        }
        m_close = new ActionButton(look, ActionButton::Kind::Flat, this);
        m_close->setIconName(QStringLiteral("close"));
        m_close->setSmall(true);
        m_close->setAccessibleName(tr("Close this notice"));
        m_close->setToolTip(tr("Close"));
        connect(m_close, &QAbstractButton::clicked, this, [this] {
            hide();
            deleteLater();
        });
    }

protected:
    void resizeEvent(QResizeEvent *) override {
        m_close->resize(m_close->sizeHint());
        m_close->move(width() - m_close->width() - m_look.px(6), m_look.px(6));
    }
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        painter.fillRect(rect(), m_look.color("bg.card"));
        drawBox(&painter, rect(), 0, {}, m_look.color("border.strong"));
        painter.fillRect(0, 0, m_look.px(4), height(), m_look.color(m_token.constData()));
        const int icon = m_look.px(16);
        m_look.icon(m_icon, m_look.color(m_token.constData()))
            .paint(&painter, QRect(m_look.px(16), m_look.px(11), icon, icon));
    }

private:
    const Look &m_look;
    QByteArray m_token;
    QString m_icon;
    ActionButton *m_close;
};

} // namespace

Toasts::Toasts(const Look &look, QWidget *ground) : QObject(ground), m_look(look), m_ground(ground) {
    ground->installEventFilter(this);
}

void Toasts::show(Notice notice) {
    notice.at = QDateTime::currentDateTime();
    m_kept.push_back(notice);
    if (m_kept.size() > keptAtMost)
        m_kept.erase(m_kept.begin());
    if (!m_ground)
        return;
    std::erase_if(m_shown, [](const QPointer<QWidget> &toast) { return toast.isNull(); });
    if (m_shown.size() >= shownAtMost) {
        m_shown.front()->deleteLater();
        m_shown.erase(m_shown.begin());
    }
    auto *toast = new Toast(m_look, notice, m_ground);
    toast->setProperty("title", notice.title);
    m_shown.emplace_back(toast);
    connect(toast, &QObject::destroyed, this, [this] { QTimer::singleShot(0, this, &Toasts::place); });
    if (!notice.needsReading)
        QTimer::singleShot(shownForMs, toast, [toast] { toast->deleteLater(); });
    toast->show();
    place();
}

void Toasts::closeAll(const QString &title) {
    for (const QPointer<QWidget> &toast : m_shown)
        if (toast && toast->property("title").toString() == title)
            toast->deleteLater();
}

bool Toasts::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::Resize)
        place();
    return QObject::eventFilter(watched, event);
}

void Toasts::place() {
    if (!m_ground)
        return;
    std::erase_if(m_shown, [](const QPointer<QWidget> &toast) { return toast.isNull(); });
    int bottom = m_ground->height() - m_look.px(12);
    for (auto toast = m_shown.rbegin(); toast != m_shown.rend(); ++toast) {
        const int height = (*toast)->heightForWidth((*toast)->width());
        (*toast)->resize((*toast)->width(), height);
        bottom -= height;
        (*toast)->move(m_ground->width() - (*toast)->width() - m_look.px(12), bottom);
        (*toast)->raise();
        bottom -= m_look.px(8);
    }
}

} // namespace warpwright
