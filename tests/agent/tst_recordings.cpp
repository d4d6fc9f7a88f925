// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/recordings.h"

#include "agent/run_index.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/workspace.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace warpwright;

/// The runs that ship: listed with their figures, and opened as workspaces of the person's own.
class TestRecordings : public QObject {
    Q_OBJECT

private slots:
    void listsThemWithTheirFigures() {
        const Scratch scratch;
        const std::vector<Recording> found = listRecordings(scratch.folders().resources);
        QVERIFY(found.size() >= 4);
        QStringList devices;
        int order = 0;
        for (const Recording &recording : found) {
            QCOMPARE(recording.order, ++order);
            QVERIFY2(recording.title != recording.name && recording.iterations > 1,
                     qPrintable(recording.name));
            QVERIFY2(recording.firstMicroseconds && recording.bestMicroseconds && recording.bestOverEager &&
                         *recording.bestMicroseconds < *recording.firstMicroseconds,
                     qPrintable(recording.name));
            devices << recording.device;
        }
        QVERIFY(devices.contains("AMD EPYC") && devices.contains("NVIDIA H200"));
        QVERIFY(listRecordings(scratch.path()).empty());
    }

    void isListedWithoutItsWords() {
        const Scratch scratch;
        scratch.write("recordings/bare/trajectory.jsonl", "");
        scratch.write("recordings/bare/history.json", "{\"iterations\": [1, {\"evaluation\": 2}]}");
        scratch.write("recordings/empty/history.json", "{}");
        const std::vector<Recording> found = listRecordings(scratch.path());
        QCOMPARE(found.size(), std::size_t(1));
        QCOMPARE(found.front().title, QString("bare"));
        QVERIFY(!openRecordingCopy(found.front(), scratch.path("data")).hasValue());
    }

    void opensAsAWorkspaceWithTheRunAmongItsPastOnes() {
        const Scratch scratch;
        for (const Recording &recording : listRecordings(scratch.folders().resources)) {
            const auto opened = openRecordingCopy(recording, scratch.path("data"));
            QVERIFY2(opened.hasValue(), qPrintable(opened.message()));
            const auto workspace = Workspace::open(opened.value().folder, scratch.folders());
            QVERIFY2(workspace.hasValue(), qPrintable(workspace.message()));
            QVERIFY(!workspace.value().modelNewFile.isEmpty());
            auto index = RunIndex::open(workspace.value().state);
            QVERIFY2(index.hasValue(), qPrintable(index.message()));
            RunIndex runs = std::move(index).value();
            QCOMPARE(runs.runs().value().size(), std::size_t(1));
            QCOMPARE(runs.runs().value().front().run, opened.value().run);
            // What a person made of it stays.
            scratch.write("data/recordings/" + recording.name + "/model_new.py", "mine");
            QCOMPARE(openRecordingCopy(recording, scratch.path("data")).value().folder,
                     opened.value().folder);
            QCOMPARE(textOf(opened.value().folder + "/model_new.py"), QByteArray("mine"));
        }
    }
};

QObject *makeTestRecordings() {
    return new TestRecordings;
}
#include "tst_recordings.moc"
