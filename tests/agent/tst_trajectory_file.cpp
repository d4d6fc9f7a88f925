// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/trajectory_reader.h"
#include "agent/record/trajectory_writer.h"
#include "tests/toolchain/scratch.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTest>

using namespace warpwright;

namespace {

TrajectoryWriter begun(const Scratch &scratch) {
    Result<TrajectoryWriter> writer = TrajectoryWriter::beginRun(scratch.path("state"));
    if (!writer.hasValue())
        qFatal("%s", qPrintable(writer.message()));
    return std::move(writer).value();
}

void addTo(const QString &file, const QByteArray &bytes) {
    QFile out(file);
    if (!out.open(QIODevice::Append) || out.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(file));
}

} // namespace

class TestTrajectoryFile : public QObject {
    Q_OBJECT

private slots:
    void keepsAnEventOfAnyKind() {
        TrajectoryEvent event;
        event.number = 3;
        event.at = QDateTime::fromString("2026-11-21T20:15:00.123Z", Qt::ISODateWithMs);
        event.kind = "of-the-future";
        event.body = {{"a", {1, {{"b", nullptr}}}}, {"text", "zwei\nZeilen \xc3\xa4"}, {"x", 0.1}};
        const QByteArray line = lineOf(event);
        QVERIFY2(
            line.startsWith("{\"n\":3,\"at\":\"2026-11-21T20:15:00.123Z\",\"kind\":\"of-the-future\",\"a\":"),
            line);
        QCOMPARE(line.count('\n'), 1);
        const auto read = eventFromLine(line);
        QVERIFY2(read.hasValue(), qPrintable(read.message()));
        QVERIFY(read.value() == event);
        event.body = Json::object();
        QVERIFY(eventFromLine(lineOf(event)).value() == event);
        event.body = {{"n", 9}, {"kind", "other"}};
        QCOMPARE(eventFromLine(lineOf(event)).value().number, 3);
    }

