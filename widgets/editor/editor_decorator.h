// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include <functional>

class QKeyEvent;
class QPainter;
class QPoint;
class QRect;

namespace warpwright {

class CodeEditor;

/// One ability of the editor, which can be switched off. The editor owns it and knows no more of it than what
/// is declared here; an ability that needs another asks the editor for it. It draws over the text that
/// Scintilla has painted, and moves nothing: geometry comes from the editor. Switched off it draws nothing,
/// has no tooltips and no keys, but still hears of the rest.
class EditorDecorator : public QObject {
    Q_OBJECT
public:
    explicit EditorDecorator(CodeEditor &editor);

    [[nodiscard]] bool isEnabled() const { return m_isEnabled; }
    void setEnabled(bool enabled);

    /// Colours and sizes have changed; also called once when it is added.
    virtual void applyLook() {}
    /// Over what Scintilla has drawn; `painter` is on the viewport, clipped to `rect`.
    virtual void paint(QPainter &, const QRect &) {}
    /// The text under `point` of the viewport; empty: nothing to say.
    [[nodiscard]] virtual QString toolTip(const QPoint &) const { return {}; }
    /// True: the key meant this ability, and nobody else gets it.
    [[nodiscard]] virtual bool runKey(const QKeyEvent &) { return false; }
    /// A key that Scintilla carries out in `write`. True: `write` was called, with what belongs around it.
    [[nodiscard]] virtual bool typeKey(const QKeyEvent &, const std::function<void()> &) { return false; }

    /// Another text takes the place of this one: what was said of this one goes.
    virtual void forgetContent() {}
    /// The editor leaves its document, and may show no other.
    virtual void leaveDocument() {}
    /// It shows another document; `isAnothers`: one that a second editor shows and dresses.
    virtual void enterDocument(bool /*isAnothers*/) {}
    /// Somebody goes to this line (from 0): who hides it shows it.
    virtual void revealLine(int) {}
    /// Whatever is hidden of the text is shown.
    virtual void revealAllLines() {}
    virtual void editorResized() {}

protected:
    [[nodiscard]] CodeEditor &editor() const { return m_editor; }
    /// Switched on or off.
    virtual void enabledChanged() {}

private:
    CodeEditor &m_editor;
    bool m_isEnabled = true;
};

} // namespace warpwright
