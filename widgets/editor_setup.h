// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/look/look.h"

#include <memory>

namespace warpwright {

class CodeEditor;

/// An editor with all its abilities, as sources are read and written in. Where `parent` is to own it,
/// release() it.
[[nodiscard]] std::unique_ptr<CodeEditor> makeCodeEditor(const Look &look, QWidget *parent);

} // namespace warpwright
