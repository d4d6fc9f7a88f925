// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/trust_badge.h"

#include <QWidget>

namespace warpwright {

class Look;

/// How far the measured times can be trusted, as segments in one frame; what is in doubt leads, with triangle
/// and colour. Wraps where it is narrow. Each segment's reasons are its tooltip; arrows step through them.
class TrustRow : public QWidget {
    Q_OBJECT
public:
    explicit TrustRow(const Look &look, QWidget *parent = nullptr);

    void setBadge(const TrustBadge &badge);
    [[nodiscard]] const TrustBadge &badge() const { return m_badge; }
    /// What does not fit into so many rows is gathered in a last segment, "+3".
    void setMostRows(int rows);
    /// Numbers of a text that was edited since.
    void setStale(bool isStale);

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    struct Placed {
        TrustSegment segment;
        QRect rect;
    };
    /// The segments that are shown, wrapped into rows of `width`.
    [[nodiscard]] std::vector<Placed> layOut(int width) const;
    [[nodiscard]] int widthOf(const TrustSegment &segment) const;

    const Look &m_look;
    TrustBadge m_badge;
    int m_mostRows = 99;
    bool m_isStale = false;
    int m_current = -1;
};

} // namespace warpwright
