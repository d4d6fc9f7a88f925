// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/review_text.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/diagnostic_marks.h"
#include "widgets/editor/editor_commands.h"
#include "widgets/editor/rows_below.h"
#include "widgets/editor/undo_tokens.h"
#include "widgets/editor_setup.h"
#include "widgets/listing/marked_scroll_bar.h"
#include "widgets/look/house_style.h"
#include "widgets/review/hunk_bar.h"
#include "widgets/review/hunk_head.h"
#include "widgets/review/hunk_marks.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QDir>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>
#include <QWheelEvent>

using namespace warpwright;

namespace {

const HunkKeys kKeys{QStringLiteral("Alt+Y"), QStringLiteral("Alt+N"), QStringLiteral("Alt+E"),
                     QStringLiteral("Ctrl+Z")};

} // namespace

class TestHunkMarks : public QObject {
    Q_OBJECT

private:
    Look m_look;

    std::unique_ptr<CodeEditor> make(std::vector<ShownHunk> hunks = threeHunks(),
                                     const QString &text = reviewedKernel(), int height = 700) {
        auto editor = makeCodeEditor(m_look, nullptr);
        editor->setLanguage(CodeEditor::Language::Cuda);
        editor->setContent(text);
        editor->resize(620, height);
        editor->show();
        editor->decorator<HunkMarks>().setKeys(kKeys);
        editor->decorator<HunkMarks>().setHunks(std::move(hunks));
        QTest::qWait(1);
        return editor;
    }

    static HunkHead *headOf(CodeEditor &editor, int number) {
        return editor.findChild<HunkHead *>(QStringLiteral("hunkHead%1").arg(number));
    }

    /// Where the head ought to be: right above the hunk's first line.
    static void compareTop(CodeEditor &editor, int number, int line) {
        QTest::qWait(1);
        editor.grab();
        QTest::qWait(1);
        HunkHead *head = headOf(editor, number);
        QVERIFY(head != nullptr);
        const int top =
            static_cast<int>(editor.sci(QsciScintillaBase::SCI_POINTYFROMPOSITION, 0,
                                        editor.sci(QsciScintillaBase::SCI_POSITIONFROMLINE, line - 1)));
        QCOMPARE(head->geometry(),
                 QRect(0, top - 2 * editor.rowHeight(), editor.viewport()->width(), 2 * editor.rowHeight()));
    }

    static ShownHunk plain(int id, int line, int oldCount, const QStringList &lines) {
        ShownHunk hunk;
        hunk.id = id;
        hunk.number = id;
        hunk.line = line;
        hunk.oldCount = oldCount;
        hunk.newLines = lines;
        hunk.title = QStringLiteral("A change");
        return hunk;
    }

