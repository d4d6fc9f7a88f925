// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/language/language_controller.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

namespace warpwright {

class CallHint;
class Look;

/// What the call at the cursor takes, while it is being written: asked after "(" and ",", by key, and anew as
/// the cursor moves, until it has left the call.
class EditorCallHint : public QObject {
    Q_OBJECT
public:
    EditorCallHint(const Look &look, LanguageController &controller, QWidget *window);

    void ask(CodeEditor &editor);
    /// A call was begun otherwise than by typing: soon, and without a word where there is none.
    void begin(CodeEditor &editor);
    void close();
    [[nodiscard]] CallHint &hint() const { return *m_hint; }

signals:
    void nothingKnown(const QString &why);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void watch(OpenText *text);
    void send(bool isByKey);
    void show(const SignatureHelp &help);

    LanguageController &m_controller;
    CallHint *m_hint;
    QPointer<CodeEditor> m_editor;
    QTimer m_soon;
    JobNumber m_jobs;
};

} // namespace warpwright
