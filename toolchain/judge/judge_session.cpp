// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/judge/judge_session.h"

namespace warpwright {

JudgeSession::JudgeSession(Setup setup, QObject *parent) : QObject(parent), m_setup(std::move(setup)) {}

void JudgeSession::start() {
    if (!m_setup.plan) {
        startJudge(RefereePrograms{{}, m_setup.replacement, {}, false});
        return;
    }
    m_build = new RefereeBuild(*m_setup.plan, m_setup.data, m_setup.maxJobs, this);
    connect(m_build, &RefereeBuild::progress, this, [this](const QString &step, int index, int count) {
        emit progress(QStringLiteral("open"), step, index, count, -1);
    });
    connect(m_build, &RefereeBuild::finished, this, [this](const RefereePrograms &programs) {
        m_build = nullptr;
        startJudge(programs);
    });
    connect(m_build, &RefereeBuild::failed, this, [this](const QString &message) {
        m_build = nullptr;
        refuse(JudgeError{Verdict::Environment, messageFrom(message)});
    });
    m_build->start();
}

void JudgeSession::startJudge(const RefereePrograms &programs) {
    m_judge = new Judge(this);
    if (m_setup.silenceLimitMs > 0)
        m_judge->setSilenceLimitMs(m_setup.silenceLimitMs);
    m_setup.openParams["shim"] = toJson(programs.shim);
    m_setup.openParams["amputated"] = programs.amputated;
    connect(m_judge, &Judge::progress, this, &JudgeSession::passOn);
    connect(m_judge, &Judge::replied, this, [this](int, const Json &reply) { readReply(reply); });
    connect(m_judge, &Judge::refused, this, [this](int, const JudgeError &error) { refuse(error); });
    connect(m_judge, &Judge::died, this, [this](const EvaluationMessage &message) {
        refuse(JudgeError{Verdict::Environment, message});
    });
    connect(m_judge, &Judge::stopped, this, [this] { emit stopped(); });
    emit progress(QStringLiteral("open"), QStringLiteral("start the judge"), 0, 0, -1);
    m_judge->start(programs.judge);
    ask(QStringLiteral("hello"), Json{{"protocol", judgeProtocolVersion}});
}

void JudgeSession::expect() {
    if (m_canExpect && isIdle() && !isExpecting())
        ask(QStringLiteral("expect"), Json::object());
}

// Whoever passed stays for profile, unless that is not to follow.
void JudgeSession::verify(const Json &params) {
    m_hasCandidate = params.value("isLast", Json()) != true;
    ask(QStringLiteral("verify"), params);
}

void JudgeSession::ask(const QString &method, const Json &params) {
    if (isExpecting()) {
        m_next = method;
        m_nextParams = params;
        return;
    }
    m_method = method;
    m_judge->call(method, params);
}

void JudgeSession::readReply(const Json &reply) {
    const QString method = std::exchange(m_method, {});
    if (m_isOver)
        return;
    if (method == QLatin1String("hello")) {
        if (const Json version = reply.value("protocol", Json()); version != judgeProtocolVersion) {
            refuse(JudgeError{Verdict::Environment,
                              {QStringLiteral("Cannot speak with the judge"),
                               m_setup.replacement,
                               QStringLiteral("it speaks protocol %1 and this version speaks %2")
                                   .arg(QString::fromStdString(version.dump()))
                                   .arg(judgeProtocolVersion),
                               QStringLiteral("Build it from this version's sources."),
                               {}}});
            return;
        }
        m_canExpect = reply.value("canExpect", Json()) == true;
        if (!m_setup.opensWhenAsked)
            open();
        else if (reply.value("canImport", Json()) == true)
            ask(QStringLiteral("import"), m_setup.openParams);
        else
            emit readyToOpen();
    } else if (method == QLatin1String("import")) {
        emit readyToOpen();
    } else if (method == QLatin1String("open")) {
        m_isOpened = true;
        m_isCompiling = reply.value("compilesAhead", Json()) == true;
        m_openReply = reply;
        emit opened(reply);
    } else {
        if (method == QLatin1String("baselines"))
            m_isCompiling = false;
        else if (method == QLatin1String("profile") ||
                 (method == QLatin1String("verify") && stringIn(reply, "status") != QLatin1String("passed")))
            m_hasCandidate = false;
        if (!m_next.isEmpty())
            ask(std::exchange(m_next, {}), std::exchange(m_nextParams, {}));
        emit answered(method, reply);
    }
}

void JudgeSession::refuse(const JudgeError &error) {
    if (m_isOver)
        return;
    m_isOver = true;
    m_method.clear();
    emit refused(error);
}

void JudgeSession::passOn(const Json &params) {
    const auto number = [&params](const char *key) {
        return params.is_object() && params.contains(key) && params[key].is_number()
                   ? params[key].get<double>()
                   : -1;
    };
    if (m_isOver)
        return;
    if (params.is_object() && params.contains("measured"))
        return emit measured(params["measured"]);
    emit progress(stringIn(params, "stage", QStringLiteral("open")), stringIn(params, "step"),
                  std::max(0, static_cast<int>(number("index"))),
                  std::max(0, static_cast<int>(number("count"))), number("lastSeconds"));
}

void JudgeSession::stop() {
    if (m_isStopping)
        return;
    m_isStopping = true;
    m_isOver = true;
    if (m_build != nullptr) {
        disconnect(m_build, nullptr, this, nullptr);
        connect(m_build, &RefereeBuild::finished, this, &JudgeSession::stopped);
        connect(m_build, &RefereeBuild::failed, this, &JudgeSession::stopped);
        m_build->cancel();
    } else if (m_judge != nullptr) {
        m_judge->shutDown();
    } else {
        QTimer::singleShot(0, this, &JudgeSession::stopped);
    }
}

} // namespace warpwright
