// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <functional>

namespace warpwright {

/// The room above an editor's first line, for what would stand before it: Scintilla has none there.
class HunkTop : public QWidget {
    Q_OBJECT
public:
    explicit HunkTop(QWidget *parent) : QWidget(parent) {
        setFocusPolicy(Qt::NoFocus);
        hide();
    }
    void setPainting(std::function<void(QPainter &painter)> painting) { m_painting = std::move(painting); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    std::function<void(QPainter &painter)> m_painting;
};

} // namespace warpwright
