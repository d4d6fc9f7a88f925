// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/setup/doctor.h"

#include <QPointer>
#include <QWidget>

namespace warpwright {

class ActionButton;
class Card;
class CardHead;
class Look;
struct DoctorRow;
struct RefereeState;

/// What this machine has and lacks for checks, each lack with the command that mends it. Looking takes some
/// seconds, happens in processes of its own and can be stopped.
class DoctorPanel : public QWidget {
    Q_OBJECT
public:
    DoctorPanel(const Look &look, DataFolders folders, QWidget *parent);

    /// Findings of another Python or CUDA are dropped.
    void setSettings(const Settings &settings);
    /// Looks (again); ends in showing what was found.
    void examine();
    void stop();
    [[nodiscard]] bool isExamining() const { return m_inquiry != nullptr; }
    [[nodiscard]] bool hasFindings() const { return !m_findings.empty(); }
    void show(const std::vector<DoctorFinding> &findings);
    using QWidget::show;
    /// How far it is by now, in the row that says it is not built.
    void showJudge(const RefereeState &state);

signals:
    void found(const std::vector<warpwright::DoctorFinding> &findings);
    void setUpAsked();
    void settingsAsked(const QString &row);

private:
    void addRow(const DoctorRow &row);
    void say(const QString &title, const QString &text);
    void nameButtons();

    const Look &m_look;
    DataFolders m_folders;
    Settings m_settings;
    CardHead *m_head;
    Card *m_card;
    ActionButton *m_again;
    ActionButton *m_copy;
    QPointer<QObject> m_inquiry;
    std::vector<DoctorFinding> m_findings;
};

} // namespace warpwright
