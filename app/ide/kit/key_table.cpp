// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/kit/key_table.h"

#include "widgets/frame/action_button.h"

#include <QAction>
#include <QKeyEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace warpwright {
namespace {

QString portable(const QString &key) {
    return QKeySequence(key).toString(QKeySequence::PortableText);
}

// A letter without Ctrl or Alt belongs to typing; Enter, Tab and the arrows to the fields.
bool isFree(int key, Qt::KeyboardModifiers modifiers) {
    const bool hasModifier = (modifiers & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) != 0;
    return hasModifier || (key >= Qt::Key_F1 && key <= Qt::Key_F35);
}

} // namespace

KeyRow::KeyRow(const Look &look, const QString &id, const QString &name, const QString &ownKey,
               QWidget *parent)
    : CardButton(look, false, parent),
      m_id(id),
      m_name(name),
      m_ownKey(portable(ownKey)),
      m_key(m_ownKey),
      m_reset(new ActionButton(look, ActionButton::Kind::Flat, this)) {
    setObjectName(QStringLiteral("key-") + id);
    setFixedHeight(look.px(32));
    m_reset->setObjectName(QStringLiteral("reset-") + id);
    m_reset->setIconName(QStringLiteral("undo"));
    m_reset->setSmall(true);
    m_reset->setToolTip(m_ownKey.isEmpty() ? tr("Back to no key") : tr("Back to %1").arg(m_ownKey));
    m_reset->setAccessibleName(tr("%1: %2").arg(name, m_reset->toolTip()));
    connect(m_reset, &QAbstractButton::clicked, this, [this] { emit pressed(m_ownKey, false); });
    connect(this, &QAbstractButton::clicked, this, [this] {
        m_isWaiting = true;
        m_canInsist = false;
        m_sentence.clear();
        m_pending.clear();
        describe();
    });
    connect(&look, &Look::changed, this, [this] { describe(); });
    describe();
}

void KeyRow::setKey(const QString &key) {
    m_key = portable(key);
    describe();
}

void KeyRow::object(const QString &sentence, bool canInsist) {
    m_sentence = sentence;
    m_canInsist = canInsist;
    describe();
}

void KeyRow::endWaiting() {
    m_isWaiting = false;
    m_sentence.clear();
    m_pending.clear();
    describe();
}

void KeyRow::describe() {
    setAccessibleName(m_name);
    setAccessibleDescription(!m_sentence.isEmpty() ? m_sentence
                             : m_isWaiting         ? tr("press the keys, Escape leaves it as it is")
                             : m_key.isEmpty()     ? tr("no key")
                                                   : m_key);
    m_reset->setVisible(m_key != m_ownKey && !m_isWaiting);
    setFixedHeight(look().px(m_sentence.isEmpty() ? 32 : 54));
    update();
}

QSize KeyRow::sizeHint() const {
    return {look().px(300), look().px(m_sentence.isEmpty() ? 32 : 54)};
}

void KeyRow::resizeEvent(QResizeEvent *) {
    m_reset->resize(m_reset->sizeHint());
    m_reset->move(width() - m_reset->width() - look().px(8), look().px(4));
}

void KeyRow::paintFace(QPainter &painter) {
    const int edge = look().px(16);
    const int middle = look().px(16);
    const int right = width() - look().px(44);
    if (m_isWaiting)
        painter.fillRect(rect(), look().color("accent.tint"));
    int x = right;
    if (m_isWaiting) {
        const QString text =
            m_pending.isEmpty() ? tr("press the keys; Esc leaves it, Backspace takes it away") : m_pending;
        x -= QFontMetrics(look().font(TextRole::Small, QFont::Medium)).horizontalAdvance(text) + 2;
        drawLine(painter, text, x, right + 2, middle, TextRole::Small, "accent.text", QFont::Medium);
    } else if (m_key.isEmpty()) {
        const QString text = tr("no key");
        x -= QFontMetrics(look().font(TextRole::Small)).horizontalAdvance(text) + 2;
        drawLine(painter, text, x, right + 2, middle, TextRole::Small, "text.tertiary");
    } else {
        const QString text = QKeySequence(m_key).toString(QKeySequence::NativeText);
        x -= drawKeyCap(nullptr, look(), text, 0, 0, {}, {});
        drawKeyCap(&painter, look(), text, x, middle, look().color("text.secondary"),
                   look().color(m_key == m_ownKey ? "border.normal" : "accent.focus"));
    }
    drawLine(painter, m_name, edge, x - look().px(12), middle, TextRole::Body, "text.primary");
    if (!m_sentence.isEmpty()) {
        drawIcon(painter, QStringLiteral("warning"), edge, look().px(40), 12, "verdict.buildFailed");
        drawLine(painter, m_sentence, edge + look().px(18), width() - edge, look().px(40), TextRole::Small,
                 "verdict.buildFailed");
    }
}

bool KeyRow::event(QEvent *event) {
    // What is pressed now is meant for this row, whatever it does elsewhere.
    if (m_isWaiting && event->type() == QEvent::ShortcutOverride) {
        event->accept();
        return true;
    }
    if (m_isWaiting && event->type() == QEvent::KeyPress) {
        keyPressEvent(static_cast<QKeyEvent *>(event)); // Tab, too
        return true;
    }
    return CardButton::event(event);
}

