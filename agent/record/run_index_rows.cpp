// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/run_index_rows.h"

#include "agent/record/event_summary.h"
#include "toolchain/history/best_iteration.h"

#include <algorithm>

namespace warpwright {
namespace {

using Statement = SqliteDatabase::Statement;

/// More of a tool's output than that is not searched.
constexpr qsizetype mostWords = 64 * 1024;

constexpr qint64 bestIsOpen = -1; ///< in bestIteration: events of its run are still to be added

const char *const tables = R"(
    DROP TABLE IF EXISTS search;
    DROP TABLE IF EXISTS iterations;
    DROP TABLE IF EXISTS events;
    DROP TABLE IF EXISTS runs;
    CREATE TABLE runs(
        id INTEGER PRIMARY KEY, run TEXT NOT NULL UNIQUE,
        bytes INTEGER NOT NULL DEFAULT 0, lastOffset INTEGER NOT NULL DEFAULT -1,
        lastNumber INTEGER NOT NULL DEFAULT 0, passedOver INTEGER NOT NULL DEFAULT 0,
        began INTEGER NOT NULL DEFAULT 0, latest INTEGER NOT NULL DEFAULT 0,
        agent TEXT NOT NULL DEFAULT '', mode TEXT NOT NULL DEFAULT '', ending TEXT NOT NULL DEFAULT '',
        iterations INTEGER NOT NULL DEFAULT 0, proposals INTEGER NOT NULL DEFAULT 0,
        best TEXT NOT NULL DEFAULT '', bestIteration INTEGER NOT NULL DEFAULT 0,
        start TEXT NOT NULL DEFAULT '', startIteration INTEGER NOT NULL DEFAULT 0,
        agentKind TEXT NOT NULL DEFAULT '', startMeasured INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE events(
        id INTEGER PRIMARY KEY, runId INTEGER NOT NULL, n INTEGER NOT NULL, kind TEXT NOT NULL,
        at INTEGER NOT NULL, offset INTEGER NOT NULL, summary TEXT NOT NULL, words TEXT NOT NULL,
        UNIQUE(runId, n));
    CREATE TABLE iterations(
        number INTEGER NOT NULL, runId INTEGER NOT NULL, n INTEGER NOT NULL, parent INTEGER NOT NULL,
        authorKind TEXT NOT NULL, authorName TEXT NOT NULL, note TEXT NOT NULL, textHash TEXT NOT NULL,
        at INTEGER NOT NULL, evaluation TEXT NOT NULL DEFAULT '',
        measured INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY(number, runId)) WITHOUT ROWID;
)";

} // namespace

Result<void> makeRunIndexTables(SqliteDatabase &database, bool &hasWordSearch) {
    if (const Result<void> made = database.run(tables); !made.hasValue())
        return made;
    // The words themselves stay in `events`: without FTS5 they are searched there. FTS5 refuses a table that
    // has a column of its own name.
    hasWordSearch =
        database.run("CREATE VIRTUAL TABLE search USING fts5(words, content='events', content_rowid='id')")
            .hasValue();
    return database.run(QStringLiteral("PRAGMA user_version=%1").arg(runIndexVersion).toLatin1().constData());
}

RunIndexRows::RunIndexRows(SqliteDatabase &database, qint64 runId, bool hasWordSearch)
    : m_database(database),
      m_runId(runId),
      m_hasWordSearch(hasWordSearch),
      m_addEvent(database,
                 "INSERT INTO events(runId, n, kind, at, offset, summary, words) VALUES(?,?,?,?,?,?,?)"),
      m_addWords(database, hasWordSearch ? "INSERT INTO search(rowid, words) VALUES(last_insert_rowid(), ?)"
                                         : "SELECT ?") {
    Statement row(database, "SELECT startIteration, bestIteration FROM runs WHERE id=?");
    if (row.bind(runId).step()) {
        m_start = row.integer(0);
        m_isBestOpen = row.integer(1) == bestIsOpen;
    }
}

void RunIndexRows::add(const TrajectoryEvent &event) {
    const QString words = eventWords(event).left(mostWords);
    m_addEvent.reset();
    m_addEvent.bind(m_runId)
        .bind(event.number)
        .bind(event.kind)
        .bind(event.at.toMSecsSinceEpoch())
        .bind(event.offset)
        .bind(eventSummary(event))
        .bind(words)
        .step();
    if (m_hasWordSearch) {
        m_addWords.reset();
        m_addWords.bind(words).step();
    }
    if (event.kind == QLatin1String("iteration")) {
        addIteration(event);
    } else if (event.kind == QLatin1String("evaluation")) {
        addEvaluation(event);
    } else if (event.kind == QLatin1String("proposal")) {
        // "p3"; a run that went on may propose the same once more.
        changeRun("UPDATE runs SET proposals=MAX(proposals,CAST(?1 AS INTEGER)) WHERE id=?2",
                  event.text("proposal").mid(1));
    } else if (event.kind == QLatin1String("run-began")) {
        takeAgent(event);
        changeRun("UPDATE runs SET mode=?1 WHERE id=?2", event.text("mode"));
        m_start = event.integer("iteration");
        Statement(m_database, "UPDATE runs SET startIteration=? WHERE id=?")
            .bind(m_start)
            .bind(m_runId)
            .step();
    } else if (event.kind == QLatin1String("mode-changed")) {
        changeRun("UPDATE runs SET mode=?1 WHERE id=?2", event.text("to"));
    } else if (event.kind == QLatin1String("run-continued")) {
        changeRun("UPDATE runs SET ending=?1 WHERE id=?2", {});
        takeAgent(event);
        if (const QString mode = event.text("mode"); !mode.isEmpty())
            changeRun("UPDATE runs SET mode=?1 WHERE id=?2", mode);
    } else if (event.kind == QLatin1String("run-stopped") || event.kind == QLatin1String("run-ended")) {
        changeRun("UPDATE runs SET ending=?1 WHERE id=?2", eventSummary(event));
    }
}

/// Of a beginning, or of a going on with another agent.
void RunIndexRows::takeAgent(const TrajectoryEvent &event) {
    const auto agent = event.body.find("agent");
    if (agent == event.body.end())
        return;
    changeRun("UPDATE runs SET agent=?1 WHERE id=?2", stringIn(*agent, "name", stringIn(*agent, "kind")));
    changeRun("UPDATE runs SET agentKind=?1 WHERE id=?2", stringIn(*agent, "kind"));
}

void RunIndexRows::changeRun(const char *sql, const QString &value) {
    Statement(m_database, sql).bind(value).bind(m_runId).step();
}

void RunIndexRows::addIteration(const TrajectoryEvent &event) {
    const auto author = event.body.find("author");
    const Json by = author == event.body.end() ? Json::object() : *author;
    Statement(m_database,
              "INSERT OR REPLACE INTO iterations(number, runId, n, parent, authorKind, authorName, note, "
              "textHash, at) VALUES(?,?,?,?,?,?,?,?,?)")
        .bind(event.integer("number"))
        .bind(m_runId)
        .bind(event.number)
        .bind(event.integer("parent"))
        .bind(stringIn(by, "kind"))
        .bind(stringIn(by, "name"))
        .bind(event.text("note"))
        .bind(event.text("textHash"))
        .bind(event.at.toMSecsSinceEpoch())
        .step();
    changeRun("UPDATE runs SET iterations=iterations+1 WHERE id=?2 AND ?1=''", {});
}

void RunIndexRows::addEvaluation(const TrajectoryEvent &event) {
    const auto summary = event.body.find("summary");
    if (event.text("of") != QLatin1String("iteration") || summary == event.body.end())
        return;
    Json kept = *summary;
    // Measured once more by a run that went on it is still what it was.
    if (event.body.contains("besideCode") || isBesideCode(event.integer("iteration")))
        kept["besideCode"] = true;
    Statement(m_database, "UPDATE iterations SET evaluation=?, measured=? WHERE number=? AND runId=?")
        .bind(QString::fromUtf8(dumpJson(kept)))
        .bind(event.number)
        .bind(event.integer("iteration"))
        .bind(m_runId)
        .step();
    if (m_start > 0 && event.integer("iteration") == m_start) {
        changeRun("UPDATE runs SET start=?1 WHERE id=?2", QString::fromUtf8(dumpJson(*summary)));
        Statement(m_database, "UPDATE runs SET startMeasured=? WHERE id=? AND startMeasured=0")
            .bind(event.number)
            .bind(m_runId)
            .step();
        return;
    }
    m_isBestOpen = true;
}

bool RunIndexRows::isBesideCode(qint64 iteration) const {
    Statement row(m_database, "SELECT evaluation FROM iterations WHERE number=? AND runId=?");
    if (!row.bind(iteration).bind(m_runId).step())
        return false;
    const Result<Json> json = parseJson(row.text(0).toUtf8());
    return json.hasValue() && json.value().contains("besideCode");
}

void RunIndexRows::leaveBestOpen() {
    if (m_isBestOpen)
        Statement(m_database, "UPDATE runs SET best='', bestIteration=? WHERE id=?")
            .bind(bestIsOpen)
            .bind(m_runId)
            .step();
}

void RunIndexRows::writeBest() {
    if (!m_isBestOpen)
        return;
    m_isBestOpen = false;
    // All of them: a check may take the name away again, or tell anew of one that had it.
    BestIteration best;
    int place = -1;
    QString words;
    // What the run began with is not its best, but its first steps were timed beside that.
    Statement began(m_database, "SELECT start FROM runs WHERE id=? AND start<>''");
    if (began.bind(m_runId).step())
        if (const Result<Json> json = parseJson(began.text(0).toUtf8()); json.hasValue())
            if (const auto summary = summaryFromJson(json.value()))
                best.takeBeside(*summary);
    Statement row(m_database, "SELECT number, evaluation FROM iterations WHERE runId=? AND evaluation<>'' "
                              "AND number<>? ORDER BY number");
    row.bind(m_runId).bind(m_start);
    while (row.step()) {
        const QString text = row.text(1);
        const Result<Json> json = parseJson(text.toUtf8());
        const auto summary = json.hasValue() ? summaryFromJson(json.value()) : std::nullopt;
        // Of what was proposed the comments alone were taken: it is no faster than the code before it.
        if (!summary)
            continue;
        if (json.value().contains("besideCode")) {
            best.takeBeside(*summary);
            continue;
        }
        best.take(static_cast<int>(row.integer(0)), *summary);
        if (best.place() != place) {
            place = best.place();
            words = place < 0 ? QString() : text;
        }
    }
    Statement(m_database, "UPDATE runs SET best=?, bestIteration=? WHERE id=?")
        .bind(words)
        .bind(qint64{std::max(place, 0)})
        .bind(m_runId)
        .step();
}

} // namespace warpwright
