// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/trust_badge.h"

#include <QWidget>

namespace warpwright {

class Look;

/// The segments of a trust badge in one frame; one in doubt leads, with triangle, word and colour. Hover or
/// focus lists the reasons.
class TrustBadgeView : public QWidget {
    Q_OBJECT
public:
    explicit TrustBadgeView(const Look &look, QWidget *parent = nullptr);
    void show(const TrustBadge &badge);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    [[nodiscard]] int segmentWidth(std::size_t index) const;

    const Look &m_look;
    TrustBadge m_badge;
};

} // namespace warpwright
