// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <array>

class QSplitter;

namespace warpwright {

class Look;
class Pane;

/// The four centre panes in two rows of two, always in view together. Each row has its own splitter, so that
/// one pane can grow without squeezing the others; a double click on a handle, or resetSizes(), restores the
/// shares.
class FourPanes : public QWidget {
    Q_OBJECT
public:
    /// In the order reference, candidate, build, profile.
    FourPanes(const Look &look, const std::array<Pane *, 4> &panes, QWidget *parent = nullptr);

    /// Null beyond the four.
    [[nodiscard]] const Pane *pane(int index) const {
        return index >= 0 && index < 4 ? m_panes[static_cast<std::size_t>(index)] : nullptr;
    }

    /// Gives this pane most of the room, never all; the same once more: all alike again.
    void enlarge(int index);
    [[nodiscard]] int enlarged() const { return m_enlarged; }
    /// The others are hidden until this is called with -1, and then stand as before.
    void showAlone(int index);
    void resetSizes();
    /// The lower row above and the upper below.
    void swapRows();
    void swapInRow(int index);

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray &state);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void applyShares();
    void fitPanes();

    const Look &m_look;
    std::array<Pane *, 4> m_panes;
    QSplitter *m_rows;
    std::array<QSplitter *, 2> m_row;
    int m_enlarged = -1;
    int m_alone = -1;
    QByteArray m_beforeAlone;
    bool m_isUntouched = true;
};

} // namespace warpwright
