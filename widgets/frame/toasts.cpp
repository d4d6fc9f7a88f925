// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/frame/toasts.h"

#include "widgets/frame/action_button.h"
#include "widgets/look/house_style.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QTabBar>

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::size_t shownAtMost = 3;
constexpr std::size_t keptAtMost = 200;
constexpr int looksBelowEachMs = 400;
constexpr qint64 youngMs = 2000;

class Toast : public QWidget {
public:
    Toast(const Look &look, const Notice &notice, QWidget *parent)
        : QWidget(parent), m_look(look), m_token(notice.token.toLatin1()), m_icon(notice.iconName) {
        setObjectName(QStringLiteral("toast"));
        setAccessibleName(notice.title + QStringLiteral(". ") + notice.text);
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
    m_watch.setInterval(looksBelowEachMs);
    connect(&m_watch, &QTimer::timeout, this, [this] {
        if (covered(m_place, used()) > 0)
            place();
    });
}

// A key that is refused tells the same again and again.
bool Toasts::isThere(const Notice &notice) {
    const auto isSame = [&notice](const QPointer<QWidget> &toast) {
        return toast && !toast->isHidden() && toast->property("title").toString() == notice.title &&
               toast->property("text").toString() == notice.text;
    };
    const auto found = std::find_if(m_shown.begin(), m_shown.end(), isSame);
    if (found == m_shown.end())
        return false;
    if (auto *timer = (*found)->findChild<QTimer *>(QStringLiteral("ends")); timer != nullptr)
        timer->start();
    const auto kept = std::find_if(m_kept.rbegin(), m_kept.rend(), [&notice](const Notice &one) {
        return one.title == notice.title && one.text == notice.text;
    });
    if (kept != m_kept.rend())
        kept->at = notice.at;
    return true;
}

void Toasts::show(Notice notice) {
    notice.at = QDateTime::currentDateTime();
    if (isThere(notice))
        return;
    m_kept.push_back(notice);
    ++m_told;
    emit toldChanged();
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
    toast->setProperty("text", notice.text);
    toast->setProperty("isOfProgram", notice.isOfProgram);
    toast->setProperty("at", notice.at);
    m_shown.emplace_back(toast);
    connect(toast, &QObject::destroyed, this, [this] { QTimer::singleShot(0, this, &Toasts::place); });
    auto *ends = new QTimer(toast);
    ends->setObjectName(QStringLiteral("ends"));
    ends->setSingleShot(true);
    connect(ends, &QTimer::timeout, toast, [toast, ends] {
        if (toast->underMouse() || toast->isAncestorOf(QApplication::focusWidget()))
            ends->start();
        else
            toast->deleteLater();
    });
    ends->start(notice.needsReading ? readForMs : shownForMs);
    toast->show();
    place();
}

void Toasts::closeAll(const QString &title) {
    for (const QPointer<QWidget> &toast : m_shown)
        if (toast && toast->property("title").toString() == title) {
            toast->hide(); // what is told next may be the same
            toast->deleteLater();
        }
}

void Toasts::closeOlder() {
    const QDateTime young = QDateTime::currentDateTime().addMSecs(-youngMs);
    for (const QPointer<QWidget> &toast : m_shown)
        if (toast && toast->property("at").toDateTime() < young) {
            toast->hide();
            toast->deleteLater();
        }
}

void Toasts::closeOfWorkspace() {
    for (const QPointer<QWidget> &toast : m_shown)
        if (toast && !toast->property("isOfProgram").toBool()) {
            toast->hide();
            toast->deleteLater();
        }
}

// Of the text that has the focus, with the words around it.
QRect Toasts::cursorRect() const {
    const QWidget *focus = QApplication::focusWidget();
    if (focus == nullptr || !m_ground->isAncestorOf(focus) ||
        !focus->testAttribute(Qt::WA_InputMethodEnabled))
        return {};
    const QRect cursor = focus->inputMethodQuery(Qt::ImCursorRectangle).toRect();
    if (cursor.height() <= 0)
        return {};
    const QRect here(focus->mapTo(m_ground, cursor.topLeft()), cursor.size());
    return here.adjusted(-m_look.px(160), -cursor.height(), m_look.px(160), cursor.height());
}

// Where something can be pressed or written into, and charts: without its axis one tells nothing.
std::vector<QRect> Toasts::used() const {
    std::vector<QRect> rects;
    if (!m_ground)
        return rects;
    if (const QRect cursor = cursorRect(); cursor.isValid())
        rects.push_back(cursor);
    for (const QWidget *widget : m_ground->findChildren<QWidget *>()) {
        if (!widget->isVisible() || !widget->isEnabled())
            continue;
        const bool isUsed = qobject_cast<const QAbstractButton *>(widget) != nullptr ||
                            qobject_cast<const QTabBar *>(widget) != nullptr ||
                            qobject_cast<const QLineEdit *>(widget) != nullptr ||
                            qobject_cast<const QComboBox *>(widget) != nullptr ||
                            qobject_cast<const Plot *>(widget) != nullptr;
        if (!isUsed)
            continue;
        const bool isOurs =
            std::any_of(m_shown.begin(), m_shown.end(), [widget](const QPointer<QWidget> &toast) {
                return toast && toast->isAncestorOf(widget);
            });
        if (!isOurs)
            rects.emplace_back(widget->mapTo(m_ground, QPoint()), widget->size());
    }
    return rects;
}

int Toasts::covered(const QRect &rect, const std::vector<QRect> &used) {
    return static_cast<int>(std::count_if(used.begin(), used.end(),
                                          [&rect](const QRect &other) { return rect.intersects(other); }));
}

// From the bottom up, the right side first; where nothing is free, what covers least.
QRect Toasts::freePlace(const QSize &size) const {
    const int edge = m_look.px(12);
    const int right = std::max(0, m_ground->width() - size.width() - edge);
    const std::vector<QRect> used = this->used(); // a window has thousands of widgets: they are asked once
    QRect best;
    int least = 0;
    for (int y = m_ground->height() - edge - size.height(); y >= 0; y -= m_look.px(24))
        for (const int x : {right, std::min(edge, right), right / 2}) {
            const QRect here(QPoint(x, y), size);
            const int count = covered(here, used);
            if (count == 0)
                return here;
            if (best.isNull() || count < least) {
                best = here;
                least = count;
            }
        }
    return best.isNull() ? QRect(QPoint(right, edge), size) : best;
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
    if (m_shown.empty()) {
        m_watch.stop();
        m_place = {};
        return;
    }
    const int gap = m_look.px(8);
    QSize size(0, -gap);
    // One that is told while the window opens gets its width when the ground has its own.
    const int width = std::max(1, std::min(m_look.px(400), m_ground->width() - m_look.px(24)));
    for (const QPointer<QWidget> &toast : m_shown) {
        toast->setFixedWidth(width);
        toast->resize(toast->width(), toast->heightForWidth(toast->width()));
        size = {std::max(size.width(), toast->width()), size.height() + gap + toast->height()};
    }
    m_place = freePlace(size);
    int bottom = m_place.bottom() + 1;
    for (auto toast = m_shown.rbegin(); toast != m_shown.rend(); ++toast) {
        bottom -= (*toast)->height();
        (*toast)->move(m_place.right() + 1 - (*toast)->width(), bottom);
        (*toast)->raise();
        bottom -= gap;
    }
    m_watch.start();
}

} // namespace warpwright
