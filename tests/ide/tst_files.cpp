// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/files/beside_view.h"
#include "app/ide/files/command_page.h"
#include "app/ide/files/file_names.h"
#include "app/ide/files/file_walk.h"
#include "app/ide/files/shell_place.h"
#include "app/ide/files/workspace_question.h"
#include "tests/toolchain/scratch.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/rows_below.h"
#include "widgets/editor_setup.h"
#include "widgets/frame/tab_names.h"
#include "widgets/frame/tab_strip.h"
#include "widgets/listing/log_view.h"
#include "widgets/look/look.h"

#include <QImage>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace warpwright;

/// Names, order and tabs of files, two editors over one text, a shell beside them.
class TestFiles : public QObject {
    Q_OBJECT

private:
    Look m_look;

    static QStringList words(const char *text) {
        return QString::fromLatin1(text).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    }

private slots:
    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void ordersFilesAlikeWhateverTheyComeIn() {
        const QStringList right =
            words("kernels/a.cu kernels/b.cu kernels/a_binding.cpp model_new.py kernels/a.cpp "
                  "kernels/b.cpp binding.cpp");
        QStringList others = right;
        std::reverse(others.begin(), others.end());
        QCOMPARE(inReadingOrder(right), right);
        QCOMPARE(inReadingOrder(others), right);
    }

    void namesAreAsShortAsTheyMayBe() {
        QCOMPARE(shortNames(words("kernels/a.cu model_new.py")), words("a.cu model_new.py"));
        QCOMPARE(shortNames(words("kernels/a.h a.h kernels/deep/a.h b.h")),
                 words("kernels/a.h a.h deep/a.h b.h"));
    }

    void walksInOrderOfUse() {
        FileWalk walk(nullptr);
        walk.setFiles(words("a b c"));
        for (const char *file : {"a", "b", "c"})
            walk.use(QString::fromLatin1(file));
        QCOMPARE(walk.order(), words("c b a"));
        QCOMPARE(walk.step(1), QStringLiteral("b"));
        walk.use(QStringLiteral("b")); // shown on the way: not used yet
        QCOMPARE(walk.step(1), QStringLiteral("a"));
        QKeyEvent letGo(QEvent::KeyRelease, Qt::Key_Control, Qt::NoModifier);
        QCoreApplication::sendEvent(this, &letGo);
        QCOMPARE(walk.order(), words("a c b"));
        QCOMPARE(walk.step(1), QStringLiteral("c")); // there and back
        walk.end();
        QCOMPARE(walk.step(-1), QStringLiteral("b"));
        walk.end();
        walk.setFiles(words("c d"));
        QCOMPARE(walk.order(), words("c d"));
        walk.setFiles(words("d"));
        QVERIFY(walk.step(1).isEmpty());
    }

    void theOpenTabStaysWhole() {
        TabStrip strip(m_look);
        strip.setOthersYield();
        for (const QString &name :
             words("softmax_rows.cu softmax_rows_binding.cpp model_new.py softmax_rows.cpp"))
            strip.addTab(name);
        strip.resize(strip.leastWidth() + 1, strip.sizeHint().height());
        strip.show();
        const auto widths = [&strip] {
            QList<int> all;
            for (int i = 0; i < strip.count(); ++i)
                all << strip.tabRect(i).width();
            return all;
        };
        const QList<int> whole = widths();
        QVERIFY(!strip.isCrowded());
        QSignalSpy crowded(&strip, &TabStrip::crowdedChanged);
        strip.resize(strip.leastWidth() * 9 / 10, strip.height());
        QCOMPARE(crowded.size(), 1);
        for (int open = 0; open < strip.count(); ++open) {
            strip.setCurrentIndex(open);
            const QList<int> now = widths();
            for (int i = 0; i < strip.count(); ++i)
                QVERIFY2(i == open ? now[i] == whole[i] : now[i] <= whole[i],
                         qPrintable(QStringLiteral("%1 of %2: %3").arg(i).arg(open).arg(now[i])));
            QVERIFY(strip.tabRect(open).left() >= 0 && strip.tabRect(open).right() <= strip.width());
            QVERIFY(strip.tabRect(strip.count() - 1).right() <= strip.width());
        }
    }

