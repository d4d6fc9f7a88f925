// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/language/language_controller.h"

#include <QObject>
#include <QTimer>

#include <functional>

namespace warpwright {

/// Lays out a text or the selected lines of it as the language server does (clangd by the .clang-format
/// beside the file or above it; without one nothing is changed). One step of undo; the cursor stays at its
/// place in the text.
class TextFormat : public QObject {
    Q_OBJECT
public:
    explicit TextFormat(LanguageController &controller);

    void formatAll(CodeEditor &editor);
    void formatSelection(CodeEditor &editor);
    /// All changed texts of the candidate; `then` comes in any case, after a second at the latest.
    void formatChanged(std::function<void()> then);
    /// What waits for a layout goes on without it.
    void endWaiting();

signals:
    void noticed(const QString &title, const QString &text);
    /// A .clang-format would mend it.
    void styleMissed(const QString &title, const QString &text);

private:
    struct Unformatted {
        QString why;       ///< empty: nothing was in the way
        QString noStyleIn; ///< the folder that has no .clang-format, nor one above it
    };
    using Then = std::function<void(const Unformatted &left)>;

    void ask(CodeEditor &editor, std::optional<TextRange> only, Then then);
    void askServer(CodeEditor &editor, const QString &asked, std::optional<TextRange> only, const Then &then);
    void say(const Unformatted &left);

    LanguageController &m_controller;
    std::function<void()> m_then;
    QTimer m_patience;
    int m_left = 0;
    int m_round = 0;
};

/// As replaceIn(), where a server replaces the whole text: only what differs is touched, and the cursor keeps
/// its line.
void layOut(CodeEditor &editor, const std::vector<TextReplacement> &replacements);

} // namespace warpwright
