// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>

class QWidget;

namespace warpwright {

class FourPanes;
class Look;
class Presentation;
class PresentedLine;
class PresentedSteps;
class PresentedWords;

/// One pane alone in the window, and what is gone through in it.
class PanePresenting : public QObject {
    Q_OBJECT
public:
    struct Parts {
        FourPanes &four;
        const Look &look;
        QList<QWidget *> others; ///< hidden meanwhile
        PresentedSteps &steps;
        PresentedWords &words;
        QWidget &workPage;
    };
    PanePresenting(const Parts &parts, QWidget *window);

    [[nodiscard]] Presentation &presentation() const { return *m_presentation; }
    void say();

private:
    const Parts m_parts;
    PresentedLine *m_line;
    Presentation *m_presentation;
};

} // namespace warpwright
