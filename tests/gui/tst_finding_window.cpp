// SPDX-License-Identifier: GPL-3.0-or-later
// Finding in the real window: files by name, words in all texts and in listings.
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/editing/reference_panel.h"
#include "app/ide/finding/find_page.h"
#include "app/ide/history/past_run_panel.h"
#include "app/ide/history/run_event_list.h"
#include "app/ide/kit/actions.h"
#include "app/ide/results/build_panel.h"
#include "tests/gui/window_world.h"
#include "widgets/editor/code_editor.h"
#include "widgets/frame/tab_strip.h"
#include "widgets/listing/listing_bar.h"
#include "widgets/listing/log_view.h"

#include <QAbstractButton>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QTest>

using namespace warpwright;

namespace {

struct FindingWorld : WindowWorld {
    FindingWorld() {
        QFile readMe(folder + QStringLiteral("/README.md"));
        if (!readMe.open(QIODevice::WriteOnly) || readMe.write("# Gate\n\nlaunchGate does all.\n") < 0)
            qFatal("no README.md");
        readMe.close();
        isOpen = open(folder) && QTest::qWaitForWindowActive(window.get());
        page = window->findChild<FindPage *>();
    }
    /// Types into the palette that an action opens, and picks the first row once it is that one.
    bool picks(QAction *opens, const QString &typed, const QString &row) const {
        opens->trigger();
        auto *field = find<QLineEdit>("paletteField");
        auto *list = find<QListView>("paletteRows");
        QTest::keyClicks(field, typed);
        if (!QTest::qWaitFor([&] { return list->model()->index(0, 0).data().toString() == row; }, 5000))
            return false;
        QTest::keyClick(field, Qt::Key_Return);
        return !list->isVisible();
    }
    [[nodiscard]] QString state() const {
        return page->findChild<QLabel *>(QStringLiteral("findAllState"))->text();
    }

    bool isOpen = false;
    FindPage *page;
};

} // namespace

class TestFindingWindow : public QObject {
    Q_OBJECT

private slots:
    void aFileIsAKeyAway() {
        FindingWorld world;
        QVERIFY(world.isOpen);
        auto *candidate = world.window->findChild<CandidatePanel *>();
        Actions &actions = world.window->actions();
        QVERIFY(world.picks(actions.goToFile, QStringLiteral("gate.cpp:5"), QStringLiteral("gate.cpp")));
        QCOMPARE(candidate->currentFile(), QStringLiteral("kernels/gate.cpp"));
        QCOMPARE(candidate->currentEditor()->cursorPlace().line, 5);
        // What nobody edits here is read beside the reference, and the reference comes back.
        auto *reference = world.window->findChild<ReferencePanel *>();
        QTRY_VERIFY(!reference->editor()->content().isEmpty());
        const QString model = reference->editor()->content();
        QVERIFY(world.picks(actions.goToFile, QStringLiteral("readme"), QStringLiteral("README.md")));
        QTRY_VERIFY(reference->editor()->content().startsWith(QStringLiteral("# Gate")));
        QCOMPARE(reference->tabs()->tabText(1), QStringLiteral("README.md"));
        QVERIFY(!reference->editor()->readOnlyReason().isEmpty());
        QVERIFY(world.picks(actions.goToFile, QStringLiteral("model.py:3"), QStringLiteral("model.py")));
        QCOMPARE(reference->editor()->content(), model);
        QCOMPARE(reference->editor()->cursorPlace().line, 3);
    }

    void wordsAreFoundInAllTexts() {
        FindingWorld world;
        QVERIFY(world.isOpen);
        Actions &actions = world.window->actions();
        QVERIFY(!actions.nextFound->isEnabled());
        actions.findAll->trigger();
        auto *field = world.page->findChild<QLineEdit *>(QStringLiteral("findAllField"));
        QVERIFY(world.page->isVisible());
        QTRY_VERIFY(field->hasFocus());
        QTest::keyClicks(field, QStringLiteral("launchGate"));
        QTRY_VERIFY(world.state().contains(QStringLiteral("hits in")));
        QStringList titles;
        for (const FoundHit &hit : world.page->rows().hits())
            if (const QString &title = world.page->rows().textOf(hit).title; !titles.contains(title))
                titles << title;
        QVERIFY(titles.contains(QStringLiteral("kernels/gate.cpp")));
        QVERIFY(titles.contains(QStringLiteral("README.md")));
        // The text as it stands in the editor is what is searched, and a change of it is said.
        QVERIFY(actions.nextFound->isEnabled());
        actions.nextFound->trigger();
        auto *candidate = world.window->findChild<CandidatePanel *>();
        QCOMPARE(candidate->currentEditor()->selectedText(), QStringLiteral("launchGate"));
        QVERIFY(world.page->isVisible()); // it stays beside the code
        world.editor(QStringLiteral("kernels/gate.cpp"))->insertAt(QStringLiteral("// launchGate\n"), 0, 0);
        QTRY_VERIFY(world.state().endsWith(QStringLiteral("text changed since")));
    }

