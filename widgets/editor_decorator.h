// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

class QMouseEvent;
class QPainter;
class QPoint;
class QRect;

namespace warpwright {

class CodeEditor;

/// One ability of the editor that can be switched on and off and knows nothing of the others. It draws over
/// the text that Scintilla has painted, and moves nothing: geometry comes from the editor. The editor owns
/// it.
class EditorDecorator : public QObject {
    Q_OBJECT
public:
    explicit EditorDecorator(CodeEditor &editor);

    [[nodiscard]] bool isEnabled() const { return m_isEnabled; }
    void setEnabled(bool enabled);

    /// Colours and sizes have changed; also called once after construction.
    virtual void applyLook() {}
    /// Over what Scintilla has drawn; `painter` is on the viewport, clipped to `rect`.
    virtual void paint(QPainter &, const QRect &) {}
    /// The text under `point` of the viewport; empty: nothing to say.
    [[nodiscard]] virtual QString toolTip(const QPoint &) const { return {}; }

protected:
    [[nodiscard]] CodeEditor &editor() const { return m_editor; }
    /// Switched on or off.
    virtual void enabledChanged() {}

private:
    CodeEditor &m_editor;
    bool m_isEnabled = true;
};

} // namespace warpwright
