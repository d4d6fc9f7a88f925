// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/bench/loop_trial.h"

#include "toolchain/base/folder_copy.h"
#include "toolchain/base/text_file.h"

#include <QDateTime>
#include <QFile>

#include <algorithm>

namespace warpwright {
namespace {

/// Of its own beside its kernel, as the templates have one; `binding.cpp` is the workspace's.
bool isKernelBinding(const SourceFile &source) {
    return source.kind == SourceKind::Cpp && source.name.contains(QLatin1Char('/'));
}

bool fits(const SourceFile &source, LoopTurn::Kind kind, bool isCuda) {
    switch (kind) {
    case LoopTurn::Kind::Binding:
        return source.kind == SourceKind::Cpp && !isKernelBinding(source);
    case LoopTurn::Kind::KernelBinding:
        return isKernelBinding(source);
    default:
        return source.kind == (isCuda ? SourceKind::Cuda : SourceKind::Twin);
    }
}

std::vector<LoopTurn::Kind> planOf(const LoopRequest &request, const Workspace &workspace) {
    std::vector<LoopTurn::Kind> plan{LoopTurn::Kind::Cold};
    const auto add = [&plan](LoopTurn::Kind kind, int count) {
        plan.insert(plan.end(), static_cast<std::size_t>(std::max(count, 0)), kind);
    };
    // The peer's turns lie around ours: a machine that becomes slower or faster shows in them.
    add(LoopTurn::Kind::Peer, (request.peerTurns + 1) / 2);
    add(LoopTurn::Kind::Warm, request.warmTurns);
    const bool hasKernelBinding =
        std::any_of(workspace.sources.begin(), workspace.sources.end(), isKernelBinding);
    for (int turn = 0; turn < request.bindingTurns; ++turn) {
        add(LoopTurn::Kind::Binding, 1);
        add(LoopTurn::Kind::KernelBinding, hasKernelBinding ? 1 : 0);
    }
    add(LoopTurn::Kind::Peer, request.peerTurns / 2);
    return plan;
}

Result<void> append(const QString &path, const QByteArray &text) {
    Result<QByteArray> bytes = readTextFile(path);
    if (!bytes.hasValue())
        return Result<void>::error(bytes.message());
    return writeFileAtomically(path, bytes.value() + text);
}

OrderedJson phasesToJson(const PhaseSeconds &phases) {
    OrderedJson json = OrderedJson::object();
    for (const auto &[name, seconds] : phases)
        json[name.toStdString()] = seconds;
    return json;
}

std::optional<double> numberIn(const OrderedJson &section, const char *key) {
    const auto found = section.is_object() ? section.find(key) : section.end();
    if (!section.is_object() || found == section.end() || !found->is_number())
        return std::nullopt;
    return found->get<double>();
}

} // namespace

QString nameOf(LoopTurn::Kind kind) {
    switch (kind) {
    case LoopTurn::Kind::Cold:
        return QStringLiteral("cold");
    case LoopTurn::Kind::Warm:
        return QStringLiteral("warm");
    case LoopTurn::Kind::Binding:
        return QStringLiteral("binding");
    case LoopTurn::Kind::KernelBinding:
        return QStringLiteral("kernelBinding");
    case LoopTurn::Kind::Peer:
        break;
    }
    return QStringLiteral("peer");
}

LoopTrial::LoopTrial(LoopRequest request, QObject *parent)
    : QObject(parent), m_request(std::move(request)), m_keeper(new JudgeKeeper(this)) {}

LoopTrial::~LoopTrial() = default;

void LoopTrial::start() {
    if (const Result<void> prepared = prepareCold(); !prepared.hasValue()) {
        emit failed(prepared.message());
        return;
    }
    next();
}

// A copy in a new folder: no object of it is in a cache. A reference that no run has seen: no baseline is
// stored.
Result<void> LoopTrial::prepareCold() {
    const Result<Workspace> opened = Workspace::open(m_request.path, m_request.folders);
    if (!opened.hasValue())
        return Result<void>::error(opened.message());
    m_plan = planOf(m_request, opened.value());
    m_workspace = m_folder.filePath(opened.value().name);
    if (const Result<void> copied = copyWorkspace(opened.value().folder, m_workspace); !copied.hasValue())
        return copied;
    return append(m_workspace + QStringLiteral("/model.py"),
                  QStringLiteral("\n# loop %1\n").arg(QDateTime::currentMSecsSinceEpoch()).toUtf8());
}

void LoopTrial::next() {
    if (m_isEnding)
        return;
    if (m_step == m_plan.size()) {
        end();
        return;
    }
    if (!std::exchange(m_isReady, true)) {
        makeReady();
        return;
    }
    LoopTurn turn;
    turn.kind = m_plan[m_step];
    if (turn.kind == LoopTurn::Kind::Peer) {
        runPeer();
        return;
    }
    if (turn.kind != LoopTurn::Kind::Cold) {
        const Result<QString> edited = edit(turn.kind);
        if (!edited.hasValue()) {
            end(edited.message());
            return;
        }
        turn.edited = edited.value();
    }
    check(turn);
}

// The judge belongs to the environment: it is built before anything is timed.
void LoopTrial::makeReady() {
    const QString copy = m_folder.filePath(QStringLiteral("ready"));
    if (const Result<void> copied = copyWorkspace(m_workspace, copy); !copied.hasValue()) {
        end(copied.message());
        return;
    }
    EvaluationRequest request = requestFor(copy);
    request.lastStage = LastStage::Verify;
    startRun(std::move(request), [this](const Evaluation &evaluation) {
        if (evaluation.verdict == Verdict::Pass)
            next();
        else
            end(notPassed(evaluation));
    });
}

// A declaration more: another text for the compiler, the same kernel.
Result<QString> LoopTrial::edit(LoopTurn::Kind kind) {
    const Result<Workspace> opened = Workspace::open(m_workspace, m_request.folders);
    if (!opened.hasValue())
        return Result<QString>::error(opened.message());
    const bool isCuda = stringIn(m_device, "kind") == QLatin1String("cuda");
    for (const SourceFile &source : opened.value().sources) {
        if (!fits(source, kind, isCuda))
            continue;
        const QByteArray line =
            QStringLiteral("\nstatic_assert(sizeof(char) == 1, \"turn %1\");\n").arg(++m_edits).toUtf8();
        if (const Result<void> written = append(opened.value().pathOf(source), line); !written.hasValue())
            return Result<QString>::error(written.message());
        return Result<QString>::ok(source.name);
    }
    return Result<QString>::error(
        QStringLiteral(
            "\"%1\" has no source to edit for the turn \"%2\": it needs a kernel, its CPU twin on a CPU, "
            "and a binding.")
            .arg(m_request.path, nameOf(kind)));
}

void LoopTrial::show(const QString &step) {
    StageProgress now;
    now.stage = QStringLiteral("loop");
    now.step = nameOf(m_plan[m_step]) + QStringLiteral(": ") + step;
    now.index = static_cast<int>(m_step) + 1;
    now.count = static_cast<int>(m_plan.size());
    emit progress(now);
}

QString LoopTrial::notPassed(const Evaluation &evaluation) const {
    return QStringLiteral("The loop needs a candidate that passes; \"%1\" is %2. %3")
        .arg(m_request.path, verdictName(evaluation.verdict), plainText(evaluation.message));
}

EvaluationRequest LoopTrial::requestFor(const QString &workspace) const {
    EvaluationRequest request;
    request.path = workspace;
    request.device = m_request.device;
    request.python = m_request.python;
    request.settings = m_request.settings;
    request.folders = m_request.folders;
    request.programVersion = m_request.programVersion;
    request.judgeProgram = m_request.judgeProgram;
    return request;
}

void LoopTrial::startRun(EvaluationRequest request, std::function<void(const Evaluation &)> done) {
    m_run = new EvaluationRun(std::move(request), this);
    m_run->setKeeper(m_keeper);
    connect(m_run, &EvaluationRun::progress, this,
            [this](const StageProgress &now) { show(now.stage + QLatin1Char(' ') + now.step); });
    connect(m_run, &EvaluationRun::finished, this, [this, done](const Evaluation &evaluation) {
        m_run->deleteLater();
        m_run = nullptr;
        if (m_isEnding)
            end();
        else
            done(evaluation);
    });
    m_run->start();
}

void LoopTrial::check(const LoopTurn &turn) {
    if (turn.kind == LoopTurn::Kind::Cold)
        m_keeper->clear();
    startRun(requestFor(m_workspace),
             [this, turn](const Evaluation &evaluation) { checked(turn, evaluation); });
}

void LoopTrial::checked(LoopTurn turn, const Evaluation &evaluation) {
    // That the times scatter too much is an answer, too, and took its time.
    if (evaluation.verdict != Verdict::Pass && evaluation.verdict != Verdict::Inconclusive) {
        end(notPassed(evaluation));
        return;
    }
    turn.verdict = evaluation.verdict;
    m_device = evaluation.device;
    m_environment = evaluation.environment;
    turn.seconds = evaluation.seconds.value_or(0);
    double known = 0;
    for (const auto &[name, seconds] : {std::pair{"compile", evaluation.compile.seconds},
                                        std::pair{"verify", numberIn(evaluation.verify, "seconds")},
                                        std::pair{"profile", numberIn(evaluation.profile, "seconds")}}) {
        turn.phases.emplace_back(QString::fromLatin1(name), seconds.value_or(0));
        known += seconds.value_or(0);
    }
    // Looking for the tools, and what of opening the task did not fit beside the compilers.
    turn.phases.emplace_back(QStringLiteral("other"), std::max(0.0, turn.seconds - known));
    m_turns.push_back(std::move(turn));
    ++m_step;
    QTimer::singleShot(0, this, &LoopTrial::next);
}

void LoopTrial::runPeer() {
    const QString copy = m_folder.filePath(QStringLiteral("peer-%1").arg(m_step));
    if (const Result<void> copied = copyWorkspace(m_workspace, copy); !copied.hasValue()) {
        end(copied.message());
        return;
    }
    const Result<Workspace> opened = Workspace::open(copy, m_request.folders);
    PeerLoop::Request request;
    request.folder = copy;
    request.interpreter = stringIn(m_environment, "interpreter");
    request.script = m_request.folders.resources + QStringLiteral("/bench/peer_steps.py");
    request.hasUtils = opened.hasValue() && opened.value().hasUtils;
    request.isCuda = stringIn(m_device, "kind") == QLatin1String("cuda");
    request.architecture = request.isCuda ? stringIn(m_device, "architecture") : QString();
    request.environment = QProcessEnvironment::systemEnvironment();
    if (const QString uuid = stringIn(m_device, "uuid"); request.isCuda && !uuid.isEmpty())
        request.environment.insert(QStringLiteral("CUDA_VISIBLE_DEVICES"),
                                   uuid); // it says "cuda", and means the first
    m_peer = new PeerLoop(std::move(request), this);
    connect(m_peer, &PeerLoop::progress, this, [this](const QString &step) { show(step); });
    const auto goOn = [this] {
        m_peer->deleteLater();
        m_peer = nullptr;
        if (m_isEnding) {
            end();
            return;
        }
        ++m_step;
        next();
    };
    connect(m_peer, &PeerLoop::finished, this, [this, goOn](double seconds, const PhaseSeconds &phases) {
        m_turns.push_back({LoopTurn::Kind::Peer, seconds, phases, {}, Verdict::NotRun});
        goOn();
    });
    connect(m_peer, &PeerLoop::failed, this, [this, goOn](const QString &message) {
        m_whyNoPeer = message;
        goOn();
    });
    m_peer->start();
}

void LoopTrial::cancel() {
    if (std::exchange(m_isEnding, true))
        return;
    if (m_run != nullptr)
        m_run->cancel();
    else if (m_peer != nullptr)
        m_peer->cancel();
    else
        end();
}

void LoopTrial::end(const QString &failure) {
    m_isEnding = true;
    m_keeper->clear();
    if (failure.isEmpty())
        emit finished();
    else
        emit failed(failure);
}

std::optional<double> LoopTrial::median(LoopTurn::Kind kind) const {
    std::vector<double> seconds;
    for (const LoopTurn &turn : m_turns)
        if (turn.kind == kind)
            seconds.push_back(turn.seconds);
    if (seconds.empty())
        return std::nullopt;
    std::sort(seconds.begin(), seconds.end());
    const std::size_t middle = seconds.size() / 2;
    return seconds.size() % 2 == 1 ? seconds[middle] : (seconds[middle - 1] + seconds[middle]) / 2;
}

OrderedJson LoopTrial::document(const QString &programVersion) const {
    OrderedJson document{{"schema", "warpwright.loop/1"},
                         {"warpwright", programVersion.toStdString()},
                         {"device", m_device},
                         {"environment", m_environment}};
    OrderedJson ratio = OrderedJson::object();
    const std::optional<double> peer = median(LoopTurn::Kind::Peer);
    for (const LoopTurn::Kind kind : loopTurnKinds) {
        const std::optional<double> own = median(kind);
        const std::string name = nameOf(kind).toStdString();
        const bool isPeer = kind == LoopTurn::Kind::Peer;
        OrderedJson &place = document[name];
        place = OrderedJson{{isPeer ? "seconds" : "verdictSeconds", own ? OrderedJson(*own) : OrderedJson()},
                            {"phases", OrderedJson::object()},
                            {"turns", OrderedJson::array()}};
        for (const LoopTurn &turn : m_turns) {
            if (turn.kind != kind)
                continue;
            const OrderedJson phases = phasesToJson(turn.phases);
            if (own && (place["phases"].empty() || turn.seconds <= *own))
                place["phases"] = phases; // those of the turn in the middle, or just before it
            place["turns"].push_back(
                {{"seconds", turn.seconds},
                 {"verdict", isPeer ? OrderedJson() : OrderedJson(verdictName(turn.verdict).toStdString())},
                 {"edited", turn.edited.toStdString()},
                 {"phases", phases}});
        }
        if (!isPeer)
            ratio[name] = own && peer && *peer > 0 ? OrderedJson(*own / *peer) : OrderedJson();
    }
    document["ratio"] = ratio;
    if (!m_whyNoPeer.isEmpty())
        document["peer"]["problem"] = m_whyNoPeer.toStdString();
    return document;
}

} // namespace warpwright
