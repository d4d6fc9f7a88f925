// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/language/language_values.h"

#include <QObject>
#include <QString>

#include <vector>

namespace warpwright {

struct EditorMark;
class LanguageController;

/// Puts what language servers say of the texts on their lines while they are written. Told apart from the
/// compilers' by the server's name, and no part of any verdict.
class LanguageMarks : public QObject {
    Q_OBJECT
public:
    explicit LanguageMarks(LanguageController &controller);
};

/// As the editor shows them, of `server`: the first 200.
[[nodiscard]] std::vector<EditorMark> marksOf(const std::vector<LanguageDiagnostic> &diagnostics,
                                              const QString &server);

} // namespace warpwright
