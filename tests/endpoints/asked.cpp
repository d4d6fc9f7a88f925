// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/endpoints/asked.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QTest>
#include <QTimer>

using namespace warpwright;

QByteArray Asked::words() const {
    if (problem)
        return "failed: " + problem->message.toUtf8();
    if (reply)
        return "answered: " + dumpJson(chatMessageToJson(reply->message)).left(2000);
    return "nothing ended it";
}

EndpointProblem::Kind Asked::kind() const {
    return problem ? problem->kind : EndpointProblem::Kind::BadAnswer;
}

EndpointPatience shortPatience() {
    EndpointPatience patience;
    patience.connectMs = 2000;
    patience.silenceMs = 500;
    patience.wholeMs = 10'000;
    patience.firstPauseMs = 4;
    patience.keepsTryingMs = 0;
    return patience;
}

ChatRequest smallRequest() {
    ChatMessage system;
    system.role = ChatMessage::Role::System;
    system.text = QStringLiteral("You are careful.");
    ChatMessage person;
    person.text = QStringLiteral("Wie groß ist die Summe?");
    ChatTool tool{QStringLiteral("report_sum"),
                  QStringLiteral("Reports a sum."),
                  {{"type", "object"}, {"properties", {{"sum", {{"type", "integer"}}}}}}};
    return {{system, person}, {tool}};
}

Asked askThrough(Endpoint &endpoint, const ChatRequest &request, const std::function<void()> &onPiece) {
    Asked asked;
    QEventLoop loop;
    QObject scope;
    bool hasReturned = false;
    const auto piece = [&] {
        ++asked.pieces;
        if (onPiece)
            onPiece();
    };
    const auto end = [&] {
        ++asked.ends;
        asked.endedBeforeReturn = asked.endedBeforeReturn || !hasReturned;
        // A second end, if there were one, would come in the next turns of the loop.
        QTimer::singleShot(0, &loop, &QEventLoop::quit);
    };
    QObject::connect(&endpoint, &Endpoint::textArrived, &scope, [&](const QString &text) {
        asked.text += text;
        piece();
    });
    QObject::connect(&endpoint, &Endpoint::thinkingArrived, &scope, [&](const QString &text) {
        asked.thinking += text;
        piece();
    });
    QObject::connect(&endpoint, &Endpoint::callArrives, &scope, [&](const QString &name, qint64) {
        asked.calls << name;
        piece();
    });
    QObject::connect(&endpoint, &Endpoint::waiting, &scope, [&](const QString &why, int milliseconds) {
        asked.givenUp += asked.text;
        asked.text.clear();
        asked.thinking.clear();
        asked.calls.clear();
        asked.waits.push_back(milliseconds);
        asked.reasons << why;
    });
    QObject::connect(&endpoint, &Endpoint::answered, &scope, [&](const ChatReply &reply) {
        asked.reply = reply;
        end();
    });
    QObject::connect(&endpoint, &Endpoint::failed, &scope, [&](const EndpointProblem &problem) {
        asked.problem = problem;
        end();
    });
    QElapsedTimer clock;
    clock.start();
    endpoint.ask(request);
    hasReturned = true;
    QTimer::singleShot(30'000, &loop, &QEventLoop::quit);
    loop.exec();
    asked.seconds = static_cast<double>(clock.elapsed()) / 1000;
    return asked;
}

Asked ask(const ModelProfile &profile, const ChatRequest &request, const QString &key,
          const EndpointPatience &patience) {
    Endpoint endpoint(profile, key, patience);
    return askThrough(endpoint, request);
}

const std::vector<Dialect> &allDialects() {
    static const std::vector<Dialect> all{Dialect::OpenAiChat, Dialect::OpenAiResponses, Dialect::Anthropic};
    return all;
}
