// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/kit/agent_view.h"
#include "app/ide/review/hunk_table.h"

#include <QWidget>

namespace warpwright {

class Look;

/// What is known of a proposal, drawn: checks, the three numbers, what each hunk gives, resources. All places
/// are there from the start, so that nothing jumps when a number comes.
class ProposalFace : public QWidget {
    Q_OBJECT
public:
    explicit ProposalFace(const Look &look, QWidget *parent = nullptr);

    void setProposal(const ProposalView &proposal);

signals:
    /// A row of the table was pressed.
    void hunkPicked(int id);
    /// A check was pressed that a page of Build explains: "compile", "verify".
    void checkPicked(const QString &page);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    bool event(QEvent *event) override;

private:
    /// As tall as what is drawn at this width.
    void fit();
    /// Draws, or with a null painter measures; gives the height.
    int draw(QPainter *painter, int width) const;
    int drawChecks(QPainter *painter, int top, int width) const;
    [[nodiscard]] std::vector<QRect> checkBoxes(int top, int width) const;
    int drawCells(QPainter *painter, int top, int width) const;
    int drawResources(QPainter *painter, int top, int width) const;
    void drawFigure(QPainter &painter, const ShownFigure &figure, const QRect &rect) const;
    [[nodiscard]] int tableTop(int width) const;
    [[nodiscard]] QString checkAt(const QPoint &point) const; ///< its page
    [[nodiscard]] int hunkAt(const QPoint &point) const;

    const Look &m_look;
    ProposalView m_proposal;
    HunkTable m_table;
    int m_hovered = -1;
};

} // namespace warpwright
