// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"

#include <QString>
#include <QStringList>

#include <optional>

/// What a person can ask of one evaluation: how far it goes, and how thoroughly it measures.
namespace warpwright {

/// The last stage that is wanted. The stages build on each other, so a later one brings the earlier ones.
enum class LastStage { Compile, Verify, Profile };

/// Quick compares with one live baseline, certify with all of them.
enum class Tier { Quick, Certify };

/// "compile", "compile,verify" or "compile,verify,profile", spaces allowed. Anything else is an error that
/// says what is accepted: a stage without those before it has nothing to work on.
Result<LastStage> parseStages(const QString &text);
QStringList stageNames(LastStage last);

QString tierName(Tier tier);
std::optional<Tier> tierFromName(const QString &name);

} // namespace warpwright
