// SPDX-License-Identifier: GPL-3.0-or-later
// Where a lesson's picture stands, the pictures of its README, and what has the focus on arrival.
#include "agent/record/recordings.h"
#include "app/ide/agent/shown_budgets.h"
#include "app/ide/kit/actions.h"
#include "app/ide/layout/dock.h"
#include "app/ide/lesson/lesson_page.h"
#include "app/ide/lesson/readme_images.h"
#include "app/ide/lesson/readme_view.h"
#include "profiler_views/lesson/lesson_times_view.h"
#include "tests/ide/pages/page_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/scratch.h"

#include <QAbstractButton>
#include <QAction>
#include <QDir>
#include <QImage>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>

using namespace warpwright;

namespace {

DataFolders foldersOf(const Scratch &scratch) {
    DataFolders folders = scratch.folders();
    folders.resources = sourceFolder("/resources");
    return folders;
}

LessonContents recorded(const Scratch &scratch, const QString &name) {
    const DataFolders folders = foldersOf(scratch);
    for (const Recording &recording : listRecordings(folders.resources))
        if (recording.name == name) {
            const OpenedRecording opened = openRecordingCopy(recording, folders.data).value();
            return lessonContents(Workspace::open(opened.folder, folders).value(), folders).value();
        }
    qFatal("there is no such recording");
}

LessonContents fresh(const Scratch &scratch) {
    const DataFolders folders = foldersOf(scratch);
    const Lesson lesson = findLesson(folders.resources, QStringLiteral("softmax")).value();
    const QString folder = beginLesson(lesson, folders.data, folders.resources).value();
    return lessonContents(Workspace::open(folder, folders).value(), folders).value();
}

} // namespace

class TestLessonPictures : public QObject {
    Q_OBJECT

private slots:
    void init() { failOnOurWarnings(); }

    void whereThereIsRoomThePictureStandsBesideTheText() {
        const Scratch scratch;
        Actions actions;
        LessonPage page(houseLook(), actions);
        page.setContents(recorded(scratch, QStringLiteral("gemm")));
        showAt(page, 1600, 900);
        const auto *closing = child<QWidget>(page, "lessonClosing");
        const auto *goals = child<QWidget>(page, "lessonGoals");
        const auto *jump = child<QAbstractButton>(page, "lessonToChart");
        const auto left = [&page](const QWidget *part) {
            return part->mapTo(&page, QPoint()).x();
        };
        QTRY_VERIFY(left(closing) >= left(goals) + goals->width());
        QVERIFY(closing->isVisible() && jump->isHidden()); // it is in sight
        QTRY_VERIFY(page.chart().isVisible() && page.chart().height() > 200);
        page.resize(1200, 900);
        QTRY_VERIFY(closing->parentWidget() == goals->parentWidget() && closing->y() < goals->y());
        QVERIFY(closing->isVisible() && !jump->isHidden());
        page.resize(1600, 900);
        QTRY_VERIFY(left(closing) >= left(goals) + goals->width());
        takePictures(page, QStringLiteral("lesson-beside"));
    }

    void aRecordingIsNotComparedWithAnotherOne() {
        const Scratch scratch;
        for (const char *name : {"gemm", "model-softmax-cuda"})
            QVERIFY(recorded(scratch, QString::fromLatin1(name)).promise.isEmpty());
    }

    // Two checks whose intervals do not touch, and «time undecided»: the page says by what.
    void thePageSaysWhatDecides() {
        const Scratch scratch;
        Actions actions;
        LessonPage page(houseLook(), actions);
        page.setContents(recorded(scratch, QStringLiteral("gemm")));
        showAt(page);
        const QString decided = child<QLabel>(page, "lessonDecided-1")->text();
        for (const char *words : {"side by side", "1.00× as fast", "undecided", "decide nothing"})
            QVERIFY2(decided.contains(QString::fromUtf8(words)), qPrintable(decided));
        QVERIFY(child<QLabel>(page, "lessonChartNote")->text().contains(QStringLiteral("side by side")));
        QVERIFY(page.chart().summary().contains(QStringLiteral("kept, time undecided")));
        QVERIFY(page.chart().summary().contains(QStringLiteral("kept, faster")));
    }

    // Whoever comes by keyboard sees where Enter goes, and reads on without leaving it.
    void enterBeginsOnArrivalAndTheTextScrolls() {
        const Scratch scratch;
        Actions actions;
        actions.continueRun->setEnabled(false);
        LessonPage page(houseLook(), actions);
        page.setContents(fresh(scratch));
        showAt(page, 1000, 400);
        const QSignalSpy begun(actions.beginLesson, &QAction::triggered);
        QScrollBar *bar = page.findChild<QScrollArea *>()->verticalScrollBar();
        auto *begin = child<QAbstractButton>(page, "lesson-beginLesson");
        page.setFocus(); // as the window does when it shows a page
        QCOMPARE(page.focusWidget(), static_cast<QWidget *>(begin));
        QTRY_VERIFY(bar->maximum() > 0);
        QTest::keyClick(begin, Qt::Key_PageDown);
        QVERIFY(bar->value() > 0 && page.focusWidget() == begin);
        QTest::keyClick(begin, Qt::Key_Return);
        QCOMPARE(begun.size(), 1);
        QVERIFY(page.focusWidget() != begin); // the next one is not what the next key is meant for
        // What cannot be begun has no focus.
        Actions::setReason(actions.beginLesson, QStringLiteral("a check is running"));
        page.setFocus();
        QVERIFY(page.focusWidget() != nullptr && page.focusWidget() != begin);
        // A recording is watched in the panes.
        page.setContents(recorded(scratch, QStringLiteral("softmax")));
        page.setFocus();
        QCOMPARE(page.focusWidget(), child<QWidget>(page, "lessonClose"));
    }

