// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/look/look.h"

#include <Qsci/qscilexercpp.h>
#include <Qsci/qscilexerpython.h>

namespace warpwright {

/// C++ with the words and types of CUDA as keyword sets of their own.
class CudaLexer : public QsciLexerCPP {
    Q_OBJECT
public:
    explicit CudaLexer(QObject *parent = nullptr);

    [[nodiscard]] const char *language() const override { return "CUDA C++"; }
    /// 1: C++, 2: CUDA words, 4: types.
    [[nodiscard]] const char *keywords(int set) const override;
};

/// Python with self, None, True and False as keywords; builtins and torch's own words as a set of their own.
class PythonLexer : public QsciLexerPython {
    Q_OBJECT
public:
    explicit PythonLexer(QObject *parent = nullptr);

    [[nodiscard]] const char *keywords(int set) const override;
};

/// The token of a style's colour ("syntax.keyword"); of styles that the lexer does not have, that of text.
[[nodiscard]] const char *cudaStyleToken(int style);
[[nodiscard]] const char *pythonStyleToken(int style);

/// Colours and font of all styles of `lexer`, which is one of the two.
void dressLexer(QsciLexer &lexer, const Look &look);

} // namespace warpwright
