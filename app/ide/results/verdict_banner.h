// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/kit/agent_view.h"
#include "toolchain/evaluation/evaluation.h"
#include "toolchain/evaluation/measured_figures.h"
#include "toolchain/progress/stage_progress.h"

#include <QWidget>

#include <vector>

class QAction;

namespace warpwright {

class ActionButton;
class Look;
class TrustRow;

/// What the banner is about.
struct BannerState {
    std::optional<Evaluation> evaluation; ///< of the shown iteration
    MeasuredFigures figures;              ///< of that evaluation
    QString evaluated;                    ///< Shown::evaluated
    int iteration = 0;                    ///< 0: the text was never checked
    int iterationCount = 0;
    int edits = 0;          ///< since that evaluation; more than 0: stale
    bool isEarlier = false; ///< an earlier iteration is shown, read-only
    QString locked;         ///< «read-only: open in process 4711»; empty: it can be written here
    bool isRunning = false;
    bool isStopping = false;
    bool isOfRun = false; ///< an agent's run measures this text first
    StageProgress progress;
    QStringList passedStages;             ///< "compiled 1.9 s"
    std::optional<ProposalView> proposal; ///< lies in the text: the banner is about it then
};

/// The one place that says how the shown iteration stands: verdict, time, speed-ups, reward, trust, and what
/// to do next. 56 px; when narrow, cells leave from the right into the tooltip, word and time stay.
class VerdictBanner : public QWidget {
    Q_OBJECT
public:
    explicit VerdictBanner(const Look &look, QWidget *parent = nullptr);

    void show(const BannerState &state);
    /// The next step: at most one, at the right end.
    void setNextAction(QAction *action);

    /// A number over its label, as the banner shows it; for tests and the tooltip.
    struct Cell {
        QString value, spread, label;
        bool operator==(const Cell &) const = default;
    };
    [[nodiscard]] const std::vector<Cell> &cells() const { return m_cells; }
    [[nodiscard]] QString word() const { return m_word; }
    [[nodiscard]] QString below() const { return m_below; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    void describe();
    void place();
    [[nodiscard]] int cellWidth(const Cell &cell) const;
    [[nodiscard]] int headWidth() const;

    const Look &m_look;
    BannerState m_state;
    QString m_word, m_below, m_icon;
    const char *m_ink = "verdict.notRun";
    const char *m_ground = "verdictBg.notRun";
    bool m_isQuiet = false; // numbers in tertiary: they are not of this text
    std::vector<Cell> m_cells;
    TrustRow *m_badge;
    ActionButton *m_next;
    int m_right = 0; // where the cells must end
    int m_padding = 12;
};

/// "Verifying", of StageProgress::stage.
[[nodiscard]] QString stageWord(const QString &stage);
/// "Verifying: seed 2 of 5": what is going on, for one line.
[[nodiscard]] QString workText(const StageProgress &now);
/// "checked in 40.1 s, after 7 min 2 s in the queue"; empty: how long is not known.
[[nodiscard]] QString checkedInText(const Evaluation &evaluation);
/// The cells of a state, without any widget.
[[nodiscard]] std::vector<VerdictBanner::Cell> bannerCells(const BannerState &state);

} // namespace warpwright
