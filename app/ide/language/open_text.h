// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/language/language_server.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

namespace warpwright {

class CodeEditor;

/// An editor's text as its language server knows it: told when typing rests, and at once before something is
/// asked.
class OpenText : public QObject {
    Q_OBJECT
public:
    /// `file` is absolute. `isGuest`: only read here, and none of the workspace's.
    OpenText(CodeEditor &editor, QString file, QString languageId, bool isGuest, QObject *parent);
    ~OpenText() override;

    [[nodiscard]] CodeEditor *editor() const;
    [[nodiscard]] const QString &file() const { return m_file; }
    [[nodiscard]] const QString &languageId() const { return m_languageId; }
    [[nodiscard]] bool isGuest() const { return m_isGuest; }

    /// Opens the text there, and closes it where it was before. Null: no server reads it.
    void setServer(LanguageServer *server);
    [[nodiscard]] LanguageServer *server() const { return m_server; }
    /// The server, which has the newest text then; null: none is ready.
    [[nodiscard]] LanguageServer *asked();
    void tell();
    void tellSaved();

signals:
    /// A newer text was told: what was asked before is not answered any more.
    void told();

private:
    QPointer<CodeEditor> m_editor;
    QString m_file;
    QString m_languageId;
    bool m_isGuest;
    QPointer<LanguageServer> m_server;
    QTimer m_soon;
};

} // namespace warpwright
