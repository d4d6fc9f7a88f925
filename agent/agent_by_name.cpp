// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/agent_by_name.h"

#include "agent/acp/acp_agent.h"
#include "agent/acp/acp_profiles.h"
#include "agent/agents_in_turn.h"
#include "agent/endpoints/model_profiles.h"
#include "agent/model/model_agent.h"
#include "agent/playbook/playbook_agent.h"
#include "agent/script_agent.h"

#include <QCoreApplication>
#include <QMap>

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
    const Result<PlaybookSetup> setup = playbookSetup(wanted.request, wanted.mode);
    if (!setup.hasValue())
        return Way::error(setup.message());
    return Way::ok([setup = setup.value()] { return Made::ok(std::make_shared<PlaybookAgent>(setup)); });
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

struct Maker {
    Way (*way)(const Wanted &wanted);
    bool hasName; ///< "model:NAME"
};

const QMap<QString, Maker> &makers() {
    static const QMap<QString, Maker> byName{{QStringLiteral("acp"), {wayOfAcp, true}},
                                             {QStringLiteral("model"), {wayOfModel, true}},
                                             {QStringLiteral("playbook"), {wayOfPlaybook, false}},
                                             {QStringLiteral("script"), {wayOfScript, false}}};
    return byName;
}

std::optional<Maker> makerOf(const QString &name) {
    const auto found = makers().find(name.section(QLatin1Char(':'), 0, 0));
    if (found == makers().end() || found->hasName == name.section(QLatin1Char(':'), 1).isEmpty())
        return std::nullopt;
    return *found;
}

} // namespace

bool isAgentName(const QString &name) {
    return makerOf(name).has_value();
}

QStringList agentNames() {
    QStringList names;
    for (auto maker = makers().begin(); maker != makers().end(); ++maker)
        names << maker.key() + (maker->hasName ? QStringLiteral(":NAME") : QString());
    return names;
}

namespace {

Way wayOf(const QString &name, const QString &source, const EvaluationRequest &request, SessionMode mode) {
    const std::optional<Maker> maker = makerOf(name);
    if (!maker)
        return Way::error(QStringLiteral("There is no agent \"%1\". Those of this version are %2.")
                              .arg(name, agentNames().join(QStringLiteral(", "))));
    return maker->way({name.section(QLatin1Char(':'), 1), source, request, mode});
}

} // namespace

QString agentNameOf(AuthorKind kind, const QString &name) {
    switch (kind) {
    case AuthorKind::Acp:
        return QStringLiteral("acp:") + name;
    case AuthorKind::Script:
        return QStringLiteral("script");
    case AuthorKind::Model:
        return QStringLiteral("model:") + name;
    default:
        return name;
    }
}

Result<std::shared_ptr<Agent>> agentByName(const QString &name, const QString &source,
                                           const EvaluationRequest &request, SessionMode mode) {
    const Way way = wayOf(name, source, request, mode);
    if (!way.hasValue())
        return Made::error(way.message());
    Made made = way.value()();
    if (made.hasValue())
        made.value()->moveTo(QCoreApplication::instance()->thread());
    return made;
}

Result<MakeAgent> agentMaker(const QString &name, const EvaluationRequest &request, SessionMode mode) {
    return wayOf(name, {}, request, mode);
}

} // namespace warpwright
