// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
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
/// folded away, buttons to try, cancel and save, and below them, so that they stay where they are, what a
/// trial has shown. Words about what was typed go once something else is.
class ProfileForm : public QWidget {
    Q_OBJECT
public:
    /// One that is not set up yet: what it needs is said on top.
    void sayHint(const QString &hint);
    [[nodiscard]] FindingLine &finding() const { return *m_finding; }
    void setTrying(bool isTrying);
    void focusFirst();
    /// At the field that it is of, which gets the focus; none: below the buttons.
    void sayWrong(QLineEdit *field, const QString &text);
    /// At the name.
    void sayBadName(const QString &text) { sayWrong(m_first, text); }
    /// What keeps it from being stored; none: nothing, or not one field alone.
    [[nodiscard]] virtual QLineEdit *wrongField() const { return nullptr; }
    /// Says that what was typed is not saved; who then asks again means it.
    void askToDrop(const QString &text);
    /// Nothing is lost, or it was asked before, and nothing was typed since.
    [[nodiscard]] bool mayClose() const;
    /// Something was typed that is not stored.
    [[nodiscard]] bool isChanged() const { return texts() != m_begun; }

signals:
    void saveAsked();
    void tryAsked();
    void cancelled();
    /// Words have come up there: to be brought into sight.
    void saidAt(QWidget *place);

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
    /// Before saveAsked() and tryAsked(): what was typed and is not in the fields' texts.
    virtual void finishTyping() {}
    /// What was said of the form as it was before is no longer so.
    void forgetWords();

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
    bool m_isTrying = false;
    bool m_wasAsked = false;      ///< whether what was typed may be dropped
    QPointer<SettingRow> m_wrong; ///< that says what is wrong
};

} // namespace warpwright