    void nothingCanBeExportedOfAnEmptyPicture() {
        const Scratch scratch;
        Actions actions;
        LessonPage page(houseLook(), actions);
        page.setContents(fresh(scratch));
        showAt(page);
        QVERIFY(page.chart().isEmpty() && child<QWidget>(page, "lessonExport-png")->isHidden());
        page.setContents(recorded(scratch, QStringLiteral("gemm")));
        QVERIFY(!child<QWidget>(page, "lessonExport-png")->isHidden());
    }

    void aStepToComeSaysWhenItComes() {
        const Scratch scratch;
        Actions actions;
        LessonPage page(houseLook(), actions);
        page.setContents(fresh(scratch));
        showAt(page);
        page.revealStep(3);
        QCOMPARE(child<QLabel>(page, "lessonResult-3")->text(),
                 QStringLiteral("to come: it is proposed once step 2 is decided"));
        QCOMPARE(child<QLabel>(page, "lessonResult-4")->text(), QStringLiteral("to come"));
    }

    void picturesOfTheFolderAreShownAndFitThePage() {
        const Scratch scratch;
        QImage wide(1800, 300, QImage::Format_RGB32);
        wide.fill(Qt::red);
        QVERIFY(QDir().mkpath(scratch.path(QStringLiteral("mine/img"))));
        QVERIFY(wide.save(scratch.path(QStringLiteral("mine/img/wide.png"))));
        QVERIFY(wide.scaled(60, 20).save(scratch.path(QStringLiteral("outside.png"))));
        scratch.write(QStringLiteral("mine/tiles.svg"),
                      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"120\" height=\"40\">"
                      "<rect width=\"120\" height=\"40\" fill=\"#00f\"/></svg>");
        scratch.write(QStringLiteral("mine/broken.png"), "no picture");
        const IllustratedText told = withImages(
            QStringLiteral("![wide](img/wide.png) and ![](tiles.svg)\n\n![b](broken.png)\n\n"
                           "![o](../outside.png)\n\n![w](https://a.example/w.png)\n\n![n](none.png)"),
            scratch.path(QStringLiteral("mine")));
        QCOMPARE(told.images.size(), std::size_t(2));
        QCOMPARE(told.images.at(QStringLiteral("tiles.svg")).size(), QSize(120, 40));
        for (const char *words :
             {"broken.png: it cannot be read", "outside.png: it lies outside",
              "w.png: only pictures in the lesson's folder", "none.png: there is no such"})
            QVERIFY2(told.text.contains(QLatin1String(words)), qPrintable(told.text));
        ReadmeView view(houseLook());
        view.showText(told.text, told.images);
        showAt(view, 600, 400);
        const auto widest = [&view] {
            double most = 0;
            for (QTextBlock block = view.document()->begin(); block.isValid(); block = block.next())
                for (auto at = block.begin(); !at.atEnd(); ++at)
                    if (at.fragment().charFormat().isImageFormat())
                        most = std::max(most, at.fragment().charFormat().toImageFormat().width());
            return most;
        };
        QTRY_VERIFY2(widest() > 300 && widest() <= 600, qPrintable(QString::number(widest())));
        const QImage drawn = view.grab().toImage();
        bool isRed = false;
        for (int y = 0; y < drawn.height(); ++y)
            isRed = isRed || drawn.pixelColor(100, y) == QColor(Qt::red);
        QVERIFY(isRed);
    }

    void aPaneMayBeNamedAnew() {
        Dock dock(houseLook(), QStringLiteral("dock"), QStringLiteral("playbook"), QStringLiteral("Agent"),
                  new QWidget);
        dock.setTitle(QStringLiteral("Lesson"));
        QCOMPARE(dock.windowTitle(), QStringLiteral("Lesson"));
        bool isHidden = false;
        for (const QAbstractButton *button : dock.findChildren<QAbstractButton *>())
            isHidden = isHidden || button->accessibleName() == QStringLiteral("Hide Lesson");
        QVERIFY(isHidden);
    }

    // A lesson has no tokens and costs nothing.
    void aLessonHasTheMetersThatItHasLimitsFor() {
        RunBudgets budgets;
        QVERIFY(shownBudgets(budgets, {}, AuthorKind::Script).empty());
        budgets.iterations = 12;
        const std::vector<Budget> shown = shownBudgets(budgets, {}, AuthorKind::Script);
        QVERIFY(shown.size() == 1 && shown[0].kind == Budget::Iterations);
        QCOMPARE(shownBudgets(budgets, {}, AuthorKind::Model).size(), std::size_t(4));
    }
};

QObject *makeTestLessonPictures() {
    return new TestLessonPictures;
}

#include "tst_lesson_pictures.moc"