    void refusesWhatIsNoEvent_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("half") << QByteArray("{\"n\":1,\"at\":\"2026-11-21T20:15:00.1");
        QTest::newRow("a list") << QByteArray("[1]");
        QTest::newRow("no number") << QByteArray("{\"at\":\"2026-11-21T20:15:00.123Z\",\"kind\":\"plan\"}");
        QTest::newRow("no kind") << QByteArray("{\"n\":1,\"at\":\"2026-11-21T20:15:00.123Z\"}");
        QTest::newRow("zeros of a lost block") << QByteArray(300, '\0');
        QTest::newRow("no UTF-8") << QByteArray(
            "{\"n\":1,\"at\":\"2026-11-21T20:15:00.123Z\",\"kind\":\"\xff\"}");
    }
    void refusesWhatIsNoEvent() {
        QFETCH(const QByteArray, line);
        QVERIFY(!eventFromLine(line).hasValue());
    }

    void comesBackByPages() {
        const Scratch scratch;
        TrajectoryWriter writer = begun(scratch);
        QCOMPARE(writer.file(), scratch.path("state/runs/") + writer.run() + "/trajectory.jsonl");
        const TrajectoryReader reader(writer.file());
        QVERIFY(reader.page(0, 10).value().events.empty() && reader.page(0, 10).value().isLast);
        for (int i = 1; i <= 25; ++i)
            QVERIFY(writer.append("message", {{"role", "agent"}, {"text", std::string(20, 'x')}, {"i", i}})
                        .hasValue());
        QCOMPARE(writer.lastNumber(), 25);
        qint64 offset = 0;
        int seen = 0;
        for (bool isLast = false; !isLast;) {
            const auto page = reader.page(offset, 10);
            QVERIFY(page.hasValue() && page.value().passedOver == 0 && page.value().events.size() <= 10);
            for (const TrajectoryEvent &event : page.value().events) {
                QCOMPARE(event.number, ++seen);
                QCOMPARE(event.integer("i"), seen);
                QVERIFY(reader.eventAt(event.offset).value() == event);
            }
            offset = page.value().next;
            isLast = page.value().isLast;
        }
        QCOMPARE(seen, 25);
        QCOMPARE(offset, QFileInfo(writer.file()).size());
        // What comes later is read from there.
        QVERIFY(writer.append("plan", Json::object()).hasValue());
        QCOMPARE(reader.page(offset, 10).value().events.front().number, 26);
        QCOMPARE(reader.eventAt(writer.lastOffset()).value().kind, QString("plan"));
        QVERIFY(reader.eventAt(3).message().contains("no event begins at byte 3"));
    }

    void readersPassOverWhatIsTorn() {
        const Scratch scratch;
        TrajectoryWriter writer = begun(scratch);
        QVERIFY(writer.append("plan", Json::object()).hasValue());
        addTo(writer.file(), "{\"n\":2,\"at\":\"20\n\n");
        QVERIFY(writer.append("plan", Json::object()).hasValue());
        addTo(writer.file(), "{\"n\":3,\"at\":\"2026-11-21T20:15:00.123Z\",\"kind\":\"plan\"}");
        const auto page = TrajectoryReader(writer.file()).page(0, 10);
        QCOMPARE(page.value().events.size(), 2U);
        QCOMPARE(page.value().passedOver, 1);
        QVERIFY(page.value().isLast);
        QVERIFY(page.value().next < QFileInfo(writer.file()).size()); // the last one is not there yet
    }

    void continuesBehindTheLastWholeLine_data() {
        QTest::addColumn<QByteArray>("tail");
        QTest::addColumn<bool>("isCut");
        QTest::newRow("whole") << QByteArray() << false;
        QTest::newRow("half a line") << QByteArray("{\"n\":4,\"at\":") << true;
        QTest::newRow("a line without its end")
            << QByteArray("{\"n\":4,\"at\":\"2026-11-21T20:15:00.123Z\",\"kind\":\"plan\"}") << true;
        QTest::newRow("much more than is looked at first") << QByteArray(5000000, 'x') << true;
    }
    void continuesBehindTheLastWholeLine() {
        QFETCH(const QByteArray, tail);
        QFETCH(const bool, isCut);
        const Scratch scratch;
        QString folder;
        {
            TrajectoryWriter writer = begun(scratch);
            folder = writer.folder();
            for (const std::size_t size : {10U, 300000U, 100000U})
                QVERIFY(writer.append("message", {{"text", std::string(size, 'm')}}).hasValue());
            const auto second = TrajectoryWriter::continueRun(folder);
            QVERIFY2(second.message().contains("another process is writing it"),
                     qPrintable(second.message()));
        }
        const QByteArray before = textOf(trajectoryFile(folder));
        addTo(trajectoryFile(folder), tail);
        auto opened = TrajectoryWriter::continueRun(folder);
        QVERIFY2(opened.hasValue(), qPrintable(opened.message()));
        TrajectoryWriter writer = std::move(opened).value();
        QCOMPARE(writer.notice().contains("a half-written last line was cut away"), isCut);
        QCOMPARE(textOf(writer.file()), before);
        QCOMPARE(writer.lastNumber(), 3);
        QVERIFY(writer.append("run-continued", Json::object()).hasValue());
        const auto last = TrajectoryReader(writer.file()).eventAt(writer.lastOffset());
        QCOMPARE(last.value().number, 4);
        QCOMPARE(last.value().offset, before.size());
    }

    void continuesAnEmptyRun() {
        const Scratch scratch;
        const QString folder = begun(scratch).folder();
        auto opened = TrajectoryWriter::continueRun(folder);
        QVERIFY(opened.hasValue() && opened.value().lastNumber() == 0);
    }

    void saysWhatCannotBeOpened() {
        const Scratch scratch;
        const QString missing = scratch.path("runs/none");
        const auto gone = TrajectoryWriter::continueRun(missing);
        QCOMPARE(gone.message(),
                 QString("Cannot continue the trajectory \"%1/trajectory.jsonl\": No such file or directory.")
                     .arg(missing));
        scratch.write("state/runs", "a file is in the way");
        const auto blocked = TrajectoryWriter::beginRun(scratch.path("state"));
        QVERIFY2(blocked.message().contains(scratch.path("state/runs")), qPrintable(blocked.message()));
        QVERIFY(TrajectoryReader(scratch.path("none")).page(0, 1).message().contains("No such file"));
        QVERIFY(TrajectoryReader(scratch.path()).page(0, 1).message().contains("it is not a file"));
    }
};

QObject *makeTestTrajectoryFile() {
    return new TestTrajectoryFile;
}

#include "tst_trajectory_file.moc"
