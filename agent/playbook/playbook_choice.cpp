// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/playbook_choice.h"

#include "agent/playbook/analysis/unfused_cost.h"
#include "agent/playbook/codegen/torch/candidate_files.h"
#include "agent/playbook/move_findings.h"
#include "agent/playbook/tuning/calibrated_moves.h"
#include "agent/playbook/tuning/swept_move.h"
#include "agent/review/proposal_review.h"
#include "toolchain/base/text_file.h"
#include "toolchain/evaluation/measured_figures.h"

#include <QThread>

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

/// Of the speed of light: beyond it noise exceeds the remaining gain.
constexpr double enoughOfLight = 0.92;

QString megabytes(double bytes) {
    return QStringLiteral("%1 MB").arg(bytes / 1e6, 0, 'f', bytes < 1e7 ? 2 : 0);
}

} // namespace

AgentIdentity playbookIdentity() {
    return {AuthorKind::Playbook, QStringLiteral("playbook"), QStringLiteral("1")};
}

bool PlaybookChoice::isForGpu(const AgentRequest &request) const {
    return request.device.startsWith(QLatin1String("cuda")) ||
           (request.device != QLatin1String("cpu") && m_setup.hasCudaDevice);
}

QString PlaybookChoice::deviceName() const {
    return m_request.lastEvaluation ? measuredFigures(*m_request.lastEvaluation).device.name : QString();
}

Target PlaybookChoice::target() const {
    Target target;
    bool isCuda = isForGpu(m_request);
    if (m_request.lastEvaluation) {
        const MeasuredFigures figures = measuredFigures(*m_request.lastEvaluation);
        if (!figures.device.kind.isEmpty())
            isCuda = figures.device.kind == QLatin1String("cuda");
        target.memoryBytesASecond = figures.device.bytesPerSecond;
    }
    if (!isCuda)
        target.cpu = CpuTarget{.threads = std::max(QThread::idealThreadCount(), 1)};
    return target;
}

// What a check has measured counts where the chip has no row.
ChosenDevice PlaybookChoice::chip() const {
    if (!m_setup.deviceFacts || !target().isCuda())
        return {defaultDevice(m_setup.deviceRows)};
    DetectedDevice facts = *m_setup.deviceFacts;
    if (m_request.lastEvaluation && deviceName() == facts.name) {
        const OrderedJson &measured = m_request.lastEvaluation->device;
        if (const auto units = measured.find("units"); units != measured.end() && units->is_number_integer())
            facts.processors = units->get<int>();
        facts.memoryBytesASecond = measuredFigures(*m_request.lastEvaluation).device.bytesPerSecond;
    }
    return deviceFor(facts, m_setup.deviceRows);
}

const MeasurementTable &PlaybookChoice::measurements() const {
    return m_isRecalling ? m_known : m_setup.measurements;
}

// Makes this the current text.
void PlaybookChoice::take(const PlaybookMove &move) {
    m_at.knobSets = move.knobSets;
    if (move.program)
        m_at.program = *move.program;
}

std::vector<PlaybookMove> PlaybookChoice::moves(const Program &program,
                                                const std::vector<Knobs> &knobSets) const {
    std::vector<PlaybookMove> all = allMovesFrom(*m_graph, program, knobSets, target());
    std::erase_if(all, [this](const PlaybookMove &move) { return m_at.changes.contains(move.title); });
    return calibrated(program, std::move(all), knobSets);
}

std::vector<PlaybookMove> PlaybookChoice::calibrated(const Program &program, std::vector<PlaybookMove> moves,
                                                     const std::vector<Knobs> &knobSets) const {
    return calibratedMoves(measurements(), deviceName(), program, knobSets, std::move(moves));
}

QString PlaybookChoice::descriptionOfPlan() const {
    const int operators = unfusedKernels(*m_graph);
    const double bytes = m_at.program.bytes();
    QString text = QStringLiteral("The reference is %1. As kernels of their own they move %2; as %3 "
                                  "they move %4 with %5 million "
                                  "operations.")
                       .arg(countText(operators, QStringLiteral("operator")))
                       .arg(megabytes(unfusedBytes(*m_graph)), kernelCount(m_at.program), megabytes(bytes))
                       .arg(m_at.program.operations() / 1e6, 0, 'f', 1);
    return text;
}

