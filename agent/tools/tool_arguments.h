// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"

#include <QString>

namespace warpwright {

/// What is wrong with the arguments of a call, and what is right: for whoever made it, mostly a model. Empty:
/// nothing is. `parameters`: a tool's JSON Schema; of it type, properties, required, items, enum, minimum and
/// maximum are looked at.
[[nodiscard]] QString whyBadArguments(const QString &tool, const Json &parameters, const Json &arguments);

/// What was meant: an optional argument that is null was left out; "3" is 3 and "true" is true where such a
/// thing is wanted; a text that holds the JSON of a list or an object is that. Models write all of these.
[[nodiscard]] Json argumentsAsMeant(const Json &parameters, Json arguments);

/// The members of arguments that were found to be right; `otherwise` where absent.
[[nodiscard]] int intArgument(const Json &arguments, const char *name, int otherwise);
[[nodiscard]] bool boolArgument(const Json &arguments, const char *name, bool otherwise = false);

} // namespace warpwright
