// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/workspace/candidate_texts.h"

namespace warpwright {

/// Whether two texts of a candidate differ in comments, docstrings and blank lines alone: then whatever is
/// measured of one says nothing against the other. Where it cannot be told without doubt they differ.
[[nodiscard]] bool isSameCode(const CandidateTexts &one, const CandidateTexts &other);

/// A Python source without comments and without strings that stand alone where a body begins. Lines stay on
/// their lines.
[[nodiscard]] QByteArray pythonWithoutComments(const QByteArray &text);

} // namespace warpwright
