// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/playbook_agent.h"

#include "agent/playbook/candidate_text.h"
#include "agent/proposal_review.h"
#include "toolchain/measured_figures.h"

#include <QThread>
#include <QTimer>

#include <algorithm>

namespace warpwright {
namespace {

const QString referencePath = QStringLiteral("model.py");
/// Of the speed of light: beyond it the clock's noise is larger than what is left to win.
constexpr double enoughOfLight = 0.92;
/// A prediction that is worth to be carried along undecided.
constexpr double carriedRatio = 0.8;

QString megabytes(double bytes) {
    return QStringLiteral("%1 MB").arg(bytes / 1e6, 0, 'f', bytes < 1e7 ? 2 : 0);
}

} // namespace

PlaybookAgent::PlaybookAgent(PlaybookSetup setup, QObject *parent)
    : Agent(parent), m_setup(std::move(setup)) {
    connect(&m_reader, &ReferenceReader::finished, this, &PlaybookAgent::takeGraph);
    connect(&m_reader, &ReferenceReader::failed, this, [this](const QString &message) {
        emit toolEnded({QStringLiteral("read-reference"), QStringLiteral("read_reference"), Json::object(),
                        static_cast<double>(m_reading.elapsed()) / 1000, QStringLiteral("failed"), message});
        fail(message);
    });
}

AgentIdentity PlaybookAgent::identity() const {
    return {AuthorKind::Playbook, QStringLiteral("playbook"), QStringLiteral("1")};
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
    if (!m_isWorking)
        return;
    m_isWorking = false;
    m_reader.cancel();
    emit failed(QStringLiteral("The playbook was stopped before its next move."));
}

void PlaybookAgent::end(const QString &why) {
    if (std::exchange(m_isWorking, false))
        emit done(why);
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
                               "nothing that I propose. It is "
                               "kept in the record of this run."));
    if (!m_isWorking) // whoever was told may have stopped us
        return;
    const auto reference = m_request.texts.find(referencePath);
    const QByteArray text = reference == m_request.texts.end() ? QByteArray() : reference->second;
    if (m_graph && text == m_reference)
        return work();
    m_reference = text;
    m_reading.start();
    emit toolBegan(
        {QStringLiteral("read-reference"), QStringLiteral("read_reference"), Json::object(), 0, {}, {}});
    if (m_isWorking)
        m_reader.start(m_setup.interpreter, m_setup.resources,
                       m_request.workspace + QLatin1Char('/') + referencePath);
}

void PlaybookAgent::takeGraph(const ReferenceGraph &graph) {
    m_graph = graph;
    m_plan = planOf(graph);
    m_tunings = plainTunings(m_plan);
    m_hasProposed = false;
    m_mine.reset();
    if (!m_isWorking)
        return;
    const QString why = whyNotCallable(graph, m_plan);
    emit toolEnded({QStringLiteral("read-reference"), QStringLiteral("read_reference"), Json::object(),
                    static_cast<double>(m_reading.elapsed()) / 1000, QStringLiteral("ok"),
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

PlaybookDevice PlaybookAgent::device() const {
    PlaybookDevice device;
    device.threads = QThread::idealThreadCount();
    device.isCuda = m_request.device.startsWith(QLatin1String("cuda")) ||
                    (m_request.device != QLatin1String("cpu") && m_setup.hasCudaDevice);
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
    const PlaybookMove move = *std::exchange(m_pending, std::nullopt);
    const Feedback answer = m_request.feedback.empty() ? Feedback() : m_request.feedback.back();
    const bool isTaken = answer.outcome == Feedback::Outcome::Applied;
    // On a machine that does other things as well the clock may not decide. Then the move gets a second
    // chance; of the first text, which is compared with nothing of mine, what was expected stands.
    const bool isInconclusive = !isTaken && answer.why.contains(QLatin1String("inconclusive"));
    m_wasUndecided = m_wasUndecided || isInconclusive;
    const bool isRepeated = m_mine && isInconclusive && !m_repeated.insert(move.title).second;
    if (isInconclusive && m_mine && !isRepeated)
        m_tried.erase(move.title);
    // What promises much and could not be decided twice goes along with the next move, and shows there.
    const bool isCarried = isRepeated && move.prediction.timeRatio.value_or(1) <= carriedRatio;
    const bool isUndecided = (isInconclusive && !m_mine) || isCarried;
    m_carried = isCarried ? move.title : isTaken ? QString() : m_carried;
    if (!m_items.empty())
        m_items.back().state = isTaken ? QStringLiteral("done") : QStringLiteral("dropped");
    if (!isTaken && !isUndecided)
        return;
    take(move);
    m_tried.clear();
    if (isTaken)
        m_mine = m_pendingTexts;
}

// From now on this stands.
void PlaybookAgent::take(const PlaybookMove &move) {
    m_tunings = move.tunings;
    if (move.plan)
        m_plan = *move.plan;
}

void PlaybookAgent::work() {
    if (const QString why = whyNotCallable(*m_graph, m_plan); !why.isEmpty())
        return end(QStringLiteral("I have no kernel for this reference: cannot, because %1.").arg(why));
    learn();
    if (!m_hasProposed)
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
    const PlaybookDevice where = device();
    PlaybookMove first;
    first.move = QStringLiteral("fuse");
    first.title = kernelCount(m_plan) + QStringLiteral(" for the whole forward");
    first.title[0] = first.title[0].toUpper();
    const double saved = unfusedBytes(*m_graph) - m_plan.bytes();
    first.reason =
        descriptionOfPlan() +
        QStringLiteral(
            " What is computed between the first operator and the last never reaches the memory: %1 less. "
            "This first text is plain; what makes it fast comes in moves of its own.")
            .arg(megabytes(saved));
    first.tunings = m_tunings;
    const double seconds = predictedSeconds(m_plan, m_tunings, where);
    first.prediction.words = QStringLiteral("about %1 ms").arg(seconds * 1e3, 0, 'g', 3);
    if (m_request.lastEvaluation) {
        const MeasuredFigures figures = measuredFigures(*m_request.lastEvaluation);
        if (figures.verdict == Verdict::Pass && figures.candidate() != nullptr)
            first.prediction.timeRatio = seconds * 1e6 / figures.candidate()->medianMicroseconds;
    }
    return first;
}

void PlaybookAgent::proposeFirst() {
    m_hasProposed = true;
    sayOnce(QStringLiteral("plan"), descriptionOfPlan());
    if (m_isWorking)
        sendProposal(firstMove());
}

void PlaybookAgent::proposeMove() {
    for (const PlaybookMove &move : allMovesFrom(*m_graph, m_plan, m_tunings, device()))
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
    for (const PlaybookMove &move :
         allMovesFrom(*m_graph, m_pending->plan.value_or(m_plan), m_pending->tunings, device()))
        if (!m_tried.contains(move.title))
            items.push_back({move.title, QStringLiteral("waiting")});
    emit planChanged(items);
}

void PlaybookAgent::sendProposal(const PlaybookMove &move) {
    m_pending = move;
    tellPlan(move.title);
    if (!m_isWorking)
        return;
    const CandidateTexts files = candidateFiles(*m_graph, move.plan.value_or(m_plan), move.tunings);
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
