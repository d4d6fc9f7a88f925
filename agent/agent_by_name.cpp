// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/agent_by_name.h"

#include "agent/acp/acp_agent.h"
#include "agent/acp/acp_profiles.h"
#include "agent/playbook/playbook_agent.h"
#include "agent/script_agent.h"

#include <QCoreApplication>
#include <QMap>

namespace warpwright {
namespace {

using Made = Result<std::shared_ptr<Agent>>;

/// With what an agent is to be made.
struct Wanted {
    QString name; ///< behind the colon: a profile's
    QString source;
    const EvaluationRequest &request;
    SessionMode mode;
};

Made madeAcp(const Wanted &wanted) {
    const Result<AcpProfile> profile = acpProfileNamed(wanted.name, wanted.request.folders);
    return profile.hasValue()
               ? Made::ok(std::make_shared<AcpAgent>(AcpAgentSetup{profile.value(), wanted.request}))
               : Made::error(profile.message());
}

Made madeScript(const Wanted &wanted) {
    auto script = ScriptAgent::open(wanted.source);
    return script.hasValue() ? Made::ok(std::move(script).value()) : Made::error(script.message());
}

Made madePlaybook(const Wanted &wanted) {
    const Result<PlaybookSetup> setup = playbookSetup(wanted.request, wanted.mode);
    return setup.hasValue() ? Made::ok(std::make_shared<PlaybookAgent>(setup.value()))
                            : Made::error(setup.message());
}

struct Maker {
    Made (*make)(const Wanted &wanted);
    bool hasName; ///< "model:NAME"
};

const QMap<QString, Maker> &makers() {
    static const QMap<QString, Maker> byName{{QStringLiteral("acp"), {madeAcp, true}},
                                             {QStringLiteral("playbook"), {madePlaybook, false}},
                                             {QStringLiteral("script"), {madeScript, false}}};
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
    const std::optional<Maker> maker = makerOf(name);
    if (!maker)
        return Made::error(QStringLiteral("There is no agent \"%1\". Those of this version are %2.")
                               .arg(name, agentNames().join(QStringLiteral(", "))));
    Made made = maker->make({name.section(QLatin1Char(':'), 1), source, request, mode});
    if (made.hasValue())
        made.value()->moveToThread(QCoreApplication::instance()->thread());
    return made;
}

} // namespace warpwright
