// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/settings/profile_form.h"
#include "app/ide/settings/tool_tests.h"
#include "widgets/frame/toasts.h"

#include <QHash>
#include <QPointer>
#include <QThreadPool>

#include <functional>

class QMenu;

namespace warpwright {

class Card;
class CardHead;
class MessageCard;
class ProfileRow;

/// Things that are set up under a name, on the settings page: a row each, of which one can be unfolded to be
/// changed, and a button that adds one. What they are, and where they are kept, its kinds know
/// (`ProfilesInFile`).
class ProfilesTable : public QWidget {
    Q_OBJECT
public:
    ~ProfilesTable() override;

    /// Reads what is set up again, as another program may have changed it; ends in changed() or in words.
    virtual void read() = 0;
    /// Hides rows that do not match; gives how many are left.
    int filter(const QStringList &words);
    /// What gets the focus when somebody is led here.
    [[nodiscard]] QWidget *firstStep() const;
    /// The list of what can be set up opens, or the form that is open comes into sight.
    void offerNew();
    /// Escape, where the focus is in the form: what was not changed is closed, what was is asked about first.
    /// False: the focus is elsewhere.
    bool leaveForm();

signals:
    /// They are known now, or others than before.
    void changed();
    void noticed(const warpwright::Notice &notice);
    /// It has unfolded there: to be brought into sight.
    void shownAt(QWidget *place);

protected:
    struct Texts {
        QString title;
        QString remark;
        QString add;    ///< of the button
        QString none;   ///< where there is none
        QString broken; ///< they could not be read
        QString search; ///< words that mean all of them
    };
    ProfilesTable(const Look &look, const QString &objectName, Texts texts, QWidget *parent);

    struct Listed {
        QString name;
        QStringList facts;
        bool canRemove = true;
    };
    [[nodiscard]] virtual std::vector<Listed> listed() const = 0;
    /// Of one that is set up.
    [[nodiscard]] virtual ProfileForm *makeForm(const QString &name) = 0;
    virtual void save() = 0; ///< what the form says
    virtual void remove(const QString &name) = 0;
    /// `row`: the name of one that is set up; empty: what stands in the form.
    virtual void tryIt(const QString &row) = 0;
    virtual void stopTrial() = 0;

    [[nodiscard]] const Look &look() const { return m_look; }
    /// Of the button that adds one.
    [[nodiscard]] QMenu *menu() const { return m_menu; }
    void show();
    void sayProblem(const QString &message);
    void sayInForm(const QString &trouble);
    void sayBadName(const QString &trouble);
    /// What stands in the form cannot be: said at the field that it is of.
    void sayWrong(const QString &trouble);
    /// The name of the one that the form is of; empty: a new one.
    [[nodiscard]] const QString &edited() const { return m_edited; }
    void openForm(ProfileForm *form, const QString &edited);
    void closeForm();
    /// What was typed is not lost for another press elsewhere.
    [[nodiscard]] bool mayLeaveForm();
    /// A trial is on its way; `words`: how far it is.
    void sayTrial(const QString &row, const QString &words);
    void sayTried(const QString &row, const ToolFinding &finding);
    /// What was found of it is no longer so.
    void forgetFinding(const QString &name) { m_findings.remove(name); }
    [[nodiscard]] bool isTrying(const QString &row) const { return m_isTrying && m_tried == row; }
    /// Of the trial that runs, or ran last.
    [[nodiscard]] const QString &tryingRow() const { return m_tried; }

    QThreadPool m_writer; ///< one thread: stores follow one another

private:
    void popUpMenu();
    [[nodiscard]] ProfileRow *row(const QString &name) const;

    const Look &m_look;
    Texts m_texts;
    CardHead *m_head;
    MessageCard *m_problem;
    Card *m_card;
    ActionButton *m_add;
    QMenu *m_menu;
    std::vector<ProfileRow *> m_rows;
    QPointer<ProfileForm> m_form;
    QString m_edited;
    QHash<QString, ToolFinding> m_findings; ///< by name; of trials
    bool m_isTrying = false;
    QString m_tried; ///< its row
};

} // namespace warpwright
