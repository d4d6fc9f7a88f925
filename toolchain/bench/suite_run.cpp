// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/bench/suite_run.h"

#include "toolchain/base/text_file.h"
#include "toolchain/compile/compile_flags.h"
#include "toolchain/judge/evaluation_facts.h"
#include "toolchain/judge/judge_setup.h"
#include "toolchain/process/lifetime_lock.h"

#include <QDir>
#include <QFile>
#include <QTimer>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int mostTries = 5; ///< of what scatters
constexpr int mostGainTries =
    3; ///< of a row that seems to gain: the more tries, the more likely none is seen
constexpr double blocksSeconds = 5.0; // of one row's timing

// What the rows' sources include and look up.
bool hasBlas() {
    for (const char *folder :
         {"/usr/include", "/usr/include/x86_64-linux-gnu", "/usr/include/aarch64-linux-gnu"})
        if (QFile::exists(QLatin1String(folder) + QStringLiteral("/cblas.h")))
            return !findLibrary({QStringLiteral("/usr/lib/x86_64-linux-gnu"),
                                 QStringLiteral("/usr/lib/aarch64-linux-gnu"), QStringLiteral("/usr/lib64"),
                                 QStringLiteral("/usr/lib")},
                                QStringLiteral("openblas"))
                        .isEmpty();
    return false;
}

} // namespace

SuiteRun::SuiteRun(SuiteRequest request, QObject *parent) : QObject(parent), m_request(std::move(request)) {}

SuiteRun::~SuiteRun() {
    if (!m_scratch.isEmpty())
        QDir(m_scratch).removeRecursively();
}

OrderedJson SuiteRun::environment(const QString &programVersion) const {
    return environmentSection(m_toolchain, programVersion);
}

void SuiteRun::start() {
    show(QStringLiteral("prepare"), QStringLiteral("look for compilers, Python, torch and devices"));
    m_probe =
        new ToolchainProbe(ToolchainProbe::Request{m_request.python, m_request.settings, m_request.folders,
                                                   QProcessEnvironment::systemEnvironment(), false},
                           this);
    connect(m_probe, &ToolchainProbe::finished, this, &SuiteRun::toolsFound);
    m_probe->start();
}

void SuiteRun::toolsFound(const Toolchain &toolchain) {
    m_probe = nullptr;
    m_toolchain = toolchain;
    if (m_isEnding) {
        emit finished();
        return;
    }
    if (!m_toolchain.python) {
        emit failed(m_toolchain.pythonMessage);
        return;
    }
    const QString asked = m_request.device.isEmpty() ? m_request.settings.device : m_request.device;
    const Result<DeviceChoice> device = chooseDevice(asked, m_toolchain);
    const Result<CheatSuite> suite = readCheatSuite(m_request.folders, m_request.suite);
    if (!device.hasValue() || !suite.hasValue()) {
        emit failed(device.hasValue() ? suite.message() : device.message());
        return;
    }
    m_device = device.value();
    m_suite = suite.value();
    m_deviceSection = deviceSection(m_device, {});
    m_rows = shardOf(m_suite.rows, m_request.shard, m_request.shards);
    if (!m_request.only.isEmpty())
        std::erase_if(m_rows, [this](const SuiteRow &row) { return !m_request.only.contains(row.name); });

    // One folder for all rows, and for one run at a time: objects of nvcc know the folder they were made in.
    const QString base = m_request.folders.cache + QStringLiteral("/selftest/");
    if (const Result<void> made = makeFolder(base); !made.hasValue()) {
        emit failed(made.message());
        return;
    }
    for (int place = 1; m_lock == nullptr; ++place) {
        m_folder = base + QStringLiteral("workspace-%1").arg(place);
        m_lock = std::make_unique<LifetimeLock>(m_folder + QStringLiteral(".lock"));
        if (!m_lock->tryTake() && place < 64)
            m_lock.reset();
    }
    m_scratch = m_folder + QStringLiteral("-scratch");
    nextRow();
}

QString SuiteRun::whyNotHere(const SuiteRow &row) const {
    const bool isCpu = m_device.kind == TargetKind::Cpu;
    if (!row.devices.contains(isCpu ? QStringLiteral("cpu") : QStringLiteral("cuda")))
        return isCpu ? QStringLiteral("it is about GPUs") : QStringLiteral("it is about CPUs");
    if (row.needs == QLatin1String("numpy") &&
        !QDir(m_toolchain.python->torchFolder + QStringLiteral("/../numpy")).exists())
        return QStringLiteral("the Python environment has no numpy");
    if (row.needs == QLatin1String("blas") && isCpu && !hasBlas())
        return QStringLiteral("OpenBLAS or its headers are not installed");
    return {};
}

