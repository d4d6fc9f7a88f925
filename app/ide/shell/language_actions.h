// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QAction;

namespace warpwright {

class EditorCallHint;
class EditorCompletion;
class EditorHover;
class PlaceWalk;
class SymbolRename;
class TextFormat;
struct WindowParts;

/// The language servers in the window: their actions, their state in the last line, the setting's words.
class LanguageActions : public QObject {
    Q_OBJECT
public:
    LanguageActions(const WindowParts &parts, QObject *parent);

    [[nodiscard]] PlaceWalk *walk() const { return m_walk; }
    [[nodiscard]] TextFormat *format() const { return m_format; }

private:
    void connectNotices();
    void connectActions();
    void connectState();
    void say(const QString &title, const QString &text);
    void tellTrouble(bool isTrouble);
    void enable();
    void writeStyle();

    const WindowParts &m_parts;
    EditorHover *m_hover;
    EditorCallHint *m_hint;
    EditorCompletion *m_completion;
    TextFormat *m_format;
    SymbolRename *m_rename;
    PlaceWalk *m_walk;
};

} // namespace warpwright
