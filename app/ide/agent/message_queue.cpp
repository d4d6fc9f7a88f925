// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/message_queue.h"

#include "app/ide/kit/card.h"
#include "widgets/frame/action_button.h"
#include "widgets/look/house_style.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace warpwright {
namespace {

constexpr int mostRows = 6; // of the box, before it scrolls

/// A message that waits, cut where there is no room; while it is edited it is all there.
void showWaiting(QLineEdit &field, const QString &text) {
    field.setReadOnly(true);
    field.setProperty("whole", text);
    field.setToolTip(text);
    const int room = field.width() - 3 * field.fontMetrics().horizontalAdvance(u'M');
    field.setText(field.fontMetrics().elidedText(text, Qt::ElideRight, std::max(room, 40)));
    field.setCursorPosition(0);
}

} // namespace

/// The keys of the box, as caps with what they do.
class MessageQueue::KeyHints : public QWidget {
public:
    KeyHints(const Look &look, QWidget *parent) : QWidget(parent), m_look(look) {
        setFixedHeight(look.px(24));
        connect(&look, &Look::changed, this, [this] { setFixedHeight(m_look.px(24)); });
    }
    void setEnter(const QString &words) {
        m_enter = words;
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        int x = 0;
        const auto say = [&](const QString &key, const QString &words) {
            x += drawKeyCap(&painter, m_look, key, x, height() / 2, m_look.color("text.secondary"),
                            m_look.color("border.normal")) +
                 m_look.px(5);
            painter.setFont(m_look.font(TextRole::Axis));
            painter.setPen(m_look.color("text.secondary"));
            painter.drawText(QRect(x, 0, width(), height()), Qt::AlignVCenter, words);
            x += painter.fontMetrics().horizontalAdvance(words) + m_look.px(9);
        };
        say(QStringLiteral("Enter"), m_enter.isEmpty() ? MessageQueue::tr("queues") : m_enter);
        if (m_enter.isEmpty())
            say(QStringLiteral("Ctrl+Enter"), MessageQueue::tr("goes first"));
    }

private:
    const Look &m_look;
    QString m_enter;
};

