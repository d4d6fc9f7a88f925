// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/kit/agent_view.h"

#include <QElapsedTimer>
#include <QWidget>

class QScrollArea;
class QVBoxLayout;

namespace warpwright {

class ActionButton;
class Look;
class Words;

/// What the agent asks: the question whole, a button for each answer, and what it means to say no. It waits
/// in its place for as long as the person likes, and takes nobody's keys. A press that comes within
/// `settleMs` was meant for what stood there before, and answers nothing.
class PromptCard : public QWidget {
    Q_OBJECT
public:
    static constexpr int settleMs = 400;

    explicit PromptCard(const Look &look, QWidget *parent = nullptr);

    void setPrompt(const std::optional<ShownPrompt> &prompt);
    /// To its first answer.
    void focusAnswer();

signals:
    void answered(const QString &id, int epoch, const QString &answer);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void fill();
    void fitQuestion();

    const Look &m_look;
    std::optional<ShownPrompt> m_prompt;
    QElapsedTimer m_since; ///< it stands there
    Words *m_title;
    Words *m_more;
    Words *m_question;
    QScrollArea *m_scroll;
    QVBoxLayout *m_answers;
    std::vector<ActionButton *> m_buttons;
    Words *m_refusal;
};

} // namespace warpwright
