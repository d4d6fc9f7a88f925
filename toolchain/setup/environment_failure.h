// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace warpwright {

/// What a step of setting up the Python environment was about, for the sentence about its failure.
enum class EnvironmentStep { Look, Make, Install, Try };

/// The sentence for a step that failed: what, why in the tool's own words, and the command or act that mends
/// it. `output`: what the step has printed, both streams, its end at least. `signal`: that ended it; 0: none.
[[nodiscard]] QString environmentFailure(EnvironmentStep step, const QString &folder,
                                         const QByteArray &output, int signal);

/// The lines of a requirements file as packaging's list_of gives them, which the stamp of an environment is
/// made from: no comments, no spaces at the end, no empty lines.
[[nodiscard]] QByteArray requirementsOf(const QByteArray &text);

/// The Debian packages that the steps need, as the command that installs them.
inline constexpr auto installPythonCommand = "sudo apt-get install -y python3 python3-venv python3-dev";

} // namespace warpwright
