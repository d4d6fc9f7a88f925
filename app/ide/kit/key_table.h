// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/kit/card.h"

#include <QKeySequence>
#include <QList>
#include <QMap>

class QAction;

namespace warpwright {

class ActionButton;

/// One action with its key. Pressed, it waits for the key that is to do this from now on.
class KeyRow : public CardButton {
    Q_OBJECT
public:
    KeyRow(const Look &look, const QString &id, const QString &name, const QString &ownKey, QWidget *parent);

    [[nodiscard]] const QString &id() const { return m_id; }
    [[nodiscard]] const QString &name() const { return m_name; }
    [[nodiscard]] const QString &ownKey() const { return m_ownKey; }
    [[nodiscard]] QString key() const { return m_key; }
    void setKey(const QString &key);
    [[nodiscard]] bool isWaiting() const { return m_isWaiting; }
    /// Refuses what was pressed, with a sentence; the same key again, or Enter, takes it all the same where
    /// `canInsist`.
    void object(const QString &sentence, bool canInsist);
    [[nodiscard]] const QString &sentence() const { return m_sentence; }
    void endWaiting();
    [[nodiscard]] QSize sizeHint() const override;

signals:
    /// `insists`: pressed a second time, after an objection.
    void pressed(const QString &key, bool insists);

protected:
    void paintFace(QPainter &painter) override;
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void describe();

    QString m_id;
    QString m_name;
    QString m_ownKey;
    QString m_key;
    QString m_pending;
    QString m_sentence;
    ActionButton *m_reset;
    bool m_isWaiting = false;
    bool m_canInsist = false;
};

/// All actions with their keys, by groups. A key that is taken is not given twice: the conflict is said, and
/// insisting takes it from the other.
class KeyTable : public QWidget {
    Q_OBJECT
public:
    /// Each action's object name is its id; property "ownKey" holds our key, "group" its group.
    KeyTable(const Look &look, const QList<QAction *> &actions, QWidget *parent);

    /// As the settings have them: only what differs from ours.
    void setKeys(const QMap<QString, QString> &keys);
    [[nodiscard]] QMap<QString, QString> keys() const;
    /// Hides rows that do not match; gives how many are left.
    int filter(const QStringList &words);
    [[nodiscard]] KeyRow *row(const QString &id) const;

signals:
    void changed(const QMap<QString, QString> &keys);

private:
    struct Group {
        CardHead *head;
        Card *card;
        std::vector<KeyRow *> rows;
    };

    void take(KeyRow *row, const QString &key, bool insists);
    [[nodiscard]] std::vector<KeyRow *> allRows() const;

    std::vector<Group> m_groups;
};

} // namespace warpwright
