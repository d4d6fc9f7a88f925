// SPDX-License-Identifier: GPL-3.0-or-later
// The page as an XML reader sees it: what it says, what it keeps as text, how large it becomes.
#include "tests/report_page/made_input.h"
#include "tests/report_page/read_page.h"
#include "toolchain/evaluation/measured_figures.h"
#include "toolchain/report_page/page_style.h"
#include "toolchain/report_page/report_page.h"

#include <QCryptographicHash>
#include <QRegularExpression>
#include <QTest>

#include <limits>

using namespace warpwright;

namespace {

QByteArray bytesOf(const ReportInput &input) {
    const Result<QByteArray> page = reportPage(input, lookTokens());
    return page.hasValue() ? page.value() : QByteArray();
}

/// With plain spaces, as a test writes them.
QString plain(QString text) {
    return text.replace(QChar(0x00a0), QLatin1Char(' '));
}

} // namespace

class TestReportPage : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void isXmlWithAllItsParts_data() {
        QTest::addColumn<ReportInput>("input");
        QTest::newRow("nothing") << ReportInput();
        QTest::newRow("not checked") << madeInput({});
        for (const char *name :
             {"cpu-build-failed", "cpu-pointwise-chain", "cpu-run-failed", "cpu-softmax-rows", "cpu-wrong",
              "h200-arg-reduction", "h200-depthwise-certified", "h200-depthwise-conv", "h200-gemm-bias-gelu",
              "h200-softmax-rows"})
            QTest::newRow(name) << madeInput(QLatin1String(name));
        QTest::newRow("all there is") << wholeInput();
        QTest::newRow("a run") << runInput();
    }
    void isXmlWithAllItsParts() {
        QFETCH(ReportInput, input);
        const ReadPage page = readPage(bytesOf(input));
        QCOMPARE(page.problem, QString());
        for (const char *id : {"asked", "verdict", "times", "tried", "roofline", "timeline", "findings",
                               "counters", "sources", "environment"}) {
            QVERIFY2(page.byId(QLatin1String(id)) != nullptr, id);
            // More than its heading.
            QVERIFY2(page.words(QLatin1String(id)).size() > 24, id);
        }
        // A browser takes an element that is closed in its beginning for one that is open.
        static const QRegularExpression closed(
            QStringLiteral("<(?!meta|rect|line|path|br)[a-z0-9]+(?: [^<>]*)?/>"));
        QVERIFY2(!closed.match(QString::fromUtf8(bytesOf(input))).hasMatch(), "an element without its end");
    }

    void saysWhatIsNotThere() {
        const ReadPage page = readPage(bytesOf(madeInput({})));
        QVERIFY(page.words("verdict").contains("not checked"));
        QVERIFY(page.words("times").contains("No times were measured"));
        QVERIFY(page.words("roofline").contains("needs a check"));
        QVERIFY(page.words("timeline").contains("wright timeline makes one"));
        QVERIFY(page.words("counters").contains("wright counters collects them"));
        QVERIFY(page.words("sources").contains("No line has its cost beside it"));
        QVERIFY(page.words("tried").contains("there are no runs"));
        QVERIFY(page.words("environment").contains("there is none of this text"));
        // What lies there and cannot be read is not told as if it were not there.
        ReportInput input = madeInput({});
        input.damagedCheck = QStringLiteral("Cannot read the evaluation: it is cut.");
        input.damagedCounters = QStringLiteral("Cannot read the counters: it is damaged.");
        const ReadPage damaged = readPage(bytesOf(input));
        QVERIFY(damaged.words("verdict").contains("its check is damaged"));
        QVERIFY(damaged.words("verdict").contains("it is cut"));
        QVERIFY(damaged.words("counters").contains("it is damaged"));
        QVERIFY(!damaged.words("counters").contains("collects them"));
        const ReadPage failed = readPage(bytesOf(madeInput("cpu-build-failed")));
        QVERIFY2(failed.words("verdict").contains("build-failed"), qPrintable(failed.words("verdict")));
        QVERIFY(failed.words("times").contains("No times were measured"));
    }

    // Times that decide nothing are times: points of their own look, and one unit with the table.
    void drawsTheTimesOfInconclusiveChecks() {
        ReportInput input = madeInput({});
        input.iterations = madeIterations(3);
        const double medians[] = {2032, 4342, 5028};
        for (std::size_t i = 0; i < 3; ++i) {
            EvaluationSummary summary;
            summary.verdict = Verdict::Inconclusive;
            summary.candidate = ArmTiming{medians[i], medians[i] - 600, medians[i] + 3000, 8, true};
            input.iterations[i].latest = summary;
        }
        const ReadPage page = readPage(bytesOf(input));
        QCOMPARE(page.ofClass("doubt-point").size(), std::size_t(2));
        QCOMPARE(page.ofClass("own-doubt-point").size(), std::size_t(1)); // iteration 3
        const QString words = plain(page.words("tried"));
        QVERIFY2(words.contains("2.0 (1.4–5.0) ms") && words.contains("ms a call, less is better"),
                 qPrintable(words));
        for (IterationRecord &record : input.iterations)
            record.latest->candidate.reset();
        const ReadPage none = readPage(bytesOf(input));
        QCOMPARE(none.ofClass("doubt-point").size() + none.ofClass("own-doubt-point").size(), std::size_t(0));
        QVERIFY(none.words("tried").contains("no iteration has a time"));
        QVERIFY(!none.words("tried").contains("less is better"));
    }

    /// One point is no history: words in place of a chart, and its row.
    void tellsTheOnlyIterationInWords() {
        ReportInput input = madeInput({});
        input.iterations = madeIterations(1); // 200 - 100 + 4 µs, ± 0.5
        input.iteration = 1;
        const ReadPage page = readPage(bytesOf(input));
        const QString words = plain(page.words("tried"));
        QVERIFY2(words.contains("One iteration so far, 104.0 ± 0.5 µs a call") &&
                     words.contains("Change 1 of"),
                 qPrintable(words));
        QVERIFY(!words.contains("less is better"));
        input.iterations = madeIterations(2);
        const QString two = readPage(bytesOf(input)).words("tried");
        QVERIFY(two.contains("less is better") && !two.contains("so far, "));
    }

    void hasTheNumbersOfTheCheck() {
        const ReportInput input = wholeInput();
        const MeasuredFigures figures = headlineFigures(measuredFigures(*input.known.evaluation));
        const ReadPage page = readPage(bytesOf(input));
        const QString times = plain(page.words("times"));
        QVERIFY(!figures.arms.empty());
        for (const ArmFigures &arm : figures.arms) {
            QVERIFY2(times.contains(arm.label), qPrintable(arm.label));
            // Drawn with its spread, and told in the table.
            QVERIFY2(times.contains(plain(figures.times.withSpread(
                         arm.medianMicroseconds, arm.lowMicroseconds, arm.highMicroseconds))),
                     qPrintable(times));
            if (const auto speedUp = figures.speedUpOver(arm.name); speedUp && !arm.isCandidate())
                QVERIFY2(
                    times.contains(plain(factorText(speedUp->value, speedUp->low, speedUp->high).both())),
                    qPrintable(times));
        }
        const QString verdict = plain(page.words("verdict"));
        QVERIFY2(verdict.contains("pass") && verdict.contains("reward 3"), qPrintable(verdict));
        QVERIFY2(verdict.contains(input.known.evaluation->doubts.first()), qPrintable(verdict));
        QCOMPARE(page.first("title")->text, QString("softmax-rows, iteration 3: pass"));
        const QString tried = page.words("tried");
        for (const QString &words :
             {QString("Read four values at a time"), QString("rejected by person"),
              QString("our style guide has no such thing"), QString("83.0 % of the time")})
            QVERIFY2(tried.contains(words), qPrintable(tried));
    }

    void namesRoundsAsTheWindowDoes() {
        QStringList heads;
        for (const ReadElement &element : readPage(bytesOf(wholeInput())).elements)
            if (element.tag == QLatin1String("th"))
                heads << element.text;
        QVERIFY2(heads.contains("rounds") && heads.contains("95 % interval"), qPrintable(heads.join('|')));
    }

    /// A note has found nothing: what was not looked at comes before it, and behind it where counters were.
    void saysFirstWhatWasNotLookedAt() {
        ReportInput input = madeInput({});
        Finding note;
        note.id = QStringLiteral("near-roof");
        note.title = QStringLiteral("Near the measured speed of light");
        note.isNote = true;
        input.findings.list = {note};
        input.findings.looked = {QStringLiteral("source")};
        input.findings.missing = {QStringLiteral("no counters of this text")};
        const auto isFirst = [&input] {
            const QString words = readPage(bytesOf(input)).words("findings");
            const qsizetype missing = words.indexOf("Not looked at: no counters of this text");
            const qsizetype told = words.indexOf("Near the measured speed of light");
            return missing >= 0 && told >= 0 && missing < told;
        };
        QVERIFY(isFirst());
        input.findings.looked << QStringLiteral("counters");
        QVERIFY(!isFirst());
        input.findings.looked.removeLast();
        input.findings.list.front().isNote = false;
        QVERIFY(!isFirst());
    }

    /// A bar from zero whose length is the time: each rectangle's share of the axis is the arm's.
    void drawsBarsInProportion() {
        const ReportInput input = wholeInput();
        const MeasuredFigures figures = headlineFigures(measuredFigures(*input.known.evaluation));
        const ReadPage page = readPage(bytesOf(input));
        const auto bars = page.ofClass("bar");
        QCOMPARE(bars.size(), figures.arms.size());
        const double candidate = bars.back()->attributes.value("width").toDouble();
        QVERIFY(candidate > 0);
        for (std::size_t i = 0; i < bars.size(); ++i) {
            const double expected =
                candidate * figures.arms[i].medianMicroseconds / figures.candidate()->medianMicroseconds;
            const double drawn = bars[i]->attributes.value("width").toDouble();
            if (figures.arms[i].medianMicroseconds <= 8 * figures.candidate()->medianMicroseconds)
                QVERIFY2(std::abs(drawn - expected) < 0.02 * expected + 0.2,
                         qPrintable(figures.arms[i].label));
        }
    }

    void showsTheHeatOfThisTextOnly() {
        ReportInput input = wholeInput();
        const ReadPage page = readPage(bytesOf(input));
        double sum = 0;
        int cells = 0;
        for (const ReadElement *cell : page.ofClass("heat")) {
            if (cell->text.isEmpty())
                continue;
            ++cells;
            sum += plain(cell->text).remove(" %").toDouble();
            QVERIFY2(cell->attributes.value("title").contains("samples"), qPrintable(cell->text));
        }
        QVERIFY(cells > 3);
        QVERIFY2(sum > 90 && sum < 100.5, qPrintable(QString::number(sum)));
        QVERIFY(page.words("counters").contains("Hottest instructions"));
        QVERIFY(plain(page.words("counters")).contains("The lines are those of the margin of Sources"));
        input.known.counters.reset();
        input.otherCounters =
            QStringLiteral("The newest counters are of iteration 2, which is another text.");
        const ReadPage other = readPage(bytesOf(input));
        QVERIFY(other.ofClass("heat").empty());
        QVERIFY(other.words("sources").contains("of iteration 2, which is another text"));
        QVERIFY(other.words("sources").contains("not drawn on this one"));
    }

    void keepsEverybodysWordsAsText_data() {
        QTest::addColumn<QString>("words");
        QTest::newRow("script") << QStringLiteral("</script><script>alert(1)</script>");
        QTest::newRow("attribute") << QStringLiteral(
            "\"><img src=x onerror='alert(1)'>' onload=alert(1) x=\"");
        QTest::newRow("comment") << QStringLiteral(
            "<!-- --> ]]> <![CDATA[ <?php ?> <!ENTITY x SYSTEM \"file:///etc/passwd\"> &x;");
        QTest::newRow("style") << QStringLiteral(
            "</style><style>*{display:none}</style> url(http://example.org/x)");
        QTest::newRow("link") << QStringLiteral(
            "javascript:alert(1) <a href=\"javascript:alert(1)\">here</a> <base href=//e.org>");
        QTest::newRow("percent") << QStringLiteral("%1 %2 %n {{constructor}} ${7*7} \\u003cscript\\u003e");
        QTest::newRow("300 letters") << QString(300, QLatin1Char('n'));
        QTest::newRow("odd letters") << QString::fromUtf16(u"a\u202Eb\u0000c\u001Bd\uFFFEe\U0001F600f\u2028g",
                                                           13);
        QTest::newRow("lone surrogate") << QString(QChar(0xd800)) + QStringLiteral("x") + QChar(0xdc00);
    }
    void keepsEverybodysWordsAsText() {
        QFETCH(QString, words);
        const QByteArray bytes = bytesOf(saidEverywhere(wholeInput(), words));
        const ReadPage page = readPage(bytes);
        QCOMPARE(page.problem, QString());
        QCOMPARE(page.count("script"), 1);
        QCOMPARE(page.first("script")->text, pageScript());
        QCOMPARE(page.count("style"), 1);
        static const QSet<QString> tags{
            "html",    "head", "meta", "title",   "style",   "body",    "main",   "header", "h1",
            "h2",      "h3",   "nav",  "a",       "p",       "section", "dl",     "dt",     "dd",
            "ul",      "li",   "span", "div",     "table",   "thead",   "tbody",  "tr",     "th",
            "td",      "code", "pre",  "details", "summary", "footer",  "script", "svg",    "defs",
            "pattern", "rect", "line", "path",    "text"};
        static const QSet<QString> attributes{
            "xmlns",      "lang",   "charset", "http-equiv",   "content",
            "name",       "class",  "id",      "href",         "title",
            "scope",      "data-v", "open",    "viewBox",      "role",
            "aria-label", "width",  "height",  "patternUnits", "patternTransform",
            "x",          "y",      "x1",      "x2",           "y1",
            "y2",         "d",      "fill",    "stroke-width"};
        for (const ReadElement &element : page.elements) {
            QVERIFY2(tags.contains(element.tag), qPrintable(element.tag));
            for (auto attribute = element.attributes.begin(); attribute != element.attributes.end();
                 ++attribute) {
                QVERIFY2(attributes.contains(attribute.key()), qPrintable(attribute.key()));
                if (attribute.key() == QLatin1String("href"))
                    QVERIFY2(attribute.value().startsWith('#'), qPrintable(attribute.value()));
            }
        }
        // A browser that reads it as HTML meets no beginning of a tag that the XML reader did not.
        QCOMPARE(bytes.count("<script"), 1);
        QCOMPARE(bytes.count("</script"), 1);
        QCOMPARE(bytes.count("<img"), 0);
        QCOMPARE(bytes.count("<!--"), 0);
    }

    void keepsLongNamesWhole() {
        const QString name =
            QStringLiteral("kernel_") + QString(290, QLatin1Char('k')) + QStringLiteral("end");
        const ReadPage page = readPage(bytesOf(saidEverywhere(wholeInput(), name)));
        for (const char *id : {"tried", "counters", "findings", "sources", "environment"})
            QVERIFY2(page.words(QLatin1String(id)).contains(name), id);
    }

    void tellsNoFolderOfTheMachine() {
        ReportInput input = wholeInput();
        input.findings.missing = {
            QStringLiteral("no check of this text: wright check /home/somebody/work/softmax-rows")};
        const QByteArray bytes = bytesOf(input);
        QVERIFY(!bytes.contains("/home/somebody"));
        QVERIFY(!bytes.contains("/tmp/tmp.nbCs3woHlo")); // of the recorded check
        QVERIFY(bytes.contains("wright check softmax-rows"));
    }

    void isTheSameForTheSame() {
        ReportInput input = wholeInput();
        const QByteArray first = bytesOf(input);
        QCOMPARE(bytesOf(input), first);
        input.madeAt = input.madeAt.addSecs(3600);
        const QByteArray later = bytesOf(input);
        QVERIFY(later != first);
        QCOMPARE(QByteArray(later).replace("13:00:00 UTC", "12:00:00 UTC"), first);
    }

    void staysSmall() {
        ReportInput input = wholeInput();
        input.iterations = madeIterations(10'000);
        input.iteration = 7'777;
        ReportedRun &run = input.runs.front();
        run.proposals.assign(300, run.proposals.front());
        run.proposalsLeftOut = 9'700;
        const QByteArray bytes = bytesOf(input);
        QVERIFY2(bytes.size() < 10 * 1000 * 1000, qPrintable(QString::number(bytes.size())));
        const ReadPage page = readPage(bytes);
        QCOMPARE(page.problem, QString());
        const QString tried = page.words("tried");
        QVERIFY2(tried.contains("of 10,000 iterations are shown"), qPrintable(tried.left(400)));
        QVERIFY(tried.contains("The 9,700 proposals before these are not shown"));
        QVERIFY(!page.ofClass("own-point").empty());
    }

    void staysSmallOfALongRun() {
        ReportInput input = runInput();
        input.iterations = madeIterations(10'000);
        ReportedRun &run = input.runs.front();
        const ReportedProposal last = run.proposals.back();
        run.proposals.assign(300, run.proposals.front());
        run.proposals.resize(292);
        for (int i = 0; i < 8; ++i)
            run.proposals.push_back(last);
        // All that a page tells of changes at most: 20,000 lines, a million letters.
        ReportedHunk hunk{QStringLiteral("kernels/k.cu"), 1, {}, {}};
        for (int i = 0; i < 1000; ++i)
            hunk.newLines << QString(50, QLatin1Char('<'));
        for (std::size_t i = 0; i < 20; ++i)
            run.proposals[run.proposals.size() - 1 - i].hunks = {hunk};
        const QByteArray bytes = bytesOf(input);
        QVERIFY2(bytes.size() < 10 * 1000 * 1000, qPrintable(QString::number(bytes.size())));
        QCOMPARE(readPage(bytes).problem, QString());
    }

    void saysWhichIterationOfARunItIsOf() {
        ReportInput input = runInput();
        input.runs.front().iterations = {3, 4, 8};
        const auto said = [&input](int iteration) {
            input.iteration = iteration;
            return plain(QString::fromUtf8(bytesOf(input)));
        };
        QVERIFY(said(8).contains("are of iteration 8, the last that the run made."));
        QVERIFY(said(4).contains("are of iteration 4; the last that the run made is iteration 8."));
        input.runs.front().iterations.clear();
        QVERIFY(said(2).contains("are of iteration 2, which the run began with: it made none."));
    }

    void tellsARun() {
        const ReadPage page = readPage(bytesOf(runInput()));
        QCOMPARE(page.problem, QString());
        QVERIFY2(page.first("h1")->text.endsWith(", run 20261128T160709.465Z-0123ab: 2 proposals"),
                 qPrintable(page.first("h1")->text));
        QStringList sections;
        for (const ReadElement &element : page.elements)
            if (element.tag == QLatin1String("section"))
                sections << element.attributes.value(QStringLiteral("id"));
        QCOMPARE(sections.mid(0, 3), QStringList({"asked", "tried", "verdict"}));
        const QString tried = plain(page.words("tried"));
        for (const char *words :
             {"3 proposals, 30 minutes", "Mind the tail.", "- float a = x[i];", "+ float4 a = x4[i];",
              "kernels/new.cuh", "+ #pragma once", "The loads are narrow.", "left out by policy",
              "it is wrong", "7 lines of its change are not shown", "8 of 64 elements are wrong"})
            QVERIFY2(tried.contains(QLatin1String(words)), words);
        // Seven that are off by a factor of 40 are one mark, and NaN is another.
        const auto marks = page.ofClass("t2");
        QVERIFY(std::any_of(marks.begin(), marks.end(), [](const ReadElement *mark) {
            return mark->text.contains("row 7, columns 0 to 6: 7 wrong, worst 40 times");
        }));
        QVERIFY(std::any_of(page.elements.begin(), page.elements.end(), [](const ReadElement &mark) {
            return mark.attributes.value("class") == QLatin1String("t5") &&
                   mark.text.contains("row 7, column 7: 1 wrong, 1 NaN");
        }));
        // A page of a text tells no changes.
        QVERIFY(!readPage(bytesOf(wholeInput())).words("tried").contains("float4 a = x4[i];"));
    }

    void drawsWhereAWrongResultIsWrong() {
        ReportInput input = madeInput("cpu-wrong");
        QVERIFY(!readPage(bytesOf(input)).words("verdict").contains("Where it is wrong"));
        input.known.evaluation->verify["rounds"].back()["failureMap"] = failureMapOfOneRow();
        const ReadPage page = readPage(bytesOf(input));
        QCOMPARE(page.problem, QString());
        QVERIFY2(page.words("verdict").contains("Where it is wrong"), qPrintable(page.words("verdict")));
        QVERIFY(page.words("verdict").contains("8 of 64 elements are wrong; "));
        QVERIFY(!page.ofClass("t2").empty());
    }

    void staysSmallWithLongWords() {
        ReportInput input = saidEverywhere(runInput(), QString(100'000, QLatin1Char('<')));
        const QByteArray bytes = bytesOf(input);
        QVERIFY2(bytes.size() < 10 * 1000 * 1000, qPrintable(QString::number(bytes.size())));
        QCOMPARE(readPage(bytes).problem, QString());
    }

    void bearsNumbersThatAreNone() {
        ReportInput input = wholeInput();
        const double nan = std::numeric_limits<double>::quiet_NaN();
        for (KernelCounters &kernel : input.known.counters->kernels)
            for (InstructionCounters &instruction : kernel.instructions)
                instruction.values[QStringLiteral("samples")] = nan;
        for (TimelineArm &arm : input.timeline->arms)
            for (TimelineEvent &event : arm.events)
                event.durationUs = 1e300;
        input.iterations[1].latest->candidate = ArmTiming{1e9, 1e9, 1e9, 1, true};
        QCOMPARE(readPage(bytesOf(input)).problem, QString());
    }

    void refusesWhatHasNoColours() {
        for (const char *tokens :
             {"", "{}", "[]", R"({"light": {"bg": {"pane": "red;} * {"}}, "dark": {}})"}) {
            const Result<QByteArray> page = reportPage(ReportInput(), tokens);
            QVERIFY2(!page.hasValue() && !page.message().isEmpty(), tokens);
        }
    }

    /// The browser runs this script and no other: its hash, of what stands in the page, is in the policy.
    void namesItsScriptInItsPolicy() {
        const ReadPage page = readPage(bytesOf(wholeInput()));
        QString policy;
        for (const ReadElement &each : page.elements)
            if (each.attributes.value("http-equiv") == QLatin1String("Content-Security-Policy"))
                policy = each.attributes.value("content");
        QVERIFY(policy.startsWith(QLatin1String("default-src 'none'")));
        for (const char *tag : {"script", "style"}) {
            const QByteArray hash = QCryptographicHash::hash(page.first(QLatin1String(tag))->text.toUtf8(),
                                                             QCryptographicHash::Sha256);
            QVERIFY2(policy.contains(QString::fromLatin1(hash.toBase64())), tag);
        }
        static const QRegularExpression meaning(QStringLiteral("[<>&\"]"));
        QVERIFY(!pageScript().contains(meaning));
        QVERIFY(!pageStyle(lookTokens()).value().contains(meaning));
    }
};

QObject *makeTestReportPage() {
    return new TestReportPage;
}

#include "tst_report_page.moc"
