// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/endpoint_trial.h"
#include "agent/endpoints/known_endpoints.h"
#include "agent/endpoints/model_profiles.h"
#include "app/ide/tool_tests.h"
#include "widgets/toasts.h"

#include <QHash>
#include <QPointer>
#include <QThreadPool>
#include <QWidget>

class QMenu;

namespace warpwright {

class ActionButton;
class Card;
class CardHead;
class FindingLine;
class Look;
class MessageCard;
class ModelForm;
class ModelRow;

/// The language models that are set up: a row each, of which one can be unfolded to be changed, and a button
/// that adds one. Reads and stores their file in the pool, in the order of the changes; keys go to the key
/// store and nowhere else. Each change is told, with the way back.
class ModelsTable : public QWidget {
    Q_OBJECT
public:
    ModelsTable(const Look &look, const DataFolders &folders, QWidget *parent);
    ~ModelsTable() override;

    /// Reads the file again, as another program may have changed it; ends in changed() or in words.
    void read();
    [[nodiscard]] const std::vector<ModelProfile> &profiles() const { return m_models.profiles; }
    /// Hides rows that do not match; gives how many are left.
    int filter(const QStringList &words);
    /// What gets the focus when somebody is led here.
    [[nodiscard]] QWidget *firstStep() const;

signals:
    /// They are known now, or others than before.
    void changed();
    void noticed(const warpwright::Notice &notice);
    /// It has unfolded there: to be brought into sight.
    void shownAt(QWidget *place);

private:
    using Edit = std::function<void(ModelProfiles &)>;

    void store(const Edit &edit, const std::function<void()> &then);
    void take(const Result<ModelProfiles> &read);
    void show();
    void fillMenu();
    void add(const KnownEndpoint &endpoint);
    void edit(const QString &name);
    void openForm(const ModelProfile &profile);
    void closeForm();
    void save();
    void remove(const QString &name);
    void tell(const QString &title, const QString &text, const Edit &back);
    void storeKey(const QString &entry, const QString &key);
    [[nodiscard]] bool mayLeaveForm();
    /// `row`: the model's name, or empty: what stands in the form.
    void tryModel(const ModelProfile &profile, const QString &row);
    void stopTrial();
    void sayTrial(const QString &row, const QString &words, const EndpointTrialOutcome *outcome);
    [[nodiscard]] ModelRow *row(const QString &name) const;
    [[nodiscard]] QString freeName(const QString &wanted) const;

    const Look &m_look;
    QString m_file;
    QThreadPool m_writer; ///< one thread: stores follow one another
    ModelProfiles m_models;
    CardHead *m_head;
    MessageCard *m_problem;
    Card *m_card;
    ActionButton *m_add;
    QMenu *m_menu;
    std::vector<ModelRow *> m_rows;
    QPointer<ModelForm> m_form;
    QString m_edited;                       ///< the name of the model that the form is of; empty: a new one
    QHash<QString, ToolFinding> m_findings; ///< by name; of trials
    QPointer<EndpointTrial> m_trial;        ///< that runs
    QString m_tried;                        ///< its row
};

} // namespace warpwright