QString PlaybookChoice::whyEnough() const {
    if (!m_request.lastEvaluation || !m_at.mine)
        return {};
    const auto share = measuredFigures(*m_request.lastEvaluation).shareOfLight();
    if (!share || share->value < enoughOfLight)
        return {};
    return QStringLiteral("It reaches %1 % of the speed of light of this device: what is left to win is less "
                          "than the clock's noise.")
        .arg(share->value * 100, 0, 'f', 0);
}

PlaybookMove PlaybookChoice::firstMove() const {
    PlaybookMove first;
    first.move = QStringLiteral("fuse");
    first.title = kernelCount(m_at.program) + QStringLiteral(" for the whole forward");
    first.title[0] = first.title[0].toUpper();
    const double saved = unfusedBytes(*m_graph) - m_at.program.bytes();
    first.reason = descriptionOfPlan();
    constexpr double leastTold = 5000; // bytes; what is less rounds to 0.00 MB
    if (saved >= leastTold)
        first.reason += QStringLiteral(" What is computed between the first operator and the last never "
                                       "reaches the memory: %1 less.")
                            .arg(megabytes(saved));
    if (!m_graph->notes.isEmpty())
        first.reason += QStringLiteral(" Rewritten to the same for all values, except for rounding: %1.")
                            .arg(m_graph->notes.join(QStringLiteral("; ")));
    if (const QString doubt = chip().doubt; !doubt.isEmpty())
        first.reason += QLatin1Char(' ') + doubt;
    first.knobSets = m_at.knobSets;
    predict(first);
    return first;
}

// Against the current text, where that was measured.
void PlaybookChoice::predict(PlaybookMove &first) const {
    const double seconds = predictedSeconds(first.program.value_or(m_at.program), first.knobSets, target());
    first.prediction.words = QStringLiteral("about %1 ms").arg(seconds * 1e3, 0, 'g', 3);
    if (!m_request.lastEvaluation)
        return;
    const MeasuredFigures figures = measuredFigures(*m_request.lastEvaluation);
    if (figures.verdict == Verdict::Pass && figures.candidate() != nullptr)
        first.prediction.timeRatio = seconds * 1e6 / figures.candidate()->medianMicroseconds;
}

FirstMoves PlaybookChoice::firstMoves(PlaybookPace pace) const {
    const PromisingMoves promising =
        [this, on = target(), name = deviceName()](const Program &program, const std::vector<Knobs> &knobSets,
                                                   bool toOtherPlans) {
            return calibratedMoves(measurements(), name, program, knobSets,
                                   toOtherPlans ? programMovesFrom(*m_graph, program, knobSets, on)
                                                : movesFrom(program, knobSets, on));
        };
    const auto nothing = [](const Program &, const std::vector<Knobs> &, bool) {
        return std::vector<PlaybookMove>();
    };
    FirstMoves first = firstMovesFrom(m_at.program, firstMove(),
                                      pace == PlaybookPace::AllAtOnce ? promising : PromisingMoves(nothing));
    for (PlaybookMove &move : first.texts)
        predict(move);
    return first;
}

void PlaybookChoice::beginWith(const FirstMoves &first) {
    m_at.firsts = first.texts;
    m_at.usualProgram = first.usual;
    m_at.changes = {first.changes.begin(), first.changes.end()};
    if (!m_at.usualProgram)
        return;
    m_at.usualProgram->move = QStringLiteral("usual-plan");
    m_at.usualProgram->title = QStringLiteral("Compare with the usual plan");
    m_at.usualProgram->reason =
        QStringLiteral("The first text came with another plan: %1. That it is the better one was "
                       "predicted and not measured; this is the usual plan with the same moves.")
            .arg(first.changes.join(QStringLiteral("; ")));
}

// A rejected first text leaves the next one, which risks less.
bool PlaybookChoice::isFirstDue() const {
    return !m_at.hasProposed || (!m_at.mine && !m_at.wasUndecided && !m_at.firsts.empty());
}

