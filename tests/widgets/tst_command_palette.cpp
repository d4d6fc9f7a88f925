// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/house_style.h"
#include "widgets/look/look.h"
#include "widgets/popups/command_palette.h"
#include "widgets/popups/palette_match.h"
#include "widgets/popups/palette_model.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>

using namespace warpwright;

namespace {

PaletteRow row(const char *id, const char *name, const char *otherNames = "", const char *why = "") {
    PaletteRow made;
    made.id = QString::fromUtf8(id);
    made.name = QString::fromUtf8(name);
    made.otherNames = QString::fromUtf8(otherNames);
    made.whyDisabled = QString::fromUtf8(why);
    return made;
}

QStringList names(const std::vector<FoundRow> &found) {
    QStringList names;
    for (const FoundRow &each : found)
        names << each.row.name;
    return names;
}

/// A palette over a window with a field that has the focus.
struct Opened {
    explicit Opened(const Look &look) : palette(new CommandPalette(look, &window)) {
        window.resize(900, 700);
        auto *column = new QVBoxLayout(&window);
        column->addWidget(before = new QLineEdit);
        PaletteKind files;
        files.what = QStringLiteral("files");
        files.isFuzzy = files.takesLine = true;
        PaletteKind commands;
        commands.prefix = QStringLiteral(">");
        commands.what = QStringLiteral("actions");
        palette->setKinds({files, commands});
        palette->setRows({}, {row("/a", "softmax_rows.cu", "kernels/softmax_rows.cu"),
                              row("/b", "gate.cu", "kernels/gate.cu"), row("/c", "README.md")});
        palette->setRows(QStringLiteral(">"),
                         {row(">check", "Check"), row(">stop", "Stop", "cancel", "nothing runs")});
        window.show();
        if (!QTest::qWaitForWindowActive(&window))
            qWarning("the window is not active"); // which fails the test
        before->setFocus();
        field = palette->findChild<QLineEdit *>(QStringLiteral("paletteField"));
        list = palette->findChild<QListView *>(QStringLiteral("paletteRows"));
        foot = palette->findChild<QLabel *>(QStringLiteral("paletteFoot"));
    }
    [[nodiscard]] QStringList listed() const {
        QStringList names;
        for (int i = 0; i < list->model()->rowCount(); ++i)
            names << list->model()->index(i, 0).data().toString();
        return names;
    }

    QWidget window;
    CommandPalette *palette;
    QLineEdit *before;
    QLineEdit *field;
    QListView *list;
    QLabel *foot;
};

} // namespace

