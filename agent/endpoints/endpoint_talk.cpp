// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/endpoint_talk.h"

#include "agent/endpoints/environment_authorities.h"
#include "agent/endpoints/environment_proxy.h"
#include "agent/endpoints/network_problem.h"
#include "toolchain/process/in_pool.h"

#include <QNetworkProxyFactory>
#include <QRandomGenerator>
#include <QSslConfiguration>

namespace warpwright {
namespace {

using Kind = EndpointProblem::Kind;

/// So much of an answer is looked at before others get their turn.
constexpr qint64 sliceBytes = 64 * 1024;
constexpr int mostRedirects = 5;
/// So long a server may take to end a stream in which it has said all.
constexpr int restMs = 2000;

class EnvironmentProxies : public QNetworkProxyFactory {
public:
    QList<QNetworkProxy> queryProxy(const QNetworkProxyQuery &query) override {
        return {environmentProxy(query.url(), QProcessEnvironment::systemEnvironment())};
    }
};

bool canBeHeader(const QString &key) {
    return std::all_of(key.begin(), key.end(),
                       [](QChar letter) { return letter.unicode() > 0x20 && letter.unicode() < 0x7F; });
}

/// The same server at the same door, or its TLS door in place of the plain one.
bool isSameHost(const QUrl &from, const QUrl &to) {
    const auto portOf = [](const QUrl &url) {
        return url.port(url.scheme() == QLatin1String("https") ? 443 : 80);
    };
    if (from.host().compare(to.host(), Qt::CaseInsensitive) != 0 || !to.userInfo().isEmpty())
        return false;
    if (from.scheme() == to.scheme())
        return portOf(from) == portOf(to);
    return to.scheme() == QLatin1String("https") &&
           (portOf(from) == portOf(to) || (portOf(from) == 80 && portOf(to) == 443));
}

} // namespace

Endpoint::Talk::Talk(Endpoint &endpoint, ModelProfile profile, QString key, const EndpointPatience &patience)
    : m_endpoint(endpoint),
      m_profile(std::move(profile)),
      m_key(key.trimmed()),
      m_patience(patience),
      m_network(new QNetworkAccessManager) {
    m_network->setProxyFactory(new EnvironmentProxies);
    for (QTimer *clock : {&m_connectClock, &m_silenceClock, &m_wholeClock, &m_pause})
        clock->setSingleShot(true);
    m_pause.setTimerType(Qt::PreciseTimer); // others may be early by a twentieth, and then it refuses again
    const auto seconds = [](int milliseconds) {
        return QString::number(milliseconds / 1000.0);
    };
    connect(&m_connectClock, &QTimer::timeout, this, [this, seconds] {
        stumble(problemOf(Kind::NoNetwork, m_profile,
                          QStringLiteral("no connection within %1 s").arg(seconds(m_patience.connectMs)),
                          QStringLiteral("Check the address, the network and the proxy")));
    });
    connect(&m_silenceClock, &QTimer::timeout, this, [this, seconds] {
        stumble(problemOf(Kind::Silent, m_profile,
                          QStringLiteral("nothing came for %1 s").arg(seconds(m_patience.silenceMs)),
                          QStringLiteral("Try again, or look into the server's log")));
    });
    connect(&m_wholeClock, &QTimer::timeout, this, [this, seconds] {
        stumble(problemOf(Kind::Silent, m_profile,
                          QStringLiteral("it was not done within %1 s").arg(seconds(m_patience.wholeMs)),
                          QStringLiteral("Ask for a shorter answer, or for less thinking")));
    });
    connect(&m_pause, &QTimer::timeout, this, [this] { send(); });
}

Endpoint::Talk::~Talk() {
    dropReply();
    m_network->deleteLater();
}

void Endpoint::Talk::ask(const ChatRequest &request) {
    Q_ASSERT(!m_isAsking);
    m_isAsking = true;
    ++m_turn;
    m_request = request;
    m_tries = 0;
    m_failingSince.invalidate();
    const QString why = whyBadProfile(m_profile);
    const bool isGoodKey = canBeHeader(m_key);
    if (why.isEmpty() && isGoodKey) {
        makeBody();
        return;
    }
    // Not before ask() has returned.
    QTimer::singleShot(0, this, [this, turn = m_turn, why] {
        if (!m_isAsking || turn != m_turn)
            return;
        fail(why.isEmpty()
                 ? problemOf(Kind::NoKey, m_profile, QStringLiteral("its key holds blanks or odd characters"),
                             QStringLiteral("Store the key again, without a line end or quotation marks"))
                 : problemOf(Kind::BadRequest, m_profile, why,
                             QStringLiteral("Correct the model's settings")));
    });
}

/// A long conversation is megabytes of JSON: in the pool.
void Endpoint::Talk::makeBody() {
    inPool(
        this,
        [request = m_request, profile = m_profile, concessions = m_concessions, believed = m_believed] {
            const bool isPlain = QUrl(profile.baseUrl).scheme() == QLatin1String("http");
            return std::pair(requestBody(request, profile, concessions),
                             believed  ? *believed
                             : isPlain ? QList<QSslCertificate>()
                                       : environmentAuthorities(QProcessEnvironment::systemEnvironment()));
        },
        [this, turn = m_turn](const std::pair<QByteArray, QList<QSslCertificate>> &made) {
            if (!m_isAsking || turn != m_turn)
                return;
            m_body = made.first;
            m_believed = made.second;
            send();
        });
}

void Endpoint::Talk::send() {
    ++m_tries;
    m_redirects = 0;
    post(m_moved.isEmpty() ? QUrl(endpointUrl(m_profile)) : m_moved);
}

void Endpoint::Talk::post(const QUrl &url) {
    m_stream = {};
    m_reader = answerReader(m_profile);
    m_whole.clear();
    m_received = 0;
    m_isStream = false;
    m_isPumping = false;

    QNetworkRequest request{url};
    // Whatever it sends us to would get the conversation, and the key with it.
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    // One request at a time gains nothing from it.
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    setHeaders(request, m_profile, m_key);
    if (m_believed && !m_believed->isEmpty()) {
        QSslConfiguration tls = request.sslConfiguration();
        tls.setCaCertificates(*m_believed);
        request.setSslConfiguration(tls);
    }
    m_reply = m_network->post(request, m_body);
    // Any of these means that a connection is there; a long request may take its time to be sent.
    const auto isConnected = [this] {
        m_connectClock.stop();
    };
    connect(m_reply, &QNetworkReply::encrypted, this, isConnected);
    connect(m_reply, &QNetworkReply::requestSent, this, isConnected);
    connect(m_reply, &QNetworkReply::uploadProgress, this, [this](qint64 sent) {
        if (sent == 0)
            return;
        m_connectClock.stop();
        m_silenceClock.start();
    });
    connect(m_reply, &QNetworkReply::readyRead, this, [this] {
        m_connectClock.stop();
        m_silenceClock.start();
        pump();
    });
    connect(m_reply, &QNetworkReply::finished, this, [this] { pump(); });
    m_connectClock.start(m_patience.connectMs);
    m_silenceClock.start(m_patience.silenceMs);
    m_wholeClock.start(m_patience.wholeMs);
}

int Endpoint::Talk::status() const {
    return m_reply == nullptr ? 0 : m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
}

/// One slice of what has come; the rest in later turns of the loop.
void Endpoint::Talk::pump() {
    if (m_isPumping || m_reply == nullptr)
        return;
    const QByteArray bytes = m_reply->read(sliceBytes);
    m_received += bytes.size();
    if (m_received + m_reply->bytesAvailable() > limitBytes) {
        stumbleOverSize(QStringLiteral("it"), limitBytes);
        return;
    }
    const QPointer<QNetworkReply> reply = m_reply;
    const auto isStill = watch();
    if (!bytes.isEmpty())
        take(bytes);
    if (!isStill())
        return;
    m_silenceClock.start(); // what took us long to read was no silence of theirs
    if (m_stream.isOverLimit()) {
        stumbleOverSize(QStringLiteral("an event of it"), SseStream::limitBytes);
    } else if (m_reader->hasEnded() || !m_reader->error().is_null()) {
        concludeStream();
    } else if (m_reply->bytesAvailable() > 0) {
        m_isPumping = true;
        QMetaObject::invokeMethod(
            this,
            [this, reply] {
                if (reply != m_reply)
                    return; // of an earlier try
                m_isPumping = false;
                pump();
            },
            Qt::QueuedConnection);
    } else if (m_reply->isFinished()) {
        conclude();
    }
}

void Endpoint::Talk::take(const QByteArray &bytes) {
    if (m_received == bytes.size())
        m_isStream = isStream(bytes);
    if (!m_isStream) {
        m_whole += bytes;
        return;
    }
    const auto isStill = watch();
    for (const SseEvent &event : m_stream.feed(bytes)) {
        show(m_reader->read(event));
        if (!isStill())
            return;
    }
}

/// Some call their stream text/plain, application/json or nothing at all.
bool Endpoint::Talk::isStream(const QByteArray &start) const {
    const QByteArray kind = m_reply->header(QNetworkRequest::ContentTypeHeader).toByteArray().toLower();
    const QByteArray text = start.left(64).trimmed();
    const bool begins = text.startsWith("data:") || text.startsWith("event:") || text.startsWith(':');
    const bool isOther = kind.contains("json") || kind.contains("html") || text.startsWith('{') ||
                         text.startsWith('[') || text.startsWith('<');
    return status() / 100 == 2 && (begins || !isOther);
}

std::function<bool()> Endpoint::Talk::watch() {
    return [this, self = QPointer<Talk>(this), turn = m_turn, reply = m_reply] {
        return !self.isNull() && m_isAsking && turn == m_turn && reply == m_reply;
    };
}

void Endpoint::Talk::show(const std::vector<AnswerPiece> &pieces) {
    const auto isStill = watch();
    for (const AnswerPiece &piece : pieces) {
        if (piece.kind == AnswerPiece::Kind::Text)
            emit m_endpoint.textArrived(piece.text);
        else if (piece.kind == AnswerPiece::Kind::Thinking)
            emit m_endpoint.thinkingArrived(piece.text);
        else
            emit m_endpoint.callArrives(piece.text, piece.bytes);
        if (!isStill())
            return;
    }
}

void Endpoint::Talk::conclude() {
    const int code = status();
    const QNetworkReply::NetworkError error = m_reply->error();
    if (code == 0 || (code == 407 && error == QNetworkReply::ProxyAuthenticationRequiredError)) {
        stumble(problemOfNetwork(m_profile, error, m_reply->errorString()));
    } else if (code / 100 != 2) {
        concludeRefusal(code);
    } else {
        const auto isStill = watch();
        if (!m_isStream)
            show(m_reader->readWhole(m_whole));
        else
            for (const SseEvent &event : m_stream.finish())
                if (isStill())
                    show(m_reader->read(event));
        if (isStill())
            concludeStream();
    }
}

void Endpoint::Talk::concludeStream() {
    if (!m_reader->error().is_null()) {
        stumble(problemOfStream(m_profile, m_reader->error()));
    } else if (m_reader->isWhole()) {
        answer();
    } else if (m_received > 0 && !m_isStream && m_reader->isUnderstood()) {
        stumble(problemOf(Kind::BadAnswer, m_profile,
                          QStringLiteral("its answer holds none: \"%1\"")
                              .arg(QString::fromUtf8(m_whole.left(200)).simplified()),
                          QStringLiteral("Try again; if it goes on, look into the server's log")));
    } else if (m_received == 0 || m_reader->isUnderstood()) {
        stumble(problemOf(Kind::CutOff, m_profile,
                          m_received == 0 ? QStringLiteral("it closed the connection without a word")
                                          : QStringLiteral("the connection broke in the middle of it"),
                          QStringLiteral("Try again; if it goes on, look into the server's log")));
    } else {
        const QString sample = QString::fromUtf8(m_whole.left(200)).simplified();
        stumble(problemOf(
            Kind::BadAnswer, m_profile,
            sample.isEmpty()
                ? QStringLiteral("what came is not of the dialect %1").arg(dialectName(m_profile.dialect))
                : QStringLiteral("what came is not of the dialect %1: \"%2\"")
                      .arg(dialectName(m_profile.dialect), sample),
            QStringLiteral("Check the address and the dialect")));
    }
}

void Endpoint::Talk::concludeRefusal(int code) {
    const Concessions conceded = concessionsAfter(m_concessions, m_whole);
    if ((code == 400 || code == 422) && conceded != m_concessions) {
        m_concessions = conceded;
        dropReply();
        stopClocks();
        --m_tries; // it was a question of form
        makeBody();
        return;
    }
    if (const std::optional<QUrl> target = whereToGoOn(code)) {
        if (code == 301 || code == 308)
            m_moved = *target;
        ++m_redirects;
        dropReply();
        stopClocks();
        post(*target);
        return;
    }
    const RetryHeaders headers{{}, m_reply->rawHeader("retry-after"), {}};
    const qint64 asked = headers.pauseMs(QDateTime::currentDateTimeUtc()).value_or(0) / 1000;
    EndpointProblem problem = problemOfStatus(m_profile, code, m_whole, asked);
    if (code >= 300 && code < 400) {
        const QUrl target = m_reply->url().resolved(QUrl::fromEncoded(m_reply->rawHeader("location")));
        problem.message.replace(QStringLiteral("HTTP %1").arg(code),
                                QStringLiteral("HTTP %1 to \"%2\"")
                                    .arg(code)
                                    .arg(target.toString(QUrl::RemoveUserInfo | QUrl::RemoveQuery)));
    }
    stumble(std::move(problem));
}

/// 303 is none of them: it wants another question, without the conversation.
std::optional<QUrl> Endpoint::Talk::whereToGoOn(int status) const {
    if (status != 301 && status != 302 && status != 307 && status != 308)
        return std::nullopt;
    // Qt's own reading of the header knows no address without a host.
    const QByteArray location = m_reply->rawHeader("location");
    const QUrl target = m_reply->url().resolved(QUrl::fromEncoded(location));
    if (location.isEmpty() || !target.isValid() || m_redirects >= mostRedirects ||
        !isSameHost(m_reply->url(), target))
        return std::nullopt;
    return target;
}

void Endpoint::Talk::answer() {
    const ChatReply reply = m_reader->reply(m_body.size());
    releaseReply();
    stopClocks();
    m_isAsking = false;
    m_hasAnswered = true;
    m_request = {};
    emit m_endpoint.answered(reply);
}

void Endpoint::Talk::stumbleOverSize(const QString &what, qint64 limit) {
    stumble(problemOf(Kind::BadAnswer, m_profile,
                      QStringLiteral("%1 is over %2 MiB").arg(what).arg(limit / 1024 / 1024),
                      QStringLiteral("Ask for a shorter answer, or look at what this server sends")));
}

void Endpoint::Talk::stumble(EndpointProblem problem) {
    RetryHeaders headers;
    if (m_reply != nullptr && problem.status >= 400)
        headers = {m_reply->rawHeader("retry-after-ms"), m_reply->rawHeader("retry-after"),
                   m_reply->rawHeader("x-should-retry")};
    if (!m_failingSince.isValid())
        m_failingSince.start();
    const std::optional<int> pause =
        pauseBeforeRetryMs(problem, headers, {m_tries, m_failingSince.elapsed(), m_hasAnswered}, m_patience,
                           QDateTime::currentDateTimeUtc(), QRandomGenerator::global()->generateDouble());
    if (pause)
        tryAgainIn(*pause, withoutKey(problem.message, m_key));
    else
        fail(std::move(problem));
}

void Endpoint::Talk::tryAgainIn(int milliseconds, const QString &why) {
    dropReply();
    stopClocks();
    m_pause.start(milliseconds);
    emit m_endpoint.waiting(why, milliseconds);
}

void Endpoint::Talk::fail(EndpointProblem problem) {
    problem.message = withoutKey(problem.message, m_key);
    dropReply();
    stopClocks();
    m_isAsking = false;
    m_request = {};
    emit m_endpoint.failed(problem);
}

void Endpoint::Talk::cancel() {
    if (!m_isAsking)
        return;
    EndpointProblem problem;
    problem.kind = Kind::Cancelled;
    problem.message = QStringLiteral("The answer of the model \"%1\" was cancelled.").arg(m_profile.name);
    fail(std::move(problem));
}

/// Closing the connection is all that there is to tell an endpoint to stop.
void Endpoint::Talk::dropReply() {
    if (m_reply == nullptr)
        return;
    QNetworkReply *reply = m_reply;
    m_reply = nullptr;
    disconnect(reply, nullptr, this, nullptr);
    reply->abort();
    reply->deleteLater();
}

void Endpoint::Talk::releaseReply() {
    if (m_reply == nullptr)
        return;
    QNetworkReply *reply = m_reply;
    m_reply = nullptr;
    disconnect(reply, nullptr, this, nullptr);
    if (reply->isFinished()) {
        reply->deleteLater();
        return;
    }
    connect(reply, &QNetworkReply::finished, reply, &QObject::deleteLater);
    QTimer::singleShot(restMs, reply, &QNetworkReply::abort);
}

void Endpoint::Talk::stopClocks() {
    for (QTimer *clock : {&m_connectClock, &m_silenceClock, &m_wholeClock, &m_pause})
        clock->stop();
}

} // namespace warpwright