    static QStringList below(const CodeEditor &editor, int line) {
        const QString text = editor.annotation(line - 1);
        return text.isEmpty() ? QStringList() : text.split(u'\n');
    }

private slots:
    void initTestCase() { qApp->setStyle(new HouseStyle(m_look)); }
    void cleanupTestCase() { qApp->setStyle(QStringLiteral("fusion")); } // ours dies with its look

    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
        m_look.set(Theme::light(), 1);
    }

    void whatCannotBeAnsweredNowSaysWhy() {
        const auto ownedEditor = makeCodeEditor(m_look, nullptr);
        CodeEditor &editor = *ownedEditor;
        editor.setContent(reviewedKernel());
        editor.resize(614, 690);
        editor.show();
        editor.decorator<HunkMarks>().setHunks(threeHunks());
        editor.decorator<HunkMarks>().goTo(12);
        QTest::qWait(20);
        const auto *accept = headOf(editor, 2)->findChild<QAbstractButton *>(QStringLiteral("acceptHunk"));
        QVERIFY(accept->isEnabled());
        editor.decorator<HunkMarks>().setLocked(QStringLiteral("the run is compiling"));
        QVERIFY(!accept->isEnabled());
        QVERIFY2(accept->toolTip().contains(QStringLiteral("the run is compiling")),
                 qPrintable(accept->toolTip()));
        editor.decorator<HunkMarks>().setLocked({});
        QVERIFY(accept->isEnabled());
    }

    void looksAsItShould() {
        const QString folder = qEnvironmentVariable("WARPWRIGHT_PICTURES");
        QWidget window;
        auto *column = new QVBoxLayout(&window);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        QAction acts[6];
        for (QAction &act : acts)
            act.setText(QStringLiteral("Act"));
        auto *bar =
            new HunkBar(m_look, {&acts[0], &acts[1], &acts[2], &acts[3], &acts[4], &acts[5]}, &window);
        auto *editor = makeCodeEditor(m_look, &window).release();
        column->addWidget(bar);
        column->addWidget(editor);
        editor->setLanguage(CodeEditor::Language::Cuda);
        editor->setContent(reviewedKernel());
        window.resize(614, 690);
        window.show();
        editor->decorator<HunkMarks>().setKeys(kKeys);
        std::vector<ShownHunk> hunks = threeHunks();
        editor->decorator<HunkMarks>().setHunks(hunks);
        editor->decorator<HunkMarks>().goTo(12);
        bar->setReview(QStringLiteral("Proposal 7"), hunks, 12);
        QTest::qWait(20);
        const auto take = [&](const char *name) {
            QTest::qWait(20);
            const QPixmap picture = window.grab();
            if (!folder.isEmpty()) {
                QVERIFY(QDir().mkpath(folder));
                QVERIFY(picture.save(QStringLiteral("%1/hunks-%2.png").arg(folder, QLatin1String(name))));
            }
        };
        for (const bool isDark : {true, false}) {
            m_look.set(isDark ? Theme::dark() : Theme::light(), 1);
            qApp->setPalette(m_look.theme().palette());
            window.resize(614, 690);
            take(isDark ? "dark" : "light");
            window.resize(330, 690);
            take(isDark ? "dark-narrow" : "light-narrow");
        }
        m_look.set(Theme::dark(), 1.5);
        window.resize(900, 900);
        take("dark-scaled");
        m_look.set(Theme::dark(), 1);
        window.resize(614, 690);
        hunks[0].state = ShownHunk::Rejected;
        hunks[0].remark = QStringLiteral("loses 3 digits");
        hunks[1].state = ShownHunk::Edited;
        hunks[1].measure = ShownHunk::Measuring;
        hunks[1].difference = QStringLiteral("2 of 5");
        hunks[2].state = ShownHunk::Conflict;
        hunks[2].remark = QStringLiteral("with line 36");
        editor->decorator<HunkMarks>().setHunks(hunks);
        bar->setReview(QStringLiteral("Proposal 7"), hunks, 12);
        take("dark-states");
        m_look.set(Theme::light(), 1);
        take("light-states");
    }

    void theTextStaysAsItIs() {
        const auto editor = make();
        QCOMPARE(editor->content(), reviewedKernel());
        QVERIFY(!editor->isUndoAvailable());
        QCOMPARE(below(*editor, 28),
                 QStringList({QStringLiteral("+     const float4 a = __ldcs(x + row + c);  // w stays in L2"),
                              QStringLiteral("+     const float4 b = __ldcs(r + row + c);")}));
        QCOMPARE(below(*editor, 26).value(0), QStringLiteral("Hunk 2: Streaming loads"));
        // Pieces: each below the lines that it takes the place of.
        QCOMPARE(below(*editor, 35).size(), 1);
        QCOMPARE(below(*editor, 40).size(), 2);
        QCOMPARE(below(*editor, 41).size(), 1);
        editor->decorator<HunkMarks>().setHunks({});
        for (int line = 1; line <= editor->lines(); ++line)
            QVERIFY(below(*editor, line).isEmpty());
        QVERIFY(headOf(*editor, 2) == nullptr || headOf(*editor, 2)->isHidden());
    }

    void headsStayAboveTheirLines() {
        const auto editor = make(threeHunks(), reviewedKernel(), 300);
        HunkMarks &marks = editor->decorator<HunkMarks>();
        marks.goTo(12);
        compareTop(*editor, 2, 27);
        for (int i = 0; i < 5; ++i) { // by wheel
            QWheelEvent wheel({100, 100}, editor->mapToGlobal(QPoint(100, 100)), {}, {0, i < 3 ? -120 : 120},
                              Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(editor->viewport(), &wheel);
            editor->verticalScrollBar()->setValue(editor->verticalScrollBar()->value() + (i < 3 ? 1 : -1));
            marks.goTo(12);
            compareTop(*editor, 2, 27);
        }
        editor->resize(420, 420);
        compareTop(*editor, 2, 27);
        m_look.set(Theme::dark(), 1.5);
        marks.goTo(12);
        compareTop(*editor, 2, 27);
        m_look.set(Theme::light(), 1);
        marks.goTo(13);
        compareTop(*editor, 3, 35);
    }

    void movesWithWhatIsTyped() {
        const auto editor = make();
        editor->goTo(8, 1);
        QTest::keyClicks(editor.get(), QStringLiteral("// more"));
        QTest::keyClick(editor.get(), Qt::Key_Return);
        QTest::keyClick(editor.get(), Qt::Key_Return);
        QCOMPARE(editor->decorator<HunkMarks>().hunks()[1].line, 29);
        QCOMPARE(editor->decorator<HunkMarks>().hunks()[0].line, 7);
        compareTop(*editor, 2, 29);
        // At the end of the line right above: what is typed there stands above the head.
        editor->goTo(28, 999);
        QTest::keyClick(editor.get(), Qt::Key_End);
        QTest::keyClick(editor.get(), Qt::Key_Return);
        QCOMPARE(editor->decorator<HunkMarks>().hunks()[1].line, 30);
        compareTop(*editor, 2, 30);
        QVERIFY(below(*editor, 28).isEmpty());
        for (int i = 0; i < 4; ++i)
            QTest::keyClick(editor.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(editor->content(), reviewedKernel());
        compareTop(*editor, 2, 27);
    }

    void saysWhatAPersonAskedFor() {
        const auto editor = make();
        HunkMarks &marks = editor->decorator<HunkMarks>();
        QSignalSpy accepted(&marks, &HunkMarks::acceptAsked);
        QSignalSpy rejected(&marks, &HunkMarks::rejectAsked);
        QSignalSpy edited(&marks, &HunkMarks::editAsked);
        QSignalSpy undone(&marks, &HunkMarks::undoAsked);
        QSignalSpy current(&marks, &HunkMarks::currentChanged);
        const auto press = [&](int number, const char *button) {
            auto *found = headOf(*editor, number)->findChild<QAbstractButton *>(QLatin1String(button));
            QVERIFY(found->isVisible());
            QTest::mouseClick(found, Qt::LeftButton);
        };
        press(2, "acceptHunk");
        QCOMPARE(accepted.takeFirst().at(0).toInt(), 12);
        press(3, "rejectHunk");
        QCOMPARE(rejected.takeFirst().at(0).toInt(), 13);
        press(3, "editHunk");
        QCOMPARE(edited.takeFirst().at(0).toInt(), 13);
        press(1, "undoHunk");
        QCOMPARE(undone.takeFirst().at(0).toInt(), 11);
        QVERIFY(current.isEmpty());
        QTest::mouseClick(headOf(*editor, 3), Qt::LeftButton, {}, {30, 10});
        QCOMPARE(marks.current(), 13);
        // A click on a line that would come, too.
        const int top =
            static_cast<int>(editor->sci(QsciScintillaBase::SCI_POINTYFROMPOSITION, 0,
                                         editor->sci(QsciScintillaBase::SCI_POSITIONFROMLINE, 27)));
        QTest::mouseClick(editor->viewport(), Qt::LeftButton, {}, {200, top + editor->rowHeight() * 3 / 2});
        QCOMPARE(marks.current(), 12);
        QCOMPARE(current.size(), 2);
        QCOMPARE(editor->content(), reviewedKernel());
    }

    void theHeadMayGoWhileItsButtonIsPressed() {
        const auto editor = make();
        connect(&editor->decorator<HunkMarks>(), &HunkMarks::acceptAsked, this,
                [&editor](int) { editor->decorator<HunkMarks>().setHunks({}); });
        QTest::mouseClick(headOf(*editor, 2)->findChild<QAbstractButton *>(QStringLiteral("acceptHunk")),
                          Qt::LeftButton);
        QTest::qWait(1);
        QCOMPARE(headOf(*editor, 2), nullptr);
    }

    /// As an owner does it: text and decision in one step, shown hunks follow.
    void anAnswerIsTakenBackByTheEditorsUndo() {
        const auto editor = make();
        HunkMarks &marks = editor->decorator<HunkMarks>();
        const std::vector<ShownHunk> open = threeHunks();
        std::vector<ShownHunk> taken = open;
        taken[1].state = ShownHunk::Accepted;
        connect(&marks, &HunkMarks::acceptAsked, this, [&](int id) {
            QCOMPARE(id, 12);
            editor->decorator<UndoTokens>().apply(id, {{27, 2, open[1].newLines.join(u'\n') + u'\n'}});
            marks.setHunks(taken);
        });
        connect(&editor->decorator<UndoTokens>(), &UndoTokens::tokenUndone, this,
                [&](int) { marks.setHunks(open); });
        connect(&editor->decorator<UndoTokens>(), &UndoTokens::tokenRedone, this,
                [&](int) { marks.setHunks(taken); });
        QTest::mouseClick(headOf(*editor, 2)->findChild<QAbstractButton *>(QStringLiteral("acceptHunk")),
                          Qt::LeftButton);
        QVERIFY(editor->content().contains(QStringLiteral("__ldcs(x + row + c)")));
        QCOMPARE(headOf(*editor, 2)->hunk().state, ShownHunk::Accepted);
        QVERIFY(below(*editor, 28).isEmpty());
        compareTop(*editor, 2, 27);
        QTest::keyClick(editor.get(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(headOf(*editor, 2)->hunk().state, ShownHunk::Open);
        QCOMPARE(editor->content(), reviewedKernel());
        QCOMPARE(below(*editor, 28).size(), 2);
        compareTop(*editor, 2, 27);
        compareTop(*editor, 3, 35);
        QTest::keyClick(editor.get(), Qt::Key_Y, Qt::ControlModifier);
        QTRY_COMPARE(headOf(*editor, 2)->hunk().state, ShownHunk::Accepted);
        QVERIFY(editor->content().contains(QStringLiteral("__ldcs(r + row + c)")));
    }

    void unfoldAllShowsWhatAReviewHides() {
        const auto editor = make();
        QVERIFY(!editor->decorator<HunkMarks>().folds().stretches().empty());
        editor->decorator<EditorCommands>().unfoldAll();
        QVERIFY(editor->decorator<HunkMarks>().folds().stretches().empty());
        compareTop(*editor, 2, 27);
    }

    void goesRoundFromHunkToHunk() {
        const auto editor = make(threeHunks(), reviewedKernel(), 260);
        HunkMarks &marks = editor->decorator<HunkMarks>();
        std::vector<int> ids;
        for (int i = 0; i < 4; ++i) {
            marks.goToNext();
            ids.push_back(marks.current());
            QTest::qWait(1);
            const HunkHead *head = headOf(*editor, marks.current() - 10);
            QVERIFY(head->isVisible());
            QVERIFY(head->y() >= 0 && head->geometry().bottom() < editor->viewport()->height());
        }
        QCOMPARE(ids, (std::vector<int>{11, 12, 13, 11}));
        marks.goToPrevious();
        QCOMPARE(marks.current(), 13);
    }

    void unchangedLinesFoldAndUnfold() {
        const auto editor = make();
        const auto isVisible = [&editor](int line) {
            return editor->sci(QsciScintillaBase::SCI_GETLINEVISIBLE, line - 1) != 0;
        };
        QVERIFY(isVisible(8) && !isVisible(9) && !isVisible(25) && isVisible(26));
        QCOMPARE(below(*editor, 8), QStringList(QStringLiteral("17 unchanged lines")));
        const int top =
            static_cast<int>(editor->sci(QsciScintillaBase::SCI_POINTYFROMPOSITION, 0,
                                         editor->sci(QsciScintillaBase::SCI_POSITIONFROMLINE, 7)));
        QTest::mouseClick(editor->viewport(), Qt::LeftButton, {}, {100, top + editor->rowHeight() * 3 / 2});
        QVERIFY(isVisible(9) && isVisible(25));
        QVERIFY(below(*editor, 8).isEmpty());
        compareTop(*editor, 2, 27);
        // Who goes there sees it, and new words about the same hunks fold nothing again.
        QVERIFY(!isVisible(31));
        editor->goTo(31, 1);
        QVERIFY(isVisible(31));
        editor->decorator<HunkMarks>().setHunks(threeHunks());
        QVERIFY(isVisible(9) && isVisible(31));
        editor->decorator<HunkMarks>().setHunks({});
        for (int line = 1; line <= editor->lines(); ++line)
            QVERIFY(isVisible(line));
    }

    // Nothing of a past one can be answered; what went and what was refused is there beside what stands.
    void aPastHunkShowsWhatBecameOfIt() {
        ShownHunk stands;
        stands.id = stands.number = 1;
        stands.line = 2;
        stands.oldCount = 1;
        stands.state = ShownHunk::Accepted;
        stands.answer = "accepted by person";
        stands.goneLines = QStringList{"two", "2"};
        ShownHunk refused;
        refused.id = refused.number = 2;
        refused.line = 4;
        refused.oldCount = 1;
        refused.state = ShownHunk::Rejected;
        refused.answer = "rejected by person";
        refused.remark = "too loud";
        refused.newLines = QStringList{"FOUR"};
        const auto editor = make({stands, refused}, QStringLiteral("one\nTWO\nthree\nfour\nfive\n"));
        const auto rows = hunkRows(editor->decorator<HunkMarks>().hunks(), {}, false);
        QCOMPARE(rows.at(0).size(), std::size_t(4)); // below the first line: the head and two that went
        QCOMPARE(rows.at(0)[2], (HunkRow{HunkRow::Gone, 0, 0, 0}));
        QCOMPARE(rows.at(0)[3], (HunkRow{HunkRow::Gone, 0, 1, 0}));
        QCOMPARE(rows.at(3), (std::vector<HunkRow>{{HunkRow::Refused, 1, 0, 0}}));
        QCOMPARE(cameLines(stands), std::vector<int>{1});
        QVERIFY(cameLines(refused).empty() && removedLines(refused).empty());
        editor->grab();
        QVERIFY2(headOf(*editor, 2)->accessibleName().contains("rejected by person: too loud"),
                 qPrintable(headOf(*editor, 2)->accessibleName()));
        for (const int number : {1, 2})
            for (const auto *button : headOf(*editor, number)->findChildren<QAbstractButton *>())
                QVERIFY(button->isHidden());
    }

    void aHunkBeforeTheFirstLineHasRoomAbove() {
        const auto editor = make({plain(1, 1, 0, {QStringLiteral("// new")})}, reviewedKernel(), 300);
        HunkHead *head = headOf(*editor, 1);
        QVERIFY(head != nullptr && head->isVisible());
        QCOMPARE(head->mapTo(editor.get(), QPoint(0, 0)).y(), 0);
        QCOMPARE(editor->viewport()->y(), 3 * editor->rowHeight());
        editor->verticalScrollBar()->setValue(2);
        QTRY_COMPARE(editor->viewport()->y(), 0);
        QVERIFY(!head->isVisible());
        editor->verticalScrollBar()->setValue(0);
        QTRY_COMPARE(editor->viewport()->y(), 3 * editor->rowHeight());
        editor->decorator<HunkMarks>().setHunks({});
        QTRY_COMPARE(editor->viewport()->y(), 0);
    }

    void aNewFileStandsBelowNothing() {
        const auto editor =
            make({plain(1, 1, 0, {QStringLiteral("int a;"), QStringLiteral("int b;")})}, QString(), 300);
        QCOMPARE(below(*editor, 1).mid(2),
                 QStringList({QStringLiteral("+ int a;"), QStringLiteral("+ int b;")}));
        QVERIFY(headOf(*editor, 1)->isVisible());
        QCOMPARE(editor->viewport()->y(), 0);
    }

    void standsBesideDiagnostics() {
        const auto editor = make();
        editor->decorator<DiagnosticMarks>().setMarks(
            {{26, 1, EditorMark::Error, QStringLiteral("a message"), 0}});
        QCOMPARE(below(*editor, 26).size(), 3);
        QCOMPARE(editor->decorator<RowsBelow>().countAbove(RowsBelow::Hunks, 25), 1);
        compareTop(*editor, 2, 27);
        editor->decorator<DiagnosticMarks>().setMarks({});
        QCOMPARE(below(*editor, 26).size(), 2);
        compareTop(*editor, 2, 27);
    }

    void goesToTheBeginningOfItsLines() {
        const auto editor = make({plain(1, 3, 1, {QString(300, u'x')}), plain(2, 20, 1, {"y"})});
        editor->sci(QsciScintillaBase::SCI_SETSCROLLWIDTH, 3000);
        editor->sci(QsciScintillaBase::SCI_SETXOFFSET, 200);
        editor->decorator<HunkMarks>().goTo(2);
        QCOMPARE(editor->sci(QsciScintillaBase::SCI_GETXOFFSET), 0L);
    }

    // Two rows are the head's: above the one that is gone to, another stands whole or not at all.
    void noHeadIsCutAboveTheOneThatIsGoneTo() {
        for (const int height : {180, 220, 260, 300}) {
            const auto editor = make({plain(1, 10, 1, {"a"}), plain(2, 12, 1, {"b"}), plain(3, 14, 1, {"c"}),
                                      plain(4, 15, 1, {"d"}), plain(5, 18, 1, {"e"})},
                                     reviewedKernel(), height);
            for (const int id : {5, 4, 3, 2, 1, 2, 3, 4, 5}) {
                editor->decorator<HunkMarks>().goTo(id);
                QTest::qWait(1);
                for (const HunkHead *head : editor->findChildren<HunkHead *>())
                    QVERIFY2(head->isHidden() || head->y() >= 0 || head->y() <= -2 * editor->rowHeight(),
                             qPrintable(QStringLiteral("%1 px, hunk %2").arg(height).arg(id)));
                const HunkHead *own = headOf(*editor, id);
                QVERIFY(own != nullptr && !own->isHidden() && own->y() >= 0);
            }
        }
    }

    void longLinesCanBeReached() {
        const auto editor = make({plain(1, 3, 1, {QString(300, u'x')})});
        QVERIFY(editor->sci(QsciScintillaBase::SCI_GETSCROLLWIDTH) > 300 * 7);
        QTRY_VERIFY(editor->horizontalScrollBar()->maximum() > 0);
    }

    void theScrollBarShowsWhereTheyAre() {
        const auto editor = make();
        QCOMPARE(editor->scrollMarks().marks(MarkedScrollBar::Hunks).size(), 2U);
        QCOMPARE(editor->scrollMarks().marks(MarkedScrollBar::DecidedHunks).size(), 1U);
        editor->decorator<HunkMarks>().setEnabled(false);
        QVERIFY(editor->scrollMarks().marks(MarkedScrollBar::Hunks).empty());
        QVERIFY(below(*editor, 28).isEmpty());
        editor->decorator<HunkMarks>().setEnabled(true);
        QCOMPARE(below(*editor, 28).size(), 2);
    }

    void manyHunksAreNoBurden() {
        QString text;
        std::vector<ShownHunk> hunks;
        for (int i = 0; i < 400; ++i) {
            text +=
                QStringLiteral("int a%1;\nint b;\nint c;\nint d;\nint e;\nint f;\nint g;\nint h;\n").arg(i);
            hunks.push_back(plain(i + 1, 8 * i + 3, 1, {QStringLiteral("int z;")}));
        }
        const auto editor = make(hunks, text, 500);
        QVERIFY(editor->findChildren<HunkHead *>().size() < 60);
        editor->decorator<HunkMarks>().goTo(300);
        QTest::qWait(1);
        QVERIFY(headOf(*editor, 300)->isVisible());
    }
};

QObject *makeTestHunkMarks() {
    return new TestHunkMarks;
}

#include "tst_hunk_marks.moc"
