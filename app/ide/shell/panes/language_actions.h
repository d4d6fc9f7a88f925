// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QAction;
class QWidget;

namespace warpwright {

class Actions;
class CandidatePanel;
class EditorCallHint;
class EditorCompletion;
class EditorHover;
class LanguageController;
class Look;
class PlaceOpener;
class PlaceWalk;
class SymbolRename;
class TextFormat;
class WindowNotices;
class WindowPages;
class Workbench;

/// The language servers in the window: their actions, their state in the last line, the setting's words.
class LanguageActions : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions &actions;
        Workbench &bench;
        CandidatePanel &candidate;
        LanguageController &language;
        Look &look;
        WindowNotices &notices;
        WindowPages &pages;
        PlaceOpener &places;
    };
    LanguageActions(const Parts &parts, QWidget *window);

    [[nodiscard]] PlaceWalk *walk() const { return m_walk; }
    [[nodiscard]] TextFormat *format() const { return m_format; }
    void enable();

signals:
    void stateTold(const QString &state, bool isTrouble); ///< of the server of the file that is open
    void serversFound(bool isGood, const QString &found);

private:
    void connectNotices();
    void connectActions();
    void connectState();
    void say(const QString &title, const QString &text);
    void tellTrouble(bool isTrouble);
    void writeStyle();

    const Parts m_parts;
    EditorHover *m_hover;
    EditorCallHint *m_hint;
    EditorCompletion *m_completion;
    TextFormat *m_format;
    SymbolRename *m_rename;
    PlaceWalk *m_walk;
};

} // namespace warpwright