    void namesAreToldApartByTheirEnds_data() {
        QTest::addColumn<QStringList>("names");
        QTest::addColumn<QStringList>("shortest");
        const auto dotted = [](const char *text) {
            return words(text).replaceInStrings("~", QChar(0x2026));
        };
        QTest::newRow("one kernel") << words("rows.cu rows_binding.cpp rows.cpp")
                                    << dotted("rows.cu rows_~.cpp rows.cpp"); // "rows~.cpp" might be either
        QTest::newRow("two kernels") << words("gate.cu gate.cpp door.cu door.cpp")
                                     << words("gate.cu gate.cpp door.cu door.cpp");
        QTest::newRow("long ones")
            << words("leaky_center.cu leaky_center_binding.cpp leaky_center.cpp model_new.py fused_rows.cu")
            << dotted("leaky~.cu leak~_binding.cpp leaky_center.cpp model~.py fused~.cu");
        QTest::newRow("versions") << words("gate_v1.cpp gate_v2.cpp gate_v1.cu")
                                  << dotted("gate_v1.cpp gate_v2.cpp gate_~.cu");
        QTest::newRow("folders") << words("kernels/a.h deep/a.h") << dotted("kern~/a.h deep/a.h");
        QTest::newRow("one is the other's end")
            << words("model.py my_model.py") << dotted("model.py my_mo~.py");
        QTest::newRow("the same twice")
            << words("a_long_name.cu a_long_name.cu") << words("a_long_name.cu a_long_name.cu");
        QTest::newRow("without a suffix") << words("Makefile Makefile_2") << dotted("Makefile Makefi~_2");
    }

    void namesAreToldApartByTheirEnds() {
        QFETCH(QStringList, names);
        QFETCH(QStringList, shortest);
        const std::vector<TellingName> forms = tellingNames(names);
        const QFontMetrics metrics(m_look.font(TextRole::Small));
        QStringList shown;
        for (qsizetype i = 0; i < names.size(); ++i)
            shown << shortenedName(names[i], forms[static_cast<std::size_t>(i)], metrics, 0);
        QCOMPARE(shown, shortest);
    }

    void tabsNeverReadAlike_data() {
        QTest::addColumn<double>("scale");
        for (const double scale : {0.8, 1.0, 1.3, 1.5, 2.0})
            QTest::addRow("%.1f", scale) << scale;
    }

    void tabsNeverReadAlike() {
        QFETCH(double, scale);
        Look look;
        look.set(look.theme(), scale);
        TabStrip strip(look);
        strip.setOthersYield();
        for (const QString &name : words("pointwise_chain.cu pointwise_chain_binding.cpp model_new.py "
                                         "pointwise_chain.cpp point.cu point.cpp"))
            strip.addTab(name);
        strip.setTabDirty(1, true);
        strip.show();
        for (int width = strip.leastWidth() + 40; width > 60; width -= 37) {
            strip.resize(width, strip.sizeHint().height());
            for (int open = 0; open < strip.count(); ++open) {
                strip.setCurrentIndex(open);
                QStringList shown;
                for (int i = 0; i < strip.count(); ++i)
                    shown << strip.shownText(i);
                QCOMPARE(shown.removeDuplicates(), 0);
                QCOMPARE(shown[open], strip.tabText(open));
            }
        }
    }

    // A tab that is cut at an edge shows no piece of its name, but the open one.
    void aTabThatIsCutShowsNoPieceOfItsName() {
        QWidget window;
        TabStrip strip(m_look, &window);
        strip.setOthersYield();
        for (const QString &name : words("pointwise_chain.cu pointwise_chain_binding.cpp model_new.py "
                                         "pointwise_chain.cpp point.cu point.cpp"))
            strip.addTab(name);
        strip.setCurrentIndex(0);
        window.resize(500, 60);
        window.show();
        int cut = 0;
        for (int width = 480; width > 240; width -= 23) {
            strip.setGeometry(0, 0, width, strip.sizeHint().height());
            QCoreApplication::processEvents();
            int end = width;
            for (const QToolButton *arrow : strip.findChildren<QToolButton *>())
                if (arrow->isVisible())
                    end = std::min(end, arrow->x());
            const QImage image = strip.grab().toImage();
            for (int tab = 1; tab < strip.count(); ++tab) {
                const QRect rect = strip.tabRect(tab);
                if (rect.left() < 0 || rect.left() >= end || rect.right() - 20 <= end)
                    continue;
                ++cut;
                const QRgb ground = image.pixel(rect.left(), 2);
                for (int x = rect.left(); x < end - 1; ++x)
                    for (int y = 2; y < image.height() - 3; ++y)
                        QCOMPARE(image.pixel(x, y), ground);
            }
        }
        QVERIFY(cut > 0);
    }

