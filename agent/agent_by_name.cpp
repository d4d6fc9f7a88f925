// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/agent_by_name.h"

#include "agent/playbook/playbook_agent.h"
#include "agent/script_agent.h"

#include <QCoreApplication>
#include <QMap>

namespace warpwright {
namespace {

using Made = Result<std::shared_ptr<Agent>>;

Made madeScript(const QString &folder, const EvaluationRequest &, SessionMode) {
    auto script = ScriptAgent::open(folder);
    return script.hasValue() ? Made::ok(std::move(script).value()) : Made::error(script.message());
}

Made madePlaybook(const QString &, const EvaluationRequest &request, SessionMode mode) {
    const Result<PlaybookSetup> setup = playbookSetup(request, mode);
    return setup.hasValue() ? Made::ok(std::make_shared<PlaybookAgent>(setup.value()))
                            : Made::error(setup.message());
}

using Make = Made (*)(const QString &, const EvaluationRequest &, SessionMode);

const QMap<QString, Make> &makers() {
    static const QMap<QString, Make> byName{{QStringLiteral("playbook"), madePlaybook},
                                            {QStringLiteral("script"), madeScript}};
    return byName;
}

} // namespace

bool isAgentName(const QString &name) {
    return makers().contains(name);
}

Result<std::shared_ptr<Agent>> agentByName(const QString &name, const QString &source,
                                           const EvaluationRequest &request, SessionMode mode) {
    const auto found = makers().find(name);
    if (found == makers().end())
        return Made::error(QStringLiteral("There is no agent \"%1\". Those of this version are %2.")
                               .arg(name, QStringList(makers().keys()).join(QStringLiteral(", "))));
    Made made = found.value()(source, request, mode);
    if (made.hasValue())
        made.value()->moveToThread(QCoreApplication::instance()->thread());
    return made;
}

} // namespace warpwright
