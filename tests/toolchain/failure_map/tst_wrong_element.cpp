// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"
#include "tests/toolchain/scratch.h"

#include "toolchain/evaluation/evaluation_json.h"
#include "toolchain/failure_map/store_sites.h"
#include "toolchain/failure_map/wrong_element_script.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTest>

#include <limits>

using namespace warpwright;

namespace {

/// A kernel of kernels/a.cu with these instructions; line 0: of no line.
InspectedKernel kernelOf(const char *name, std::initializer_list<std::pair<const char *, int>> lines) {
    InspectedKernel kernel;
    kernel.source = QStringLiteral("kernels/a.cu");
    kernel.resources.name = QString::fromLatin1(name);
    KernelCode code;
    for (const auto &[opcode, line] : lines) {
        CodeLine one;
        one.opcode = QString::fromLatin1(opcode);
        if (line > 0) {
            one.chain = static_cast<int>(code.chains.size());
            code.chains.push_back({{kernel.source, line}});
        }
        code.lines.push_back(one);
    }
    kernel.sass = code;
    return kernel;
}

QString wordsOf(const std::vector<InspectedKernel> &kernels) {
    Inspection inspection;
    inspection.kernels = kernels;
    int unplaced = 0;
    const std::vector<StoreSite> sites = storeSites(inspection, &unplaced);
    return storeWords(sites, unplaced);
}

/// Eight by eight, by single elements, the last row wrong and NaN at its end.
OutputFailure lastRow() {
    OutputFailure output;
    output.name = QStringLiteral("output");
    output.dtype = QStringLiteral("float32");
    output.sizes = {8, 8};
    output.elements = 64;
    FailureAxis axis;
    axis.size = 8;
    axis.dimensions = {0};
    output.axes = {axis, axis};
    output.axes[1].dimensions = {1};
    return output;
}

FailurePicture pictureOfLastRow(int size = 8) {
    FailurePicture picture;
    picture.rowAxis = 0;
    picture.columnAxis = 1;
    picture.rows = picture.columns = size;
    picture.cells.resize(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
    for (int column = 0; column < size; ++column) {
        FailureCell &cell = picture.cells[static_cast<std::size_t>((size - 1) * size + column)];
        cell.wrong = 1;
        cell.ratio = 50;
        cell.nan = column == size - 1 ? 1 : 0;
    }
    return picture;
}

Evaluation wrong() {
    QFile file(testData("/evaluations/cpu-wrong.json"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no cpu-wrong.json");
    return evaluationFromJson(file.readAll()).value();
}

WrongElement worstOf(const Evaluation &evaluation) {
    const OrderedJson &worst = evaluation.verify["worst"];
    return {1,
            QStringLiteral("output"),
            {3644, 590},
            worst["expected"].get<double>(),
            worst["actual"].get<double>()};
}

} // namespace

class TestWrongElement : public QObject {
    Q_OBJECT
private slots:
    void namesTheOneLineThatStores() {
        QCOMPARE(wordsOf({kernelOf("rowSums", {{"LDG.E", 4}, {"STG.E", 9}, {"STG.E", 9}, {"STS", 5}})}),
                 QString("The store for it is at kernels/a.cu:9 (rowSums): no other line of the kernels "
                         "stores to memory."));
    }
    void doesNotGuessAmongSeveral() {
        const QString words = wordsOf({kernelOf("a", {{"STG.E.128", 9}, {"RED.E.ADD.F32.FTZ.RN", 12}}),
                                       kernelOf("b", {{"STG.E", 30}})});
        QVERIFY2(words.startsWith("Which line wrote it is not known") &&
                     words.contains("kernels/a.cu:9 (a)") && words.contains("kernels/a.cu:12 (a)") &&
                     words.contains("kernels/a.cu:30 (b)"),
                 qPrintable(words));
        // One of a line and one of none are two, too.
        QVERIFY(
            wordsOf({kernelOf("a", {{"STG.E", 9}, {"STG.E", 0}})}).startsWith("Which line wrote it is not"));
    }
    void saysWhatIsNotKnown() {
        QVERIFY(wordsOf({kernelOf("a", {{"STG.E", 0}})}).contains("the listing names no lines"));
        QVERIFY(wordsOf({kernelOf("a", {{"LDG.E", 3}})}).contains("a library did"));
    }

    void drawsThePictureInLetters() {
        const QString text = pictureText(lastRow(), pictureOfLastRow());
        const QStringList lines = text.split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 9);
        QVERIFY2(lines[0].contains("rows down, columns across"), qPrintable(lines[0]));
        QCOMPARE(lines[1], QString("........"));
        QCOMPARE(lines[8], QString("2222222N"));
        // Of a large one each letter is the worst of its blocks.
        OutputFailure large = lastRow();
        large.axes[0].size = large.axes[1].size = 200;
        const QStringList few =
            pictureText(large, pictureOfLastRow(200), 4, 10).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(few.size(), 5);
        QCOMPARE(few[4], QString("222222222N"));
    }
    void asksWithNumbers() {
        const Evaluation evaluation = wrong();
        WrongElement element = worstOf(evaluation);
        element.got = std::numeric_limits<double>::quiet_NaN();
        const QString question = failureQuestion(evaluation.verify, element, "Written at kernels/a.cu:9.");
        QVERIFY2(question.contains("output[3644, 590], round 1: expected −4.999228, got NaN.") &&
                     question.contains("Written at kernels/a.cu:9."),
                 qPrintable(question));
    }

    void writesAProgramForTheElement() {
        const Evaluation evaluation = wrong();
        const Result<QString> script =
            wrongElementScript(evaluation, worstOf(evaluation), "/a \"place\" %5", "/a/state", false);
        QVERIFY2(script.hasValue(), qPrintable(script.message()));
        for (const char *line : {"WORKSPACE = \"/a \\\"place\\\" %5\"\n", "BUILDS = \"/a/state/build\"\n",
                                 "DEVICE = torch.device(\"cpu\")\n", "SEED = 236423348334921  # of round 1\n",
                                 "OUTPUT = 0\n", "INDEX = (3644, 590)\n", "EXPECTED = -4.99922773933",
                                 "GOT = -6.38246011734", "TRAINS = False\n"})
            QVERIFY2(script.value().contains(QLatin1String(line)), line);
        const QString python = QStandardPaths::findExecutable("python3");
        NEED_TOOL(!python.isEmpty(), "python3");
        QProcess process;
        process.start(python, {"-c", "import ast, sys; ast.parse(sys.stdin.read())"});
        process.write(script.value().toUtf8());
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(20000));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
    }
    void writesNoneWithoutASeed_data() {
        QTest::addColumn<int>("round");
        QTest::addColumn<QString>("output");
        QTest::addColumn<QString>("said");
        QTest::newRow("no such round") << 7 << "output"
                                       << "the seed of round 7's inputs";
        QTest::newRow("no such result") << 1 << "output[9]"
                                        << "round 1 has no result of this name";
    }
    void writesNoneWithoutASeed() {
        QFETCH(int, round);
        QFETCH(QString, output);
        QFETCH(QString, said);
        const Evaluation evaluation = wrong();
        WrongElement element = worstOf(evaluation);
        element.round = round;
        element.output = output;
        const Result<QString> script = wrongElementScript(evaluation, element, "/a", "/b", false);
        QVERIFY(!script.hasValue());
        QVERIFY2(script.message().contains(said), qPrintable(script.message()));
    }
};

QObject *makeTestWrongElement() {
    return new TestWrongElement;
}

#include "tst_wrong_element.moc"