    void twoEditorsShareAText() {
        auto first = makeCodeEditor(m_look, nullptr);
        first->setLanguage(CodeEditor::Language::Cuda);
        first->setContent(QStringLiteral("int a;\nint b;\n"));
        first->decorator<RowsBelow>().setSource(RowsBelow::Messages, [] {
            return QHash<int, QStringList>{{0, {QStringLiteral("below")}}};
        });
        first->decorator<RowsBelow>().refresh();
        first->sci(QsciScintillaBase::SCI_COLOURISE, 0, -1);
        const long style = first->sci(QsciScintillaBase::SCI_GETSTYLEAT, 0);
        QVERIFY(style != 0);
        BesideView beside(m_look, nullptr);
        beside.setFiles(words("a.cu b.cu"), words("a.cu b.cu"));
        beside.share(QStringLiteral("a.cu"), *first);
        QCOMPARE(beside.file(), QStringLiteral("a.cu"));
        QCOMPARE(beside.editor()->content(), first->content());

        QSignalSpy edited(first.get(), &CodeEditor::edited);
        beside.editor()->setCursorPosition(0, 0);
        QTest::keyClicks(beside.editor(), QStringLiteral("// "));
        QCOMPARE(first->content(), QStringLiteral("// int a;\nint b;\n"));
        QVERIFY(edited.size() > 0); // whoever keeps and saves it hears of it
        QVERIFY(first->isModified());
        QTest::keyClick(beside.editor(), Qt::Key_Return);
        QCOMPARE(first->lines(), 4);
        while (first->isUndoAvailable())
            first->undo();
        QCOMPARE(beside.editor()->content(), QStringLiteral("int a;\nint b;\n"));
        QCOMPARE(first->annotation(0), QStringLiteral("below"));

        // Another text of its own leaves this one as it is.
        beside.showText(QStringLiteral("b.cu"), QStringLiteral("earlier\n"), QStringLiteral("read-only"));
        QCOMPARE(first->content(), QStringLiteral("int a;\nint b;\n"));
        QVERIFY(first->readOnlyReason().isEmpty() && !first->isReadOnly());
        QVERIFY(beside.editor()->isReadOnly());
        beside.share(QStringLiteral("a.cu"), *first);
        QVERIFY(!beside.editor()->isReadOnly());
        QCOMPARE(beside.editor()->content(), first->content());
    }

    void theFirstEditorKeepsItsColoursWhenTheOtherGoes() {
        const auto ownedFirst = makeCodeEditor(m_look, nullptr);
        CodeEditor &first = *ownedFirst;
        first.setLanguage(CodeEditor::Language::Cuda);
        first.setContent(QStringLiteral("// a comment\nint b;\n"));
        {
            BesideView beside(m_look, nullptr);
            beside.setFiles(words("a.cu"), words("a.cu"));
            beside.share(QStringLiteral("a.cu"), first);
        }
        first.sci(QsciScintillaBase::SCI_COLOURISE, 0, -1);
        QVERIFY(first.sci(QsciScintillaBase::SCI_GETSTYLEAT, 3) !=
                first.sci(QsciScintillaBase::SCI_GETSTYLEAT, 14));
        first.insertAt(QStringLiteral("x"), 1, 0);
        QCOMPARE(first.content(), QStringLiteral("// a comment\nxint b;\n"));
    }

    void theOtherOutlivesTheFirst() {
        BesideView beside(m_look, nullptr);
        beside.setFiles(words("a.cu"), words("a.cu"));
        {
            const auto ownedFirst = makeCodeEditor(m_look, nullptr);
            CodeEditor &first = *ownedFirst;
            first.setContent(QStringLiteral("a\n"));
            beside.share(QStringLiteral("a.cu"), first);
        }
        QVERIFY(beside.source() == nullptr);
        QCOMPARE(beside.editor()->content(), QStringLiteral("a\n"));
    }

