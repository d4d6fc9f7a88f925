// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/session_world.h"

#include "agent/record/bet_again.h"
#include "agent/record/run_so_far.h"
#include "agent/record/trajectory_writer.h"
#include "toolchain/base/text_file.h"
#include "toolchain/judge/evaluation_facts.h"

#include <QTest>
#include <QTimer>

#include <algorithm>

using namespace warpwright;

Result<void> MemoryRecorder::append(const QString &kind, const Json &body) {
    if (!refusal.isEmpty())
        return Result<void>::error(refusal);
    events.emplace_back(kind, body);
    return Result<void>::ok();
}

int MemoryRecorder::count(const QString &kind) const {
    return static_cast<int>(std::count_if(events.begin(), events.end(),
                                          [&kind](const auto &event) { return event.first == kind; }));
}

Json MemoryRecorder::last(const QString &kind) const {
    for (auto event = events.rbegin(); event != events.rend(); ++event)
        if (event->first == kind)
            return event->second;
    return Json::object();
}

namespace {

Evaluation evaluationOf(const CandidateTexts &texts) {
    Evaluation evaluation = emptyEvaluation("test");
    const auto found = texts.find("kernels/a.cu");
    const QByteArray text = found == texts.end() ? QByteArray() : found->second;
    evaluation.device["kind"] = "cpu";
    evaluation.compile.status = StageStatus::Passed;
    evaluation.verdict = Verdict::Pass;
    if (text.contains("// broken")) {
        evaluation.compile.status = StageStatus::Failed;
        evaluation.verdict = Verdict::BuildFailed;
        evaluation.message = messageFrom("Cannot compile.");
        return evaluation;
    }
    KernelResources kernel;
    kernel.name = "k";
    kernel.arch = "sm_90a";
    kernel.registers = 32 + static_cast<int>(text.count("fast"));
    evaluation.compile.kernels = {kernel};
    setStatus(evaluation.verify, StageStatus::Passed);
    if (text.contains("// wrong")) {
        setStatus(evaluation.verify, StageStatus::Failed);
        evaluation.verdict = Verdict::Wrong;
        evaluation.message = messageFrom("Wrong result.");
        return evaluation;
    }
    double time = 100;
    for (const QByteArray &line : text.split('\n'))
        if (const qsizetype at = line.indexOf("// time "); at >= 0)
            time += line.mid(at + 8).toDouble();
    const double eager = 300;
    const auto arm = [](double median) {
        return Json{{"medianMicroseconds", median},
                    {"lowMicroseconds", median * 0.99},
                    {"highMicroseconds", median * 1.01},
                    {"samples", 12},
                    {"live", true}};
    };
    const auto speedup = Json{{"value", eager / time},
                              {"low", eager / time * 0.99},
                              {"high", eager / time * 1.01},
                              {"arm", "eager"}};
    evaluation.profile = profileSection(
        Json{{"status", "passed"},
             {"profile",
              {{"status", "passed"},
               {"arms", {{"candidate", arm(time)}, {"eager", arm(eager)}}},
               {"speedup", {{"eager", speedup}, {"sameClass", speedup}, {"compile", nullptr}}}}}});
    setStatus(evaluation.profile, StageStatus::Passed);
    evaluation.reward = 2;
    if (text.contains("// unsure")) {
        evaluation.verdict = Verdict::Inconclusive;
        evaluation.reward.reset();
        evaluation.message = messageFrom("The times scatter too much.");
    }
    return evaluation;
}

} // namespace

int TextMeasurer::measure(const Measurement &measurement) {
    asked.push_back(measurement);
    m_queue.push_back({++m_last, measurement});
    release();
    return m_last;
}

void TextMeasurer::cancel(int number) {
    for (Waiting &waiting : m_queue)
        if (waiting.number == number)
            waiting.isCancelled = true;
    isHeld = false;
    release();
}

void TextMeasurer::release() {
    if (m_isStepping)
        return;
    m_isStepping = true;
    QTimer::singleShot(0, this, &TextMeasurer::step);
}

void TextMeasurer::step() {
    m_isStepping = false;
    if (m_queue.empty() || isHeld)
        return;
    Waiting &front = m_queue.front();
    static const QStringList stages = {"compile", "verify", "profile"};
    if (!front.isCancelled && front.stage < stages.size()) {
        StageProgress now;
        now.stage = stages[front.stage++];
        now.step = "a step";
        const int number = front.number;
        release();
        emit progress(number, now);
        return;
    }
    const Waiting done = front;
    m_queue.pop_front();
    Evaluation evaluation = evaluationOf(done.measurement.texts);
    evaluation.environment["torch"] = toJson(torch);
    evaluation.workspace["textHash"] = toJson(textHash);
    if (done.isCancelled)
        evaluation.verdict = Verdict::Cancelled;
    else if (done.measurement.isForTools())
        tellOfTools(done, evaluation);
    release();
    emit measured(done.number, evaluation, {});
}

