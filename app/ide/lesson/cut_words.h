// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/card.h"

namespace warpwright {

/// One line of words that takes the room there is: longer ones end in dots, and their tip has them whole.
class CutWords : public Words {
    Q_OBJECT
public:
    CutWords(const Look &look, TextRole role, const char *token, QWidget *parent,
             QFont::Weight weight = QFont::Normal);

    [[nodiscard]] QString shownText() const; ///< as it is painted
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
};

} // namespace warpwright
