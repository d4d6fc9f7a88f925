// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

namespace warpwright {

class CodeEditor;
struct ShellPlace;
struct WindowParts;

/// The actions in texts and files: lines and cursors, changes, files beside each other, terminal and command.
class TextActions : public QObject {
    Q_OBJECT
public:
    TextActions(const WindowParts &parts, QObject *parent);

    void keep() const; ///< into the window's state

private:
    void connectLines();
    void connectChanges();
    void connectEditors();
    void connectSaving();
    void connectFiles();
    void connectShell();
    void enable();
    void saveByHand();
    void openTabMenu(const QString &file, const QPoint &globalPosition);
    void openTerminal();
    /// Which an act of writing is about; null: the person was in another text, and has come to it now.
    [[nodiscard]] CodeEditor *editorToWriteIn() const;
    [[nodiscard]] ShellPlace shellPlaceNow() const;

    const WindowParts &m_parts;
    QTimer m_idle; ///< since the last key
};

} // namespace warpwright