    void findsATerminal_data() {
        QTest::addColumn<QString>("own");
        QTest::addColumn<QStringList>("there");
        QTest::addColumn<QStringList>("command"); // empty: none
        const QStringList shell = words("env PATH=/ours:/usr/bin /bin/zsh");
        QTest::newRow("the desktop's own") << QString() << words("xterm x-terminal-emulator")
                                           << words("/bin/x-terminal-emulator -e") + shell;
        QTest::newRow("$TERMINAL first") << QStringLiteral("kitty") << words("kitty xterm")
                                         << words("/bin/kitty --directory /space") + shell;
        QTest::newRow("$TERMINAL is not there")
            << QStringLiteral("kitty") << words("gnome-terminal")
            << words("/bin/gnome-terminal --working-directory=/space --") + shell;
        QTest::newRow("an unknown one") << QStringLiteral("st") << words("st") << words("/bin/st -e") + shell;
        QTest::newRow("none") << QString() << QStringList() << QStringList();
    }

    void findsATerminal() {
        QFETCH(QString, own);
        QFETCH(QStringList, there);
        QFETCH(QStringList, command);
        QProcessEnvironment environment;
        environment.insert(QStringLiteral("PATH"), QStringLiteral("/usr/bin"));
        environment.insert(QStringLiteral("SHELL"), QStringLiteral("/bin/zsh"));
        if (!own.isEmpty())
            environment.insert(QStringLiteral("TERMINAL"), own);
        const auto found = terminalFor(
            {QStringLiteral("/space"), {QStringLiteral("/ours")}}, environment, [&](const QString &name) {
                return there.contains(name) ? QStringLiteral("/bin/") + name : QString();
            });
        QCOMPARE(found.hasValue(), !command.isEmpty());
        if (found.hasValue())
            QCOMPARE(QStringList{found.value().program} + found.value().arguments, command);
        else
            QVERIFY2(found.message().contains(QLatin1String("xterm")), qPrintable(found.message()));
    }

    void aWorkspaceFromAReferenceIsMadeWhereThePersonSays() {
        const Scratch scratch;
        const QString model = scratch.write(QStringLiteral("repo/rows/model.py"), "class Model: pass\n");
        const QString data = scratch.path(QStringLiteral("data"));
        WorkspacePlaces places = workspacePlaces(model, data);
        QCOMPARE(places.beside, scratch.path(QStringLiteral("repo/rows")));
        QVERIFY(places.isInPlace());
        QCOMPARE(places.ours, data + QStringLiteral("/workspaces/rows"));
        // Another reference of that folder's name is not opened in its place.
        scratch.write(QStringLiteral("data/workspaces/rows/model.py"), "class Model: other\n");
        places = workspacePlaces(model, data);
        QCOMPARE(places.ours, data + QStringLiteral("/workspaces/rows-2"));
        scratch.write(QStringLiteral("data/workspaces/rows-2/model.py"), "class Model: pass\n");
        QCOMPARE(workspacePlaces(model, data).ours, data + QStringLiteral("/workspaces/rows-2"));
        const QString other = scratch.write(QStringLiteral("repo/rows/softmax.py"), "class Model: pass\n");
        const WorkspacePlaces ofOther = workspacePlaces(other, data);
        QCOMPARE(ofOther.beside, scratch.path(QStringLiteral("repo/rows/softmax")));
        QVERIFY(!ofOther.isInPlace());
        QCOMPARE(ofOther.ours, data + QStringLiteral("/workspaces/rows-softmax"));

        QWidget window;
        for (const auto &[name, folder] :
             {std::pair{"placeBeside", places.beside}, std::pair{"placeOurs", places.ours}}) {
            QStringList chosen;
            askForWorkspacePlace(&window, places, [&chosen](const QString &one) { chosen << one; });
            auto *box = window.findChild<QMessageBox *>(QStringLiteral("workspacePlaceBox"));
            QVERIFY(box != nullptr);
            QVERIFY2(box->text().contains(places.beside) && box->text().contains(places.ours),
                     qPrintable(box->text()));
            auto *button = box->findChild<QPushButton *>(QLatin1String(name));
            QVERIFY(button != nullptr);
            button->click();
            QCOMPARE(chosen, QStringList{folder});
            QTRY_VERIFY(window.findChild<QMessageBox *>(QStringLiteral("workspacePlaceBox")) == nullptr);
        }
        // Who chooses another one is asked for it; who leaves the question has made none.
        askForWorkspacePlace(&window, places, [](const QString &) { QFAIL("nothing was chosen"); });
        auto *box = window.findChild<QMessageBox *>(QStringLiteral("workspacePlaceBox"));
        QVERIFY(box->findChild<QPushButton *>(QStringLiteral("placeOther")) != nullptr);
        box->reject();
    }