SuiteRow SuiteRun::twinOf(const SuiteRow &row) const {
    SuiteRow twin = row;
    twin.name = QStringLiteral("../tasks/") + row.task;
    twin.expected = QStringLiteral("pass");
    twin.isAttack = false;
    twin.isNative = false;
    twin.isTimed = true;
    return twin;
}

void SuiteRun::nextRow() {
    if (m_isEnding || m_next == m_rows.size()) {
        end();
        return;
    }
    m_row = m_rows[m_next];
    m_tries = 0;
    m_isTwin = false;
    m_clock.start();
    if (const QString why = whyNotHere(m_row); !why.isEmpty()) {
        skip(why);
        return;
    }
    startRow();
}

// The row, or first the twin that it has to be compared with.
void SuiteRun::startRow() {
    m_row = m_rows[m_next];
    const bool needsTwin = m_row.mayBeHarmless() && m_row.isTimed;
    m_isTwin = needsTwin && m_twins.count(m_row.group()) == 0;
    if (m_isTwin)
        m_row = twinOf(m_row);
    m_outcome = {};
    show(QStringLiteral("selftest"),
         m_isTwin ? QStringLiteral("the honest twin of ") + m_rows[m_next].name : m_row.name);
    const bool needsAnother = m_judge != nullptr && m_openGroup != m_row.group();
    if (needsAnother) {
        stopJudge();
        return;
    }
    if (const Result<void> made = assembleRow(m_suite, m_row, m_folder); !made.hasValue()) {
        refused(JudgeError{Verdict::Environment, messageFrom(made.message())});
        return;
    }
    const Result<Workspace> opened = Workspace::open(m_folder, m_request.folders);
    if (!opened.hasValue()) {
        refused(JudgeError{Verdict::Usage, messageFrom(opened.message())});
        return;
    }
    m_workspace = opened.value();
    compile();
}

void SuiteRun::compile() {
    const GpuDevice *gpu = m_device.gpu ? &*m_device.gpu : nullptr;
    const CompileTarget target{m_device.kind, chooseArchitecture(m_workspace, m_request.settings, gpu)};
    const Result<CompilePlan> plan = makeCompilePlan(m_workspace, m_toolchain, target);
    if (!plan.hasValue()) {
        refused(JudgeError{Verdict::Environment, messageFrom(plan.message())});
        return;
    }
    CompileRun::Options options;
    options.cacheFolder = m_request.folders.cache;
    options.maxJobs = m_request.settings.maxJobs;
    m_compile = new CompileRun(plan.value(), options, this);
    connect(m_compile, &CompileRun::finished, this, &SuiteRun::compileDone);
    connect(m_compile, &CompileRun::failed, this, [this](const QString &message) {
        m_compile = nullptr;
        refused(JudgeError{Verdict::Environment, messageFrom(message)});
    });
    m_compile->start();
}

void SuiteRun::compileDone(const CompileOutcome &outcome) {
    m_compile->deleteLater();
    m_compile = nullptr;
    if (outcome.status != CompileStatus::Passed) {
        m_outcome.verdict =
            outcome.status == CompileStatus::Failed ? Verdict::BuildFailed : Verdict::Cancelled;
        for (const Diagnostic &diagnostic : outcome.diagnostics) {
            if (diagnostic.severity == Severity::Error || diagnostic.severity == Severity::Fatal)
                m_outcome.reason +=
                    diagnostic.file + QStringLiteral(": ") + diagnostic.message + QLatin1Char(' ');
        }
        rowEnded();
        return;
    }
    m_runFolder = outcome.runFolder;
    if (m_judge == nullptr)
        openTask();
    else
        verify();
}

void SuiteRun::openTask() {
    Result<JudgeSession::Setup> made = makeJudgeSetup(
        JudgeNeeds{m_workspace, m_toolchain, m_device, m_request.folders, Tier::Quick, {}, m_scratch});
    if (!made.hasValue()) {
        refused(JudgeError{Verdict::Environment, messageFrom(made.message())});
        return;
    }
    JudgeSession::Setup setup = std::move(made).value();
    setup.maxJobs = m_request.settings.maxJobs > 0 ? m_request.settings.maxJobs : sensibleJobCount();
    m_openGroup = m_row.group();
    m_judge = new JudgeSession(std::move(setup), this);
    connect(m_judge, &JudgeSession::opened, this, [this](const Json &reply) {
        mergeFacts(m_deviceSection, reply.value("device", Json::object()));
        verify();
    });
    connect(m_judge, &JudgeSession::answered, this, &SuiteRun::answered);
    connect(m_judge, &JudgeSession::refused, this, [this](const JudgeError &error) {
        // Whatever is asked of it next would be refused as well.
        m_openGroup.clear();
        refused(error);
    });
    connect(m_judge, &JudgeSession::stopped, this, [this] {
        m_judge->deleteLater();
        m_judge = nullptr;
        m_openGroup.clear();
        if (m_tries > 0)
            startRow();
        else
            nextRow();
    });
    m_isJudging = true;
    m_judge->start();
}

