// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace CLI {
class App;
}

namespace warpwright {

/// A first word that is no command, and the one that was probably meant: "there is no command "chek" (did you
/// mean check?)". Empty: it is a command, or an option.
[[nodiscard]] QString unknownCommand(const CLI::App &app, const QString &word);

} // namespace warpwright
