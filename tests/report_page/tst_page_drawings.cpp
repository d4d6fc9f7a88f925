// SPDX-License-Identifier: GPL-3.0-or-later
// What is drawn ends where it should, and no word stands twice.
#include "tests/report_page/made_input.h"
#include "tests/report_page/read_page.h"
#include "toolchain/report_page/report_page.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace warpwright;

namespace {

QByteArray bytesOf(const ReportInput &input) {
    const Result<QByteArray> page = reportPage(input, lookTokens());
    return page.hasValue() ? page.value() : QByteArray();
}

} // namespace

class TestPageDrawings : public QObject {
    Q_OBJECT

private slots:
    void tellsHowARunEnded_data() {
        QTest::addColumn<QString>("ending");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("words");
        QTest::newRow("with a reason") << "ended: the agent is done"
                                       << "ended"
                                       << "the agent is done";
        QTest::newRow("stopped") << "stopped: the person asked: now"
                                 << "stopped"
                                 << "the person asked: now";
        QTest::newRow("without a reason") << "stopped"
                                          << "ended"
                                          << "stopped";
        QTest::newRow("not at all") << ""
                                    << "ended"
                                    << "neither stopped nor ended";
    }
    void tellsHowARunEnded() {
        QFETCH(QString, ending);
        ReportInput input = wholeInput();
        input.runs.front().ending = ending;
        const ReadPage page = readPage(bytesOf(input));
        QString name, words;
        for (std::size_t i = 0; i + 1 < page.elements.size(); ++i)
            if (page.elements[i].tag == QLatin1String("dt") &&
                (page.elements[i].text == QLatin1String("ended") ||
                 page.elements[i].text == QLatin1String("stopped"))) {
                name = page.elements[i].text;
                words = page.elements[i + 1].text;
            }
        QTEST(name, "name");
        QTEST(words, "words");
    }

    // From the lowest to the highest end of every interval; one far beyond the others is marked as cut.
    void cutsNoWhisker() {
        ReportInput input = madeInput({});
        input.iterations = madeIterations(2);
        const double highs[] = {7100, 6700};
        for (std::size_t i = 0; i < 2; ++i) {
            EvaluationSummary &summary = *input.iterations[i].latest;
            summary.verdict = Verdict::Pass;
            summary.candidate = ArmTiming{3800, 2500, highs[i], 8, true};
        }
        const auto whiskers = [](const ReportInput &of) {
            QStringList tops;
            const ReadPage page = readPage(bytesOf(of));
            for (const ReadElement *mark : page.ofClass("whisker"))
                tops << mark->attributes.value(QStringLiteral("d"));
            return tops;
        };
        const QStringList whole = whiskers(input);
        QCOMPARE(whole.size(), 2);
        for (const QString &one : whole)
            QVERIFY2(one.section(QLatin1Char('V'), 1).toDouble() > 44, qPrintable(one)); // below the frame
        input.iterations[1].latest->candidate->highMicroseconds = 100'000;
        QCOMPARE(whiskers(input).size(), 3); // and an arrow
    }

    // A lesson's page is of the lesson: each step with its time, what it taught and what was bet.
    void tellsTheLesson() {
        ReportInput input = wholeInput();
        QVERIFY(readPage(bytesOf(input)).byId("lesson") == nullptr);
        ReportedLesson lesson;
        lesson.title = "Rows & columns";
        lesson.place = "step 2 of 2";
        ReportedStep start, kept, ahead;
        start.title = "the start";
        start.time = ArmTiming{112'850, 100'000, 125'000, 8, true};
        kept.number = 1;
        kept.title = "A block for a row";
        kept.outcome = "kept";
        kept.isKept = true;
        kept.taught = "One block reads a row as a whole.";
        kept.bet = "2.10×, measured 2.53×: outside";
        kept.time = ArmTiming{53'500, 40'000, 66'000, 8, true};
        ahead.number = 2;
        ahead.title = "One pass";
        ahead.outcome = "to come";
        lesson.steps = {start, kept, ahead};
        input.lesson = lesson;
        const ReadPage page = readPage(bytesOf(input));
        QCOMPARE(page.problem, QString());
        const QString words = page.words("lesson").replace(QChar(0x00a0), QLatin1Char(' '));
        for (const char *word :
             {"Rows & columns", "the start", "113 ± 13", "1 A block for a row", "54 ± 14",
              "One block reads a row as a whole.", "2.10×, measured 2.53×: outside", "2 One pass", "to come"})
            QVERIFY2(words.contains(QString::fromUtf8(word)),
                     qPrintable(QString::fromUtf8(word) + ": " + words));
    }

    // One far beyond the others has a time, and is not among those that have none.
    void aTimeBeyondTheScaleIsATime() {
        ReportInput input = madeInput({});
        input.iterations = madeIterations(3);
        for (IterationRecord &record : input.iterations) {
            record.latest->verdict = Verdict::Pass;
            record.latest->candidate = ArmTiming{3800, 3700, 3900, 8, true};
        }
        const auto labels = [](const ReportInput &of) {
            QStringList all;
            const ReadPage page = readPage(bytesOf(of));
            for (const ReadElement *one : page.ofClass("e"))
                all << one->text;
            return all;
        };
        QVERIFY(!labels(input).contains("no time") && !labels(input).contains("longer"));
        input.iterations[0].latest->candidate = ArmTiming{112'850, 100'000, 125'000, 8, true};
        QVERIFY(labels(input).contains("longer") && !labels(input).contains("no time"));
        // The first one's time begins where that word has ended, and its sign is no author's shape.
        const ReadPage page = readPage(bytesOf(input));
        const std::vector<const ReadElement *> longer = page.ofClass("longer");
        QCOMPARE(longer.size(), std::size_t(1));
        QVERIFY2(longer[0]->text.contains(QStringLiteral("↑ ")), qPrintable(longer[0]->text));
        for (const ReadElement *word : page.ofClass("e"))
            if (word->text == QLatin1String("longer"))
                QVERIFY(longer[0]->attributes.value("x").toDouble() > word->attributes.value("x").toDouble());
        input.iterations[1].latest->verdict = Verdict::Wrong;
        input.iterations[1].latest->candidate.reset();
        QVERIFY(labels(input).contains("longer") && labels(input).contains("no time"));
    }

    // Of two roofs only what lies below the other one is a roof.
    void endsRoofsWhereTheyMeet() {
        const ReadPage page = readPage(bytesOf(wholeInput()));
        std::vector<const ReadElement *> roofs = page.ofClass("roof");
        QCOMPARE(roofs.size(), std::size_t(2));
        const auto isFlat = [](const ReadElement *roof) {
            return roof->attributes.value("y1") == roof->attributes.value("y2");
        };
        std::sort(roofs.begin(), roofs.end(), [&isFlat](const ReadElement *one, const ReadElement *other) {
            return !isFlat(one) && isFlat(other);
        });
        QVERIFY(!isFlat(roofs[0]) && isFlat(roofs[1]));
        const auto number = [](const ReadElement *roof, const char *name) {
            return roof->attributes.value(QLatin1String(name)).toDouble();
        };
        QVERIFY(std::abs(number(roofs[0], "x2") - number(roofs[1], "x1")) < 0.2);
        QVERIFY(std::abs(number(roofs[0], "y2") - number(roofs[1], "y1")) < 0.2);
    }
};

QObject *makeTestPageDrawings() {
    return new TestPageDrawings;
}

#include "tst_page_drawings.moc"