class TestCommandPalette : public QObject {
    Q_OBJECT

private slots:
    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void findsByWordsAndLetters_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<bool>("isFuzzy");
        QTest::addColumn<QString>("marked"); // the letters that were found; "-": it does not fit
        const auto add = [](const char *row, const char *name, const char *typed, bool isFuzzy,
                            const char *marked) {
            QTest::newRow(row) << QString::fromUtf8(name) << QString::fromUtf8(typed) << isFuzzy
                               << QString::fromUtf8(marked);
        };
        add("nothing typed", "Check", "", false, "");
        add("a word", "Show the agent", "agent", false, "agent");
        add("a beginning", "Show the agent", "ag", false, "ag");
        add("inside", "Unfold all", "fold", false, "fold");
        add("words in any order", "Show the agent", "agent show", false, "Showagent");
        add("a word that is not there", "Show the agent", "agent hide", false, "-");
        add("at a word before inside one", "Unfold or fold", "fold", false, "fold");
        add("letters, where they are not asked for", "softmax_rows.cu", "sr", false, "-");
        add("letters that begin words", "softmax_rows.cu", "srcu", true, "srcu");
        add("humps", "warpReduce.cu", "wr", true, "wR");
        add("letters out of order", "softmax_rows.cu", "rs.s", true, "-");
        add("more letters than there are", "a.cu", "aa.cu", true, "-");
        add("case", "README.md", "readme", true, "README");
    }

    void findsByWordsAndLetters() {
        QFETCH(QString, name);
        QFETCH(QString, typed);
        QFETCH(bool, isFuzzy);
        const PaletteMatch match = paletteMatch(name, typed, isFuzzy);
        QString marked;
        for (const int letter : match.letters)
            marked += name[letter];
        if (match.rank < 0)
            marked = QStringLiteral("-");
        QTEST(marked, "marked");
    }

    void whatBeginsWithTheWordsComesFirst() {
        const std::vector<PaletteRow> rows{row("1", "Unfold all"), row("2", "Show all folds"),
                                           row("3", "Fold here"), row("4", "Collapse", "fold")};
        QCOMPARE(names(foundRows(rows, QStringLiteral("fold"), false)),
                 QStringList({"Fold here", "Show all folds", "Unfold all", "Collapse"}));
    }

    void aWholeWordComesBeforeItsBeginning() {
        const std::vector<PaletteRow> rows{row("120", "120  Tile the rows"), row("12", "12  Fuse")};
        QCOMPARE(foundRows(rows, QStringLiteral("12"), false).front().row.id, QStringLiteral("12"));
    }

    // Else Enter would do what nobody asked for.
    void whatIsNamedSoComesBeforeWhatIsCalledSo() {
        const std::vector<PaletteRow> rows{row("1", "Show occupancy", "registers shared memory"),
                                           row("2", "Share this text as a page", "", "a past run is shown"),
                                           row("3", "Publish", "share", "nothing was checked")};
        QCOMPARE(names(foundRows(rows, QStringLiteral("share"), false)),
                 QStringList({"Share this text as a page", "Show occupancy", "Publish"}));
    }

    void whatCannotBeChosenComesLast() {
        const std::vector<PaletteRow> rows{row("1", "Stop", "", "nothing runs"), row("2", "Do not stop")};
        QCOMPARE(names(foundRows(rows, QStringLiteral("stop"), false)), QStringList({"Do not stop", "Stop"}));
    }

    void lettersOfOtherNamesAreNotMarked() {
        const auto found =
            foundRows({row("1", "Check", "benchmark measure")}, QStringLiteral("bench"), false);
        QCOMPARE(found.size(), 1U);
        QVERIFY(found.front().letters.empty());
    }

    void aKeyWithAPlusHasTwoCaps() {
        QCOMPARE(keyParts(QStringLiteral("Ctrl++")), QStringList({"Ctrl", "+"}));
        QCOMPARE(keyParts(QStringLiteral("Ctrl+Shift+F")), QStringList({"Ctrl", "Shift", "F"}));
        QCOMPARE(keyParts(QStringLiteral("F4")), QStringList({"F4"}));
        QCOMPARE(keyParts(QString()), QStringList());
    }

    void whereNothingFitsItSaysWhatToTry() {
        Look look;
        Opened opened(look);
        PaletteKind commands;
        commands.whenNone = QStringLiteral("F1 explains words.");
        opened.palette->setKinds({commands});
        opened.palette->open();
        auto *none = opened.palette->findChild<QLabel *>(QStringLiteral("paletteNone"));
        QVERIFY(!none->isVisible() && opened.list->isVisible());
        opened.field->setText(QStringLiteral("glosary"));
        QVERIFY(none->isVisible() && !opened.list->isVisible());
        QCOMPARE(none->text(), QStringLiteral("Nothing fits «glosary». F1 explains words."));
        QVERIFY(opened.palette->rect().contains(none->geometry()));
        opened.field->setText(QStringLiteral("gate"));
        QVERIFY(!none->isVisible() && opened.list->isVisible());
    }

    void aPrefixLeadsToAnotherKind() {
        Look look;
        Opened opened(look);
        opened.palette->open();
        QCOMPARE(opened.listed(), QStringList({"softmax_rows.cu", "gate.cu", "README.md"}));
        QCOMPARE(opened.foot->text(), QStringLiteral("3 of 3 files"));
        QTest::keyClicks(opened.field, QStringLiteral(">"));
        QCOMPARE(opened.listed(), QStringList({"Check", "Stop"}));
        QTest::keyClicks(opened.field, QStringLiteral("canc"));
        QCOMPARE(opened.listed(), QStringList({"Stop"}));
        opened.palette->open(); // its key, while another kind is open
        QCOMPARE(opened.listed().size(), 3);
        opened.palette->open();
        QVERIFY(!opened.palette->isVisible());
        QCOMPARE(opened.window.focusWidget(), opened.before);
    }

    void enterPicksWithItsLine() {
        Look look;
        Opened opened(look);
        QSignalSpy picked(opened.palette, &CommandPalette::picked);
        opened.palette->open();
        QTest::keyClicks(opened.field, QStringLiteral("sr:120"));
        QCOMPARE(opened.listed(), QStringList({"softmax_rows.cu"}));
        QTest::keyClick(opened.field, Qt::Key_Return);
        QCOMPARE(picked.size(), 1);
        QCOMPARE(picked.front().at(0).toString(), QStringLiteral("/a"));
        QCOMPARE(picked.front().at(1).toInt(), 120);
        QVERIFY(!opened.palette->isVisible());
        QCOMPARE(opened.window.focusWidget(), opened.before);
    }

    void aFolderFindsItsFiles() {
        Look look;
        Opened opened(look);
        opened.palette->open();
        QTest::keyClicks(opened.field, QStringLiteral("kernels/g"));
        QCOMPARE(opened.listed(), QStringList({"gate.cu"}));
    }

    void whatIsDisabledIsListedAndNotPicked() {
        Look look;
        Opened opened(look);
        QSignalSpy picked(opened.palette, &CommandPalette::picked);
        opened.palette->open(QStringLiteral(">"));
        QTest::keyClicks(opened.field, QStringLiteral("stop"));
        QTest::keyClick(opened.field, Qt::Key_Return);
        QVERIFY(picked.isEmpty() && opened.palette->isVisible());
        QVERIFY(opened.list->model()
                    ->index(0, 0)
                    .data(Qt::AccessibleTextRole)
                    .toString()
                    .contains(QStringLiteral("nothing runs")));
    }

    void rowsThatComeLaterLeaveTheChoice() {
        Look look;
        Opened opened(look);
        opened.palette->open();
        QTest::keyClick(opened.field, Qt::Key_Down);
        QCOMPARE(opened.list->currentIndex().data().toString(), QStringLiteral("gate.cu"));
        opened.palette->setRows({}, {row("/n", "new.cu"), row("/b", "gate.cu")});
        QCOMPARE(opened.list->currentIndex().data().toString(), QStringLiteral("gate.cu"));
    }

    void listsNoMoreThanAnybodyReads() {
        Look look;
        Opened opened(look);
        std::vector<PaletteRow> many(3000, row("/x", "x.cu"));
        opened.palette->setRows({}, many);
        opened.palette->open();
        QCOMPARE(opened.list->model()->rowCount(), CommandPalette::mostRows);
        QCOMPARE(opened.foot->text(), QStringLiteral("3,000 of 3,000 files"));
    }

    void theModelKeepsItsWord() {
        PaletteModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setFound(foundRows({row("1", "a"), row("2", "b")}, {}, false));
        model.setFound({});
    }

    void paintsInBothThemes() {
        Look look;
        const QString folder = qEnvironmentVariable("WARPWRIGHT_PICTURES");
        for (const bool isDark : {false, true}) {
            look.set(isDark ? Theme::dark() : Theme::light(), 1);
            qApp->setStyle(new HouseStyle(look));
            Opened opened(look);
            opened.palette->open();
            QTest::keyClicks(opened.field, QStringLiteral("srcu"));
            const QPixmap picture = opened.window.grab();
            QVERIFY(!picture.isNull());
            if (!folder.isEmpty())
                QVERIFY(
                    picture.save(QStringLiteral("%1/palette-%2.png").arg(folder, isDark ? "dark" : "light")));
        }
        qApp->setStyle(QStringLiteral("fusion")); // ours dies with its look
    }
};

QObject *makeTestCommandPalette() {
    return new TestCommandPalette;
}

#include "tst_command_palette.moc"
