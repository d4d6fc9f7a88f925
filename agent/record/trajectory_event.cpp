// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/trajectory_event.h"

namespace warpwright {

qint64 TrajectoryEvent::integer(const char *field, qint64 otherwise) const {
    if (!body.is_object())
        return otherwise;
    const auto found = body.find(field);
    return found != body.end() && found->is_number_integer() ? found->get<qint64>() : otherwise;
}

QByteArray lineOf(const TrajectoryEvent &event) {
    Json rest = event.body.is_object() ? event.body : Json::object();
    for (const char *ours : {"n", "at", "kind"})
        rest.erase(ours);
    QByteArray line = "{\"n\":" + QByteArray::number(event.number) +
                      ",\"at\":" + dumpJson(Json(toJson(event.at.toUTC().toString(Qt::ISODateWithMs)))) +
                      ",\"kind\":" + dumpJson(Json(toJson(event.kind)));
    // The first three fields are written by hand: Json sorts its keys, and people read these lines.
    const QByteArray fields = dumpJson(rest);
    line += rest.empty() ? QByteArray("}") : ',' + fields.mid(1);
    return line + '\n';
}

Result<TrajectoryEvent> eventFromLine(const QByteArray &line) {
    using Answer = Result<TrajectoryEvent>;
    Result<Json> json = parseJson(line);
    if (!json.hasValue())
        return Answer::error(json.message());
    TrajectoryEvent event;
    event.body = std::move(json).value();
    event.kind = event.text("kind");
    event.number = event.integer("n");
    event.at = QDateTime::fromString(event.text("at"), Qt::ISODateWithMs);
    if (event.kind.isEmpty() || event.number < 1 || !event.at.isValid())
        return Answer::error(QStringLiteral("it lacks n, at or kind"));
    for (const char *ours : {"n", "at", "kind"})
        event.body.erase(ours);
    return Answer::ok(std::move(event));
}

QString runsFolder(const QString &stateFolder) {
    return stateFolder + QStringLiteral("/runs");
}

QString trajectoryFile(const QString &runFolder) {
    return runFolder + QStringLiteral("/trajectory.jsonl");
}

} // namespace warpwright