    void runsACommand() {
        const Scratch scratch;
        scratch.writeProgram(QStringLiteral("bin/ours"), "#!/bin/sh\necho ours\n");
        CommandPage page(m_look, nullptr);
        page.setPlace({scratch.path(), {scratch.path(QStringLiteral("bin"))}});
        auto *line = page.findChild<QLineEdit *>(QStringLiteral("commandLine"));
        const auto *log = page.findChild<LogView *>(QStringLiteral("commandLog"));
        const auto *said = page.findChild<QLabel *>(QStringLiteral("commandWords"));
        QVERIFY2(said->text().contains(QLatin1String("no sandbox")), qPrintable(said->text()));
        line->setText(QStringLiteral("ours; pwd; printf 'a\\033[31mred\\033[0m\\n'; echo x >&2; exit 3"));
        QTest::keyClick(line, Qt::Key_Return);
        QVERIFY(page.isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(said->text().startsWith(QLatin1String("exit code 3 after")), 10000);
        QTRY_VERIFY(log->toPlainText().contains(QLatin1String("[exit code 3")));
        const QStringList lines = log->toPlainText().split(QLatin1Char('\n'));
        QVERIFY(lines.contains(QStringLiteral("ours")));
        QVERIFY(lines.contains(scratch.path()));
        QVERIFY(lines.contains(QStringLiteral("ared")));
        QVERIFY(lines.contains(QStringLiteral("x")));

        QTest::keyClick(line, Qt::Key_Up);
        QTest::keyClick(line, Qt::Key_Down);
        QVERIFY(line->text().startsWith(QLatin1String("ours")));
        QCOMPARE(page.history().size(), qsizetype(1));
    }

    void stopsACommand() {
        const Scratch scratch;
        CommandPage page(m_look, nullptr);
        page.setPlace({scratch.path(), {}});
        page.run(QStringLiteral("sleep 100 & echo $! > pid; wait"));
        const qint64 pid = pidFrom(scratch.path(QStringLiteral("pid")));
        QVERIFY(pid > 0);
        page.stop();
        QTRY_VERIFY_WITH_TIMEOUT(!page.isRunning(), 10000);
        QTRY_VERIFY_WITH_TIMEOUT(!isAlive(pid), 10000);
        QVERIFY(page.findChild<QLabel *>(QStringLiteral("commandWords"))
                    ->text()
                    .startsWith(QLatin1String("stopped")));
    }

    // What was said in one workspace's folder does not stand in another's.
    void anotherFolderEndsTheCommandAndItsWords() {
        const Scratch scratch;
        CommandPage page(m_look, nullptr);
        page.setPlace({scratch.path(), {}});
        page.run(QStringLiteral("echo said here; sleep 100 & echo $! > pid; wait"));
        const auto *log = page.findChild<LogView *>(QStringLiteral("commandLog"));
        QTRY_VERIFY_WITH_TIMEOUT(log->toPlainText().contains(QLatin1String("said here")), 10000);
        const qint64 pid = pidFrom(scratch.path(QStringLiteral("pid")));
        QVERIFY(pid > 0);
        page.setPlace({scratch.path(), {scratch.path(QStringLiteral("bin"))}}); // other programs alone
        QVERIFY(page.isRunning());
        const Scratch other;
        page.setPlace({other.path(), {}});
        QVERIFY(!page.isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(!isAlive(pid), 10000);
        QVERIFY(log->toPlainText().trimmed().isEmpty());
        const auto *said = page.findChild<QLabel *>(QStringLiteral("commandWords"));
        QVERIFY2(said->text().contains(QLatin1String("Runs as you")), qPrintable(said->text()));
        page.run(QStringLiteral("pwd"));
        QTRY_VERIFY_WITH_TIMEOUT(log->toPlainText().contains(other.path()), 10000);
        QVERIFY(!log->toPlainText().contains(QLatin1String("said here")));
    }

    void survivesAFlood() {
        const Scratch scratch;
        CommandPage page(m_look, nullptr);
        page.setPlace({scratch.path(), {}});
        page.run(QStringLiteral("seq 1 300000"));
        QTRY_VERIFY_WITH_TIMEOUT(!page.isRunning(), 20000);
        const auto *log = page.findChild<LogView *>(QStringLiteral("commandLog"));
        QTRY_VERIFY_WITH_TIMEOUT(log->toPlainText().contains(QLatin1String("300000")), 20000);
        QVERIFY(log->toPlainText().contains(QLatin1String("left out")));
    }
};

QObject *makeTestFiles() {
    return new TestFiles;
}

#include "tst_files.moc"
