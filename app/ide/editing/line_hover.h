// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

class CodeEditor;

/// Says over which line of an editor the mouse is, once for each line. The editor owns it.
class LineHover : public QObject {
    Q_OBJECT
public:
    explicit LineHover(CodeEditor &editor);

signals:
    /// From 1; 0: over none.
    void hovered(int line);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    CodeEditor &m_editor;
    int m_line = 0;
};

} // namespace warpwright
