// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace warpwright {

class Look;

/// Where the agent's plan, messages and proposals will be. Until agents exist it says so.
class AgentPanel : public QWidget {
    Q_OBJECT
public:
    explicit AgentPanel(const Look &look, QWidget *parent = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const Look &m_look;
};

} // namespace warpwright
