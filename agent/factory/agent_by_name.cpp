// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/factory/agent_by_name.h"

#include "agent/acp/acp_agent.h"
#include "agent/acp/acp_profiles.h"
#include "agent/endpoints/model_profiles.h"
#include "agent/factory/agents_in_turn.h"
#include "agent/model/model_agent.h"
#include "agent/playbook/playbook_agent.h"
#include "agent/script/script_agent.h"

#include <QCoreApplication>

namespace warpwright {
namespace {

using Made = Result<std::shared_ptr<Agent>>;
using Way = Result<MakeAgent>;

/// With what an agent is to be made.
struct Wanted {
    QString name; ///< behind the colon: a profile's
    QString source;
    const EvaluationRequest &request;
    SessionMode mode;
    bool isSeries = false; ///< on workspaces that were made for it: a template stands there
};

/// The agent alone, or behind the built-in expert, where it is begun with that.
Way wayWithExpert(const Wanted &wanted, const std::function<std::shared_ptr<Agent>()> &make) {
    if (wanted.source != QLatin1String(expertFirst))
        return Way::ok([make] { return Made::ok(make()); });
    const Result<PlaybookSetup> expert = playbookSetup(wanted.request, wanted.mode);
    if (!expert.hasValue())
        return Way::error(expert.message());
    return Way::ok([make, expert = expert.value()] {
        return Made::ok(std::make_shared<AgentsInTurn>(std::make_shared<PlaybookAgent>(expert), make()));
    });
}

Way wayOfAcp(const Wanted &wanted) {
    const Result<AcpProfile> profile = acpProfileNamed(wanted.name, wanted.request.folders);
    if (!profile.hasValue())
        return Way::error(profile.message());
    return wayWithExpert(wanted, [setup = AcpAgentSetup{profile.value(), wanted.request}] {
        return std::make_shared<AcpAgent>(setup);
    });
}

Way wayOfScript(const Wanted &wanted) {
    return Way::ok([source = wanted.source] {
        auto script = ScriptAgent::open(source);
        return script.hasValue() ? Made::ok(std::move(script).value()) : Made::error(script.message());
    });
}

Way wayOfPlaybook(const Wanted &wanted) {
    const Result<PlaybookSetup> found = playbookSetup(wanted.request, wanted.mode);
    if (!found.hasValue())
        return Way::error(found.message());
    PlaybookSetup setup = found.value();
    setup.beatsTemplate = wanted.isSeries;
    return Way::ok([setup] { return Made::ok(std::make_shared<PlaybookAgent>(setup)); });
}

Way wayOfModel(const Wanted &wanted) {
    const QString file = ModelProfiles::fileIn(wanted.request.folders);
    const Result<ModelProfiles> profiles = ModelProfiles::load(file);
    if (!profiles.hasValue())
        return Way::error(profiles.message());
    const ModelProfile *profile = profiles.value().find(wanted.name);
    if (profile == nullptr)
        return Way::error(
            QStringLiteral("There is no model \"%1\" in \"%2\". wright models lists those that are "
                           "set up, wright models add sets one up.")
                .arg(wanted.name, file));
    return wayWithExpert(wanted, [setup = ModelSetup{*profile, wanted.request}] {
        return std::make_shared<ModelAgent>(setup);
    });
}

Way wayOf(const AgentName &name, const Wanted &wanted) {
    switch (name.isAgent() ? name.kind : AuthorKind::You) {
    case AuthorKind::Acp:
        return wayOfAcp(wanted);
    case AuthorKind::Model:
        return wayOfModel(wanted);
    case AuthorKind::Playbook:
        return wayOfPlaybook(wanted);
    case AuthorKind::Script:
        return wayOfScript(wanted);
    default:
        break;
    }
    return Way::error(QStringLiteral("There is no agent \"%1\". Those of this version are %2.")
                          .arg(name.text(), agentForms().join(QStringLiteral(", "))));
}

template <typename Profiles>
QStringList namesIn(const Result<Profiles> &read, AuthorKind kind) {
    QStringList names;
    if (read.hasValue())
        for (const auto &profile : read.value().profiles)
            names << AgentName{kind, profile.name}.text();
    return names;
}

} // namespace

QString whyNotSetUp(const AgentName &name, const DataFolders &folders) {
    QStringList others;
    if (name.kind == AuthorKind::Model) {
        const auto models = ModelProfiles::load(ModelProfiles::fileIn(folders));
        others = namesIn(models, name.kind);
    } else if (name.kind == AuthorKind::Acp) {
        if (acpProfileNamed(name.name, folders).hasValue())
            return {};
        others = namesIn(AcpProfiles::load(AcpProfiles::fileIn(folders)), name.kind);
    }
    if (!name.isNamed() || others.contains(name.text()))
        return {};
    return QStringLiteral("there is no profile of this name any more; %1")
        .arg(others.isEmpty()
                 ? QStringLiteral("set it up again, or set up another and choose it with --agent")
                 : QStringLiteral("choose one with --agent: %1").arg(others.join(QStringLiteral(", "))));
}

Result<std::shared_ptr<Agent>> agentByName(const AgentName &name, const QString &source,
                                           const EvaluationRequest &request, SessionMode mode) {
    const Way way = wayOf(name, {name.name, source, request, mode});
    if (!way.hasValue())
        return Made::error(way.message());
    Made made = way.value()();
    if (made.hasValue())
        made.value()->moveTo(QCoreApplication::instance()->thread());
    return made;
}

Result<MakeAgent> agentMaker(const AgentName &name, const EvaluationRequest &request, SessionMode mode) {
    return wayOf(name, {name.name, {}, request, mode, true});
}

} // namespace warpwright
