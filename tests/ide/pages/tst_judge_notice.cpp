// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/start/doctor_panel.h"
#include "app/ide/start/judge_notice.h"
#include "app/ide/start/start_page.h"
#include "tests/ide/pages/page_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/scratch.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

namespace {

DataFolders foldersOf(const Scratch &scratch) {
    DataFolders folders = scratch.folders();
    folders.resources = sourceFolder("/resources");
    return folders;
}

} // namespace

class TestJudgeNotice : public QObject {
    Q_OBJECT
private slots:
    void init() { failOnOurWarnings(); }

    void saysThatTheJudgeIsNotCompiled() {
        const Scratch scratch;
        StartPage page(houseLook(), foldersOf(scratch));
        page.setExaminesOnShow(false);
        showAt(page);
        JudgeNotice &judge = page.judge();
        QVERIFY(judge.isHidden());
        RefereeState state;
        judge.show(state); // without Python nobody knows, and the doctor says why
        QVERIFY(judge.isHidden());
        state.isKnown = true;
        state.count = 135;
        state.secondsGuess = 300;
        judge.show(state);
        QVERIFY(judge.isVisible());
        const auto *what = child<QLabel>(page, "judgeNoticeWhat");
        QVERIFY2(what->text().contains("not compiled yet: about 5 min, once"), qPrintable(what->text()));
        QVERIFY(child<QWidget>(page, "judgeNoticeNow")->isHidden()); // nobody could do it
        state.progress = {40, 135, true, 180.0};
        state.secondsGuess = 180;
        judge.show(state);
        QVERIFY2(what->text().contains("step 41 of 135, about 3 min left"), qPrintable(what->text()));
        state.isBuilt = true;
        judge.show(state);
        QVERIFY(judge.isHidden());
    }

    // One screen says one thing, whenever the doctor looked.
    void theDoctorsJudgeGoesOnWithTheNotice() {
        const Scratch scratch;
        StartPage page(houseLook(), foldersOf(scratch));
        page.setExaminesOnShow(false);
        showAt(page);
        DoctorFinding unbuilt;
        unbuilt.name = QStringLiteral("referee");
        unbuilt.status = FindingStatus::Unsure;
        unbuilt.isNeeded = false;
        unbuilt.message = QStringLiteral("It is being compiled: step 1 of 135.");
        page.doctor().show({unbuilt});
        RefereeState state;
        state.isKnown = true;
        state.count = 135;
        state.progress = {40, 135, true, 180.0};
        state.secondsGuess = 180;
        page.judge().show(state);
        const QString words = child<QLabel>(page, "doctorJudge")->text();
        QVERIFY2(words.contains("step 41 of 135, about 3 min left"), qPrintable(words));
        state.isBuilt = true;
        page.judge().show(state);
        QTRY_VERIFY(page.doctor().findChildren<QLabel *>(QStringLiteral("doctorJudge")).isEmpty());
    }

    // A process of its own: what it was asked for, and once only.
    void compilesTheJudgeOnceByItself() {
        const Scratch scratch;
        const QString told = scratch.path("told.txt");
        const QString preparer =
            scratch.writeProgram("wright", "#!/bin/sh\necho \"$@\" >> '" + told.toUtf8() + "'\n");
        StartPage page(houseLook(), foldersOf(scratch));
        page.setExaminesOnShow(false);
        showAt(page);
        JudgeNotice &judge = page.judge();
        judge.prepareWith(preparer);
        RefereeState state;
        state.isKnown = true;
        state.count = 135;
        judge.show(state);
        judge.show(state);
        QTRY_COMPARE(textOf(told), QByteArray("prepare --judge\n"));
        QVERIFY(child<QWidget>(page, "judgeNoticeNow")->isHidden());
        const auto *what = child<QLabel>(page, "judgeNoticeWhat");
        const auto *how = child<QLabel>(page, "judgeNoticeHow");
        QVERIFY2(what->text().contains("about to be compiled") && how->text().contains("waits for it"),
                 qPrintable(what->text() + how->text()));
        // Once it was seen, nothing is about to be.
        state.progress = {4, 135, true, 180.0};
        judge.show(state);
        QVERIFY2(what->text().contains("step 5 of 135"), qPrintable(what->text()));
        state.progress = {4, 135, false, {}};
        judge.show(state);
        QVERIFY2(what->text().contains("not compiled yet"), qPrintable(what->text()));
        QVERIFY(!child<QWidget>(page, "judgeNoticeNow")->isHidden());
        // It failed: said with its log, and tried again only by a person.
        state.failureLog = scratch.write("key.log", "error: no space left");
        judge.show(state);
        QVERIFY(child<QLabel>(page, "judgeNoticeHow")->text().contains(state.failureLog));
        QTest::mouseClick(child<QWidget>(page, "judgeNoticeNow"), Qt::LeftButton);
        QTRY_COMPARE(textOf(told), QByteArray("prepare --judge\nprepare --judge\n"));
        QVERIFY(!QFile::exists(state.failureLog));
    }
};

QObject *makeTestJudgeNotice() {
    return new TestJudgeNotice;
}

#include "tst_judge_notice.moc"
