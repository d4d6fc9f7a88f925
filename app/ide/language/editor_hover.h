// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/language/language_controller.h"

#include <QObject>
#include <QPoint>
#include <QPointer>
#include <QTimer>

#include <optional>

namespace warpwright {

class Look;
class TextPopup;

/// What is known of the name under the mouse or the cursor, in one popup: what the editor says there itself
/// (compilers' words, heat) and what the language server documents.
class EditorHover : public QObject {
    Q_OBJECT
public:
    EditorHover(const Look &look, LanguageController &controller, QWidget *window);

    /// By key, at the cursor. PgUp and PgDown turn its pages, any other key closes it.
    void showHere(CodeEditor &editor);
    void close();
    [[nodiscard]] TextPopup &popup() const { return *m_popup; }

signals:
    void nothingKnown(const QString &why);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void watch(OpenText *text);
    void moveTo(CodeEditor &editor, const QPoint &point);
    void rest();
    void ask(CodeEditor &editor, long position, const QString &own, bool isByKey);
    void show(const QString &own, const QString &markdown);

    LanguageController &m_controller;
    TextPopup *m_popup;
    QPointer<CodeEditor> m_editor;
    QPoint m_point;            ///< of the mouse in the viewport
    long m_from = 0, m_to = 0; ///< the name that it is about
    QTimer m_rest;
    JobNumber m_jobs;
    bool m_isAwaited = false;
    bool m_isByKey = false; ///< a mouse that lies there does not close it
};

} // namespace warpwright
