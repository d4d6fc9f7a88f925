// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/playbook_agent.h"

#include "agent/playbook/codegen/torch/candidate_files.h"
#include "agent/playbook/lowering/program_builder.h"
#include "agent/playbook/move_findings.h"
#include "agent/playbook/tuning/slowness.h"
#include "agent/review/hunk_groups.h"
#include "toolchain/evaluation/measured_figures.h"
#include "toolchain/process/in_pool.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>
#include <QTimer>

#include <algorithm>

namespace warpwright {
namespace {

const QString startPrompt = QStringLiteral("start");
const QString allTheSame = QStringLiteral("Propose it all the same");
const QString leaveIt = QStringLiteral("Leave the text as it is");

const QString referencePath = QStringLiteral("model.py");
/// A prediction that makes an undecided move worth keeping.
constexpr double carriedRatio = 0.8;
/// Of a first text: alternatives would be as noisy, and are expected to be slower.
constexpr int mostMoreTries = 3;

/// A partly accepted or edited proposal is no measurement of the move.
bool isOfWholeMove(const Feedback &answer) {
    const auto isAs = [&answer](HunkState state) {
        return std::all_of(answer.hunks.begin(), answer.hunks.end(),
                           [state](const AnsweredHunk &hunk) { return hunk.state == state; });
    };
    return isAs(HunkState::Accepted) || isAs(HunkState::Rejected);
}

/// The person's reason for rejecting it; empty: none was given, or a policy decided.
QString reasonOfRefusal(const Feedback &answer) {
    const bool isWhole = !answer.hunks.empty() && isOfWholeMove(answer);
    if (answer.outcome != Feedback::Outcome::Rejected || !answer.why.isEmpty() || !isWhole)
        return {};
    for (const AnsweredHunk &hunk : answer.hunks)
        if (!hunk.reason.trimmed().isEmpty())
            return hunk.reason.trimmed();
    return {};
}

/// Beyond its interval, or known to a few percent: noise is not recorded.
bool isClear(const std::optional<TimeRatio> &ratio) {
    constexpr double narrow = 1.1; // the interval's ends
    return ratio && ratio->low > 0 && (!ratio->isNoise() || ratio->high <= ratio->low * narrow);
}

} // namespace

PlaybookAgent::PlaybookAgent(PlaybookSetup setup, QObject *parent)
    : Agent(parent), PlaybookChoice(std::move(setup)), m_reader(this) { // child: moves with it to a thread
    connect(&m_reader, &GraphImporter::finished, this, &PlaybookAgent::takeGraph);
    connect(&m_reader, &GraphImporter::failed, this, &PlaybookAgent::takeFailure);
    connect(&m_reader, &GraphImporter::progressed, this, [this](const QString &words) {
        if (m_isWorking)
            reportOnce(QStringLiteral("reading"), words);
    });
}

AgentIdentity PlaybookAgent::identity() const {
    return playbookIdentity();
}

void PlaybookAgent::prepare(const AgentRequest &request) {
    if (isForGpu(request) && !m_isWorking)
        read(request);
}

void PlaybookAgent::propose(const AgentRequest &request) {
    Q_ASSERT(!m_isWorking);
    m_isWorking = true;
    m_request = request;
    m_question.clear();
    m_findings = {};
    m_hasLoadedFindings = false;
    m_hasSoughtResumePoint = false;
    QTimer::singleShot(0, this, [this, number = ++m_number] {
        if (m_isWorking && number == m_number)
            begin();
    });
}

void PlaybookAgent::cancel() {
    m_reader.cancel();
    ++m_plans;
    m_isReading = false;
    m_isRecalling = false;
    m_question.clear();
    if (std::exchange(m_isWorking, false))
        emit failed(QStringLiteral("The playbook was stopped before its next move."));
}

void PlaybookAgent::end(const QString &why) {
    const bool isMeasured = m_request.lastEvaluation && m_at.mine;
    if (m_isWorking && !m_at.items.empty())
        emit planChanged(m_at.items); // with the result of the last move
    if (std::exchange(m_isWorking, false))
        emit done(why + (isMeasured ? slownessOf(*m_request.lastEvaluation) : QString()));
}

void PlaybookAgent::fail(const QString &message) {
    if (std::exchange(m_isWorking, false))
        emit failed(message);
}

void PlaybookAgent::reportOnce(const QString &id, const QString &text, bool isSilent) {
    if (m_reported.insert(id).second && !isSilent)
        emit message({AgentMessage::Role::Agent, m_request.proposal + QLatin1Char('-') + id, text, false});
}

void PlaybookAgent::begin() {
    if (!m_request.messages.isEmpty())
        reportOnce(QStringLiteral("reads-nothing"),
                   QStringLiteral("I am a book of moves and cannot read messages: what you write changes "
                                  "nothing that I propose. It is kept in the record of this run."));
    if (!m_isWorking) // a receiver may have stopped us
        return;
    read(m_request);
    if (m_graph && m_isPlanForCpu == target().isCuda()) // read ahead, or measured elsewhere since
        return makePlan(m_graph, [this] { beginWork(); });
    beginWork();
}

void PlaybookAgent::beginWork() {
    if (m_isGraphReported)
        return work();
    emit toolBegan(
        {QStringLiteral("read-reference"), QStringLiteral("read_reference"), Json::object(), 0, {}, {}});
    if (m_isWorking && m_graph)
        reportGraph();
}

// Returns early where it has read that text, or is reading it.
void PlaybookAgent::read(const AgentRequest &request) {
    const auto reference = request.texts.find(referencePath);
    const QByteArray text = reference == request.texts.end() ? QByteArray() : reference->second;
    if (text == m_reference && (m_graph || m_isReading))
        return;
    m_reference = text;
    m_graph.reset();
    ++m_plans;
    m_isGraphReported = false;
    m_isReading = true;
    m_reading.start();
    m_reader.start(m_setup.interpreter, m_setup.resources,
                   request.workspace + QLatin1Char('/') + referencePath);
}

void PlaybookAgent::takeGraph(const std::shared_ptr<const ReferenceGraph> &graph) {
    if (!m_isReading) // stopped meanwhile
        return;
    m_readingSeconds = static_cast<double>(m_reading.elapsed()) / 1000;
    makePlan(graph, [this] {
        m_isReading = false;
        if (!m_isWorking)
            return;
        if (m_isPlanForCpu == target().isCuda()) // requested meanwhile, for another device
            return makePlan(m_graph, [this] { reportGraph(); });
        reportGraph();
    });
}

// In the pool; the result is dropped after a stop or a new read.
void PlaybookAgent::makePlan(std::shared_ptr<const ReferenceGraph> graph, std::function<void()> then) {
    struct Planned {
        Program program;
        std::vector<Knobs> knobSets;
    };
    const bool isForCpu = m_isWorking && !target().isCuda(); // ahead of a request it plans for a GPU only
    inPool(
        this,
        [graph, isForCpu, device = chip().device] {
            Planned made{programOf(*graph, device, {.isForCpu = isForCpu}), {}};
            made.knobSets = plainKnobs(made.program);
            return made;
        },
        [this, graph, isForCpu, number = ++m_plans, then = std::move(then)](Planned made) {
            if (number != m_plans)
                return;
            m_graph = graph;
            m_isPlanForCpu = isForCpu;
            m_at.program = std::move(made.program);
            m_at.knobSets = std::move(made.knobSets);
            m_at.hasProposed = false;
            m_hasSoughtResumePoint = false;
            m_at.whyBeaten.clear();
            m_at.hasLeave = false;
            m_at.firsts.clear();
            m_at.usualProgram.reset();
            m_at.changes.clear();
            m_at.mine.reset();
            then();
        });
}

// In the pool, on a copy of the state, which replaces the state once it is done. Messages are then sent in
// order; after a stop or a new request the result is dropped.
void PlaybookAgent::think(std::function<void(PlaybookChoice &)> work, std::function<void()> then) {
    inPool(
        this,
        [choice = PlaybookChoice(*this), work = std::move(work)]() mutable {
            work(choice);
            return std::move(choice);
        },
        [this, number = m_number, then = std::move(then)](PlaybookChoice choice) {
            const auto isAsked = [this, number] {
                return m_isWorking && number == m_number;
            };
            if (!isAsked())
                return;
            for (const PlaybookMessage &said : choice.takeMessages()) {
                if (said.items.empty())
                    reportOnce(said.id, said.text, said.isSilent);
                else
                    emit planChanged(said.items);
                if (!isAsked()) // a receiver may have stopped us
                    return;
            }
            static_cast<PlaybookChoice &>(*this) = std::move(choice);
            then();
        });
}

void PlaybookAgent::takeFailure(const QString &message) {
    // Reading ahead failed: the next request reads again and reports why. Or it was stopped.
    if (!std::exchange(m_isReading, false) || !m_isWorking)
        return;
    emit toolEnded({QStringLiteral("read-reference"), QStringLiteral("read_reference"), Json::object(),
                    static_cast<double>(m_reading.elapsed()) / 1000, QStringLiteral("failed"), message});
    fail(message);
}

void PlaybookAgent::reportGraph() {
    m_isGraphReported = true;
    const QString why = whyNotCallable(m_at.program);
    emit toolEnded({QStringLiteral("read-reference"), QStringLiteral("read_reference"), Json::object(),
                    m_readingSeconds, QStringLiteral("ok"),
                    why.isEmpty() ? descriptionOfPlan()
                                  : QStringLiteral("cannot, because ") + m_reader.withCallSite(why)});
    if (m_isWorking)
        work();
}

// Processes the answer to the last proposal.
void PlaybookAgent::learn() {
    if (!m_at.pending)
        return;
    PlaybookMove move = *std::exchange(m_at.pending, std::nullopt);
    const Feedback answer = m_request.feedback.empty() ? Feedback() : m_request.feedback.back();
    if (const QString reason = reasonOfRefusal(answer); !reason.isEmpty())
        recordRefusal(move, reason);
    if (m_at.mine && m_at.carried.isEmpty() && isOfWholeMove(answer) && isClear(answer.ratio))
        remember(move, answer.ratio->value);
    // A kernel that nothing calls is no text to go on from.
    const bool isTaken = answer.outcome == Feedback::Outcome::Applied && answer.uncalled.isEmpty();
    // On a busy machine a check may be inconclusive. Then the move gets a second chance; of the first text,
    // which is compared with nothing of mine, the prediction stands.
    const bool isInconclusive = !isTaken && answer.why.contains(QLatin1String("inconclusive"));
    // All others are measured against the first text: it gets more tries.
    const bool isAgain =
        isInconclusive && !m_at.mine && !m_at.wasUndecided && m_at.firstTries[move.title]++ < mostMoreTries;
    m_at.wasUndecided = m_at.wasUndecided || (isInconclusive && !isAgain);
    const bool isRepeated = m_at.mine && isInconclusive && !m_at.repeated.insert(move.title).second;
    if (isInconclusive && m_at.mine && !isRepeated)
        m_at.tried.erase(move.title);
    // A move with a large expected gain that was undecided twice is kept with the next move, and shows there.
    const bool isCarried = isRepeated && move.prediction.timeRatio.value_or(1) <= carriedRatio;
    const bool isUndecided = (isInconclusive && !m_at.mine) || isCarried;
    m_at.carried = isCarried ? move.title : isTaken ? QString() : m_at.carried;
    if (!m_at.items.empty())
        m_at.items.back().state = isTaken ? QStringLiteral("done") : QStringLiteral("dropped");
    if (!m_at.items.empty() && !answer.uncalled.isEmpty())
        m_at.items.back().text += QStringLiteral(": ") + uncalledWords(answer.uncalled);
    if (isAgain) {
        const QString again = QStringLiteral(" The clock did not decide it: it is measured once more.");
        move.reason += move.reason.endsWith(again) ? QString() : again;
        m_at.firsts.insert(m_at.firsts.begin(), move);
    }
    if (isAgain || (!isTaken && !isUndecided))
        return;
    take(move);
    m_at.tried.clear();
    if (isTaken)
        m_at.mine = m_at.pendingTexts;
}

// A rejected move is not proposed again in this run unless the person asks for it. Where no text of mine is
// in place each of mine rewrites the whole forward, so all of them count as rejected.
void PlaybookAgent::recordRefusal(const PlaybookMove &move, const QString &reason) {
    m_at.refused.insert(move.title);
    if (m_at.mine || m_isRecalling) // a resumed run was asked for already
        return;
    const QString why =
        QStringLiteral("You rejected «%1»: %2 Whatever else I propose writes the whole "
                       "forward anew as well.")
            .arg(move.title, reason.endsWith(QLatin1Char('.')) ? reason : reason + QLatin1Char('.'));
    if (m_setup.asksPerson)
        m_question = why;
    else
        m_at.whyBeaten =
            why + QStringLiteral(" So I propose nothing more in this run; begin another one to have it.");
}

void PlaybookAgent::remember(const PlaybookMove &move, double ratio) {
    const MoveMeasurement measured{deviceName(), kernelClassOf(m_at.program, m_at.knobSets, move),
                                   move.remembered(), ratio};
    if (measured.device.isEmpty() || m_setup.measurementsFile.isEmpty())
        return;
    if (m_isRecalling) // it was written when it was measured
        return m_known.add(measured);
    // The program may have died before or after it wrote its last measurement.
    if (m_hasRecalled && !m_record.empty() && m_setup.measurements.isLast(measured))
        return;
    m_setup.measurements.add(measured);
    QThreadPool::globalInstance()->start([file = m_setup.measurementsFile, measured, self = QPointer(this)] {
        const Result<void> kept = appendMeasurement(file, measured);
        if (!kept.hasValue())
            QMetaObject::invokeMethod(qApp, [self, why = kept.message()] {
                if (self)
                    self->reportOnce(QStringLiteral("measurements"), why);
            });
    });
}

void PlaybookAgent::loadFindings() {
    inPool(
        this, [request = m_request, data = m_setup.dataFolder] { return countedFindings(request, data); },
        [this, number = m_number](const Findings &findings) {
            if (!m_isWorking || number != m_number)
                return;
            m_findings = findings;
            work();
        });
}

void PlaybookAgent::work() {
    if (const QString why = whyNotCallable(m_at.program); !why.isEmpty())
        return end(
            QStringLiteral("I have no kernel for this reference: cannot, because %1. Nothing was changed.")
                .arg(m_reader.withCallSite(why)));
    if (!std::exchange(m_hasLoadedFindings, true) && !m_setup.dataFolder.isEmpty() && target().isCuda())
        return loadFindings();
    if (!m_record.empty() && !m_hasRecalled)
        return recall();
    learn();
    m_record.clear();
    think([](PlaybookChoice &choice) { choice.choose(); },
          [this] {
              if (!m_question.isEmpty())
                  return promptStart();
              if (!m_made)
                  return end(m_why);
              m_isWorking = false;
              emit proposed(*std::exchange(m_made, std::nullopt));
          });
}

void PlaybookAgent::promptStart() {
    // A rejected text is not rejected for its time.
    const QString later = m_at.hasProposed
                              ? QString()
                              : QStringLiteral(" Moves may make it faster later, one after the other.");
    emit prompted(
        {startPrompt, 0, m_question + later, {allTheSame, leaveIt}, AgentPrompt::About::Course, {}, leaveIt});
}

void PlaybookAgent::answerPrompt(const QString &id, const QString &answer) {
    if (id != startPrompt || !m_isWorking || m_question.isEmpty() || answer.isEmpty())
        return; // taken away by a stop, which ends it
    const QString why = std::exchange(m_question, {});
    m_at.hasLeave = answer == allTheSame;
    QTimer::singleShot(0, this, [this, why, number = m_number] {
        if (!m_isWorking || number != m_number)
            return;
        if (m_at.hasLeave)
            return work();
        end(why + QStringLiteral(" You left your text as it is; nothing was changed."));
    });
}

} // namespace warpwright
