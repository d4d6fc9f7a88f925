// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/toolchain/real_toolchain.h"
#include "toolchain/language/language_server.h"
#include "toolchain/workspace/workspace.h"

#include <QHash>
#include <QTest>

/// Why clangd cannot be asked here; empty: it can.
QString missingClangd();

/// clangd over a workspace, and what it has said.
class ClangdWorld {
public:
    /// `folder`: holds model.py. QFAILs are left to the caller: state() tells.
    explicit ClangdWorld(const QString &folder);
    ~ClangdWorld();

    [[nodiscard]] QString problem() const { return m_problem; }
    [[nodiscard]] warpwright::LanguageServer &server() { return *m_server; }
    [[nodiscard]] const warpwright::Workspace &workspace() const { return m_workspace; }
    /// Opens it as it lies on the disk and waits for its diagnostics; gives its absolute path, empty: none
    /// came.
    QString open(const QString &name);
    /// Waits until the diagnostics of the newest text are there. The same text as before is no change: true.
    bool change(const QString &file, const QString &text);
    [[nodiscard]] std::vector<warpwright::LanguageDiagnostic> said(const QString &file) const {
        return m_said.value(file);
    }
    /// "12: message", a line each.
    [[nodiscard]] QString saidAsText(const QString &file) const;

    /// The place of the `which`th `word` of a file that is open, and `behind` it.
    static warpwright::TextPlace placeOf(const QString &text, const QString &word, int behind = 0);

    /// Asks and waits; the answer, or the problem in `problem`.
    template <typename T, typename Ask>
    std::optional<T> asked(Ask ask, QString *problem = nullptr) {
        std::optional<T> told;
        QString why;
        ask([&told, &why](const T &value, const QString &said) {
            told = value;
            why = said;
        });
        (void)QTest::qWaitFor([&told] { return told.has_value(); }, 60000);
        if (problem != nullptr)
            *problem = told ? why : QStringLiteral("no answer");
        return told && why.isEmpty() ? told : std::nullopt;
    }

private:
    warpwright::Workspace m_workspace;
    std::unique_ptr<warpwright::LanguageServer> m_server;
    QHash<QString, std::vector<warpwright::LanguageDiagnostic>> m_said;
    QHash<QString, int> m_times;
    QHash<QString, QString> m_texts;
    QString m_problem;
};
