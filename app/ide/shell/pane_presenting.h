// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QAction;

namespace warpwright {

class Presentation;
class PresentedLine;
struct WindowParts;

/// One pane alone in the window, and what is gone through in it.
class PanePresenting : public QObject {
    Q_OBJECT
public:
    PanePresenting(const WindowParts &parts, QObject *parent);

    [[nodiscard]] Presentation *presentation() const { return m_presentation; }

private:
    struct Words {
        QString about;
        QStringList places;
    };
    [[nodiscard]] Words wordsOfReplay() const;
    [[nodiscard]] Words wordsNow() const;
    [[nodiscard]] bool hasOtherHunk(int by) const;
    [[nodiscard]] bool canGo(int by) const;
    void go(int by);
    void say();
    void begin();
    void placeAgent(bool isAlone);
    void connectAction(QAction *present);

    const WindowParts &m_parts;
    PresentedLine *m_line;
    Presentation *m_presentation;
};

} // namespace warpwright