PlaybookMove PlaybookChoice::nextFirst() {
    const PlaybookMove first = m_at.firsts.front();
    m_at.firsts.erase(m_at.firsts.begin());
    if (!first.program)
        m_at.usualProgram.reset();
    return first;
}

// The check of the current text has tried all of its variants.
bool PlaybookChoice::isSwept() const {
    return m_at.mine && m_at.carried.isEmpty() && m_request.lastEvaluation &&
           measuredFigures(*m_request.lastEvaluation).sweep.status == StageStatus::Passed;
}

// Of the current text; a record was made without findings.
std::optional<Finding> PlaybookChoice::findingOf(const PlaybookMove &move) const {
    if (m_isRecalling)
        return std::nullopt;
    return m_at.mine ? findingAnswered(move, m_at.program, m_at.knobSets, m_findings)
           : move.move == QLatin1String("fuse") ? findingAnsweredByAll(m_findings)
                                                : std::nullopt;
}

// Measured findings of this very text, along with predictions. Without findings the order is unchanged.
std::vector<PlaybookMove> PlaybookChoice::byFindings(std::vector<PlaybookMove> moves) const {
    if (m_findings.list.empty() || !m_at.mine || m_isRecalling)
        return moves;
    std::vector<std::pair<double, PlaybookMove>> ranked;
    for (PlaybookMove &move : moves) {
        const std::optional<Finding> finding = findingOf(move);
        const double rank = rankOf(move, finding);
        if (finding)
            holdToFinding(move, *finding);
        ranked.emplace_back(rank, std::move(move));
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto &one, const auto &other) { return one.first < other.first; });
    moves.clear();
    for (auto &[rank, move] : ranked)
        moves.push_back(std::move(move));
    return moves;
}

std::optional<PlaybookMove> PlaybookChoice::nextMove() {
    if (isSwept()) {
        const std::optional<PlaybookMove> swept =
            sweptMove(measuredFigures(*m_request.lastEvaluation).sweep, m_at.program, m_at.knobSets);
        if (swept && m_at.tried.insert(swept->title).second)
            return swept;
    }
    if (const auto back = std::exchange(m_at.usualProgram, std::nullopt)) {
        std::vector<PlaybookMove> promising = calibrated(m_at.program, {*back}, m_at.knobSets);
        if (!promising.empty()) {
            predict(promising.front());
            return promising.front();
        }
    }
    const std::vector<PlaybookMove> variants =
        isSwept()
            ? std::vector<PlaybookMove>()
            : calibrated(m_at.program, variantsFrom(m_at.program, m_at.knobSets, target()), m_at.knobSets);
    std::vector<PlaybookMove> left = moves(m_at.program, m_at.knobSets);
    left.insert(left.end(), variants.begin(), variants.end());
    for (const PlaybookMove &move : byFindings(std::move(left)))
        if (!m_at.refused.contains(move.title) && m_at.tried.insert(move.title).second)
            return move;
    // No text was accepted because all checks were inconclusive: all moves together, once more.
    if (!m_at.mine && m_at.wasUndecided && m_at.lastChances > 0) {
        --m_at.lastChances;
        PlaybookMove all = firstMove();
        all.title += QStringLiteral(", once more with all moves");
        return all;
    }
    return std::nullopt;
}

QString PlaybookChoice::whyNoMove() const {
    return m_at.mine ? QStringLiteral("No move is left with an expected gain for these kernels.")
           : m_at.wasUndecided
               ? QStringLiteral(
                     "No move is left, and the clock could not decide about any: the times of this machine "
                     "scatter too much. Let it do nothing else, and begin again.")
               : QStringLiteral(
                     "No move is left, and what stood here before is not slower than all that I tried.");
}

void PlaybookChoice::reportPlan(const QString &working) {
    m_at.items.push_back({working, QStringLiteral("working")});
    if (m_isRecalling)
        return;
    std::vector<PlanItem> items = m_at.items;
    for (const PlaybookMove &move :
         moves(m_at.pending->program.value_or(m_at.program), m_at.pending->knobSets))
        if (!m_at.tried.contains(move.title) && !m_at.refused.contains(move.title))
            items.push_back({move.title, QStringLiteral("waiting")});
    m_messages.push_back({{}, {}, false, std::move(items)});
}

