// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/comparison/comparison_choice.h"

#include <QObject>

class QPoint;

namespace warpwright {

struct WindowParts;

/// The comparison of two texts: from the tree, the counters' baseline and the palette to its page. And what
/// can be done with an iteration, where it stands in the tree.
class Comparing : public QObject {
    Q_OBJECT
public:
    Comparing(const WindowParts &parts, QObject *parent);

    void compare(const ComparisonChoice &left, const ComparisonChoice &right);

private:
    void connectActions();
    void openMenu(int number, const QPoint &at);
    void compareWithBaseline();
    [[nodiscard]] ComparisonChoice shownChoice() const;
    void enable();

    const WindowParts &m_parts;
};

} // namespace warpwright
