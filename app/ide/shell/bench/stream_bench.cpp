// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/bench/stream_bench.h"

#include "app/ide/agent/agent_controller.h"
#include "app/ide/shell/bench/event_meter.h"
#include "app/ide/shell/main_window.h"

namespace warpwright {
namespace {

constexpr int settlesMs = 1500; // of the review, before anything is said
constexpr int tokensPerMessage = 400;
constexpr int tokensPerCall = 50;
constexpr int hunkGap = 5; // lines between two hunks that stay as they are

QByteArray lineOf(int hunk, int line, bool isNew) {
    return "// " + QByteArray(isNew ? "float4 a = __ldcs(x + " : "const float a = x[") +
           QByteArray::number(hunk * 100 + line) + (isNew ? "); // streamed past L2\n" : "];\n");
}

QByteArray manyLines(bool isNew) {
    QByteArray text;
    for (int hunk = 0; hunk < StreamBench::hunks; ++hunk) {
        for (int line = 0; line < StreamBench::linesPerHunk; ++line)
            text += lineOf(hunk, line, isNew);
        for (int line = 0; line < hunkGap; ++line)
            text += "// as before " + QByteArray::number(hunk) + ' ' + QByteArray::number(line) + '\n';
    }
    return text;
}

} // namespace

/// Proposes the long text at once, and then says what it is told to.
class StreamBench::Talker : public Agent {
public:
    [[nodiscard]] AgentIdentity identity() const override {
        return {AuthorKind::Model, QStringLiteral("bench"), {}};
    }
    void propose(const AgentRequest &request) override {
        Proposal proposal;
        proposal.id = request.proposal;
        proposal.baseIteration = request.iteration;
        proposal.author = identity().author();
        proposal.title = QStringLiteral("streaming loads");
        proposal.reason = QStringLiteral("A bench of the window.");
        proposal.base = proposal.proposed = request.texts;
        for (auto &[path, text] : proposal.proposed)
            text.replace(manyLines(false), manyLines(true));
        const bool isOther = proposal.proposed != proposal.base;
        QTimer::singleShot(0, this, [this, proposal, isOther] {
            if (isOther)
                emit proposed(proposal);
            else
                emit failed(QStringLiteral("The long text is not there."));
        });
    }
    void cancel() override {}
};

StreamBench::StreamBench(EventMeter &meter, MainWindow &window, QObject *parent)
    : QObject(parent), m_meter(meter), m_window(window) {
    m_pace.setTimerType(Qt::PreciseTimer);
    m_pace.setInterval(1000 / tokensPerSecond);
    connect(&m_pace, &QTimer::timeout, this, &StreamBench::say);
}

QByteArray StreamBench::longText(const QByteArray &before) {
    return before + '\n' + manyLines(false);
}

void StreamBench::start() {
    AgentController &controller = m_window.agent();
    Workbench &bench = m_window.bench();
    m_agent = std::make_shared<Talker>();
    connect(&controller, &AgentController::noticed, this,
            [this](const QString &, const QString &text, bool isTrouble) {
                if (isTrouble)
                    emit failed(text);
            });
    controller.begin(m_agent, {*bench.workspace(), bench.request(), SessionMode::Review, {}, {}, {}});
    if (controller.session() == nullptr) { // noticed() may have said why
        emit failed(tr("The run of the bench cannot begin."));
        return;
    }
    connect(m_agent.get(), &Agent::proposed, this, [this] { m_meter.beginPhase(QStringLiteral("review")); });
    connect(controller.session(), &Session::stateChanged, this, [this](SessionState state) {
        if (state == SessionState::AwaitingReview)
            QTimer::singleShot(settlesMs, this, &StreamBench::beginStream);
    });
}

void StreamBench::beginStream() {
    const Session *session = m_window.agent().session();
    if (session == nullptr || session->review() == nullptr || session->review()->hunkIds().size() < hunks) {
        emit failed(tr("The proposal of the bench does not lie in the editor."));
        return;
    }
    m_meter.beginPhase(QStringLiteral("stream"));
    m_pace.start();
}

void StreamBench::say() {
    const QString message = QStringLiteral("m%1").arg(m_said / tokensPerMessage);
    const QString token = m_said % 25 == 24 ? QStringLiteral(" `float4`.\n\n") : QStringLiteral(" token");
    if (m_said % tokensPerMessage < tokensPerMessage / 3)
        emit m_agent->thoughtDelta(message, token);
    else
        emit m_agent->messageDelta(message, token);
    emit m_agent->noted(QStringLiteral("writes, %1 tokens").arg(m_said));
    ToolCall call;
    call.id = QStringLiteral("c%1").arg(m_said / tokensPerCall);
    call.name = QStringLiteral("bash");
    call.arguments = {{"command", "bash utils/compile.sh"}};
    if (m_said % tokensPerCall == 0)
        emit m_agent->toolBegan(call);
    else if (m_said % tokensPerCall < tokensPerCall - 1)
        emit m_agent->toolProgressed(call.id, QStringLiteral("block"), m_said % tokensPerCall, tokensPerCall);
    if (m_said % tokensPerCall == tokensPerCall - 1) {
        call.outcome = QStringLiteral("ok");
        call.result = QString(2000, u'x');
        emit m_agent->toolEnded(call);
        AgentUsage usage;
        usage.tokensIn = 20'000;
        usage.tokensOut = tokensPerCall;
        usage.cost = 0.01;
        usage.currency = QStringLiteral("USD");
        usage.contextTokens = 20'000 + m_said;
        usage.contextLimit = 128'000;
        emit m_agent->used(usage);
    }
    if (++m_said % tokensPerMessage == 0)
        emit m_agent->message(
            {AgentMessage::Role::Agent, message, QStringLiteral("One message, **whole**."), false, {}});
    if (m_said == tokensPerSecond * seconds) {
        m_pace.stop();
        // What came last is shown a moment later.
        QTimer::singleShot(200, this, [this] {
            m_meter.beginPhase({});
            emit finished();
        });
    }
}

} // namespace warpwright
