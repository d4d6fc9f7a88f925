// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/run_index.h"

#include "agent/record/run_index_rows.h"
#include "agent/record/trajectory_reader.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QThread>

#include <algorithm>

namespace warpwright {
namespace {

using Statement = SqliteDatabase::Statement;

/// Events a transaction: another process gets its turn in between.
constexpr int eventsATime = 4000;
constexpr int busyLimitMs = 15000;

QDateTime timeFrom(qint64 ms) {
    return ms == 0 ? QDateTime() : QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC);
}

IndexedEvent eventFrom(const Statement &row) {
    return {row.text(0), row.integer(1), row.text(2), timeFrom(row.integer(3)), row.text(4), row.integer(5)};
}

Json jsonFrom(const QString &text) {
    const Result<Json> json = text.isEmpty() ? Result<Json>::error({}) : parseJson(text.toUtf8());
    return json.hasValue() ? json.value() : Json();
}

std::optional<EvaluationSummary> summaryFrom(const QString &text) {
    return text.isEmpty() ? std::nullopt : summaryFromJson(jsonFrom(text));
}

const char *const iterationColumns =
    "SELECT runs.run, n, number, parent, authorKind, authorName, note, textHash, at, evaluation, "
    "measured FROM iterations JOIN runs ON runs.id = runId ";

IndexedIteration iterationFrom(const Statement &row) {
    IndexedIteration one;
    one.run = row.text(0);
    one.event = row.integer(1);
    one.iteration.number = static_cast<int>(row.integer(2));
    one.iteration.parent = static_cast<int>(row.integer(3));
    one.iteration.author = {authorKindFromName(row.text(4)), row.text(5)};
    one.iteration.note = row.text(6);
    one.iteration.textHash = row.text(7);
    one.iteration.time = timeFrom(row.integer(8));
    if (const Json kept = jsonFrom(row.text(9)); kept.is_object()) {
        one.latest = summaryFromJson(kept);
        one.isBesideCode = kept.contains("besideCode");
    }
    one.measured = row.integer(10);
    return one;
}

/// Each word in quotation marks and with a star: FTS5's own operators are nothing that a person means.
QString wordQuery(const QString &words) {
    QStringList terms;
    for (QString word : words.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts))
        terms << QLatin1Char('"') + word.replace(QLatin1Char('"'), QLatin1String("\"\"")) +
                     QLatin1String("\"*");
    return terms.join(QLatin1Char(' '));
}

/// For LIKE with the escape character «!».
QString likePattern(QString word) {
    for (const char special : {'!', '%', '_'})
        word.replace(QLatin1Char(special), QLatin1Char('!') + QString(QLatin1Char(special)));
    return QLatin1Char('%') + word + QLatin1Char('%');
}

} // namespace

QString RunIndex::fileIn(const QString &stateFolder) {
    return runsFolder(stateFolder) + QStringLiteral("/index.sqlite");
}

QString RunIndex::cannot(const QString &why) const {
    return QStringLiteral("Cannot read the index of runs \"%1\": %2. Remove it: it is made anew from the "
                          "trajectories.")
        .arg(m_isInMemory ? QStringLiteral(":memory:") : fileIn(m_state), why);
}

Result<RunIndex> RunIndex::open(const QString &stateFolder) {
    RunIndex index(stateFolder);
    if (const Result<void> opened = index.openFile(); !opened.hasValue())
        return Result<RunIndex>::error(opened.message());
    if (const Result<void> fresh = index.refresh(); !fresh.hasValue())
        return Result<RunIndex>::error(fresh.message());
    return Result<RunIndex>::ok(std::move(index));
}

