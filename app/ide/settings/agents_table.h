// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/acp/acp_profiles.h"
#include "agent/acp/known_agents.h"
#include "app/ide/settings/profiles_in_file.h"

namespace warpwright {

class AgentForm;

/// The external agents that are set up, and the known ones whose command is there: these can be used as they
/// are. The others that are known are offered with the command that installs them; nothing is installed here.
class AgentsTable : public ProfilesInFile<AcpProfiles> {
    Q_OBJECT
public:
    AgentsTable(const Look &look, const DataFolders &folders, QWidget *parent);

    /// The names of those that a run can begin with: set up, or found.
    [[nodiscard]] QStringList offered() const;

protected:
    [[nodiscard]] std::vector<Listed> listed() const override;
    [[nodiscard]] ProfileForm *makeForm(const QString &name) override;
    [[nodiscard]] Result<AcpProfile> typed() const override;
    [[nodiscard]] std::optional<AcpProfile> unstored(const QString &name) const override;
    [[nodiscard]] QObject *beginTrial(const AcpProfile &profile, const QString &row) override;
    void taken() override;

private:
    void fillMenu();
    void add(const KnownAgent &agent);
    [[nodiscard]] AgentForm *formOf(const AcpProfile &profile);
    [[nodiscard]] std::vector<KnownAgent> found() const;

    DataFolders m_folders;
    QHash<QString, QString> m_programs; ///< by name, where its command lies; absent: nowhere
    JobNumber m_looking;
    QPointer<AgentForm> m_agentForm;
};

} // namespace warpwright
