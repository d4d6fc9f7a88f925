// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/code_editor.h"
#include "widgets/editor/find_bar.h"
#include "widgets/editor_setup.h"
#include "widgets/frame/action_button.h"
#include "widgets/listing/marked_scroll_bar.h"
#include "widgets/look/house_style.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>

using namespace warpwright;

namespace {

/// A bar below its editor, as in the window.
struct Opened {
    explicit Opened(const Look &look, const QString &text) {
        editor = makeCodeEditor(look, &window).release();
        bar = new FindBar(look, &window);
        auto *column = new QVBoxLayout(&window);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->addWidget(editor, 1);
        column->addWidget(bar);
        bar->hide();
        editor->setLanguage(CodeEditor::Language::Cuda);
        editor->setContent(text);
        bar->setEditor(editor);
        window.resize(620, 360);
        window.show();
        window.activateWindow(); // only then the fields have the focus
        (void)QTest::qWaitForWindowActive(&window);
        field = bar->findChild<QLineEdit *>(QStringLiteral("findField"));
        replacement = bar->findChild<QLineEdit *>(QStringLiteral("replaceField"));
        count = bar->findChild<QLabel *>(QStringLiteral("findCount"));
        problem = bar->findChild<QLabel *>(QStringLiteral("findProblem"));
    }

    void check(const QString &tip) const {
        for (ActionButton *button : bar->findChildren<ActionButton *>())
            if (button->toolTip() == tip)
                button->setChecked(true);
    }

    QWidget window;
    CodeEditor *editor;
    FindBar *bar;
    QLineEdit *field;
    QLineEdit *replacement;
    QLabel *count;
    QLabel *problem;
};

} // namespace

