// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/review/shown_hunk.h"

#include <QWidget>

class QAction;

namespace warpwright {

class ActionButton;
class Look;

/// What buttons and keys of a review do; the window owns them and enables them while there is a review.
struct HunkActions {
    QAction *previous;
    QAction *next;
    QAction *acceptRest;
    QAction *rejectRest;
    QAction *undo;
    QAction *goOn; ///< what was answered is written, and the run goes on
};

/// Above the editor while a change is under review: which it is, how far the person has come, and what can
/// be done with all that is left; once nothing is left, what leads on. Hidden while there are no hunks.
class HunkBar : public QWidget {
    Q_OBJECT
public:
    HunkBar(const Look &look, const HunkActions &actions, QWidget *parent = nullptr);

    /// `name`: "Proposal 7"; `current`: an id, 0 none.
    void setReview(const QString &name, const std::vector<ShownHunk> &hunks, int current);
    /// «hunk 2 of 3, 1 accepted, 2 left»
    [[nodiscard]] const QString &progress() const { return m_progress; }
    [[nodiscard]] QSize sizeHint() const override;

signals:
    /// A block of the strip was pressed.
    void hunkPicked(int id);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    bool event(QEvent *event) override;

private:
    void layOut();
    void sayGoOn();
    [[nodiscard]] bool isOffered(const ActionButton *button) const;
    [[nodiscard]] QRect blockRect(std::size_t index) const;
    [[nodiscard]] int blockAt(const QPoint &point) const;
    void paintBlock(QPainter &painter, std::size_t index) const;

    const Look &m_look;
    QString m_name;
    QString m_progress;
    QString m_shown; ///< of the progress, where it is narrow
    bool m_showsName = true;
    std::vector<ShownHunk> m_hunks;
    int m_current = 0;
    int m_stripLeft = 0;
    int m_blockWidth = 0;
    int m_wordsRight = 0;
    std::vector<ActionButton *> m_buttons;
    ActionButton *m_acceptRest;
    ActionButton *m_rejectRest;
    ActionButton *m_goOn;
    bool m_isAnswered = false; ///< all of it
};

/// «hunk 2 of 3, 1 accepted, 2 left»; without a current one «3 hunks, ...». Short: where and
/// what is left only.
[[nodiscard]] QString reviewProgress(const std::vector<ShownHunk> &hunks, int current, bool isShort = false);

} // namespace warpwright
