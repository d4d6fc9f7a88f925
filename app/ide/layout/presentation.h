// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

#include <functional>

namespace warpwright {

class FourPanes;
class Look;
class Words;

/// Above a pane that is presented: what it is about, in as many lines as that needs, and where one is.
class PresentedLine : public QWidget {
    Q_OBJECT
public:
    PresentedLine(const Look &look, QWidget *parent);

    /// `about`: cut where it would take more than a third of the window, and whole in its tool tip. `place`:
    /// «event 12 of 95, hunk 2 of 5»
    void say(const QString &about, const QString &place);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    void fit();

    const Look &m_look;
    QString m_said;
    Words *m_about;
    Words *m_place;
};

/// One pane alone in the window, for a projector or a small screen: bars and the other panes are hidden, and
/// the keys of a presenter's remote go on and back. The pane stays the one that it is: what is edited,
/// answered or replayed goes on in it.
class Presentation : public QObject {
    Q_OBJECT
public:
    struct Parts {
        QWidget &window;
        FourPanes &panes;
        PresentedLine &line;
        QList<QWidget *> others; ///< hidden meanwhile
    };
    /// Whether there is anything to go on to (1) or back to (-1), and goes there. Where there is not, the
    /// keys are the text's.
    struct Steps {
        std::function<bool(int by)> can;
        std::function<void(int by)> go;
    };
    Presentation(Parts parts, Steps steps, QObject *parent = nullptr);

    /// The pane at the side, none of the four: its owner shows and hides it.
    static constexpr int besidePane = 4;

    void begin(int pane);
    void end();
    [[nodiscard]] bool isOn() const { return m_pane >= 0; }
    [[nodiscard]] int pane() const { return m_pane; } ///< -1: none is presented

signals:
    void began();
    void presented(); ///< also where it was another pane before
    void ended();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    [[nodiscard]] bool hasKeys(const QWidget &place) const;

    Parts m_parts;
    Steps m_steps;
    QPointer<QWidget> m_before; ///< that had the keys
    int m_pane = -1;
};

} // namespace warpwright