class TestFindBar : public QObject {
    Q_OBJECT

private:
    Look m_look;

private slots:
    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void findsInText_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<SearchQuery>("query");
        QTest::addColumn<QList<int>>("starts"); // in bytes
        const auto row = [](const char *name, const char *text, const SearchQuery &query,
                            const QList<int> &starts) {
            QTest::newRow(name) << QString::fromUtf8(text) << query << starts;
        };
        row("nothing asked", "abc", {}, {});
        row("plain", "sum Sum sum", {QStringLiteral("sum")}, {0, 4, 8});
        row("case", "sum Sum sum", {QStringLiteral("sum"), true}, {0, 8});
        row("whole word", "sum summe _sum sum", {QStringLiteral("sum"), false, true}, {0, 15});
        row("signs are no expression", "a.b a+b a.b", {QStringLiteral("a.b")}, {0, 8});
        row("expression", "x1 x22 y3", {QStringLiteral("x\\d+"), false, false, true}, {0, 3});
        row("expression of lines", "a1\nb2\na3", {QStringLiteral("^a\\d$"), false, false, true}, {0, 6});
        row("empty matches are no hits", "ab", {QStringLiteral("x*"), false, false, true}, {});
        row("behind letters of more bytes", "µ é → 😀 x", {QStringLiteral("x")}, {15});
        row("letters of more bytes", "a😀b😀", {QStringLiteral("😀")}, {1, 6});
        row("overlapping", "aaaa", {QStringLiteral("aa")}, {0, 2});
    }

    void findsInText() {
        QFETCH(QString, text);
        QFETCH(SearchQuery, query);
        QFETCH(QList<int>, starts);
        const SearchHits found = findInText(text, query);
        QList<int> at;
        for (const SearchHit &hit : found.hits)
            at << static_cast<int>(hit.start);
        QCOMPARE(at, starts);
        QVERIFY(found.problem.isEmpty() && !found.isCut);
        const auto replacements = replacementsInText(text, query, {});
        QCOMPARE(replacements.size(), found.hits.size());
        for (std::size_t i = 0; i < replacements.size(); ++i)
            QCOMPARE(replacements[i].hit, found.hits[i]);
    }

    void replaces_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<SearchQuery>("query");
        QTest::addColumn<QString>("with");
        QTest::addColumn<QString>("after");
        QTest::newRow("plain") << "float x; float y;" << SearchQuery{QStringLiteral("float")} << "half"
                               << "half x; half y;";
        QTest::newRow("longer than before") << "aa" << SearchQuery{QStringLiteral("a")} << "aaa"
                                            << "aaaaaa";
        QTest::newRow("by nothing") << "a,b,c" << SearchQuery{QStringLiteral(",")} << ""
                                    << "abc";
        QTest::newRow("signs stay signs") << "a b" << SearchQuery{QStringLiteral("a")} << "\\1$1\\n"
                                          << "\\1$1\\n b";
        QTest::newRow("groups") << "f(a, b) f(c, d)"
                                << SearchQuery{QStringLiteral("f\\((\\w), (\\w)\\)"), true, false, true}
                                << "g($2, \\1)"
                                << "g(b, a) g(d, c)";
        QTest::newRow("what stands before")
            << "xa ya" << SearchQuery{QStringLiteral("(?<=x)(a)"), true, false, true} << "[\\1]"
            << "x[a] ya";
        QTest::newRow("line end") << "a;b" << SearchQuery{QStringLiteral(";"), true, false, true} << "\\n"
                                  << "a\nb";
        QTest::newRow("µ") << "10 us, 20 us" << SearchQuery{QStringLiteral("us"), true, true} << "µs"
                           << "10 µs, 20 µs";
    }

    void tabGoesFromWhatIsFoundToWhatItBecomes() {
        Opened opened(m_look, QStringLiteral("a b"));
        opened.bar->open(true);
        QTRY_VERIFY(opened.field->hasFocus());
        QTest::keyClick(opened.field, Qt::Key_Tab);
        QVERIFY(opened.replacement->hasFocus());
        QTest::keyClick(opened.replacement, Qt::Key_Tab);
        const auto *option = qobject_cast<QAbstractButton *>(QApplication::focusWidget());
        QVERIFY(option != nullptr);
        QCOMPARE(option->text(), QStringLiteral("Aa"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Backtab, Qt::ShiftModifier);
        QVERIFY(opened.replacement->hasFocus());
        QTest::keyClick(opened.replacement, Qt::Key_Backtab, Qt::ShiftModifier);
        QVERIFY(opened.field->hasFocus());
        opened.bar->open(false); // without what it becomes
        QTest::keyClick(opened.field, Qt::Key_Tab);
        QVERIFY(option->hasFocus());
    }

    void replaces() {
        QFETCH(QString, text);
        QFETCH(SearchQuery, query);
        QFETCH(QString, with);
        Opened opened(m_look, text);
        opened.bar->open(true);
        if (query.matchesCase)
            opened.check(QStringLiteral("Match case"));
        if (query.isWholeWord)
            opened.check(QStringLiteral("Whole words"));
        if (query.isExpression)
            opened.check(QStringLiteral("Regular expression"));
        opened.field->setText(query.words);
        opened.replacement->setText(with);
        opened.bar->replaceAll();
        QTEST(opened.editor->content(), "after");
        opened.editor->undo(); // one step
        QCOMPARE(opened.editor->content(), text);
        QVERIFY(!opened.editor->isUndoAvailable());
    }

    void replacesOneAfterTheOther() {
        Opened opened(m_look, QStringLiteral("a a a"));
        opened.bar->open(true);
        opened.field->setText(QStringLiteral("a"));
        opened.replacement->setText(QStringLiteral("ab"));
        opened.replacement->setFocus();
        QTest::keyClick(opened.replacement, Qt::Key_Return);
        QCOMPARE(opened.editor->content(), QStringLiteral("ab a a"));
        QTest::keyClick(opened.replacement, Qt::Key_Return);
        QCOMPARE(opened.editor->content(), QStringLiteral("ab ab a"));
    }

    void goesFromHitToHit() {
        Opened opened(m_look, QStringLiteral("one two\none two\none two\n"));
        opened.editor->setCursorPosition(1, 0);
        opened.bar->open(false);
        QVERIFY(opened.field->hasFocus());
        QTest::keyClicks(opened.field, QStringLiteral("tw"));
        QCOMPARE(opened.editor->selectedText(), QStringLiteral("tw"));
        QCOMPARE(opened.count->text(), QStringLiteral("2 of 3"));
        QTest::keyClick(opened.field, Qt::Key_Return);
        QCOMPARE(opened.count->text(), QStringLiteral("3 of 3"));
        QTest::keyClick(opened.field, Qt::Key_F3);
        QCOMPARE(opened.count->text(), QStringLiteral("1 of 3"));
        QTest::keyClick(opened.field, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(opened.count->text(), QStringLiteral("3 of 3"));
        QCOMPARE(opened.editor->scrollMarks().marks(MarkedScrollBar::Hits).size(), 3U);
        const auto hasGround = [&opened](long position) {
            return opened.editor->sci(QsciScintillaBase::SCI_INDICATORVALUEAT, CodeEditor::HitIndicator,
                                      position) != 0;
        };
        QVERIFY(hasGround(4) && hasGround(12) && !hasGround(20)); // the selected one is seen as such
        opened.editor->setCursorPosition(0, 0);
        QCOMPARE(opened.count->text(), QStringLiteral("3 hits"));
        QTest::keyClicks(opened.field, QStringLiteral("x"));
        QCOMPARE(opened.count->text(), QStringLiteral("no hits"));
    }

    void followsTheText() {
        Opened opened(m_look, QStringLiteral("one\n"));
        opened.bar->open(false);
        opened.field->setText(QStringLiteral("one"));
        opened.editor->insertAt(QStringLiteral("one one\n"), 0, 0);
        QTRY_COMPARE(opened.bar->hits().hits.size(), 3U);
    }

    void escapeGivesTheFocusBack() {
        Opened opened(m_look, QStringLiteral("one one\n"));
        QSignalSpy closed(opened.bar, &FindBar::closed);
        opened.bar->open(false);
        opened.field->setText(QStringLiteral("one"));
        QTest::keyClick(opened.field, Qt::Key_Escape);
        QVERIFY(!opened.bar->isVisible());
        QCOMPARE(closed.size(), 1);
        QCOMPARE(opened.window.focusWidget(), opened.editor);
        QVERIFY(opened.editor->scrollMarks().marks(MarkedScrollBar::Hits).empty());
        QCOMPARE(opened.editor->sci(QsciScintillaBase::SCI_INDICATORVALUEAT, CodeEditor::HitIndicator, 1), 0);
        QTest::keyClick(opened.editor, Qt::Key_F3); // goes on with what was searched for last
        QCOMPARE(opened.editor->selectedText(), QStringLiteral("one"));
    }

    void startsFromTheSelection() {
        Opened opened(m_look, QStringLiteral("int kCols;\n"));
        opened.editor->setSelection(0, 4, 0, 9);
        opened.bar->open(false);
        QCOMPARE(opened.field->text(), QStringLiteral("kCols"));
        QCOMPARE(opened.count->text(), QStringLiteral("1 of 1"));
    }

    void saysWhatIsWrongWithAnExpression() {
        Opened opened(m_look, QStringLiteral("a(b\n"));
        opened.bar->open(false);
        opened.check(QStringLiteral("Regular expression"));
        opened.field->setText(QStringLiteral("a(b"));
        QVERIFY(opened.problem->isVisible());
        QVERIFY2(opened.problem->text().startsWith(
                     QStringLiteral("No regular expression: missing closing parenthesis")),
                 qPrintable(opened.problem->text()));
        QVERIFY(opened.field->property("isBad").toBool());
        opened.bar->replaceAll();
        QCOMPARE(opened.editor->content(), QStringLiteral("a(b\n"));
        opened.field->setText(QStringLiteral("a\\(b"));
        QVERIFY(!opened.problem->isVisible());
        QCOMPARE(opened.count->text(), QStringLiteral("1 of 1"));
    }

    void boundsItsHits() {
        Opened opened(m_look, QStringLiteral("x ").repeated(12'000));
        opened.bar->open(true);
        opened.field->setText(QStringLiteral("x"));
        QVERIFY(opened.bar->hits().isCut);
        QCOMPARE(opened.count->text(), QStringLiteral("1 of 10,000+"));
        opened.replacement->setText(QStringLiteral("y"));
        opened.bar->replaceAll();
        QCOMPARE(opened.editor->content(), QStringLiteral("y ").repeated(12'000));
        QCOMPARE(opened.count->text(), QStringLiteral("12,000 replaced"));
    }

    void leavesAReadOnlyTextAlone() {
        Opened opened(m_look, QStringLiteral("one\n"));
        opened.editor->setReadOnlyReason(QStringLiteral("Iteration 3 is shown."));
        opened.bar->open(true);
        opened.field->setText(QStringLiteral("one"));
        opened.bar->replaceAll();
        opened.bar->replaceOne();
        QCOMPARE(opened.editor->content(), QStringLiteral("one\n"));
    }

    void paintsInBothThemes() {
        const QString folder = qEnvironmentVariable("WARPWRIGHT_PICTURES");
        const auto save = [&folder](QWidget &window, const char *name, bool isDark) {
            const QPixmap picture = window.grab();
            QVERIFY(!picture.isNull());
            if (!folder.isEmpty())
                QVERIFY(picture.save(QStringLiteral("%1/%2-%3.png")
                                         .arg(folder, QLatin1String(name),
                                              isDark ? QStringLiteral("dark") : QStringLiteral("light"))));
        };
        for (const bool isDark : {false, true}) {
            m_look.set(isDark ? Theme::dark() : Theme::light(), 1);
            qApp->setStyle(new HouseStyle(m_look));
            qApp->setPalette(m_look.theme().palette());
            Opened opened(m_look,
                          QStringLiteral("constexpr int kCols = 4096;\nfloat4 y[kCols / 4];\n"
                                         "for (int i = 0; i < kCols; ++i) {\n    y[i] = 0; // kCols\n}\n"));
            opened.bar->open(true);
            opened.field->setText(QStringLiteral("kCols"));
            opened.bar->findNext();
            save(opened.window, "find", isDark);
            opened.check(QStringLiteral("Regular expression"));
            opened.field->setText(QStringLiteral("kCols("));
            QCoreApplication::processEvents();
            save(opened.window, "bad", isDark);
        }
        qApp->setStyle(QStringLiteral("fusion")); // ours dies with its look
    }
};

QObject *makeTestFindBar() {
    return new TestFindBar;
}

#include "tst_find_bar.moc"
