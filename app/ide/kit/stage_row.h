// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/evaluation.h"
#include "toolchain/evaluation/measured_figures.h"

#include <QWidget>

#include <vector>

namespace warpwright {

class Look;

/// Compile, verify, profile in one line, each with its status' icon, word and time; where a pane is narrow
/// without some of the times, and at last in two lines.
class StageRow : public QWidget {
    Q_OBJECT
public:
    explicit StageRow(const Look &look, QWidget *parent = nullptr);

    struct Stage {
        QString name;
        QString remark; ///< "1.9 s", "round 1 of 5", "not run"
        QString icon;
        const char *token = "verdict.notRun";
        bool isQuiet = false;
    };
    void setStages(std::vector<Stage> stages);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Placed {
        int x = 0;
        int row = 0;
        bool hasRemark = true;
    };
    [[nodiscard]] int widthOf(const Stage &stage, bool hasRemark) const;
    [[nodiscard]] std::vector<Placed> layOut(int width) const;

    const Look &m_look;
    std::vector<Stage> m_stages;
};

/// Of a text that was compiled and not checked, or whose check runs.
[[nodiscard]] std::vector<StageRow::Stage> stagesOf(const CompileSection &compile, bool isBeingChecked);
/// Of a finished evaluation.
[[nodiscard]] std::vector<StageRow::Stage> stagesOf(const Evaluation &evaluation,
                                                    const MeasuredFigures &figures);
/// Where the text was changed since: nothing of it is green any more.
[[nodiscard]] std::vector<StageRow::Stage> ofTextBefore(std::vector<StageRow::Stage> stages);

} // namespace warpwright
