// SPDX-License-Identifier: GPL-3.0-or-later
// The built-in expert in the window: one click, then its first kernels are reviewed as any other agent's.
#include "app/ide/editing/candidate_panel.h"
#include "tests/gui/review_world.h"
#include "tests/toolchain/run_test_classes.h"
#include "widgets/review/hunk_marks.h"

#include <QFile>
#include <QTest>

using namespace warpwright;

class TestAgentPlaybook : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void proposesAKernelForTheWholeForward() {
        ReviewWorld world(0);
        // Slower than its kernels are expected to be: else it would ask first.
        world.window.tell(QStringLiteral("intext times=5000,9000,8000"));
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.actions().tunePlaybook->isEnabled());
        world.trigger(world.actions().tunePlaybook);
        QVERIFY2(world.waitsForReview(), qPrintable(world.said()));
        QVERIFY(!world.actions().tunePlaybook->isEnabled()); // one run at a time
        const Proposal first = world.session()->review()->proposal();
        QCOMPARE(first.author.kind, AuthorKind::Playbook);
        QCOMPARE(first.move, QString("fuse"));
        QVERIFY2(world.said().contains("operators"), qPrintable(world.said()));
        // Its new files are read before they are accepted.
        const auto *panel = world.window.window->findChild<CandidatePanel *>();
        QTRY_VERIFY(panel->currentEditor()->decorator<HunkMarks>().current() > 0);
        QVERIFY2(panel->currentFile().startsWith("kernels/fused_pointwise"),
                 qPrintable(panel->currentFile()));
        QVERIFY(world.answerAllAndGoOn(world.actions().acceptAllHunks));
        // The kernel stands on the disk, and the next move is proposed.
        QVERIFY(QFile::exists(world.window.folder + "/kernels/fused_pointwise.cpp"));
        QVERIFY2(world.waitsForReview(), qPrintable(world.said()));
        QCOMPARE(world.session()->review()->proposal().move, QString("vector-math"));
        QTRY_VERIFY(!panel->currentEditor()->decorator<HunkMarks>().hunks().empty());
        QVERIFY2(!world.window.toasts().contains("deleted or moved"), qPrintable(world.window.toasts()));
        QVERIFY(world.stop());
        QVERIFY(world.actions().tunePlaybook->isEnabled());
    }
};

QObject *makeTestAgentPlaybook() {
    return new TestAgentPlaybook;
}
#include "tst_agent_playbook.moc"
