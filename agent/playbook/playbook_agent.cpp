// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/playbook_agent.h"
#include "agent/playbook/unfused_cost.h"

#include "agent/playbook/candidate_text.h"
#include "agent/playbook/slowness.h"
#include "agent/playbook/swept_move.h"
#include "agent/proposal_review.h"
#include "toolchain/measured_figures.h"
#include "toolchain/text_file.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThread>
#include <QThreadPool>
#include <QTimer>

#include <algorithm>

namespace warpwright {
namespace {

const QString referencePath = QStringLiteral("model.py");
/// Of the speed of light: beyond it the clock's noise is larger than what is left to win.
constexpr double enoughOfLight = 0.92;
/// A prediction that is worth to be carried along undecided.
constexpr double carriedRatio = 0.8;
// A move that lost so much so often on kernels like these is left out.
constexpr double lostRatio = 1.01;
constexpr int timesToBelieve = 2;
/// Of a first text: what is proposed instead would scatter as much, and is expected to be slower.
constexpr int mostMoreTries = 3;

/// What a person took in part or changed is no measurement of the move.
bool isOfWholeMove(const Feedback &answer) {
    const auto isAs = [&answer](HunkState state) {
        return std::all_of(answer.hunks.begin(), answer.hunks.end(),
                           [state](const AnsweredHunk &hunk) { return hunk.state == state; });
    };
    return isAs(HunkState::Accepted) || isAs(HunkState::Rejected);
}

/// Beyond its interval, or known to a few percent: noise is not remembered.
bool isClear(const std::optional<TimeRatio> &ratio) {
    constexpr double narrow = 1.1; // the interval's ends
    return ratio && ratio->low > 0 && (!ratio->isNoise() || ratio->high <= ratio->low * narrow);
}

QString megabytes(double bytes) {
    return QStringLiteral("%1 MB").arg(bytes / 1e6, 0, 'f', bytes < 1e7 ? 2 : 0);
}

} // namespace

PlaybookAgent::PlaybookAgent(PlaybookSetup setup, QObject *parent)
    : Agent(parent), m_setup(std::move(setup)) {
    connect(&m_reader, &ReferenceReader::finished, this, &PlaybookAgent::takeGraph);
    connect(&m_reader, &ReferenceReader::failed, this, &PlaybookAgent::takeFailure);
}

AgentIdentity PlaybookAgent::identity() const {
    return {AuthorKind::Playbook, QStringLiteral("playbook"), QStringLiteral("1")};
}

bool PlaybookAgent::isForGpu(const AgentRequest &request) const {
    return request.device.startsWith(QLatin1String("cuda")) ||
           (request.device != QLatin1String("cpu") && m_setup.hasCudaDevice);
}

void PlaybookAgent::prepare(const AgentRequest &request) {
    if (isForGpu(request) && !m_isWorking)
        read(request);
}

void PlaybookAgent::propose(const AgentRequest &request) {
    Q_ASSERT(!m_isWorking);
    m_isWorking = true;
    m_request = request;
    QTimer::singleShot(0, this, [this, number = ++m_number] {
        if (m_isWorking && number == m_number)
            begin();
    });
}

void PlaybookAgent::cancel() {
    m_reader.cancel();
    m_isReading = false;
    if (std::exchange(m_isWorking, false))
        emit failed(QStringLiteral("The playbook was stopped before its next move."));
}

void PlaybookAgent::end(const QString &why) {
    const bool isMeasured = m_request.lastEvaluation && m_mine;
    if (m_isWorking && !m_items.empty())
        emit planChanged(m_items); // with what became of the last move
    if (std::exchange(m_isWorking, false))
        emit done(why + (isMeasured ? slownessOf(*m_request.lastEvaluation) : QString()));
}

void PlaybookAgent::fail(const QString &message) {
    if (std::exchange(m_isWorking, false))
        emit failed(message);
}

void PlaybookAgent::sayOnce(const QString &id, const QString &text) {
    if (m_said.insert(id).second)
        emit message({AgentMessage::Role::Agent, m_request.proposal + QLatin1Char('-') + id, text, false});
}

void PlaybookAgent::begin() {
    if (!m_request.messages.isEmpty())
        sayOnce(QStringLiteral("reads-nothing"),
                QStringLiteral("I am a book of moves and cannot read messages: what you write changes "
                               "nothing that I propose. It is kept in the record of this run."));
    if (!m_isWorking) // whoever was told may have stopped us
        return;
    read(m_request);
    if (m_graph && m_isPlanForCpu == device().isCuda) // read ahead, or measured elsewhere since
        makePlan();
    if (m_isGraphTold)
        return work();
    emit toolBegan(
        {QStringLiteral("read-reference"), QStringLiteral("read_reference"), Json::object(), 0, {}, {}});
    if (m_isWorking && m_graph)
        tellGraph();
}

// Nothing where it has read that text, or is reading it.
void PlaybookAgent::read(const AgentRequest &request) {
    const auto reference = request.texts.find(referencePath);
    const QByteArray text = reference == request.texts.end() ? QByteArray() : reference->second;
    if (text == m_reference && (m_graph || m_isReading))
        return;
    m_reference = text;
    m_graph.reset();
    m_isGraphTold = false;
    m_isReading = true;
    m_reading.start();
    m_reader.start(m_setup.interpreter, m_setup.resources,
                   request.workspace + QLatin1Char('/') + referencePath);
}

void PlaybookAgent::takeGraph(const ReferenceGraph &graph) {
    m_isReading = false;
    m_readingSeconds = static_cast<double>(m_reading.elapsed()) / 1000;
    m_graph = graph;
    makePlan();
    if (m_isWorking)
        tellGraph();
}

void PlaybookAgent::makePlan() {
    m_isPlanForCpu = m_isWorking && !device().isCuda; // ahead it reads for a GPU alone
    m_plan = planOf(*m_graph, {.isForCpu = m_isPlanForCpu});
    m_tunings = plainTunings(m_plan);
    m_hasProposed = false;
    m_firsts.clear();
    m_wayBack.reset();
    m_changes.clear();
    m_mine.reset();
}

void PlaybookAgent::takeFailure(const QString &message) {
    m_isReading = false;
    if (!m_isWorking) // read ahead: whoever asks has it read again, and hears why
        return;
    emit toolEnded({QStringLiteral("read-reference"), QStringLiteral("read_reference"), Json::object(),
                    static_cast<double>(m_reading.elapsed()) / 1000, QStringLiteral("failed"), message});
    fail(message);
}

void PlaybookAgent::tellGraph() {
    m_isGraphTold = true;
    const QString why = whyNotCallable(m_plan);
    emit toolEnded({QStringLiteral("read-reference"), QStringLiteral("read_reference"), Json::object(),
                    m_readingSeconds, QStringLiteral("ok"),
                    why.isEmpty() ? descriptionOfPlan() : QStringLiteral("cannot, because ") + why});
    if (m_isWorking)
        work();
}

QString PlaybookAgent::descriptionOfPlan() const {
    const int operators = unfusedKernels(*m_graph);
    const double bytes = m_plan.bytes();
    QString text =
        QStringLiteral("The reference is %1 operators. As kernels of their own they move %2; as %3 "
                       "they move %4 with %5 million "
                       "operations.")
            .arg(operators)
            .arg(megabytes(unfusedBytes(*m_graph)), kernelCount(m_plan), megabytes(bytes))
            .arg(m_plan.operations() / 1e6, 0, 'f', 1);
    return text;
}

QString PlaybookAgent::deviceName() const {
    return m_request.lastEvaluation ? measuredFigures(*m_request.lastEvaluation).device.name : QString();
}

PlaybookDevice PlaybookAgent::device() const {
    PlaybookDevice device;
    device.threads = QThread::idealThreadCount();
    device.hasClusters = m_setup.hasClusters;
    device.hasWarpGroups = m_setup.hasWarpGroups;
    device.isCuda = isForGpu(m_request);
    if (m_request.lastEvaluation) {
        const MeasuredFigures figures = measuredFigures(*m_request.lastEvaluation);
        if (!figures.device.kind.isEmpty())
            device.isCuda = figures.device.kind == QLatin1String("cuda");
        device.bytesPerSecond = figures.device.bytesPerSecond;
    }
    return device;
}

// What became of the last proposal.
void PlaybookAgent::learn() {
    if (!m_pending)
        return;
    PlaybookMove move = *std::exchange(m_pending, std::nullopt);
    const Feedback answer = m_request.feedback.empty() ? Feedback() : m_request.feedback.back();
    if (m_mine && m_carried.isEmpty() && isOfWholeMove(answer) && isClear(answer.ratio))
        remember(move, answer.ratio->value);
    const bool isTaken = answer.outcome == Feedback::Outcome::Applied;
    // On a machine that does other things as well the clock may not decide. Then the move gets a second
    // chance; of the first text, which is compared with nothing of mine, what was expected stands.
    const bool isInconclusive = !isTaken && answer.why.contains(QLatin1String("inconclusive"));
    // All others are measured against the first text: it is the one that the clock gets more tries at.
    const bool isAgain =
        isInconclusive && !m_mine && !m_wasUndecided && m_firstTries[move.title]++ < mostMoreTries;
    m_wasUndecided = m_wasUndecided || (isInconclusive && !isAgain);
    const bool isRepeated = m_mine && isInconclusive && !m_repeated.insert(move.title).second;
    if (isInconclusive && m_mine && !isRepeated)
        m_tried.erase(move.title);
    // What promises much and could not be decided twice goes along with the next move, and shows there.
    const bool isCarried = isRepeated && move.prediction.timeRatio.value_or(1) <= carriedRatio;
    const bool isUndecided = (isInconclusive && !m_mine) || isCarried;
    m_carried = isCarried ? move.title : isTaken ? QString() : m_carried;
    if (!m_items.empty())
        m_items.back().state = isTaken ? QStringLiteral("done") : QStringLiteral("dropped");
    if (isAgain) {
        const QString again = QStringLiteral(" The clock did not decide it: it is measured once more.");
        move.reason += move.reason.endsWith(again) ? QString() : again;
        m_firsts.insert(m_firsts.begin(), move);
    }
    if (isAgain || (!isTaken && !isUndecided))
        return;
    take(move);
    m_tried.clear();
    if (isTaken)
        m_mine = m_pendingTexts;
}

std::vector<PlaybookMove> PlaybookAgent::moves(const KernelPlan &plan,
                                               const std::vector<KernelTuning> &tunings) const {
    std::vector<PlaybookMove> all = allMovesFrom(*m_graph, plan, tunings, device());
    std::erase_if(all, [this](const PlaybookMove &move) { return m_changes.contains(move.title); });
    return foreseen(plan, std::move(all), tunings);
}

// What was measured on kernels like these says more than bytes and instructions do.
std::vector<PlaybookMove> PlaybookAgent::foreseen(const KernelPlan &plan, std::vector<PlaybookMove> moves,
                                                  const std::vector<KernelTuning> &tunings) const {
    std::vector<PlaybookMove> promising;
    for (PlaybookMove &move : moves) {
        const auto known =
            m_setup.measurements.of(deviceName(), kernelClassOf(plan, tunings, move), move.remembered());
        const bool hasLost = known && known->ratio > lostRatio;
        if (hasLost && known->count >= timesToBelieve)
            continue;
        if (known && !hasLost) { // once is not enough to say that it does not pay
            move.prediction.timeRatio = known->ratio;
            move.prediction.words =
                QStringLiteral("as %1 before on kernels like these; %2")
                    .arg(countText(known->count, QStringLiteral("time")), move.prediction.words);
        }
        promising.push_back(std::move(move));
    }
    std::stable_sort(promising.begin(), promising.end(), [](const PlaybookMove &a, const PlaybookMove &b) {
        return a.prediction.timeRatio < b.prediction.timeRatio;
    });
    return promising;
}

void PlaybookAgent::remember(const PlaybookMove &move, double ratio) {
    const MoveMeasurement measured{deviceName(), kernelClassOf(m_plan, m_tunings, move), move.remembered(),
                                   ratio};
    if (measured.device.isEmpty() || m_setup.measurementsFile.isEmpty())
        return;
    m_setup.measurements.add(measured);
    QThreadPool::globalInstance()->start([file = m_setup.measurementsFile, measured, self = QPointer(this)] {
        const Result<void> kept = appendMeasurement(file, measured);
        if (!kept.hasValue())
            QMetaObject::invokeMethod(qApp, [self, why = kept.message()] {
                if (self)
                    self->sayOnce(QStringLiteral("measurements"), why);
            });
    });
}

// From now on this stands.
void PlaybookAgent::take(const PlaybookMove &move) {
    m_tunings = move.tunings;
    if (move.plan)
        m_plan = *move.plan;
}

void PlaybookAgent::work() {
    if (const QString why = whyNotCallable(m_plan); !why.isEmpty())
        return end(QStringLiteral("I have no kernel for this reference: cannot, because %1.").arg(why));
    learn();
    // A first text that was refused leaves the next one, which dares less.
    if (!m_hasProposed || (!m_mine && !m_wasUndecided && !m_firsts.empty()))
        return proposeFirst();
    if (const QString why = whyEnough(); !why.isEmpty())
        return end(why);
    proposeMove();
}

QString PlaybookAgent::whyEnough() const {
    if (!m_request.lastEvaluation || !m_mine)
        return {};
    const auto share = measuredFigures(*m_request.lastEvaluation).shareOfLight();
    if (!share || share->value < enoughOfLight)
        return {};
    return QStringLiteral("It reaches %1 % of the speed of light of this device: what is left to win is less "
                          "than the clock's noise.")
        .arg(share->value * 100, 0, 'f', 0);
}

PlaybookMove PlaybookAgent::firstMove() const {
    PlaybookMove first;
    first.move = QStringLiteral("fuse");
    first.title = kernelCount(m_plan) + QStringLiteral(" for the whole forward");
    first.title[0] = first.title[0].toUpper();
    const double saved = unfusedBytes(*m_graph) - m_plan.bytes();
    first.reason =
        descriptionOfPlan() +
        QStringLiteral(
            " What is computed between the first operator and the last never reaches the memory: %1 less.")
            .arg(megabytes(saved));
    if (!m_graph->notes.isEmpty())
        first.reason += QStringLiteral(" Other words for the same, true of all values but for rounding: %1.")
                            .arg(m_graph->notes.join(QStringLiteral("; ")));
    first.tunings = m_tunings;
    foretell(first);
    return first;
}

// Against what stands there, where that was measured.
void PlaybookAgent::foretell(PlaybookMove &first) const {
    const double seconds = predictedSeconds(first.plan.value_or(m_plan), first.tunings, device());
    first.prediction.words = QStringLiteral("about %1 ms").arg(seconds * 1e3, 0, 'g', 3);
    if (!m_request.lastEvaluation)
        return;
    const MeasuredFigures figures = measuredFigures(*m_request.lastEvaluation);
    if (figures.verdict == Verdict::Pass && figures.candidate() != nullptr)
        first.prediction.timeRatio = seconds * 1e6 / figures.candidate()->medianMicroseconds;
}

FirstMoves PlaybookAgent::firstMoves() const {
    const PromisingMoves promising = [this](const KernelPlan &plan, const std::vector<KernelTuning> &tunings,
                                            bool toOtherPlans) {
        return foreseen(plan,
                        toOtherPlans ? planMovesFrom(*m_graph, plan, tunings, device())
                                     : movesFrom(plan, tunings, device()),
                        tunings);
    };
    const auto nothing = [](const KernelPlan &, const std::vector<KernelTuning> &, bool) {
        return std::vector<PlaybookMove>();
    };
    FirstMoves first = firstMovesFrom(
        m_plan, firstMove(), m_setup.pace == PlaybookPace::AllAtOnce ? promising : PromisingMoves(nothing));
    for (PlaybookMove &move : first.texts)
        foretell(move);
    return first;
}

void PlaybookAgent::beginWith(const FirstMoves &first) {
    m_firsts = first.texts;
    m_wayBack = first.usual;
    m_changes = {first.changes.begin(), first.changes.end()};
    if (!m_wayBack)
        return;
    m_wayBack->move = QStringLiteral("usual-plan");
    m_wayBack->title = QStringLiteral("Try the usual plan beside it");
    m_wayBack->reason =
        QStringLiteral("The first text came with another plan: %1. That it is the better one was "
                       "foretold and not measured; this is the usual plan with the same moves.")
            .arg(first.changes.join(QStringLiteral("; ")));
}

void PlaybookAgent::proposeFirst() {
    if (!std::exchange(m_hasProposed, true))
        beginWith(firstMoves());
    sayOnce(QStringLiteral("plan"), descriptionOfPlan());
    if (!m_isWorking)
        return;
    const PlaybookMove first = m_firsts.front();
    m_firsts.erase(m_firsts.begin());
    if (!first.plan)
        m_wayBack.reset();
    sendProposal(first);
}

// The check of what stands has tried all of its variants.
bool PlaybookAgent::isSwept() const {
    return m_mine && m_carried.isEmpty() && m_request.lastEvaluation &&
           measuredFigures(*m_request.lastEvaluation).sweep.status == StageStatus::Passed;
}

void PlaybookAgent::proposeMove() {
    if (isSwept()) {
        const std::optional<PlaybookMove> swept =
            sweptMove(measuredFigures(*m_request.lastEvaluation).sweep, m_plan, m_tunings);
        if (swept && m_tried.insert(swept->title).second)
            return sendProposal(*swept);
    }
    if (const auto back = std::exchange(m_wayBack, std::nullopt)) {
        std::vector<PlaybookMove> promising = foreseen(m_plan, {*back}, m_tunings);
        if (!promising.empty()) {
            foretell(promising.front());
            return sendProposal(promising.front());
        }
    }
    const std::vector<PlaybookMove> variants =
        isSwept() ? std::vector<PlaybookMove>()
                  : foreseen(m_plan, variantsFrom(m_plan, m_tunings, device()), m_tunings);
    for (const auto &tries : {moves(m_plan, m_tunings), variants})
        for (const PlaybookMove &move : tries)
            if (m_tried.insert(move.title).second)
                return sendProposal(move);
    // Nothing was taken because the clock decided nothing: all moves together, once more.
    if (!m_mine && m_wasUndecided && m_lastChances > 0) {
        --m_lastChances;
        PlaybookMove all = firstMove();
        all.title += QStringLiteral(", once more with all moves");
        return sendProposal(all);
    }
    end(m_mine ? QStringLiteral("No move is left that promises anything for these kernels.")
        : m_wasUndecided
            ? QStringLiteral(
                  "No move is left, and the clock could not decide about any: the times of this machine "
                  "scatter too much. Let it do nothing else, and begin again.")
            : QStringLiteral(
                  "No move is left, and what stood here before is not slower than all that I tried."));
}

void PlaybookAgent::tellPlan(const QString &working) {
    m_items.push_back({working, QStringLiteral("working")});
    std::vector<PlanItem> items = m_items;
    for (const PlaybookMove &move : moves(m_pending->plan.value_or(m_plan), m_pending->tunings))
        if (!m_tried.contains(move.title))
            items.push_back({move.title, QStringLiteral("waiting")});
    emit planChanged(items);
}

void PlaybookAgent::sendProposal(const PlaybookMove &move) {
    m_pending = move;
    tellPlan(move.title);
    if (!m_isWorking)
        return;
    const auto registry = readTextFile(m_request.workspace + QStringLiteral("/binding_registry.h"));
    const CandidateTexts files =
        candidateFiles(move.plan.value_or(m_plan), move.tunings,
                       registryKindOf(registry.hasValue() ? registry.value() : QByteArray()));
    Proposal proposal;
    proposal.id = m_request.proposal;
    proposal.baseIteration = m_request.iteration;
    proposal.author = identity().author();
    proposal.title = move.title;
    proposal.reason = move.reason;
    if (!m_carried.isEmpty())
        proposal.reason +=
            QStringLiteral("\n\nIt carries «%1» along, which the clock could not decide.").arg(m_carried);
    proposal.move = move.move;
    proposal.prediction = move.prediction;
    // Where the person has changed what this agent wrote, their changes are carried over.
    proposal.base = m_mine.value_or(m_request.texts);
    proposal.proposed = withCandidate(proposal.base, files);
    if (proposal.base != m_request.texts) {
        ProposalReview carried(proposal, m_request.texts);
        carried.acceptRest();
        if (carried.count().unanswered() == 0) {
            proposal.base = m_request.texts;
            proposal.proposed = carried.texts();
        }
    }
    m_pendingTexts = proposal.proposed;
    m_isWorking = false;
    if (proposal.proposed == m_request.texts) { // it stands there already, from an earlier run
        m_isWorking = true;
        m_mine = m_request.texts;
        take(move);
        m_items.back().state = QStringLiteral("done");
        m_pending.reset();
        return proposeMove();
    }
    emit proposed(proposal);
}

} // namespace warpwright
