// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/review/shown_hunk.h"

#include <QWidget>

#include <array>

namespace warpwright {

class ActionButton;
class Look;

/// The head over a hunk: number, title, what it costs or gains, and what can be done with it. Where it is
/// narrow first keys leave, then resources, then the words of buttons; the difference stays.
class HunkHead : public QWidget {
    Q_OBJECT
public:
    HunkHead(const Look &look, QWidget *parent);

    /// `whyNot`: it cannot be answered now; empty: it can.
    void setHunk(const ShownHunk &hunk, bool isCurrent, const HunkKeys &keys, const QString &whyNot = {});
    [[nodiscard]] const ShownHunk &hunk() const { return m_hunk; }

signals:
    void acceptAsked(int id);
    void rejectAsked(int id);
    void editAsked(int id);
    void undoAsked(int id);
    /// Of a conflict: both sides are to be seen.
    void resolveAsked(int id);
    void pressed(int id);

protected:
    /// The editor around it keeps Tab for itself.
    bool focusNextPrevChild(bool isNext) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;

private:
    enum Act { Accept, Reject, Edit, Undo, Resolve, Acts };
    /// A word of the head in its font and colour.
    struct Word {
        QString text;
        const char *token;
        bool isStrong = false;
        int gap = 12; ///< to what follows, at 96 dpi
    };

    void layOut();
    void say();
    [[nodiscard]] std::vector<Word> leftWords() const;
    [[nodiscard]] std::vector<Word> rightWords(bool withResources) const;
    [[nodiscard]] int widthOf(const std::vector<Word> &words) const;
    int drawWords(QPainter &painter, const std::vector<Word> &words, int x) const;
    [[nodiscard]] bool isOffered(int act) const;

    const Look &m_look;
    ShownHunk m_hunk;
    HunkKeys m_keys;
    QString m_whyNot;
    bool m_isCurrent = false;
    bool m_showsResources = true;
    int m_buttonsLeft = 0;
    std::array<ActionButton *, Acts> m_buttons;
};

} // namespace warpwright