    // A hit may not lead to a file that has another name by now, or into a listing of another text.
    void hitsOfWhatIsAnotherNowAreSaidToBeOld() {
        FindingWorld world;
        QVERIFY(world.isOpen);
        const auto finds = [&world] {
            world.window->actions().findAll->trigger();
            auto *field = world.page->findChild<QLineEdit *>(QStringLiteral("findAllField"));
            field->setText(QStringLiteral("launchGate"));
            QTest::keyClick(field, Qt::Key_Return);
            return QTest::qWaitFor(
                [&world] {
                    return world.state().contains(QStringLiteral("hits in")) && !world.page->isStale();
                },
                5000);
        };
        QVERIFY(finds());
        auto *past = world.window->findChild<PastRunPanel *>();
        past->setVisible(true);
        past->events().events().setRun(world.folder + QStringLiteral("/.warpwright"),
                                       QStringLiteral("20261121T201500.000Z-abcdef"), 0);
        QTRY_VERIFY_WITH_TIMEOUT(world.page->isStale(), 20000);
        past->events().events().setRun({}, {}, 0);
        QTRY_VERIFY_WITH_TIMEOUT(!world.page->isStale(), 20000);

        const QString from = world.folder + QStringLiteral("/kernels/gate.cpp");
        QVERIFY(QFile::copy(from, world.folder + QStringLiteral("/kernels/other.cpp")));
        QTRY_VERIFY_WITH_TIMEOUT(world.page->isStale(), 10000);
        QVERIFY(world.state().endsWith(QStringLiteral("text changed since")));
    }

    void wordsAreReplacedInOneStepOfUndo() {
        FindingWorld world;
        QVERIFY(world.isOpen);
        world.window->actions().replaceAll->trigger();
        CodeEditor *editor = world.editor(QStringLiteral("kernels/gate.cpp"));
        const QString before = editor->content();
        world.page->findChild<QLineEdit *>(QStringLiteral("replaceAllField"))
            ->setText(QStringLiteral("startGate"));
        world.page->findChild<QLineEdit *>(QStringLiteral("findAllField"))
            ->setText(QStringLiteral("launchGate"));
        auto *replace = world.page->findChild<QAbstractButton *>(QStringLiteral("replaceAllButton"));
        QTRY_VERIFY(replace->isEnabled());
        replace->click();
        QCOMPARE(editor->content(),
                 QString(before).replace(QLatin1String("launchGate"), QLatin1String("startGate")));
        QVERIFY(world.state().contains(QStringLiteral("nothing is saved yet")));
        QVERIFY(bytesOf(world.folder + QStringLiteral("/README.md")).contains("launchGate"));
        editor->undo();
        QCOMPARE(editor->content(), before);
    }

    void findGoesToWhereTheKeysAre() {
        FindingWorld world;
        QVERIFY(world.isOpen);
        Actions &actions = world.window->actions();
        auto *build = world.window->findChild<BuildPanel *>();
        QVERIFY(build->showPage(QStringLiteral("console")));
        auto *console = build->findChild<LogView *>(QStringLiteral("console"));
        console->setLog(QStringLiteral("one\ntwo\none\n"));
        console->setFocus();
        QTRY_VERIFY(console->hasFocus());
        actions.find->trigger();
        auto *bar = world.window->findChild<ListingBar *>();
        QVERIFY(bar != nullptr && bar->isVisible());
        QCOMPARE(bar->listing(), console);
        auto *field = bar->findChild<QLineEdit *>(QStringLiteral("listingField"));
        QTest::keyClicks(field, QStringLiteral("one"));
        QTRY_COMPARE(bar->findChild<QLabel *>(QStringLiteral("listingCount"))->text(),
                     QStringLiteral("1 of 2"));
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(!bar->isVisible());
        QTRY_VERIFY(console->hasFocus());
        // The reference has the bar of editors.
        auto *reference = world.window->findChild<ReferencePanel *>();
        reference->editor()->setFocus();
        actions.find->trigger();
        auto *textBar = world.window->findChild<QWidget *>(QStringLiteral("textFindBar"));
        QVERIFY(textBar != nullptr && textBar->isVisible() && reference->isAncestorOf(textBar));
    }
};

QObject *makeTestFindingWindow() {
    return new TestFindingWindow;
}

#include "tst_finding_window.moc"
