// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace warpwright {

/// What a step of setting up the Python environment was about, for the sentence about its failure.
enum class EnvironmentStep { Look, Make, Install, Try };

/// The sentence for a step that failed: what, why in the tool's own words, and the command or act that mends
/// it. `output`: what the step has printed, both streams, its end at least. `signal`: that ended it; 0: none.
[[nodiscard]] QString environmentFailure(EnvironmentStep step, const QString &folder, const QByteArray &output,
                                         int signal);

/// The Debian packages that the steps need, as the command that installs them.
inline constexpr auto installPythonCommand = "sudo apt-get install -y python3 python3-venv python3-dev";

} // namespace warpwright
