// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QString>

#include <functional>
#include <vector>

namespace warpwright {

/// Blanks what begins with # and all lines that go on with it: a macro's parts look like code.
[[nodiscard]] QString withoutDirectives(QString code);

/// Which places of a CUDA or C++ text run in each call of the candidate: those of functions that launch
/// something, of such that other languages call (extern "C"), and of functions that one of these calls
/// without a condition. What only prepares (a plan, a choice among algorithms) mostly runs once, and its
/// caller keeps the result.
///
/// It reads braces and names, and no more of the language; each function is asked for once, so that a text of
/// any size takes time in proportion. `code`: without comments, literals (ScannedText) and directives.
class LauncherSearch {
public:
    LauncherSearch(QString code, std::function<bool(int line)> isGuarded);

    [[nodiscard]] bool runsInEachCall(qsizetype place);
    [[nodiscard]] int lineAt(qsizetype place) const; ///< from 1

private:
    enum class Answer { Unknown, Asked, No, Yes };
    struct Function {
        QString name;
        bool isForOthers = false; ///< extern
        qsizetype open = 0;       ///< its outermost braces
        qsizetype close = 0;
        Answer answer = Answer::Unknown;
    };
    void findFunctions();
    [[nodiscard]] int functionAt(qsizetype place) const; ///< -1: in none
    [[nodiscard]] bool isRun(int function);

    QString m_code;
    std::function<bool(int)> m_isGuarded;
    std::vector<qsizetype> m_lineStarts;
    std::vector<Function> m_functions;             ///< in their order
    QHash<QString, std::vector<qsizetype>> m_uses; ///< of names of functions, before a parenthesis
};

} // namespace warpwright
