// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

class QAction;
class QHBoxLayout;

namespace warpwright {

class ActionButton;
class Look;

/// What stands above a page of measured data: what is being measured, of what the page is, and what would
/// bring more, with a button each. 32 px; not there while there is nothing to say.
class MeasuredBar : public QWidget {
    Q_OBJECT
public:
    struct Button {
        QAction *action = nullptr;
        QString text; ///< "Trace again"; empty: the action's

        bool operator==(const Button &) const = default;
    };
    struct Content {
        QString iconName;
        const char *token = "text.secondary"; ///< of the icon
        QString words;                        ///< empty and without buttons: the bar hides
        QString more;                         ///< the tooltip's
        std::vector<Button> buttons;
    };

    explicit MeasuredBar(const Look &look, QWidget *parent = nullptr);

    void say(const Content &content);
    [[nodiscard]] const QString &words() const { return m_content.words; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void makeRoomForWords();
    void makeButtons();
    void fitButtons();

    const Look &m_look;
    Content m_content;
    QHBoxLayout *m_row;
    std::vector<ActionButton *> m_buttons;
};

} // namespace warpwright
