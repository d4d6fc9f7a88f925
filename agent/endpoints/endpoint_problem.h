// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/model_profile.h"
#include "toolchain/base/json.h"

#include <QMetaType>
#include <QString>

#include <optional>

namespace warpwright {

/// Why no answer came.
struct EndpointProblem {
    enum class Kind {
        NoNetwork, ///< no route, refused, lost
        NoHost,    ///< its name is not known
        Tls,
        Proxy,
        NoKey,   ///< 401, or the source of the key has none
        Payment, ///< 402, a quota that waiting does not fill
        Forbidden,
        NoModel,  ///< 404
        TooLarge, ///< 413
        Busy,     ///< 429, 503, 529 beyond all tries
        Broken,   ///< 500 …
        ContextFull,
        NoTools,    ///< the server was started without what tools need
        BadRequest, ///< another 4xx
        BadAnswer,  ///< 200, and nothing that its dialect knows
        CutOff,     ///< the stream ended in the middle
        Silent,     ///< nothing came for too long
        Cancelled,
    };

    Kind kind = Kind::BadAnswer;
    QString message; ///< for people: what, of which profile, why (the endpoint's own words), what to do
    int status = 0;  ///< of HTTP; 0: none came
    std::optional<qint64> tokens;       ///< ContextFull: what was sent, where the endpoint says so
    std::optional<qint64> contextLimit; ///< ContextFull: what it takes
    std::optional<qint64> retryAfterMs; ///< what its words, not its header, ask to wait

    /// Until somebody mends what is wrong no other request comes further: no server, no key, no money.
    [[nodiscard]] bool isOfEveryRequest() const;
    bool operator==(const EndpointProblem &) const = default;
};

/// `body`: of an answer with a status other than 200. `retryAfterSeconds`: what it asks to wait; 0: nothing.
[[nodiscard]] EndpointProblem problemOfStatus(const ModelProfile &profile, int status, const QByteArray &body,
                                              qint64 retryAfterSeconds = 0);
/// An error that the endpoint put into the stream of an answer: HTTP said 200.
[[nodiscard]] EndpointProblem problemOfStream(const ModelProfile &profile, const Json &error);
/// Any other: `why` and `advice` are sentences without their start and end.
[[nodiscard]] EndpointProblem problemOf(EndpointProblem::Kind kind, const ModelProfile &profile,
                                        const QString &why, const QString &advice);
/// The text with the key blotted out, however it came in.
[[nodiscard]] QString withoutKey(QString text, const QString &key);

} // namespace warpwright

Q_DECLARE_METATYPE(warpwright::EndpointProblem)
