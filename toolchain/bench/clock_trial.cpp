// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/bench/clock_trial.h"

#include "toolchain/base/scratch_folders.h"
#include "toolchain/compile/compile_run.h"
#include "toolchain/evaluation/judge_sections.h"
#include "toolchain/judge/evaluation_facts.h"
#include "toolchain/judge/judge_setup.h"

#include <QDir>
#include <QTimer>
#include <QUuid>

#include <algorithm>

namespace warpwright {
namespace {

constexpr double slowdowns[] = {0.02, 0.05};

std::vector<ClockMeasurement> planOf(const ClockRequest &request) {
    std::vector<ClockMeasurement> plan;
    const auto add = [&plan](Tier tier, double slowdown, int count) {
        ClockMeasurement planned;
        planned.tier = tier;
        planned.slowdown = slowdown;
        plan.insert(plan.end(), static_cast<std::size_t>(std::max(count, 0)), planned);
    };
    add(Tier::Quick, 0, request.quickRuns);
    add(Tier::Certify, 0, request.certifyRuns);
    if (!plan.empty()) { // without a run of its own the arm's time is not known
        for (const double slowdown : slowdowns)
            add(Tier::Certify, slowdown, 1);
    }
    return plan;
}

const Json &at(const Json &object, const char *key) {
    static const Json nothing;
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found == object.end() ? nothing : *found;
}

} // namespace

ClockTrial::ClockTrial(ClockRequest request, QObject *parent)
    : QObject(parent), m_request(std::move(request)), m_plan(planOf(m_request)) {}

ClockTrial::~ClockTrial() {
    if (!m_scratch.isEmpty())
        QDir(m_scratch).removeRecursively();
}

void ClockTrial::start() {
    const Result<Workspace> opened = Workspace::open(m_request.path, m_request.folders);
    if (!opened.hasValue()) {
        emit failed(opened.message());
        return;
    }
    m_workspace = opened.value();
    m_probe =
        new ToolchainProbe(ToolchainProbe::Request{m_request.python, m_request.settings, m_request.folders,
                                                   QProcessEnvironment::systemEnvironment(), false},
                           this);
    connect(m_probe, &ToolchainProbe::finished, this, &ClockTrial::toolsFound);
    m_probe->start();
}

void ClockTrial::toolsFound(const Toolchain &toolchain) {
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
    if (!device.hasValue()) {
        emit failed(device.message());
        return;
    }
    m_device = device.value();
    m_deviceSection = deviceSection(m_device, {});
    openTask();
}

void ClockTrial::openTask() {
    m_scratch = scratchFolder(m_request.folders.cache,
                              QStringLiteral("clock-") + QUuid::createUuid().toString(QUuid::Id128).left(12));
    Result<JudgeSession::Setup> made =
        makeJudgeSetup(JudgeNeeds{m_workspace, m_toolchain, m_device, m_request.folders, Tier::Certify,
                                  m_request.judgeProgram, m_scratch});
    if (!made.hasValue()) {
        emit failed(made.message());
        return;
    }
    JudgeSession::Setup setup = std::move(made).value();
    setup.maxJobs = m_request.settings.maxJobs > 0 ? m_request.settings.maxJobs : sensibleJobCount();
    m_judge = new JudgeSession(std::move(setup), this);
    connect(m_judge, &JudgeSession::opened, this, [this](const Json &reply) {
        mergeFacts(m_deviceSection, reply.value("device", Json::object()));
        next();
    });
    connect(m_judge, &JudgeSession::answered, this,
            [this](const QString &, const Json &reply) { answered(reply); });
    connect(m_judge, &JudgeSession::refused, this, [this](const JudgeError &error) {
        m_failure = plainText(error.message);
        end();
    });
    connect(m_judge, &JudgeSession::stopped, this, [this] {
        if (m_failure.isEmpty())
            emit finished();
        else
            emit failed(m_failure);
    });
    m_judge->start();
}

void ClockTrial::next() {
    if (m_isEnding)
        return;
    if (m_done.size() == m_plan.size()) {
        end();
        return;
    }
    const ClockMeasurement &planned = m_plan[m_done.size()];
    StageProgress now;
    now.stage = QStringLiteral("clock");
    now.step = tierName(planned.tier);
    if (planned.slowdown > 0)
        now.step += QStringLiteral(", %1 % slower").arg(planned.slowdown * 100);
    now.index = static_cast<int>(m_done.size()) + 1;
    now.count = static_cast<int>(m_plan.size());
    emit progress(now);
    m_clock.start();
    m_judge->clock(Json{{"tier", toJson(tierName(planned.tier))},
                        {"arm", toJson(m_request.arm)},
                        {"extraMicroseconds", planned.slowdown * m_armMicroseconds}});
}

void ClockTrial::answered(const Json &reply) {
    ClockMeasurement now = m_plan[m_done.size()];
    now.seconds = static_cast<double>(m_clock.elapsed()) / 1000;
    const Json &profile = at(reply, "profile");
    const Json &certificate = at(profile, "certificate");
    now.certificate = stringIn(certificate, "lane");
    now.reason = stringIn(certificate, "status") == QLatin1String("failed") ? stringIn(certificate, "reason")
                                                                            : QString();
    if (stringIn(reply, "verdict") != QLatin1String("inconclusive") && !stringIn(reply, "reason").isEmpty())
        now.reason = stringIn(reply, "reason");
    const std::string arm = m_request.arm.toStdString();
    const bool isGraph = now.certificate == QLatin1String("graph");
    const Json &lane = isGraph ? at(profile, "graph") : profile;
    const Json &speedup = at(at(lane, "speedup"), arm.c_str());
    const auto number = [&speedup](const char *key) {
        return at(speedup, key);
    };
    // JSON has no NaN: a measured time of zero comes as null, and such a run says nothing.
    now.hasTimes = number("value").is_number() && number("low").is_number() && number("high").is_number();
    if (now.hasTimes) {
        now.value = number("value").get<double>();
        now.low = number("low").get<double>();
        now.high = number("high").get<double>();
    } else if (now.reason.isEmpty()) {
        now.reason = QStringLiteral("the judge gave no ratio");
    }
    if (const Json &seconds = at(profile, "deviceSeconds"); seconds.is_number())
        now.deviceSeconds = seconds.get<double>();
    const Json &own = at(at(at(profile, "arms"), arm.c_str()), "medianMicroseconds");
    if (now.slowdown == 0 && own.is_number())
        m_armMicroseconds = own.get<double>();
    m_done.push_back(now);
    emit measured(now);
    QTimer::singleShot(0, this, &ClockTrial::next);
}

void ClockTrial::cancel() {
    if (std::exchange(m_isEnding, true))
        return;
    if (m_probe != nullptr)
        m_probe->cancel();
    else
        end();
}

void ClockTrial::end() {
    m_isEnding = true;
    if (m_judge != nullptr)
        m_judge->stop();
    else
        QTimer::singleShot(0, this, &ClockTrial::finished);
}

OrderedJson ClockTrial::document(const QString &programVersion) const {
    OrderedJson document{{"schema", "warpwright.clock/1"},
                         {"workspace", m_workspace.name.toStdString()},
                         {"arm", m_request.arm.toStdString()},
                         {"armMicroseconds", m_armMicroseconds},
                         {"device", m_deviceSection},
                         {"environment", environmentSection(m_toolchain, programVersion)},
                         {"runs", OrderedJson::array()}};
    for (const ClockMeasurement &run : m_done) {
        const auto number = [&run](double value) {
            return run.hasTimes ? OrderedJson(value) : OrderedJson();
        };
        document["runs"].push_back({{"tier", tierName(run.tier).toStdString()},
                                    {"slowdown", run.slowdown},
                                    {"value", number(run.value)},
                                    {"low", number(run.low)},
                                    {"high", number(run.high)},
                                    {"coversTruth", run.covers()},
                                    {"certificate", run.certificate.toStdString()},
                                    {"reason", run.reason.toStdString()},
                                    {"seconds", run.seconds},
                                    {"deviceSeconds", run.deviceSeconds}});
    }
    return document;
}

} // namespace warpwright
