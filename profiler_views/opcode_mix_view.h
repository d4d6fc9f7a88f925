// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/inspect/opcode_mix.h"

#include <QWidget>

#include <optional>

namespace warpwright {

class Look;

/// What a kernel's instructions are, as one bar of shares over words that name them and their numbers.
class OpcodeMixView : public QWidget {
    Q_OBJECT
public:
    explicit OpcodeMixView(const Look &look, QWidget *parent = nullptr);

    void setMix(const std::optional<OpcodeMix> &mix);
    /// "81 SASS instructions: 23 integer, 18 FP32": the most frequent first.
    [[nodiscard]] QString words() const;
    /// In a low page: the words are the tool tip's, so that the listing has their line.
    void setBarOnly(bool isBarOnly);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    /// Classes that do related work share a colour, so that a bar has five and not eighteen.
    struct Share {
        QString name;
        const char *token;
        int count = 0;
    };
    [[nodiscard]] std::vector<Share> shares() const;

    const Look &m_look;
    std::optional<OpcodeMix> m_mix;
    bool m_isBarOnly = false;
};

} // namespace warpwright
