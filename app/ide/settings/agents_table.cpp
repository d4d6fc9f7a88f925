// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/settings/agents_table.h"

#include "agent/acp/acp_trial.h"
#include "app/ide/settings/agent_form.h"
#include "app/ide/settings/tool_tests.h"

#include <QMenu>

namespace warpwright {

AgentsTable::AgentsTable(const Look &look, const DataFolders &folders, QWidget *parent)
    : ProfilesInFile(
          look, QStringLiteral("agentsTable"),
          {tr("Agents"), tr("other programs' agents, by the Agent Client Protocol"), tr("Set up an agent"),
           tr("None is set up, and none of those that are known was found in PATH. The button below lists "
              "them with what installs them."),
           tr("The agents could not be read or stored"), tr("Agents external ACP protocol program")},
          AcpProfiles::fileIn(folders), parent),
      m_folders(folders) {
    fillMenu();
    show();
}

// Which commands are there is a question to the disk.
void AgentsTable::taken() {
    std::vector<AcpProfile> all = profiles();
    for (const KnownAgent &known : knownAgents())
        if (unstored(known.name))
            all.push_back(known.profile());
    inPool(
        this,
        [all] {
            QHash<QString, QString> programs;
            for (const AcpProfile &profile : all)
                if (const QString program = programOf(profile); !program.isEmpty())
                    programs.insert(profile.name, program);
            return programs;
        },
        [this, number = m_looking.next()](const QHash<QString, QString> &programs) {
            if (m_looking.isStale(number) || programs == m_programs)
                return;
            m_programs = programs;
            fillMenu();
            show();
            emit changed();
        });
}

std::vector<KnownAgent> AgentsTable::found() const {
    std::vector<KnownAgent> found;
    for (const KnownAgent &known : knownAgents())
        if (m_programs.contains(known.name) && unstored(known.name))
            found.push_back(known);
    return found;
}

QStringList AgentsTable::offered() const {
    QStringList names;
    for (const AcpProfile &profile : profiles())
        names << profile.name;
    for (const KnownAgent &known : found())
        names << known.name;
    return names;
}

void AgentsTable::fillMenu() {
    menu()->clear();
    for (const KnownAgent &known : knownAgents()) {
        QAction *action =
            menu()->addAction(m_programs.contains(known.name) ? tr("%1: found").arg(known.title)
                                                              : tr("%1: not installed").arg(known.title));
        action->setObjectName(QStringLiteral("add-") + known.name);
        connect(action, &QAction::triggered, this, [this, known] { add(known); });
    }
    QAction *other = menu()->addAction(tr("Another agent"));
    other->setObjectName(QStringLiteral("add-other"));
    connect(other, &QAction::triggered, this, [this] { add({}); });
}

std::vector<ProfilesTable::Listed> AgentsTable::listed() const {
    std::vector<Listed> all;
    const auto facts = [this](const AcpProfile &profile) {
        const QString program = m_programs.value(profile.name);
        const QString install = installCommandOf(profile.command);
        const QString place = !program.isEmpty()  ? program
                              : install.isEmpty() ? tr("its command is not there")
                                                  : tr("not installed: %1").arg(install);
        return QStringList{flagsText(QStringList{profile.command} + profile.arguments), place};
    };
    for (const AcpProfile &profile : profiles())
        all.push_back({profile.name, facts(profile), true});
    for (const KnownAgent &known : found())
        all.push_back({known.name,
                       QStringList{known.title} + facts(known.profile()) + QStringList{tr("found, as it is")},
                       false});
    return all;
}

void AgentsTable::add(const KnownAgent &agent) {
    if (!mayLeaveForm())
        return;
    AcpProfile profile = agent.profile();
    if (!profile.name.isEmpty())
        profile.name = freeName(profile.name);
    AgentForm *form = formOf(profile);
    if (const QString program = m_programs.value(agent.name); !program.isEmpty())
        form->sayHint(tr("Found: %1").arg(program));
    else if (!agent.install.isEmpty())
        form->sayHint(
            tr("%1 is not installed. This installs it, in a terminal: %2").arg(agent.title, agent.install));
    openForm(form, {});
}

ProfileForm *AgentsTable::makeForm(const QString &name) {
    return formOf(named(name).value_or(AcpProfile()));
}

AgentForm *AgentsTable::formOf(const AcpProfile &profile) {
    return m_agentForm = new AgentForm(look(), profile, this);
}

Result<AcpProfile> AgentsTable::typed() const {
    return m_agentForm->profile();
}

std::optional<AcpProfile> AgentsTable::unstored(const QString &name) const {
    const KnownAgent *known = knownAgent(name);
    const bool isStored = std::any_of(profiles().begin(), profiles().end(),
                                      [&name](const AcpProfile &one) { return one.name == name; });
    return known == nullptr || isStored ? std::nullopt : std::optional(known->profile());
}

QObject *AgentsTable::beginTrial(const AcpProfile &profile, const QString &row) {
    auto *trial = new AcpTrial(profile, m_folders, {}, this);
    connect(trial, &AcpTrial::progress, this, [this, row](const QString &words) { sayTrial(row, words); });
    connect(trial, &AcpTrial::finished, this, [this, row](const AcpTrialOutcome &outcome) {
        tried(row, {outcome.works, outcome.line});
    });
    sayTrial(row, tr("starting %1").arg(profile.command));
    QMetaObject::invokeMethod(
        trial, [trial] { trial->start(); }, Qt::QueuedConnection);
    return trial;
}

} // namespace warpwright