void TextMeasurer::tellOfTools(const Waiting &done, Evaluation &evaluation) {
    setStatus(evaluation.verify, StageStatus::NotRun);
    setStatus(evaluation.profile, StageStatus::NotRun);
    const bool hasIt = done.measurement.traces ? timeline.has_value() : counters != nullptr;
    evaluation.verdict = hasIt ? Verdict::NotRun : Verdict::Environment;
    evaluation.device["kind"] = hasIt ? "cuda" : "cpu";
    evaluation.message = messageFrom(hasIt ? "Verify and profile were not run." : "No CUDA device.");
    if (hasIt && done.measurement.traces)
        emit traced(done.number, *timeline);
    else if (hasIt)
        emit collected(done.number, counters);
}

SessionWorld::SessionWorld() : folder(scratch.path("work")), script(scratch.path("script")) {
    scratch.writeModel("work");
    scratch.write("work/model_new.py", "class ModelNew:\n    pass\n");
    scratch.write("work/kernels/a.cu", kernel());
}

QByteArray SessionWorld::kernel(const std::map<int, QByteArray> &changed) {
    QByteArray text;
    for (int line = 0; line < 40; ++line) {
        const auto found = changed.find(line);
        text += found == changed.end() ? "line " + QByteArray::number(line) + '\n' : found->second;
    }
    return text;
}

void SessionWorld::addStep(const std::map<int, QByteArray> &lines, const Json &words) {
    for (const auto &[line, text] : lines)
        m_lines[line] = text;
    const QString name = QStringLiteral("script/%1-step").arg(++m_steps, 2, 10, QLatin1Char('0'));
    scratch.write(name + "/kernels/a.cu", kernel(m_lines));
    scratch.write(name + ".json", dumpJson(words));
}

void SessionWorld::open(SessionMode mode, const RunBudgets &budgets) {
    auto opened = Workspace::open(folder, scratch.folders());
    QVERIFY2(opened.hasValue(), qPrintable(opened.message()));
    auto made = ScriptAgent::open(script);
    QVERIFY2(made.hasValue(), qPrintable(made.message()));
    agent = std::move(made).value();
    SessionSetup setup;
    setup.workspace = opened.value();
    setup.run = "r1";
    setup.device = "cpu";
    setup.mode = mode;
    setup.budgets = budgets;
    begin(setup);
}

bool SessionWorld::goOn() {
    session.reset(); // and with it the workspace's lock
    const Workspace workspace = Workspace::open(folder, scratch.folders()).value();
    Result<TrajectoryWriter> made = TrajectoryWriter::beginRun(workspace.state);
    if (!made.hasValue())
        return false;
    TrajectoryWriter writer = std::move(made).value();
    for (const auto &[kind, body] : recorder.events)
        if (!writer.append(kind, body).hasValue())
            return false;
    agent = ScriptAgent::open(script).value();
    const Result<RunSoFar> so =
        readRunSoFar(workspace, writer.run(),
                     [this](const AnsweredProposal &answered) { return agent->wasAnswered(answered); });
    if (!so.hasValue()) {
        qWarning("%s", qPrintable(so.message()));
        return false;
    }
    agent->beganFrom(so.value().madeFor);
    SessionSetup setup;
    setup.workspace = workspace;
    setup.run = "r1";
    setup.device = "cpu";
    setup.mode = so.value().mode;
    setup.continued = so.value().continued;
    begin(setup);
    placeBetsAgain(*session, so.value());
    session->start();
    return true;
}

void SessionWorld::begin(SessionSetup setup) {
    end.reset();
    session = std::make_unique<Session>(std::move(setup), *agent, measurer, recorder);
    QObject::connect(session.get(), &Session::scored, session.get(),
                     [this](const ScoredProposal &one) { scored.push_back(one); });
    QObject::connect(session.get(), &Session::trouble, session.get(),
                     [this](const QString &message) { troubles.push_back(message); });
    QObject::connect(session.get(), &Session::ended, session.get(),
                     [this](SessionEnd how, const QString &why) {
                         QVERIFY(!end); // exactly once
                         end = {how, why};
                     });
}

QByteArray SessionWorld::onDisk() const {
    return textOf(folder + "/kernels/a.cu");
}

void SessionWorld::typeOnDisk(int line, const QByteArray &text) const {
    TextLines lines = linesOf(onDisk());
    lines[std::min(static_cast<std::size_t>(line), lines.size() - 1)] =
        text; // edits may have made it shorter
    const Result<void> written = writeFileAtomically(folder + "/kernels/a.cu", joined(lines));
    QVERIFY(written.hasValue());
}

bool SessionWorld::waitFor(SessionState state) const {
    return QTest::qWaitFor([this, state] { return session->state() == state; }, 5000);
}

std::vector<IterationRecord> SessionWorld::history() const {
    const auto list = IterationStore(folder + "/.warpwright").list();
    return list.hasValue() ? list.value() : std::vector<IterationRecord>();
}
