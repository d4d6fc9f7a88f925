// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRect>
#include <QString>
#include <QWidget>

namespace warpwright {

class Look;

/// What a call takes, above its line: the declaration in the code font, the parameter that is being written
/// in semibold. Never takes the focus; who shows it hides it.
class CallHint : public QWidget {
    Q_OBJECT
public:
    CallHint(const Look &look, QWidget *parent);

    /// `about`: the line in global coordinates, which stays free; `from` and `to`: the active parameter
    /// within `text`, both 0: none. `remark` stands before it: «2 of 3».
    void showAbove(QWidget *over, const QRect &about, const QString &text, int from, int to,
                   const QString &remark);
    [[nodiscard]] const QString &text() const { return m_text; }
    [[nodiscard]] QString activePart() const { return m_text.mid(m_from, m_to - m_from); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QSize layOut(int width, QPainter *painter, const QPoint &at) const;

    const Look &m_look;
    QString m_text;
    QString m_remark;
    int m_from = 0;
    int m_to = 0;
};

} // namespace warpwright
