// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace warpwright {

class Look;

/// One quiet line that says what an agent is at: «qwen thinks», «busy; tries again in 12 s». Keeps its height
/// when there is nothing to say, so that nothing around it jumps.
class NoteLine : public QWidget {
    Q_OBJECT
public:
    NoteLine(const Look &look, QWidget *parent);

    void say(const QString &text);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const Look &m_look;
    QString m_text;
};

} // namespace warpwright
