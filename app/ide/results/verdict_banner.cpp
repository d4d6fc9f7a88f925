// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/results/verdict_banner.h"

#include "profiler_views/trust_row.h"
#include "profiler_views/verdict_look.h"
#include "profiler_views/worst_elements_model.h"
#include "toolchain/base/figures.h"
#include "toolchain/evaluation/ceiling_doubt.h"
#include "toolchain/evaluation/graph_remark.h"
#include "toolchain/evaluation/said_difference.h"
#include "toolchain/evaluation/stored_baseline.h"
#include "toolchain/evaluation/timing_decision.h"
#include "toolchain/evaluation/unexercised.h"
#include "toolchain/judge/evaluation_facts.h"
#include "widgets/frame/action_button.h"
#include "widgets/look/look.h"
#include "widgets/look/tool_tip_text.h"

#include <QAction>
#include <QPainter>

namespace warpwright {
namespace {

using Cell = VerdictBanner::Cell;

void addMeasured(std::vector<Cell> &cells, const MeasuredFigures &all) {
    const MeasuredFigures figures = headlineFigures(all);
    if (const ArmFigures *candidate = figures.candidate())
        cells.push_back({figures.times.number(candidate->medianMicroseconds),
                         figures.times.spread(candidate->medianMicroseconds, candidate->lowMicroseconds,
                                              candidate->highMicroseconds) +
                             QLatin1Char(' ') + figures.times.unit,
                         all.certificate.isOfGraph()
                             ? VerdictBanner::tr("candidate, median, as CUDA Graph replay")
                             : VerdictBanner::tr("candidate, median")});
    const std::optional<GraphRemark> remark = graphRemark(all);
    const auto addSpeedUp = [&](const std::optional<SpeedUp> &speedup, const QString &against) {
        if (!speedup)
            return;
        if (const QString why = whyNotComparableToday(figures, speedup->arm); !why.isEmpty())
            return cells.push_back(
                {VerdictBanner::tr("no figure"), {}, against + QStringLiteral(": ") + why});
        const FactorText text = factorText(speedup->value, speedup->low, speedup->high);
        const ArmFigures *arm = figures.arm(speedup->arm);
        // A baseline's time stands under Times as well: its graph takes the room, and no cell goes for it.
        const bool hasGraph = remark && remark->arm == speedup->arm;
        const QString label =
            hasGraph ? VerdictBanner::tr("against %1; as CUDA Graph replay %2").arg(against, remark->factor)
            : arm != nullptr ? VerdictBanner::tr("against %1, %2")
                                   .arg(against, figures.times.text(arm->medianMicroseconds))
                             : VerdictBanner::tr("against %1").arg(against);
        cells.push_back({text.value, text.interval, label});
    };
    const bool sameIsOther = figures.sameClass && figures.sameClass->arm != QLatin1String("eager") &&
                             figures.sameClass->arm != QLatin1String("compile");
    if (sameIsOther)
        addSpeedUp(figures.sameClass, armLabel(figures.sameClass->arm));
    addSpeedUp(figures.eager, VerdictBanner::tr("eager"));
    addSpeedUp(figures.compile, VerdictBanner::tr("compile"));
}

/// Which of the kernels ran. What nobody ran comes first; that a twin stood in, behind the time it took.
void addExercised(std::vector<Cell> &cells, const Evaluation &evaluation) {
    const QString twin = twinSentence(evaluation.exercised);
    if (evaluation.unexercised) {
        const Unexercised &unexercised = *evaluation.unexercised;
        if (!cells.empty() && unexercised.iteration > 0)
            cells.front().label += VerdictBanner::tr(", a repeat of iteration %1").arg(unexercised.iteration);
        const QString sentence = notRunSentence(unexercised.files);
        const bool isOne = unexercised.files.size() == 1;
        cells.insert(cells.begin(),
                     {isOne ? unexercised.files.front().file : VerdictBanner::tr("not exercised"),
                      {},
                      isOne ? sentence.section(QLatin1Char(' '), 1) : sentence});
    } else if (!twin.isEmpty()) {
        const QString rest = twin.section(QStringLiteral("; "), 1);
        cells.insert(
            cells.begin() + (cells.empty() ? 0 : 1),
            {rest.isEmpty() ? VerdictBanner::tr("Not all was run") : twin.section(QStringLiteral("; "), 0, 0),
             {},
             rest.isEmpty() ? twin : rest});
    }
}

/// What was measured of the proposal itself, in its shadow.
std::vector<Cell> proposalCells(const ProposalView &proposal) {
    std::vector<Cell> cells;
    const auto add = [&cells](const ShownFigure &figure, const QString &label) {
        switch (figure.state) {
        case ShownFigure::Known:
            cells.push_back({figure.value, figure.spread, label});
            break;
        case ShownFigure::Noise:
            cells.push_back({QStringLiteral("≈ ") + figure.value, figure.spread,
                             label + QStringLiteral(", ") + noDifferenceWords()});
            break;
        case ShownFigure::Measuring:
            cells.push_back({VerdictBanner::tr("measuring"), figure.spread, label});
            break;
        case ShownFigure::Hidden:
            cells.push_back(
                {VerdictBanner::tr("hidden"), {}, VerdictBanner::tr("%1, until you bet").arg(label)});
            break;
        case ShownFigure::Unexercised:
            cells.push_back({VerdictBanner::tr("not exercised"), {}, VerdictBanner::tr("on this device")});
            break;
        case ShownFigure::Failed: // the check that failed says so
        case ShownFigure::None:
            break;
        }
    };
    const QString of = proposal.isAsProposed ? VerdictBanner::tr("%1, as proposed") : QStringLiteral("%1");
    for (const ProposalView::Check &check : proposal.checks)
        if (const bool isBuild = check.page == QLatin1String("compile"); check.state == check.Failed)
            cells.push_back({VerdictBanner::tr("failed"),
                             {},
                             of.arg(VerdictBanner::tr(isBuild ? "compilation" : "verification"))});
    QString how = proposal.measured.isOneRun ? VerdictBanner::tr("measured beside iteration %1")
                                             : VerdictBanner::tr("measured, against iteration %1");
    if (proposal.measured.state == ShownFigure::Noise) // its words say already that it was measured
        how = proposal.measured.isOneRun ? VerdictBanner::tr("beside iteration %1")
                                         : VerdictBanner::tr("against iteration %1");
    if (proposal.measured.state == ShownFigure::Hidden) { // one word for all of them
        add(proposal.measured, VerdictBanner::tr("measured and predicted"));
        return cells;
    }
    how = how.arg(proposal.base);
    if (proposal.isAsProposed)
        how += VerdictBanner::tr(", as proposed");
    if (!proposal.before.isEmpty())
        how += VerdictBanner::tr(" at %1").arg(proposal.before);
    add(proposal.measured, how);
    if (proposal.measured.state != ShownFigure::Measuring)
        add(proposal.wouldBe, VerdictBanner::tr("resulting time"));
    add(proposal.predicted, VerdictBanner::tr("predicted"));
    return cells;
}

} // namespace

QString stageWord(const QString &stage) {
    if (stage == QLatin1String("wait"))
        return VerdictBanner::tr("Waits for the device");
    if (stage == QLatin1String("compile"))
        return VerdictBanner::tr("Compiling");
    if (stage == QLatin1String("open"))
        return VerdictBanner::tr("Opening the task");
    if (stage == QLatin1String("verify"))
        return VerdictBanner::tr("Verifying");
    if (stage == QLatin1String("profile"))
        return VerdictBanner::tr("Profiling");
    if (stage == QLatin1String("propose"))
        return VerdictBanner::tr("Proposing");
    if (stage == QLatin1String("sanitize"))
        return VerdictBanner::tr("Running the sanitizers");
    return VerdictBanner::tr("Preparing");
}

QString workText(const StageProgress &now) {
    if (now.step.isEmpty())
        return stageWord(now.stage);
    return isOfJudgeBuild(now) && !now.wait
               ? stepText(now)
               : QStringLiteral("%1: %2").arg(stageWord(now.stage), stepText(now));
}

QString checkedInText(const Evaluation &evaluation) {
    if (!evaluation.seconds)
        return {};
    const double waited = secondsInQueue(evaluation);
    if (waited < 1)
        return VerdictBanner::tr("checked in %1").arg(durationText(*evaluation.seconds));
    return VerdictBanner::tr("checked in %1, after %2 in the queue")
        .arg(durationText(std::max(*evaluation.seconds - waited, 0.0)), durationText(waited));
}

std::vector<Cell> bannerCells(const BannerState &state) {
    std::vector<Cell> cells;
    if (state.isRunning) {
        const StageProgress &now = state.progress;
        if (!now.step.isEmpty()) {
            QStringList below = state.passedStages;
            if (now.lastSeconds)
                below << VerdictBanner::tr("took %1 the last time").arg(durationText(*now.lastSeconds));
            cells.push_back({stepText(now),
                             now.count > 0 && !isOfJudgeBuild(now)
                                 ? VerdictBanner::tr("%1 of %2").arg(now.index).arg(now.count)
                                 : QString(),
                             below.join(QStringLiteral(" · "))});
        }
        return cells;
    }
    if (state.proposal) {
        cells = proposalCells(*state.proposal);
        if (state.progress.wait)
            cells.insert(cells.begin(), {stepText(state.progress), {}, stageWord(state.progress.stage)});
        return cells;
    }
    if (!state.evaluation)
        return cells;
    const Evaluation &evaluation = *state.evaluation;
    const MeasuredFigures &figures = state.figures;
    addMeasured(cells, figures);
    addExercised(cells, evaluation);
    if (evaluation.verdict == Verdict::BuildFailed) {
        const auto errors = std::count_if(
            evaluation.compile.diagnostics.begin(), evaluation.compile.diagnostics.end(),
            [](const Diagnostic &diagnostic) {
                return diagnostic.severity == Severity::Error || diagnostic.severity == Severity::Fatal;
            });
        cells.push_back(
            {countText(errors, VerdictBanner::tr("error")), {}, VerdictBanner::tr("see Compile")});
    }
    const VerifyFigures &verify = figures.verify;
    if (verify.status == StageStatus::Failed && !verify.worst.empty()) {
        const std::optional<double> ratio = verify.worst.front().errorOverAllowed();
        if (ratio)
            cells.push_back({ratioText(*ratio), {}, VerdictBanner::tr("error / allowed, worst element")});
        // The rule that decides comes first; the looser one stands on the page.
        if (verify.elements && verify.elementsAboveAllowed)
            cells.push_back({percentText(*verify.elementsAboveAllowed / *verify.elements),
                             VerdictBanner::tr("of %1 elements").arg(scaledText(*verify.elements, {})),
                             VerdictBanner::tr("error above what is allowed")});
        else if (verify.elements && verify.elementsOutsideWorkdirCriterion)
            cells.push_back({percentText(*verify.elementsOutsideWorkdirCriterion / *verify.elements),
                             VerdictBanner::tr("of %1 elements").arg(scaledText(*verify.elements, {})),
                             VerdictBanner::tr("outside atol = rtol = 0.01")});
    } else if (cells.empty() && !evaluation.message.what.isEmpty()) {
        cells.push_back(
            {evaluation.message.what, {}, evaluation.message.why.section(QLatin1Char('\n'), 0, 0)});
    }
    if (verify.status == StageStatus::Failed && verify.roundsRun > 0)
        cells.push_back({VerdictBanner::tr("round %1").arg(verify.roundsRun),
                         {},
                         VerdictBanner::tr("failed, not profiled")});
    if (evaluation.verdict == Verdict::Pass && !evaluation.reward)
        cells.push_back({VerdictBanner::tr("none"), {}, VerdictBanner::tr("reward: the task is degenerate")});
    if (evaluation.reward)
        cells.push_back({signedText(*evaluation.reward).remove(QLatin1Char('+')),
                         *evaluation.reward > 0 ? VerdictBanner::tr("of 3") : QString(),
                         evaluation.unexercised && evaluation.unexercised->isKept
                             ? VerdictBanner::tr("reward, kept")
                             : VerdictBanner::tr("reward")});
    if (const MeasuredFigures headline = headlineFigures(figures); headline.shareOfLight())
        cells.push_back({lightShareText(headline),
                         {},
                         VerdictBanner::tr("of speed of light, %1")
                             .arg(headline.times.fineText(*headline.speedOfLightMicroseconds))});
    return cells;
}

VerdictBanner::VerdictBanner(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_badge(new TrustRow(look, this)),
      m_next(new ActionButton(look, ActionButton::Kind::Plain, this)) {
    setObjectName(QStringLiteral("verdictBanner"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_next->hide();
    m_badge->hide();
    connect(&look, &Look::changed, this, [this] {
        updateGeometry();
        place();
        update();
    });
    describe();
}

void VerdictBanner::setNextAction(QAction *action) {
    m_next->disconnect();
    m_next->setVisible(action != nullptr);
    if (action != nullptr) {
        m_next->setAction(action);
        m_next->setIconName(action->property("iconName").toString());
        m_next->setKey(action->shortcut().toString(QKeySequence::NativeText));
    }
    place();
}

void VerdictBanner::show(const BannerState &state) {
    m_state = state;
    describe();
    place();
    update();
}

void VerdictBanner::describe() {
    const BannerState &state = m_state;
    const QString which = state.iteration > 0 ? (state.isEarlier ? tr("iteration %1 of %2, read-only")
                                                                 : tr("iteration %1 of %2"))
                                                    .arg(state.iteration)
                                                    .arg(state.iterationCount)
                                              : tr("this text was never checked");
    VerdictLook look = notCheckedLook();
    m_isQuiet = false;
    m_below = state.evaluated.isEmpty() ? which
              : state.iteration > 0
                  ? tr("%1, made for iteration %2").arg(state.evaluated).arg(state.iteration)
                  : state.evaluated;
    if (state.isRunning) {
        look = {state.isStopping ? tr("Stopping") : stageWord(state.progress.stage), "running", "accent.text",
                "accent.tint"};
        m_below = state.isStopping ? tr("ending its processes")
                  : state.isOfRun  ? tr("%1, being measured by the run").arg(which)
                                   : which;
    } else if (state.proposal) {
        look = {state.proposal->waits && state.proposal->stepBase == 0
                    ? tr("Proposal %1 under review").arg(state.proposal->number)
                    : tr("Proposal %1").arg(state.proposal->number),
                "review", "accent.text", "accent.tint"};
        m_below = tr("on iteration %1, %2").arg(state.proposal->base).arg(state.proposal->progress);
    } else if (state.evaluation) {
        const std::optional<Unexercised> &unexercised = state.evaluation->unexercised;
        look = lookOf(state.evaluation->verdict, unexercised);
        if (state.edits > 0) {
            m_below = tr("was %1, %2 ago").arg(look.word, countText(state.edits, tr("edit")));
            look = staleLook();
            m_isQuiet = true;
        } else if (unexercised && unexercised->isKept) {
            m_below = tr("%1, %2 kept from %3")
                          .arg(which, lookOf(state.evaluation->verdict).word)
                          .arg(unexercised->iteration);
        }
    }
    if (!state.locked.isEmpty() && !state.isEarlier)
        m_below += QStringLiteral(", ") + state.locked;
    m_word = look.word;
    m_icon = QString::fromLatin1(look.icon);
    m_ink = look.ink;
    m_ground = look.ground;
    m_cells = bannerCells(state);
    if (!state.isRunning && state.evaluation)
        m_badge->setBadge(trustBadge(state.figures));
    m_badge->setVisible(!state.isRunning && !state.proposal && state.evaluation &&
                        state.figures.candidate() != nullptr && !m_isQuiet);
    QStringList words{m_word, m_below};
    for (const Cell &cell : m_cells)
        words << QStringLiteral("%1 %2 %3").arg(cell.value, cell.spread, cell.label).simplified();
    if (state.evaluation && !state.isRunning && !state.proposal) {
        const EvaluationMessage &message = state.evaluation->message;
        if (!message.what.isEmpty())
            words << plainText(message);
        if (const std::optional<GraphRemark> remark = graphRemark(state.figures))
            words << remark->sentence;
        words << unexercisedSentence(state.evaluation->unexercised)
              << twinSentence(state.evaluation->exercised) << ceilingDoubt(headlineFigures(state.figures))
              << state.evaluation->doubts;
        words.removeAll(QString());
    }
    if (state.proposal && !state.proposal->baseRemark.isEmpty())
        words << state.proposal->baseRemark;
    setAccessibleName(words.mid(0, 2).join(QStringLiteral(", ")));
    setAccessibleDescription(words.join(QStringLiteral(". ")));
    // What the banner says stands in it; here is what it means.
    if (state.evaluation && !state.isRunning && !state.proposal) {
        if (state.evaluation->reward)
            words << tr(
                "Reward: −1 wrong; 1 right; 2 also more than 5 % faster than eager; 3 also more than 5 % "
                "faster than torch.compile. It is what a model is trained with.");
        if (headlineFigures(state.figures).shareOfLight())
            words << tr(
                "Speed of light: the least time that this task can take on this device, by the bytes it "
                "must move and the operations it must do, at measured ceilings. 100 % is that time. The "
                "ceilings are measured anew in each check: percentages of two checks compare only where "
                "their speed of light is the same.");
        if (const QString decided = whatDecided(state.figures); !decided.isEmpty())
            words << decided;
        if (state.figures.candidate() != nullptr)
            words << tr("± and ranges: the 95 % interval. Two of them that meet are not told apart.");
    }
    setToolTip(toolTipText(words.join(QLatin1Char('\n'))));
}

int VerdictBanner::headWidth() const {
    const QFontMetrics big(m_look.font(TextRole::Headline, QFont::DemiBold));
    const QFontMetrics small(m_look.font(TextRole::Axis));
    return std::max(m_look.px(160),
                    m_look.px(16 + 22 + 10 + 16) +
                        std::max(big.horizontalAdvance(m_word), small.horizontalAdvance(m_below)));
}

int VerdictBanner::cellWidth(const Cell &cell) const {
    const QFontMetrics big(m_look.font(TextRole::Headline, QFont::DemiBold));
    const QFontMetrics middle(m_look.font(TextRole::Small));
    const QFontMetrics small(m_look.font(TextRole::Axis));
    const int top = big.horizontalAdvance(cell.value) +
                    (cell.spread.isEmpty() ? 0 : m_look.px(5) + middle.horizontalAdvance(cell.spread));
    return std::max(top, small.horizontalAdvance(cell.label)) + 2 * m_padding;
}

void VerdictBanner::place() {
    m_padding = m_look.px(12);
    int right = width() - m_look.px(12);
    if (m_next->isVisibleTo(this)) {
        m_next->resize(m_next->sizeHint());
        m_next->move(right - m_next->width(), (height() - m_next->height()) / 2);
        right = m_next->x() - m_look.px(12);
    }
    int needed = headWidth();
    for (std::size_t i = 0; i < std::min<std::size_t>(m_cells.size(), 3); ++i)
        needed += cellWidth(m_cells[i]);
    // The badge gives way before the first cells do; its words stay in the tooltip of the banner and in
    // Profile.
    const bool wantsBadge = !m_state.isRunning && !m_state.proposal && m_state.evaluation &&
                            m_state.figures.candidate() != nullptr && !m_isQuiet;
    const QSize badge = m_badge->sizeHint();
    const bool hasRoom = right - badge.width() > needed;
    m_badge->setVisible(wantsBadge && hasRoom);
    if (wantsBadge && hasRoom) {
        m_badge->setGeometry(right - badge.width(), (height() - badge.height()) / 2, badge.width(),
                             badge.height());
        right = m_badge->x() - m_look.px(12);
    }
    m_right = right;
    // Rather closer together than one figure less.
    int all = headWidth();
    for (const Cell &cell : m_cells)
        all += cellWidth(cell);
    const int missing = all - m_right;
    const int cells = static_cast<int>(m_cells.size());
    if (missing > 0 && missing <= 2 * cells * m_look.px(5))
        m_padding -= (missing + 2 * cells - 1) / (2 * cells);
}

void VerdictBanner::resizeEvent(QResizeEvent *) {
    place();
}

QSize VerdictBanner::sizeHint() const {
    return {m_look.px(400), m_look.px(56)};
}

void VerdictBanner::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.card"));
    const int head = std::min(headWidth(), width());
    painter.fillRect(0, 0, head, height(), m_look.color(m_ground));
    painter.fillRect(0, 0, m_look.px(4), height(), m_look.color(m_ink));
    const int icon = m_look.px(22);
    m_look.icon(m_icon, m_look.color(m_ink))
        .paint(&painter, QRect(m_look.px(16), (height() - icon) / 2, icon, icon));
    const int middle = height() / 2;
    const int x0 = m_look.px(16 + 22 + 10);
    // A long step of a check: rather smaller in several lines than cut.
    const auto manyLines = [&](int x, int room, const QString &text) {
        painter.setFont(m_look.font(TextRole::Small));
        painter.setPen(m_look.color("text.primary"));
        painter.drawText(QRect(x, m_look.px(2), room, height() - m_look.px(4)),
                         static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextWordWrap, text);
    };
    const auto twoLines = [&](int x, int room, const Cell &cell, const char *ink, const char *below) {
        painter.setFont(m_look.font(TextRole::Headline, QFont::DemiBold));
        painter.setPen(m_look.color(ink));
        const QRect top(x, middle - m_look.px(22), room, m_look.px(22));
        const QString value = painter.fontMetrics().elidedText(cell.value, Qt::ElideRight, room);
        painter.drawText(top, Qt::AlignLeft | Qt::AlignBottom, value);
        const int used = painter.fontMetrics().horizontalAdvance(value) + m_look.px(5);
        if (!cell.spread.isEmpty()) {
            painter.setFont(m_look.font(TextRole::Small));
            painter.setPen(m_look.color(m_isQuiet ? "text.tertiary" : "text.secondary"));
            painter.drawText(top.adjusted(used, 0, 0, -m_look.px(1)), Qt::AlignLeft | Qt::AlignBottom,
                             cell.spread);
        }
        painter.setFont(m_look.font(TextRole::Axis));
        painter.setPen(m_look.color(below));
        const QRect bottom(x, middle + m_look.px(2), room, m_look.px(16));
        painter.drawText(bottom, Qt::AlignLeft | Qt::AlignTop,
                         painter.fontMetrics().elidedText(cell.label, Qt::ElideRight, room));
    };
    twoLines(x0, head - x0 - m_look.px(8), {m_word, {}, m_below}, m_ink, "text.secondary");
    int x = head;
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
        int room = cellWidth(m_cells[i]);
        if (x + room > m_right) {
            if (i > 0)
                break;
            room = m_right - x; // the first cell stays
            if (room < m_look.px(60))
                break;
        }
        painter.fillRect(x, 0, 1, height(), m_look.color("border.subtle"));
        const QFontMetrics headline(m_look.font(TextRole::Headline, QFont::DemiBold));
        if (m_state.isRunning && m_cells[i].spread.isEmpty() &&
            headline.horizontalAdvance(m_cells[i].value) > room - 2 * m_padding + m_look.px(10))
            manyLines(x + m_padding, room - 2 * m_padding + m_look.px(10), m_cells[i].value);
        else
            twoLines(x + m_padding, room - 2 * m_padding + m_look.px(10), m_cells[i],
                     m_isQuiet ? "text.tertiary" : "text.primary", "text.tertiary");
        x += room;
    }
    painter.fillRect(x, 0, 1, height(), m_look.color("border.subtle"));
    if (m_isQuiet) {
        painter.setPen(QPen(m_look.color("verdict.stale"), 1, Qt::DashLine));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
    painter.fillRect(0, height() - 1, width(), 1, m_look.color("border.normal"));
}

} // namespace warpwright
