// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

namespace warpwright {

struct WindowParts;

/// The actions that check, stop a check, and go through the iterations.
class CheckActions : public QObject {
    Q_OBJECT
public:
    CheckActions(const WindowParts &parts, QObject *parent);

private:
    void connectIterations();
    void startCheck(const std::function<void()> &check);

    const WindowParts &m_parts;
};

} // namespace warpwright