Result<void> RunIndex::openFile() {
    // A workspace without runs gets no file.
    const bool isWanted = QFileInfo(runsFolder(m_state)).isDir();
    Result<SqliteDatabase> opened =
        isWanted ? SqliteDatabase::open(fileIn(m_state)) : Result<SqliteDatabase>::error({});
    QString why = opened.message();
    if (opened.hasValue()) {
        m_database = std::move(opened).value();
        const char *const prepare =
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; BEGIN IMMEDIATE; COMMIT";
        QElapsedTimer patience;
        patience.start();
        Result<void> ready = m_database.run(prepare);
        // SQLite does not wait by itself where the last of the others is just closing, nor for a change of
        // the journal.
        while (!ready.hasValue() && m_database.isBusy() && patience.elapsed() < busyLimitMs) {
            QThread::msleep(20);
            ready = m_database.run(prepare);
        }
        if (ready.hasValue() || m_database.isBroken())
            return Result<void>::ok();
        why = ready.message();
    }
    opened = SqliteDatabase::open(QStringLiteral(":memory:"));
    if (!opened.hasValue())
        return Result<void>::error(opened.message());
    m_database = std::move(opened).value();
    m_isInMemory = true;
    if (isWanted)
        m_notice = QStringLiteral("The index of runs \"%1\" cannot be written (%2), so it is made in memory "
                                  "each time.")
                       .arg(fileIn(m_state), why);
    return Result<void>::ok();
}

qint64 RunIndex::version() {
    Statement row(m_database, "PRAGMA user_version");
    return row.step() ? row.integer(0) : -1;
}

Result<void> RunIndex::remake(const QString &why) {
    if (m_database.isBroken()) {
        m_database = SqliteDatabase();
        for (const char *suffix : {"", "-wal", "-shm"})
            QFile::remove(fileIn(m_state) + QLatin1String(suffix));
        if (const Result<void> opened = openFile(); !opened.hasValue())
            return opened;
    }
    // In one transaction: another process sees the old tables or the new ones.
    Result<void> made = m_database.run("BEGIN IMMEDIATE");
    // While this one waited for its turn another process may have made them.
    const bool isMade = why.isEmpty() && made.hasValue() && version() == runIndexVersion;
    if (made.hasValue() && !isMade)
        made = makeRunIndexTables(m_database, m_hasWordSearch);
    if (made.hasValue())
        made = m_database.run("COMMIT");
    if (!made.hasValue())
        return Result<void>::error(cannot(made.message()));
    if (!why.isEmpty())
        m_notice = QStringLiteral("The index of runs was made anew: %1.").arg(why);
    return Result<void>::ok();
}

Result<void> RunIndex::refresh() {
    Result<void> done = takeUp();
    if (!done.hasValue() && m_database.isBroken()) {
        done = remake(QStringLiteral("its file was damaged"));
        if (done.hasValue())
            done = takeUp();
    }
    return done;
}