void KeyRow::keyPressEvent(QKeyEvent *event) {
    if (!m_isWaiting) {
        if (event->key() == Qt::Key_Down || event->key() == Qt::Key_Up)
            focusNextPrevChild(event->key() == Qt::Key_Down);
        else
            CardButton::keyPressEvent(event);
        return;
    }
    event->accept();
    const int key = event->key();
    const Qt::KeyboardModifiers modifiers = event->modifiers() & ~Qt::KeypadModifier;
    static const QList<int> modifierKeys{Qt::Key_Control, Qt::Key_Shift,      Qt::Key_Alt,
                                         Qt::Key_Meta,    Qt::Key_AltGr,      Qt::Key_CapsLock,
                                         Qt::Key_NumLock, Qt::Key_ScrollLock, Qt::Key_unknown};
    if (modifierKeys.contains(key))
        return;
    if (modifiers == Qt::NoModifier) {
        if (key == Qt::Key_Escape) {
            endWaiting();
            return;
        }
        if (key == Qt::Key_Backspace || key == Qt::Key_Delete) {
            emit pressed(QString(), false);
            return;
        }
        if ((key == Qt::Key_Return || key == Qt::Key_Enter) && m_canInsist && !m_pending.isEmpty()) {
            emit pressed(m_pending, true);
            return;
        }
    }
    // Shift+Tab comes as Backtab.
    const int plain = key == Qt::Key_Backtab ? static_cast<int>(Qt::Key_Tab) : key;
    const QString text = QKeySequence(QKeyCombination(modifiers, static_cast<Qt::Key>(plain)))
                             .toString(QKeySequence::PortableText);
    if (!isFree(plain, modifiers)) {
        m_pending.clear();
        object(tr("%1 alone belongs to typing. Hold Ctrl or Alt with it, or use F1 to F12.").arg(text),
               false);
        return;
    }
    const bool insists = m_canInsist && text == m_pending;
    m_pending = text;
    emit pressed(text, insists);
}

void KeyRow::focusOutEvent(QFocusEvent *event) {
    CardButton::focusOutEvent(event);
    if (m_isWaiting && event->reason() != Qt::ActiveWindowFocusReason &&
        event->reason() != Qt::PopupFocusReason)
        endWaiting();
}

KeyTable::KeyTable(const Look &look, const QList<QAction *> &actions, QWidget *parent) : QWidget(parent) {
    setObjectName(QStringLiteral("keyTable"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(look.px(8));
    for (const QAction *action : actions) {
        if (action->property("isKeyOfTexts").toBool())
            continue; // no key of the window: each text answers to it itself
        const QString groupName = action->property("group").toString();
        auto group = std::find_if(m_groups.begin(), m_groups.end(), [&groupName](const Group &known) {
            return known.head->objectName() == groupName;
        });
        if (group == m_groups.end()) {
            Group made{new CardHead(look, tr("Keys: %1").arg(groupName), {}, this), new Card(look, this), {}};
            made.head->setObjectName(groupName);
            column->addWidget(made.head);
            column->addWidget(made.card);
            column->addSpacing(look.px(8));
            group = m_groups.insert(m_groups.end(), std::move(made));
        }
        const QVariant own = action->property("ownKey");
        auto *row = new KeyRow(
            look, action->objectName(), action->text().remove(QLatin1Char('&')).remove(QStringLiteral("…")),
            own.isValid() ? own.toString() : action->shortcut().toString(QKeySequence::PortableText),
            group->card);
        group->card->add(row);
        group->rows.push_back(row);
        connect(row, &KeyRow::pressed, this,
                [this, row](const QString &key, bool insists) { take(row, key, insists); });
    }
}

std::vector<KeyRow *> KeyTable::allRows() const {
    std::vector<KeyRow *> rows;
    for (const Group &group : m_groups)
        rows.insert(rows.end(), group.rows.begin(), group.rows.end());
    return rows;
}

KeyRow *KeyTable::row(const QString &id) const {
    for (KeyRow *row : allRows())
        if (row->id() == id)
            return row;
    return nullptr;
}

void KeyTable::setKeys(const QMap<QString, QString> &keys) {
    for (KeyRow *row : allRows())
        row->setKey(keys.value(row->id(), row->ownKey()));
}

QMap<QString, QString> KeyTable::keys() const {
    QMap<QString, QString> keys;
    for (const KeyRow *row : allRows())
        if (row->key() != row->ownKey())
            keys.insert(row->id(), row->key());
    return keys;
}

void KeyTable::take(KeyRow *row, const QString &key, bool insists) {
    if (!key.isEmpty()) {
        for (KeyRow *other : allRows()) {
            if (other == row || other->key() != key)
                continue;
            if (!insists && row->isWaiting()) {
                row->object(
                    tr("%1 is the key of «%2». Enter takes it from there, Esc leaves it, or press another.")
                        .arg(key, other->name()),
                    true);
                return;
            }
            other->setKey({});
        }
    }
    row->setKey(key);
    row->endWaiting();
    emit changed(keys());
}

int KeyTable::filter(const QStringList &words) {
    int left = 0;
    for (const Group &group : m_groups) {
        int inGroup = 0;
        for (KeyRow *row : group.rows) {
            const QString text = tr("keys shortcut ") + group.head->objectName() + QLatin1Char(' ') +
                                 row->name() + QLatin1Char(' ') + row->key();
            const bool isShown = std::all_of(words.begin(), words.end(), [&text](const QString &word) {
                return text.contains(word, Qt::CaseInsensitive);
            });
            row->setVisible(isShown);
            inGroup += isShown ? 1 : 0;
        }
        group.head->setVisible(inGroup > 0);
        group.card->setVisible(inGroup > 0);
        left += inGroup;
    }
    return left;
}

} // namespace warpwright