void PlaybookChoice::report(const QString &id, const QString &text) {
    m_messages.push_back({id, text, m_isRecalling});
}

void PlaybookChoice::choose() {
    if (!m_at.hasProposed && !m_hasSoughtResumePoint)
        seekResumePoint();
    m_made = next(m_why);
}

std::optional<Proposal> PlaybookChoice::next(QString &why) {
    for (;;) {
        std::optional<PlaybookMove> move;
        if (!m_at.hasProposed)
            chooseStart();
        if (!m_question.isEmpty())
            return std::nullopt;
        if (why = m_at.whyBeaten; !why.isEmpty())
            return std::nullopt;
        if (isFirstDue()) {
            move = nextFirst();
            report(QStringLiteral("plan"), descriptionOfPlan());
        } else if (why = whyEnough(); why.isEmpty()) {
            move = nextMove();
            why = move ? QString() : whyNoMove();
            if (move && !m_at.mine) {
                predict(*move); // the current text is not of the program that it is a move from
                if (isTooSlow(*move) && !m_at.hasLeave)
                    continue;
            }
        }
        if (!move)
            return std::nullopt;
        const Proposal made = proposalOf(*move);
        const bool standsThere = made.proposed == m_request.texts; // from an earlier run
        if (!standsThere && !wasTried(made))
            return made;
        m_at.pending.reset();
        m_at.items.back().state = standsThere ? QStringLiteral("done") : QStringLiteral("dropped");
        if (standsThere) {
            m_at.mine = m_request.texts;
            take(*move);
        }
    }
}

// A predicted ratio needs a measured time: that of an inconclusive check is good enough for it, though not
// for calling mine slower.
Prediction PlaybookChoice::predictionFor(const PlaybookMove &move) const {
    Prediction prediction = move.prediction;
    if (prediction.timeRatio)
        return prediction;
    if (m_request.lastEvaluation) {
        const MeasuredFigures figures = measuredFigures(*m_request.lastEvaluation);
        if (figures.verdict == Verdict::Inconclusive && figures.candidate() != nullptr &&
            figures.candidate()->medianMicroseconds > 0)
            prediction.timeRatio =
                predictedSeconds(move.program.value_or(m_at.program), move.knobSets, target()) * 1e6 /
                figures.candidate()->medianMicroseconds;
    }
    if (!prediction.timeRatio)
        prediction.words.clear();
    return prediction;
}

Proposal PlaybookChoice::proposalOf(const PlaybookMove &move) {
    m_at.pending = move;
    reportPlan(move.title);
    const auto registry = readTextFile(m_request.workspace + QStringLiteral("/binding_registry.h"));
    const CandidateTexts files =
        candidateFiles(move.program.value_or(m_at.program), move.knobSets,
                       registryKindOf(registry.hasValue() ? registry.value() : QByteArray()));
    Proposal proposal;
    proposal.id = m_request.proposal;
    proposal.baseIteration = m_request.iteration;
    proposal.author = playbookIdentity().author();
    proposal.title = move.title;
    proposal.reason = move.reason;
    if (const std::optional<Finding> finding = findingOf(move))
        proposal.reason += QStringLiteral("\n\n") + answeredFindingText(*finding);
    if (!m_at.carried.isEmpty())
        proposal.reason +=
            QStringLiteral("\n\nIt carries «%1» along, which the clock could not decide.").arg(m_at.carried);
    proposal.move = move.move;
    proposal.prediction = predictionFor(move);
    // Where the person has changed what this agent wrote, their changes are carried over.
    proposal.base = m_at.mine.value_or(m_request.texts);
    proposal.proposed = withCandidate(proposal.base, files);
    if (proposal.base != m_request.texts) {
        ProposalReview carried(proposal, m_request.texts);
        carried.acceptRest();
        if (carried.count().unanswered() == 0) {
            proposal.base = m_request.texts;
            proposal.proposed = carried.texts();
        }
    }
    m_at.pendingTexts = proposal.proposed;
    return proposal;
}

} // namespace warpwright