MessageQueue::MessageQueue(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_list(new QWidget(this)),
      m_rows(new QVBoxLayout(m_list)),
      m_box(new QPlainTextEdit(this)),
      m_hints(new KeyHints(look, this)),
      m_send(new ActionButton(look, ActionButton::Kind::Flat, this)) {
    setObjectName(QStringLiteral("messageQueue"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_rows->setContentsMargins(0, 0, 0, look.px(6));
    m_rows->setSpacing(look.px(4));
    m_box->setObjectName(QStringLiteral("messageBox"));
    m_box->setPlaceholderText(tr("Message the agent"));
    m_box->setAccessibleName(tr("Message to the agent"));
    m_box->setTabChangesFocus(true);
    m_box->setFrameShape(QFrame::NoFrame);
    m_box->viewport()->setAutoFillBackground(false);
    m_box->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    m_box->installEventFilter(this);
    m_send->setObjectName(QStringLiteral("sendButton"));
    m_send->setIconName(QStringLiteral("send"));
    m_send->setAccessibleName(tr("Send first"));
    m_send->setSmall(true);
    auto *foot = new QHBoxLayout;
    foot->setContentsMargins(0, look.px(4), 0, 0);
    foot->addWidget(m_hints, 1);
    foot->addWidget(m_send);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(look.px(12), look.px(10), look.px(12), look.px(8));
    column->setSpacing(0);
    column->addWidget(m_list);
    column->addWidget(m_box);
    column->addLayout(foot);
    m_list->hide();
    connect(m_send, &QAbstractButton::clicked, this, [this] { take(true); });
    connect(m_box, &QPlainTextEdit::textChanged, this, &MessageQueue::fitBox);
    connect(&look, &Look::changed, this, &MessageQueue::fitBox);
    fitBox();
}

void MessageQueue::fitBox() {
    const int row = QFontMetrics(m_look.font(TextRole::Body)).lineSpacing();
    // Rows as they are broken, which a plain text edit counts as its document's height.
    const int rows = std::clamp(static_cast<int>(m_box->document()->size().height()), 2, mostRows);
    m_box->setFixedHeight(rows * row + m_look.px(14));
    m_box->document()->setDocumentMargin(m_look.px(6));
    const bool canSend = m_box->isEnabled() && !m_box->toPlainText().trimmed().isEmpty();
    m_send->setEnabled(canSend);
    m_send->setToolTip(canSend ? tr("Send (Ctrl+Enter): the agent reads it first when it is asked next")
                       : m_box->isEnabled() ? tr("Nothing is written yet")
                                            : m_box->toolTip());
    update();
}

void MessageQueue::setQueue(const std::vector<QueuedMessage> &queue, const QString &whyNoMessages) {
    m_box->setEnabled(whyNoMessages.isEmpty());
    m_box->setToolTip(whyNoMessages);
    m_box->setPlaceholderText(!whyNoMessages.isEmpty() ? whyNoMessages
                              : m_who.isEmpty()        ? tr("Message the agent")
                                                       : m_who);
    fitBox();
    if (queue == m_queue)
        return;
    // Rows that stay keep their field, which may be being edited.
    for (int at = m_rows->count() - 1; at >= 0; --at) {
        QWidget *row = m_rows->itemAt(at)->widget();
        const int id = row->property("id").toInt();
        const auto found = std::find_if(queue.begin(), queue.end(),
                                        [id](const QueuedMessage &message) { return message.id == id; });
        auto *field = row->findChild<QLineEdit *>();
        if (found == queue.end()) {
            // The agent has read it while it was being changed: what the person made of it is not lost.
            if (!field->isReadOnly() && field->text() != field->property("whole").toString())
                setUnsent(QStringList({unsent(), field->text()}).join(QLatin1Char('\n')).trimmed());
            m_rows->takeAt(at);
            row->hide();
            row->deleteLater(); // its button may have asked for that
        } else if (field->isReadOnly()) {
            showWaiting(*field, found->text);
        }
    }
    for (std::size_t i = 0; i < queue.size(); ++i) {
        const QWidget *there =
            static_cast<int>(i) < m_rows->count() ? m_rows->itemAt(static_cast<int>(i))->widget() : nullptr;
        if (there == nullptr || there->property("id").toInt() != queue[i].id)
            addRow(queue[i], static_cast<int>(i));
    }
    m_queue = queue;
    m_list->setVisible(!queue.empty());
    updateGeometry();
}

void MessageQueue::addRow(const QueuedMessage &message, int place) {
    auto *row = new QWidget(m_list);
    row->setObjectName(QStringLiteral("queued%1").arg(message.id));
    row->setProperty("id", message.id);
    auto *mark = new Words(m_look, TextRole::Small, "text.tertiary", row);
    mark->setText(tr("queued"));
    mark->setToolTip(tr("The agent reads it when it is asked for the next proposal"));
    auto *field = new QLineEdit(row);
    field->setFont(m_look.font(TextRole::Small));
    connect(&m_look, &Look::changed, field, [this, field] { field->setFont(m_look.font(TextRole::Small)); });
    field->setAccessibleName(tr("Queued message"));
    showWaiting(*field, message.text);
    const auto button = [&](const char *name, const char *icon, const QString &words) {
        auto *made = new ActionButton(m_look, ActionButton::Kind::Flat, row);
        made->setObjectName(QLatin1String(name));
        made->setIconName(QLatin1String(icon), "text.secondary");
        made->setSmall(true);
        made->setToolTip(words);
        made->setAccessibleName(words);
        return made;
    };
    ActionButton *edit = button("editQueued", "edit", tr("Change it before it is sent"));
    ActionButton *remove = button("removeQueued", "close", tr("Take it back"));
    auto *line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(m_look.px(4));
    line->addWidget(mark);
    line->addWidget(field, 1);
    line->addWidget(edit);
    line->addWidget(remove);
    const int id = message.id;
    connect(edit, &QAbstractButton::clicked, field, [field] {
        if (field->isReadOnly())
            field->setText(field->property("whole").toString());
        field->setReadOnly(false);
        field->setFocus(Qt::OtherFocusReason);
        field->selectAll();
    });
    connect(field, &QLineEdit::returnPressed, this, [this, field, id] {
        if (field->isReadOnly())
            return;
        const QString text = field->text().trimmed();
        showWaiting(*field, text);
        emit editAsked(id, text);
    });
    connect(remove, &QAbstractButton::clicked, this, [this, id] { emit removeAsked(id); });
    field->installEventFilter(this);
    m_rows->insertWidget(place, row);
}

QString MessageQueue::unsent() const {
    return m_box->toPlainText().trimmed();
}

void MessageQueue::setUnsent(const QString &text) {
    m_box->setPlainText(text);
    m_box->moveCursor(QTextCursor::End);
}

void MessageQueue::setReader(const QString &who, const QString &enter) {
    m_who = who;
    m_hints->setEnter(enter);
    if (m_box->isEnabled())
        m_box->setPlaceholderText(who.isEmpty() ? tr("Message the agent") : who);
}

void MessageQueue::focusBox() {
    m_box->setFocus(Qt::OtherFocusReason);
}

void MessageQueue::take(bool isNow) {
    const QString text = m_box->toPlainText().trimmed();
    if (text.isEmpty())
        return;
    m_box->clear();
    if (isNow)
        emit sendAsked(text);
    else
        emit queueAsked(text);
}

bool MessageQueue::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
        update();
    if (auto *field = qobject_cast<QLineEdit *>(watched);
        field != nullptr && event->type() == QEvent::Resize && field->isReadOnly())
        showWaiting(*field, field->property("whole").toString());
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto *key = static_cast<QKeyEvent *>(event);
    const bool isEnter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    if (watched == m_box && isEnter && (key->modifiers() & Qt::ShiftModifier) == 0) {
        take((key->modifiers() & Qt::ControlModifier) != 0);
        return true;
    }
    if (auto *field = qobject_cast<QLineEdit *>(watched);
        field != nullptr && key->key() == Qt::Key_Escape && !field->isReadOnly()) {
        showWaiting(*field, field->property("whole").toString());
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void MessageQueue::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.bar"));
    painter.fillRect(0, 0, width(), 1, m_look.color("border.normal"));
    const bool hasFocus = m_box->hasFocus();
    drawBox(&painter, QRectF(m_box->geometry()).adjusted(-1, -1, 1, 1), m_look.px(5),
            m_look.color("bg.input"), m_look.color(hasFocus ? "accent.focus" : "border.strong"),
            hasFocus ? 2 : 1);
}

} // namespace warpwright
