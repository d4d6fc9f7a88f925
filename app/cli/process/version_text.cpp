// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/process/version_text.h"

#include "toolchain/evaluation/evaluation_json.h"
#include "toolchain/judge/judge_session.h"

#include "warpwright_version.h"

#include <CLI/Version.hpp>

#include <QtGlobal>

namespace warpwright {

QString programVersion() {
    return QStringLiteral("%1 (%2)").arg(QLatin1String(buildVersion()), QLatin1String(buildRevision()));
}

QString versionText(const QString &torch) {
    return QStringLiteral("warpwright %1\n"
                          "Qt %2\n"
                          "CLI11 %3\n"
                          "nlohmann/json %4.%5.%6\n"
                          "evaluation document %7\n"
                          "judge protocol %8\n"
                          "torch %9\n")
        .arg(programVersion(), QLatin1String(qVersion()), QLatin1String(CLI11_VERSION))
        .arg(NLOHMANN_JSON_VERSION_MAJOR)
        .arg(NLOHMANN_JSON_VERSION_MINOR)
        .arg(NLOHMANN_JSON_VERSION_PATCH)
        .arg(QLatin1String(evaluationSchema))
        .arg(judgeProtocolVersion)
        .arg(torch);
}

} // namespace warpwright
