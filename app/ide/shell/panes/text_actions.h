// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

class QWidget;

namespace warpwright {

class Actions;
class CandidatePanel;
class CodeEditor;
class TextFormat;
class WindowNotices;
class WindowPages;
class WindowState;
class Workbench;

/// The actions in texts and files: lines and cursors, changes, files beside each other.
class TextActions : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions &actions;
        Workbench &bench;
        CandidatePanel &candidate;
        TextFormat &format;
        WindowNotices &notices;
        WindowPages &pages;
        WindowState &state;
    };
    TextActions(const Parts &parts, QWidget *window);

    void keep() const; ///< into the window's state
    void enable();

private:
    void connectLines();
    void connectChanges();
    void connectEditors();
    void connectSaving();
    void connectFiles();
    void saveByHand();
    void openTabMenu(const QString &file, const QPoint &globalPosition);
    /// Which an act of writing is about; null: the person was in another text, and has come to it now.
    [[nodiscard]] CodeEditor *editorToWriteIn() const;

    const Parts m_parts;
    QWidget *m_window;
    QTimer m_idle; ///< since the last key
};

} // namespace warpwright
