// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

class QLineEdit;
class QVBoxLayout;

namespace warpwright {

class ActionButton;
class FindingLine;
class Look;
class SettingRow;
class Words;

/// What forms of things that are set up under a name have in common: a hint, rows of fields of which some are
/// folded away, what a trial has shown, and buttons to try, cancel and save.
class ProfileForm : public QWidget {
    Q_OBJECT
public:
    /// One that is not set up yet: what it needs is said on top.
    void sayHint(const QString &hint);
    [[nodiscard]] FindingLine &finding() const { return *m_finding; }
    void setTrying(bool isTrying);
    void focusFirst();
    /// Something was typed that is not stored.
    [[nodiscard]] bool isChanged() const { return texts() != m_begun; }

signals:
    void saveAsked();
    void tryAsked();
    void cancelled();

protected:
    /// `kind`: begins the object names of its fields: "model".
    ProfileForm(const Look &look, const QString &kind, QWidget *parent);

    [[nodiscard]] const Look &look() const { return m_look; }
    QLineEdit *addField(const QString &id, const QString &name, const QString &purpose,
                        const QString &placeholder, const QString &text);
    SettingRow *addRow(const QString &id, const QString &name, const QString &purpose, QWidget *field);
    /// The row of this field is one that few need.
    void foldAway(QWidget *field);
    /// Once all fields are there. `more`: unfolds those that few need.
    void addButtons(const QString &more);
    /// Before saveAsked(): what was typed and is not in the fields' texts.
    virtual void finishTyping() {}

private:
    [[nodiscard]] QStringList texts() const;
    void showMore(bool isShown);

    const Look &m_look;
    QString m_kind;
    QStringList m_begun; ///< what the fields said at first
    QVBoxLayout *m_column;
    Words *m_hint;
    FindingLine *m_finding;
    QLineEdit *m_first = nullptr;
    std::vector<QWidget *> m_more;
    QString m_moreWords;
    ActionButton *m_moreButton = nullptr;
    ActionButton *m_try = nullptr;
};

} // namespace warpwright
