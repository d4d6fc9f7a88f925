// SPDX-License-Identifier: GPL-3.0-or-later
// Large text, as before a projector: on every page, at three sizes of the window, no word is cut.
#include "app/ide/kit/actions.h"
#include "tests/gui/cut_words.h"
#include "tests/gui/window_world.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QThreadPool>

#include <cmath>

using namespace warpwright;

namespace {

constexpr int laidOutMs = 60;

/// What is read in the pool is on the page, and the page laid out.
void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(QThreadPool::globalInstance()->activeThreadCount() == 0, 15000);
    QTest::qWait(laidOutMs);
}

/// What is still cut once the page stands: a scroll bar that comes with a result takes its room a moment
/// later.
QStringList cutOnceLaidOut(const QWidget &window) {
    QStringList cut = cutWords(window);
    for (int tries = 0; tries < 10 && !cut.isEmpty(); ++tries) {
        QTest::qWait(laidOutMs);
        cut = cutWords(window);
    }
    return cut;
}

/// As a person does it: ten percent with each press.
void enlarge(WindowWorld &world, double scale) {
    while (std::abs(world.window->look().scale() - scale) > 0.01) {
        const double before = world.window->look().scale();
        (before < scale ? world.window->actions().larger : world.window->actions().smaller)->trigger();
        QTRY_VERIFY(world.window->look().scale() != before);
    }
    styleLook().set(world.window->look().theme(), scale); // the program has one look for both
}

/// `parent` as wide as asked, with one child of these words.
template <typename Child>
QStringList cutIn(int width, Child *child) {
    QWidget window;
    auto *row = new QHBoxLayout(&window);
    row->setSizeConstraint(QLayout::SetNoConstraint);
    child->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    row->addWidget(child);
    window.resize(width, 80);
    window.show();
    QTest::qWait(10);
    return cutWords(window);
}

} // namespace

class TestCutWords : public QObject {
    Q_OBJECT
private slots:
    // The finder itself: what is whole is not blamed, what is cut is.
    void findsWhatIsCut() {
        const QString words = QStringLiteral("Whole commands, with all of their arguments");
        QVERIFY(cutIn(900, new QLabel(words)).isEmpty());
        QVERIFY(cutIn(900, new QPushButton(words)).isEmpty());
        QCOMPARE(cutIn(120, new QLabel(words)).size(), 1);
        QVERIFY(!cutIn(120, new QPushButton(words)).isEmpty());
        auto *elided = new QLabel(words);
        elided->setProperty("elides", true);
        elided->setToolTip(words);
        QVERIFY(cutIn(120, elided).isEmpty());
        auto *dumb = new QLabel(words);
        dumb->setProperty("elides", true); // and nothing says the rest
        QCOMPARE(cutIn(120, dumb).size(), 1);
        for (const int width : {120, 900}) {
            auto *field = new QLineEdit;
            field->setPlaceholderText(words);
            QCOMPARE(cutIn(width, field).isEmpty(), width == 900);
            auto *choice = new QComboBox;
            choice->addItem(words);
            QCOMPARE(cutIn(width, choice).isEmpty(), width == 900);
        }
    }

    void findsWhatLiesOnEachOther() {
        QWidget window;
        window.resize(400, 100);
        auto *one = new QLabel(QStringLiteral("one"), &window);
        auto *two = new QLabel(QStringLiteral("two"), &window);
        one->setGeometry(10, 10, 100, 40);
        two->setGeometry(130, 10, 100, 40);
        window.show();
        QCOMPARE(cutWords(window), QStringList());
        two->setGeometry(60, 20, 100, 40);
        QCOMPARE(cutWords(window).size(), 1);
        two->setGeometry(350, 10, 100, 40);
        QCOMPARE(cutWords(window).size(), 1); // hangs out of the window
    }

    // Margins that a part of the window takes once, while it is built.
    void partsAreBuiltAtTheScaleOfTheSettings() {
        WindowWorld world;
        world.cli.write(QStringLiteral("config/warpwright/settings.json"),
                        "{\"device\": \"cpu\", \"fontScale\": 1.5, \"languageServer\": \"off\"}");
        world.reopen();
        QVERIFY(world.window);
        const Look &look = world.window->look();
        QCOMPARE(look.scale(), 1.5);
        const auto *words = world.window->findChild<QLabel *>(QStringLiteral("commandWords"));
        QVERIFY(words != nullptr);
        QCOMPARE(words->contentsMargins().left(), look.px(12));
    }

    void noWordIsCut_data() {
        QTest::addColumn<QString>("verdict");
        QTest::addColumn<double>("scale");
        QTest::addColumn<QSize>("size");
        const auto row = [](const char *verdict, double scale, int width, int height) {
            QTest::addRow("%s, %d %%, %dx%d", verdict, static_cast<int>(std::lround(scale * 100)), width,
                          height)
                << QString::fromLatin1(verdict) << scale << QSize(width, height);
        };
        row("pass", 1.5, 1600, 1000);
        row("pass", 1.5, 1280, 720);
        row("pass", 1.5, 900, 700);
        row("pass", 1.0, 1280, 720);
        row("wrong", 1.5, 1280, 720);
        row("none", 1.5, 900, 700);
    }

    void noWordIsCut() {
        QFETCH(QString, verdict);
        QFETCH(double, scale);
        QFETCH(QSize, size);
        WindowWorld world(QStringLiteral("base"), verdict == QLatin1String("wrong")
                                                      ? QStringLiteral("verdict=wrong")
                                                      : QStringLiteral("times=100,220,150"));
        QVERIFY(world.open(world.folder));
        if (verdict != QLatin1String("none"))
            QVERIFY(world.check());
        world.window->resize(size);
        enlarge(world, scale);
        QStringList cut;
        for (const char *page : {"compile",  "verify",   "console",  "command",      "find",     "overview",
                                 "speedup",  "graph",    "history",  "distribution", "configs",  "assembly",
                                 "hunks",    "roofline", "timeline", "counters",     "findings", "occupancy",
                                 "settings", "models",   "compare",  "setup"}) {
            if (QByteArray(page) == "compare" && !world.window->actions().compareWithEager->isEnabled())
                continue; // nothing was checked
            QVERIFY2(world.window->showPane(QString::fromLatin1(page)), page);
            settle();
            if (QTest::currentTestFailed())
                return;
            for (const QString &one : cutOnceLaidOut(*world.window))
                cut << QString::fromLatin1(page) + QStringLiteral(": ") + one;
        }
        world.window->showStartPage();
        settle();
        for (const QString &one : cutOnceLaidOut(*world.window))
            cut << QStringLiteral("start: ") + one;
        styleLook().set(world.window->look().theme(), 1.0);
        cut.removeDuplicates();
        QVERIFY2(cut.isEmpty(), qPrintable(QLatin1Char('\n') + cut.join(QLatin1Char('\n'))));
    }
};

QObject *makeTestCutWords() {
    return new TestCutWords;
}

#include "tst_cut_words.moc"