void SuiteRun::verify() {
    if (m_isEnding)
        return;
    m_isJudging = true;
    m_judge->verify(Json{{"runFolder", toJson(m_runFolder)}, {"rounds", 5}});
}

void SuiteRun::answered(const QString &method, const Json &reply) {
    m_isJudging = false;
    const OrderedJson integrity = integritySection(reply);
    for (const OrderedJson &finding : integrity["findings"])
        m_outcome.rules << stringIn(finding, "kind");
    m_outcome.doubts += doubtsIn(reply);
    if (reply.contains("task"))
        m_outcome.isDegenerate = !degeneracyIn(OrderedJson(reply["task"])).isEmpty();
    const bool isVerify = method == QLatin1String("verify");
    if (isVerify)
        m_outcome.precision = stringIn(reply.value("precision", Json::object()), "measured");
    else
        m_outcome.ratio = speedUpIn(profileSection(reply), "sameClass");
    if (const QString word = stringIn(reply, "verdict"); !word.isEmpty()) {
        m_outcome.verdict = verdictFromName(word).value_or(Verdict::Environment);
        m_outcome.reason = stringIn(reply, "reason");
    } else if (isVerify && m_row.isTimed) {
        m_isJudging = true;
        m_judge->profile(Json{{"tier", "quick"}, {"limitSeconds", blocksSeconds}});
        return;
    } else {
        m_outcome.verdict = Verdict::Pass;
    }
    rowEnded();
}

void SuiteRun::refused(const JudgeError &error) {
    m_isJudging = false;
    m_outcome.verdict = error.verdict;
    m_outcome.reason = plainText(error.message);
    rowEnded();
}

void SuiteRun::rowEnded() {
    if (m_isEnding) {
        end();
        return;
    }
    const bool isUsable = m_judge == nullptr || !m_openGroup.isEmpty();
    if (m_isTwin) {
        // A twin that was too noisy is measured again; what it is then, it is.
        if (m_outcome.verdict == Verdict::Pass || ++m_tries == mostTries) {
            m_twins[m_row.group()] = m_outcome;
            m_tries = 0;
        }
    } else {
        const auto twin = m_twins.find(m_row.group());
        SuiteResult result =
            judgeRow(m_row, m_outcome, twin == m_twins.end() ? std::nullopt : std::optional(twin->second),
                     m_device.kind == TargetKind::Cpu);
        if (m_row.name == m_row.task && m_row.isTimed)
            m_twins[m_row.group()] = m_outcome;
        ++m_tries;
        const bool isGain = result.got.startsWith(QLatin1String("pass, "));
        m_gains += isGain ? 1 : 0;
        const bool isEnough = isGain ? m_gains >= mostGainTries : m_tries >= mostTries;
        // A machine may be another one by now than when the twin was measured: it is measured beside the row.
        if (isGain && !isEnough && m_row.name != m_row.task)
            m_twins.erase(m_row.group());
        if (!isWorthAnotherTry(result) || isEnough) {
            if (twin != m_twins.end())
                result = settled(result, twin->second);
            result.seconds = static_cast<double>(m_clock.elapsed()) / 1000;
            m_results.push_back(result);
            emit rowDone(result);
            ++m_next;
            m_tries = 0;
            m_gains = 0;
            if (m_next < m_rows.size())
                m_clock.start();
            if (isUsable) {
                QTimer::singleShot(0, this, &SuiteRun::nextRow);
                return;
            }
        }
    }
    if (!isUsable)
        stopJudge();
    else
        QTimer::singleShot(0, this, &SuiteRun::startRow);
}

void SuiteRun::skip(const QString &why) {
    SuiteResult result;
    result.row = m_row;
    result.got = verdictName(Verdict::NotRun);
    result.wasRun = false;
    result.why = why;
    m_results.push_back(result);
    emit rowDone(result);
    ++m_next;
    QTimer::singleShot(0, this, &SuiteRun::nextRow);
}

void SuiteRun::show(const QString &stage, const QString &step) {
    StageProgress now;
    now.stage = stage;
    now.step = step;
    now.count = static_cast<int>(m_rows.size());
    now.index = now.count == 0 ? 0 : static_cast<int>(m_next) + 1;
    emit progress(now);
}

// Goes on with the same row, with the next, or ends.
void SuiteRun::stopJudge() {
    m_judge->stop();
}

void SuiteRun::cancel() {
    if (std::exchange(m_isEnding, true))
        return;
    if (m_probe != nullptr)
        m_probe->cancel();
    else if (m_compile != nullptr)
        m_compile->cancel();
    else
        end();
}

void SuiteRun::end() {
    m_isEnding = true;
    if (m_judge != nullptr) {
        stopJudge();
        return;
    }
    QTimer::singleShot(0, this, &SuiteRun::finished);
}

} // namespace warpwright
