// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/acp/acp_profiles.h"

#include "agent/acp/known_agents.h"

namespace warpwright {

Result<AcpProfile> acpProfileNamed(const QString &name, const DataFolders &folders) {
    using Answer = Result<AcpProfile>;
    const Result<AcpProfiles> agents = AcpProfiles::load(AcpProfiles::fileIn(folders));
    if (!agents.hasValue())
        return Answer::error(agents.message());
    if (const AcpProfile *profile = agents.value().find(name)) {
        const QString why = whyBadProfile(*profile);
        return why.isEmpty() ? Answer::ok(*profile)
                             : Answer::error(QStringLiteral("Cannot use the agent \"%1\" of \"%2\": %3.")
                                                 .arg(name, AcpProfiles::fileIn(folders), why));
    }
    if (const KnownAgent *known = knownAgent(name))
        return Answer::ok(known->profile());
    return Answer::error(
        QStringLiteral("There is no agent \"%1\": wright agents lists those that are set up and "
                       "those that are known, wright agents add sets one up.")
            .arg(name));
}

} // namespace warpwright