Result<void> RunIndex::takeUp() {
    const qint64 found = version();
    if (const QString problem = m_database.takeProblem(); !problem.isEmpty())
        return Result<void>::error(cannot(problem));
    if (found != runIndexVersion)
        if (const Result<void> made = remake({}); !made.hasValue())
            return made;
    {
        Statement row(m_database, "SELECT 1 FROM sqlite_master WHERE name='search'");
        m_hasWordSearch = row.step();
    }
    const QDir folder(runsFolder(m_state));
    QStringList names;
    for (const QString &name : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
        if (QFileInfo(trajectoryFile(folder.filePath(name))).isFile())
            names << name;
    const Result<bool> isOther = isOfOtherLines(names);
    if (!isOther.hasValue())
        return Result<void>::error(isOther.message());
    if (isOther.value())
        if (const Result<void> made = remake(QStringLiteral("it told of lines that are no longer there"));
            !made.hasValue())
            return made;
    for (const QString &name : names)
        if (const Result<void> done = takeUpRun(name); !done.hasValue())
            return done;
    return Result<void>::ok();
}

Result<bool> RunIndex::isOfOtherLines(const QStringList &names) {
    bool isOther = false;
    Statement row(m_database, "SELECT run, bytes, lastOffset, lastNumber FROM runs");
    while (!isOther && row.step()) {
        const QString file = trajectoryFile(runsFolder(m_state) + QLatin1Char('/') + row.text(0));
        isOther = !names.contains(row.text(0)) || QFileInfo(file).size() < row.integer(1);
        if (!isOther && row.integer(2) >= 0) {
            const Result<TrajectoryEvent> last = TrajectoryReader(file).eventAt(row.integer(2));
            isOther = !last.hasValue() || last.value().number != row.integer(3);
        }
    }
    const QString problem = m_database.takeProblem();
    return problem.isEmpty() ? Result<bool>::ok(isOther) : Result<bool>::error(cannot(problem));
}

Result<void> RunIndex::takeUpRun(const QString &run) {
    const TrajectoryReader reader(trajectoryFile(runsFolder(m_state) + QLatin1Char('/') + run));
    const auto known = [&](qint64 &id, qint64 &bytes, qint64 &lastNumber) {
        Statement row(m_database, "SELECT id, bytes, lastNumber FROM runs WHERE run=?");
        const bool isKnown = row.bind(run).step();
        id = isKnown ? row.integer(0) : 0;
        bytes = isKnown ? row.integer(1) : -1;
        lastNumber = isKnown ? row.integer(2) : 0;
    };
    // What is appended meanwhile is for the next time: a writer may be faster than we are.
    const qint64 end = QFileInfo(reader.file()).size();
    qint64 id = 0;
    qint64 bytes = 0;
    qint64 lastNumber = 0;
    for (;;) {
        known(id, bytes, lastNumber);
        if (bytes >= end)
            return Result<void>::ok();
        if (const Result<void> begun = m_database.run("BEGIN IMMEDIATE"); !begun.hasValue())
            return Result<void>::error(cannot(begun.message()));
        // Another process may have been here while this one waited for its turn.
        Statement(m_database, "INSERT OR IGNORE INTO runs(run) VALUES(?)").bind(run).step();
        known(id, bytes, lastNumber);
        const Result<TrajectoryReader::Page> read = reader.page(bytes, eventsATime);
        if (!read.hasValue()) {
            static_cast<void>(m_database.run("ROLLBACK"));
            return Result<void>::error(read.message());
        }
        const TrajectoryReader::Page &page = read.value();
        {
            RunIndexRows rows(m_database, id, m_hasWordSearch);
            for (const TrajectoryEvent &event : page.events)
                if (event.number > lastNumber) {
                    rows.add(event);
                    lastNumber = event.number;
                }
            if (page.isLast || page.next >= end)
                rows.writeBest();
            else
                rows.leaveBestOpen();
        }
        Statement change(m_database,
                         "UPDATE runs SET bytes=?, lastNumber=?, passedOver=passedOver+? WHERE id=?");
        change.bind(page.next).bind(lastNumber).bind(qint64{page.passedOver}).bind(id).step();
        if (!page.events.empty()) {
            const TrajectoryEvent &last = page.events.back();
            Statement(m_database, "UPDATE runs SET lastOffset=?1, latest=?2, "
                                  "began=CASE WHEN began=0 THEN ?3 ELSE began END WHERE id=?4")
                .bind(last.offset)
                .bind(last.at.toMSecsSinceEpoch())
                .bind(page.events.front().at.toMSecsSinceEpoch())
                .bind(id)
                .step();
        }
        const QString problem = m_database.takeProblem();
        const Result<void> done = m_database.run(problem.isEmpty() ? "COMMIT" : "ROLLBACK");
        if (!problem.isEmpty() || !done.hasValue())
            return Result<void>::error(cannot(problem.isEmpty() ? done.message() : problem));
        if (page.isLast)
            return Result<void>::ok();
    }
}

template <typename Rows, typename Ask>
Result<Rows> RunIndex::answer(const Ask &ask) {
    for (int attempt = 0;; ++attempt) {
        Rows rows = ask();
        const QString problem = m_database.takeProblem();
        if (problem.isEmpty())
            return Result<Rows>::ok(std::move(rows));
        if (attempt > 0 || !m_database.isBroken())
            return Result<Rows>::error(cannot(problem));
        Result<void> made = remake(QStringLiteral("its file was damaged"));
        if (made.hasValue())
            made = takeUp();
        if (!made.hasValue())
            return Result<Rows>::error(made.message());
    }
}

Result<std::vector<IndexedRun>> RunIndex::runs() {
    return answer<std::vector<IndexedRun>>([this] {
        std::vector<IndexedRun> runs;
        Statement row(
            m_database,
            "SELECT run, began, latest, agent, mode, ending, lastNumber, iterations, "
            "proposals, passedOver, best, bestIteration, start, startIteration, agentKind, startMeasured "
            "FROM runs "
            // Of a program that ended before it wrote a line there is nothing to tell.
            "WHERE lastNumber>0 OR passedOver>0 ORDER BY run");
        while (row.step())
            runs.push_back({row.text(0), timeFrom(row.integer(1)), timeFrom(row.integer(2)), row.text(3),
                            row.text(4), row.text(5), row.integer(6), static_cast<int>(row.integer(7)),
                            static_cast<int>(row.integer(8)), static_cast<int>(row.integer(9)),
                            summaryFrom(row.text(10)), static_cast<int>(std::max<qint64>(0, row.integer(11))),
                            summaryFrom(row.text(12)), static_cast<int>(row.integer(13)),
                            authorKindFromName(row.text(14)), row.integer(15)});
        return runs;
    });
}

Result<std::vector<IndexedIteration>> RunIndex::iterations(const QString &run, int skip, int most) {
    return answer<std::vector<IndexedIteration>>([&] {
        std::vector<IndexedIteration> iterations;
        const QByteArray sql = QByteArray(iterationColumns) +
                               "WHERE ?1='' OR runs.run=?1 ORDER BY number, runId LIMIT ?2 OFFSET ?3";
        Statement row(m_database, sql.constData());
        row.bind(run).bind(qint64{most}).bind(qint64{skip});
        while (row.step())
            iterations.push_back(iterationFrom(row));
        return iterations;
    });
}

Result<int> RunIndex::iterationCount(const QString &run) {
    return answer<int>([&] {
        Statement row(m_database, "SELECT count(*) FROM iterations JOIN runs ON runs.id = runId "
                                  "WHERE ?1='' OR runs.run=?1");
        return row.bind(run).step() ? static_cast<int>(row.integer(0)) : 0;
    });
}

Result<std::optional<IndexedIteration>> RunIndex::iteration(int number) {
    return answer<std::optional<IndexedIteration>>([&]() -> std::optional<IndexedIteration> {
        const QByteArray sql = QByteArray(iterationColumns) + "WHERE number=? ORDER BY runs.run DESC LIMIT 1";
        Statement row(m_database, sql.constData());
        if (!row.bind(qint64{number}).step())
            return std::nullopt;
        return iterationFrom(row);
    });
}

Result<std::vector<RunMark>> RunIndex::marks(const QString &run) {
    return answer<std::vector<RunMark>>([&] {
        std::vector<RunMark> marks;
        Statement row(m_database,
                      "SELECT n, kind='proposal' FROM events WHERE runId=(SELECT id FROM runs WHERE run=?1) "
                      "AND kind IN ('proposal','applied','hand-edit','restored','run-continued',"
                      "'run-stopped','run-ended') ORDER BY n");
        row.bind(run);
        while (row.step())
            marks.push_back({row.integer(0), row.integer(1) != 0});
        return marks;
    });
}

Result<qint64> RunIndex::proposalEvent(const QString &run, const QString &proposal) {
    return answer<qint64>([&] {
        // As eventSummary() begins: «p3: Fetch a tile once …».
        Statement row(m_database, "SELECT n FROM events WHERE runId=(SELECT id FROM runs WHERE run=?1) AND "
                                  "kind='proposal' AND substr(summary,1,length(?2)+1)=?2||':' "
                                  "ORDER BY n DESC LIMIT 1");
        return row.bind(run).bind(proposal).step() ? row.integer(0) : 0;
    });
}

Result<std::vector<qint64>> RunIndex::numbers(const QString &run, EventFilter filter) {
    const char *decisions =
        "SELECT n FROM events AS e WHERE runId=(SELECT id FROM runs WHERE run=?1) AND kind IN "
        "('proposal','decision',"
        "'decision-undone','decision-redone','conflict-resolved','bet','policy','step','applied','restored',"
        "'hand-edit','prompt-answered','mode-changed','run-ended','run-stopped') "
        // An answer is recorded once more when its reason is given behind it: that row tells both.
        "AND NOT (kind='decision' AND EXISTS (SELECT 1 FROM events AS told WHERE told.runId=e.runId "
        "AND told.n>e.n AND told.n<=e.n+200 AND told.kind='decision' "
        "AND substr(told.summary,1,length(e.summary)+2)=e.summary||': ' "
        "AND NOT EXISTS (SELECT 1 FROM events AS undone WHERE undone.runId=e.runId AND undone.n>e.n "
        "AND undone.n<told.n AND undone.kind='decision-undone'))) ORDER BY n";
    // As eventSummary() tells them: of evaluations «p1: wrong», of tools «… failed, 2.0 s». Where nothing was
    // decided nothing has failed.
    QByteArray failed;
    for (const Verdict verdict :
         {Verdict::Wrong, Verdict::Rejected, Verdict::RunFailed, Verdict::Impossible, Verdict::BuildFailed}) {
        const QByteArray name = verdictName(verdict).toUtf8();
        failed += " OR summary LIKE '%: " + name + "' OR summary LIKE '%: " + name + ",%'";
    }
    const QByteArray failures =
        "SELECT n FROM events WHERE runId=(SELECT id FROM runs WHERE run=?1) AND ((kind='evaluation' AND "
        "(0" +
        failed +
        ")) OR (kind='tool-call' AND "
        "(summary LIKE '% failed, %' OR summary LIKE '% denied, %')) OR kind IN ('conflict','run-stopped',"
        "'budget-reached')) ORDER BY n";
    const char *stops = "SELECT n FROM events WHERE runId=(SELECT id FROM runs WHERE run=?1) AND (kind IN "
                        "('proposal','applied','hand-edit','restored','run-continued','run-stopped',"
                        "'run-ended','evaluation','policy','step') OR (kind='decision' AND (summary LIKE "
                        "'%: reject' OR summary LIKE '%: reject: %'))) ORDER BY n";
    const char *all = "SELECT n FROM events WHERE runId=(SELECT id FROM runs WHERE run=?1) ORDER BY n";
    const char *told = "SELECT n FROM events WHERE runId=(SELECT id FROM runs WHERE run=?1) AND "
                       "kind<>'agent-memory' ORDER BY n";
    return answer<std::vector<qint64>>([&] {
        std::vector<qint64> numbers;
        Statement row(m_database, filter == EventFilter::Decisions  ? decisions
                                  : filter == EventFilter::Failures ? failures.constData()
                                  : filter == EventFilter::Stops    ? stops
                                  : filter == EventFilter::Told     ? told
                                                                    : all);
        row.bind(run);
        while (row.step())
            numbers.push_back(row.integer(0));
        return numbers;
    });
}

Result<std::vector<IndexedEvent>> RunIndex::events(const QString &run, qint64 first, int most) {
    return answer<std::vector<IndexedEvent>>([&] {
        std::vector<IndexedEvent> events;
        Statement row(m_database,
                      "SELECT ?1, n, kind, at, summary, offset FROM events WHERE runId=(SELECT id FROM runs "
                      "WHERE run=?1) AND n>=?2 ORDER BY n LIMIT ?3");
        row.bind(run).bind(first).bind(qint64{most});
        while (row.step())
            events.push_back(eventFrom(row));
        return events;
    });
}

Result<std::vector<IndexedEvent>> RunIndex::search(const QString &words, const QString &run, int most) {
    if (words.trimmed().isEmpty())
        return Result<std::vector<IndexedEvent>>::ok({});
    return answer<std::vector<IndexedEvent>>([&] {
        const QStringList each = words.simplified().split(QLatin1Char(' '));
        // By number of row, in which both FTS5 and the table lie: what was taken up last comes first, and
        // nothing is sorted.
        QByteArray sql = "SELECT runs.run, n, kind, at, summary, offset FROM ";
        if (m_hasWordSearch)
            sql += "search JOIN events ON events.id = search.rowid JOIN runs ON runs.id = runId "
                   "WHERE search MATCH ?3 AND (?1='' OR runs.run=?1) ORDER BY search.rowid DESC LIMIT ?2";
        else
            sql += "events JOIN runs ON runs.id = runId WHERE (?1='' OR runs.run=?1)";
        for (qsizetype i = 0; !m_hasWordSearch && i < each.size(); ++i)
            sql += " AND events.words LIKE ?" + QByteArray::number(i + 3) + " ESCAPE '!'";
        if (!m_hasWordSearch)
            sql += " ORDER BY events.id DESC LIMIT ?2";
        std::vector<IndexedEvent> events;
        Statement row(m_database, sql.constData());
        row.bind(run).bind(qint64{most});
        if (m_hasWordSearch)
            row.bind(wordQuery(words));
        else
            for (const QString &word : each)
                row.bind(likePattern(word));
        while (row.step())
            events.push_back(eventFrom(row));
        return events;
    });
}

} // namespace warpwright
