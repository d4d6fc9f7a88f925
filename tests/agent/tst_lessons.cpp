// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/workspace/lessons.h"

#include "agent/lessons/lesson_folder.h"
#include "agent/script/lesson_fields.h"
#include "agent/script/script_agent.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/workspace/workspace.h"

#include <QDir>
#include <QRegularExpression>
#include <QTest>

using namespace warpwright;

/// The lessons that ship: their form, and that each series fits its own text. That they compile and say what
/// is true is asked of the compilers and the judge, in tst_cli.
class TestLessons : public QObject {
    Q_OBJECT

private:
    static std::vector<Lesson> lessons(const Scratch &scratch) {
        return listLessons(scratch.folders().resources).value();
    }
    static CandidateTexts candidateOf(const QString &folder) {
        CandidateTexts texts;
        for (const QString &name : QDir(folder + "/kernels").entryList(QDir::Files))
            texts["kernels/" + name] = textOf(folder + "/kernels/" + name);
        texts["model_new.py"] = textOf(folder + "/model_new.py");
        return texts;
    }

private slots:
    void listsThemInOrder() {
        const Scratch scratch;
        const auto found = listLessons(scratch.folders().resources);
        QVERIFY2(found.hasValue(), qPrintable(found.message()));
        QVERIFY(found.value().size() >= 2);
        QCOMPARE(found.value().front().name, QString("softmax"));
        int order = 0;
        for (const Lesson &lesson : found.value()) {
            QCOMPARE(lesson.order, ++order);
            QVERIFY2(lesson.title != lesson.name && lesson.description.endsWith('.') &&
                         !lesson.shapes.isEmpty(),
                     qPrintable(lesson.name));
            QVERIFY2(!lesson.kernel.isEmpty() && lesson.goals.size() >= 2, qPrintable(lesson.name));
            QVERIFY(lesson.bound == "memory" || lesson.bound == "compute");
            QVERIFY2(lesson.steps >= 6 && lesson.steps <= 9, qPrintable(lesson.name));
        }
        QVERIFY(listLessons(scratch.path()).message().startsWith("Cannot find the lessons in \""));
        QVERIFY(findLesson(scratch.folders().resources, "sofmax").message().contains("softmax, gemm"));
    }

    void eachStepIsToldAndFits() {
        const Scratch scratch;
        for (const Lesson &lesson : lessons(scratch)) {
            const auto steps = readScriptFolder(lesson.folder + "/steps");
            QVERIFY2(steps.hasValue(), qPrintable(steps.message()));
            QCOMPARE(static_cast<int>(steps.value().size()), lesson.steps);
            CandidateTexts texts = candidateOf(lesson.folder + "/start");
            QVERIFY(texts.size() >= 4);
            int number = 0;
            for (const ScriptStep &step : steps.value()) {
                const QByteArray name = QString(lesson.name + '/' + step.name).toUtf8();
                QVERIFY2(step.name.startsWith(QString("%1-").arg(++number, 2, 10, QChar('0'))), name);
                QVERIFY2(!step.title.isEmpty() && !step.move.isEmpty() && step.reason.size() > 200, name);
                QVERIFY2(step.taught.size() > 120 && step.taught.endsWith('.'), name);
                // What is to be left out where it does not help is what a famous trick teaches.
                QVERIFY2(step.keepsUndecided == (step.move != "online"), name);
                for (const char *kind : {"cpu", "cuda"}) {
                    const Prediction &bet = step.expectedOn(kind);
                    QVERIFY2(bet.timeRatio && bet.low && bet.high && *bet.low <= *bet.timeRatio &&
                                 *bet.timeRatio <= *bet.high && !bet.words.isEmpty(),
                             name);
                }
                const auto after = afterStep(texts, step);
                QVERIFY2(after.hasValue(), qPrintable(name + ": " + after.message()));
                // One idea, told twice: the kernel and its twin go together.
                bool isKernelChanged = false, isTwinChanged = false;
                for (const auto &[path, text] : after.value().texts) {
                    const bool isChanged = !texts.count(path) || texts.at(path) != text;
                    isKernelChanged = isKernelChanged || (isChanged && path.endsWith(".cu"));
                    isTwinChanged = isTwinChanged || (isChanged && path.endsWith(".cpp"));
                }
                QVERIFY2(isKernelChanged && isTwinChanged, name);
                texts = after.value().texts;
            }
        }
    }

    void laysOutAWorkspaceThatFollowsItsSteps() {
        const Scratch scratch;
        const QString resources = scratch.folders().resources;
        for (const Lesson &lesson : lessons(scratch)) {
            const QString folder = scratch.path("laid-out/" + lesson.name);
            const auto made = layOutLesson(lesson, folder, resources);
            QVERIFY2(made.hasValue(), qPrintable(made.message()));
            QVERIFY(made.value().contains("README.md") && made.value().contains("binding.cpp"));
            const auto workspace = Workspace::open(folder, scratch.folders());
            QVERIFY2(workspace.hasValue(), qPrintable(workspace.message()));
            QVERIFY(!workspace.value().modelNewFile.isEmpty());
            QVERIFY(ScriptAgent::open(folder + '/' + lessonStepsFolder).hasValue());
            const auto known = lessonIn(folder);
            QVERIFY(known && known->name == lesson.name && known->title == lesson.title);
            QVERIFY(known->goals == lesson.goals && known->folder == lesson.folder);
            QCOMPARE(known->steps, lesson.steps);
            // Nothing is overwritten, and nothing half written.
            scratch.write("laid-out/" + lesson.name + "/model.py", "mine");
            const auto again = layOutLesson(lesson, folder, resources);
            QVERIFY2(again.message().contains("is there already"), qPrintable(again.message()));
            QCOMPARE(textOf(folder + "/model.py"), QByteArray("mine"));
        }
    }

    void aWorkspaceThatWasMadeOfNoLessonIsNone() {
        const Scratch scratch;
        scratch.writeModel("plain");
        QVERIFY(!lessonIn(scratch.path("plain")));
        scratch.write("plain/lesson/notes.txt", "no step");
        QVERIFY(!lessonIn(scratch.path("plain")));
        // Laid out before lessons kept their words.
        scratch.write("softmax-2/lesson/01-a.patch", "");
        const auto old = lessonIn(scratch.path("softmax-2"));
        QVERIFY(old && old->name == "softmax" && old->folder.isEmpty() && old->steps == 1);
    }

    void aLessonOfOnesOwnIsLookedThroughFirst_data() {
        QTest::addColumn<QString>("file"); // written, or with no text taken away
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("words");
        const QByteArray patch = "--- a/kernels/a.cu\n+++ b/kernels/a.cu\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n";
        QTest::newRow("whole") << QString() << QByteArray() << QStringList();
        QTest::newRow("no reference") << QString("start/model.py") << QByteArray()
                                      << QStringList{"start/model.py is missing", "A lesson begins with"};
        QTest::newRow("no candidate") << QString("start/kernels/a.cu") << QByteArray()
                                      << QStringList{"start/ has no candidate", "right and slow"};
        QTest::newRow("no steps") << QString("steps/01-one.patch") << QByteArray()
                                  << QStringList{"there is no step in it"};
        QTest::newRow("broken words")
            << QString("lesson.json") << QByteArray("{")
            << QStringList{"lesson.json: it is no JSON: what stands at line 1, column 2",
                           "Mend it there or just before"};
        QTest::newRow("words of another kind")
            << QString("lesson.json") << QByteArray("[]") << QStringList{"it is no JSON object"};
        QTest::newRow("broken step") << QString("steps/01-one.json")
                                     << QByteArray("{\"undecided\": \"perhaps\"}")
                                     << QStringList{"01-one", "It may be \"keep\" or \"leave-out\""};
        QTest::newRow("a step left out")
            << QString("steps/03-three.patch") << patch
            << QStringList{"step 2 is missing", "steps/03-three.patch comes next", "Add steps/02-name.patch"};
        QTest::newRow("two of one number") << QString("steps/01-other.patch") << patch
                                           << QStringList{"steps/01-one.patch and steps/01-other.patch",
                                                          "have the same number", "in the order"};
        QTest::newRow("no number") << QString("steps/wide.patch") << patch
                                   << QStringList{"steps/wide.patch has no number",
                                                  "Name it as 02-wide.patch"};
        QTest::newRow("another dash")
            << QString("steps/02_wide.patch") << patch << QStringList{"steps/02_wide.patch has no number"};
        QTest::newRow("a diff") << QString("steps/02-wide.diff") << patch
                                << QStringList{"steps/02-wide.diff is not read", "Name it 02-wide.patch."};
        QTest::newRow("words of no step")
            << QString("steps/01-on.json") << QByteArray("{}")
            << QStringList{"steps/01-on.json tells of a step that is not there", "steps/01-on.patch"};
        QTest::newRow("notes beside the steps")
            << QString("steps/notes.md") << QByteArray("of my own") << QStringList();
        QTest::newRow("another file beside the steps")
            << QString("steps/notes.txt") << QByteArray("of my own")
            << QStringList{"steps/notes.txt is no step", "Move it out of steps/"};
        QTest::newRow("a step's words broken off")
            << QString("steps/01-one.json") << QByteArray("{\n \"title\": \"one\"\n \"move\": 1}")
            << QStringList{"steps/01-one.json: it is no JSON: what stands at line 3, column"};
        const auto step = [](const char *name, const char *words, const QStringList &said) {
            QTest::newRow(name) << QString("steps/01-one.json") << QByteArray(words)
                                << QStringList{"steps/01-one.json: "} + said;
        };
        step("an unknown word", R"({"raison": "wide"})",
             {"\"raison\" is no word of a step", "title, move, reason, taught, undecided"});
        step("a title that is a number", R"({"title": 3})", {"\"title\" is 3", "a text in quotes"});
        step("a ratio in quotes", R"({"prediction": {"timeRatio": "half"}})",
             {"\"timeRatio\" is \"half\"", "a number above 0"});
        step("an unknown word of a prediction", R"({"prediction": {"ratio": 0.5}})",
             {"\"ratio\" is no word of a prediction"});
        step("a range the wrong way round", R"({"prediction": {"timeRatio": 0.5, "low": 0.9, "high": 0.4}})",
             {"the wrong way round", "Exchange the two"});
        step("a ratio outside its range", R"({"prediction": {"timeRatio": 0.3, "low": 0.4, "high": 0.9}})",
             {"\"timeRatio\" 0.3 is outside its range"});
        step("several at once", R"({"raison": "x", "taught": []})",
             {"\"raison\" is no word", ": 2 mistakes in its folder.\n", "\"taught\" is []"});
        step("a ratio of no size", R"({"prediction": {"timeRatio": 1e300}})",
             {"\"timeRatio\" is", "from a millionth to a million"});
        QTest::newRow("a name that leads elsewhere")
            << QString("lesson.json") << QByteArray(R"({"name": "../../elsewhere"})")
            << QStringList{"lesson.json: \"name\" is", "the name of a folder"};
        QTest::newRow("an empty title") << QString("lesson.json") << QByteArray(R"({"title": " "})")
                                        << QStringList{"lesson.json: \"title\" is empty"};
        QTest::newRow("a number of no size")
            << QString("steps/99999999999-far.patch") << patch
            << QStringList{"the number of steps/99999999999-far.patch is too large"};
        QTest::newRow("other ends of lines")
            << QString("steps/01-one.patch")
            << QByteArray("--- a/kernels/a.cu\n+++ b/kernels/a.cu\n@@ -1,2 +1,2 @@\n-one\r\n+1\r\n two\r\n")
            << QStringList{"lines end in CRLF in the patch, in LF in the file"};
        QTest::newRow("goals as one text") << QString("lesson.json") << QByteArray(R"({"goals": "to learn"})")
                                           << QStringList{"lesson.json: \"goals\" is", "a list of texts"};
        QTest::newRow("another bound")
            << QString("lesson.json") << QByteArray(R"({"bound": "latency"})")
            << QStringList{"its \"bound\" is \"latency\"", "It may be \"memory\" or \"compute\""};
        QTest::newRow("twice the same") << QString("steps/02-two.patch") << patch
                                        << QStringList{"steps/02-two does not fit", "Make the patch anew"};
    }
    void aLessonOfOnesOwnIsLookedThroughFirst() {
        QFETCH(const QString, file);
        QFETCH(const QByteArray, text);
        QFETCH(const QStringList, words);
        const Scratch scratch;
        scratch.writeModel("mine/start");
        scratch.write("mine/start/kernels/a.cu", "one\ntwo\n");
        scratch.write("mine/steps/01-one.patch",
                      "--- a/kernels/a.cu\n+++ b/kernels/a.cu\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n");
        if (!text.isEmpty())
            scratch.write("mine/" + file, text);
        else if (!file.isEmpty())
            QVERIFY(QFile::remove(scratch.path("mine/" + file)));
        const auto opened = openLessonFolder(scratch.path("mine"));
        if (words.isEmpty()) {
            QVERIFY2(opened.hasValue(), qPrintable(opened.message()));
            QCOMPARE(opened.value().name, QString("mine"));
            QCOMPARE(opened.value().steps, 1);
            const auto named = lessonByName(scratch.folders().resources, scratch.path("mine"));
            QVERIFY2(named.hasValue() && named.value() == opened.value(), qPrintable(named.message()));
        }
        for (const QString &word : words)
            QVERIFY2(opened.message().contains(word), qPrintable(opened.message()));
    }

    // A teacher mends all of it in one go.
    void theFaultsOfAllFilesAreToldAtOnce() {
        const Scratch scratch;
        scratch.writeModel("mine/start");
        scratch.write("mine/start/kernels/a.cu", "one\n");
        scratch.write("mine/lesson.json", R"({"titel": "Rows"})");
        scratch.write("mine/steps/01-one.patch",
                      "--- a/kernels/a.cu\n+++ b/kernels/a.cu\n@@ -1 +1 @@\n-one\n+1\n");
        scratch.write("mine/steps/01-one.json", R"({"reasons": "wide"})");
        scratch.write("mine/steps/foo.txt", "of my own");
        scratch.write("mine/steps/wide.patch", "");
        const QString said = openLessonFolder(scratch.path("mine")).message();
        for (const char *words : {"steps/foo.txt is no step", "steps/wide.patch has no number",
                                  "\"titel\" is no word of a lesson", "\"reasons\" is no word of a step",
                                  ": 4 mistakes in its folder.\n"})
            QVERIFY2(said.contains(words), qPrintable(said));
        QVERIFY2(!said.contains("does not fit"), qPrintable(said)); // what is not whole fits nowhere
    }

    void linesThatEndOtherwiseAreNamedAsTheCause() {
        const Scratch scratch;
        scratch.writeModel("mine/start");
        scratch.write("mine/start/kernels/a.cu", "one\r\ntwo\r\n");
        scratch.write("mine/steps/01-one.patch",
                      "--- a/kernels/a.cu\n+++ b/kernels/a.cu\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n");
        const QString said = openLessonFolder(scratch.path("mine")).message();
        QVERIFY2(said.contains("steps/01-one does not fit") &&
                     said.contains("lines end in LF in the patch, in CRLF in the file") &&
                     said.contains("Give both the same ends."),
                 qPrintable(said));
    }

    void aLinkOutOfALessonIsNotFollowed_data() {
        QTest::addColumn<QString>("link");
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("said"); // empty: it is taken
        QTest::newRow("to a file elsewhere") << "start/notes.txt"
                                             << "/etc/passwd"
                                             << "is outside the lesson";
        QTest::newRow("to a folder elsewhere") << "start/kernels/more"
                                               << "/etc"
                                               << "is outside the lesson";
        QTest::newRow("to nowhere") << "start/kernels/b.cu"
                                    << "/nowhere/b.cu"
                                    << "is not there";
        QTest::newRow("of a step") << "steps/02-two.patch"
                                   << "/etc/passwd"
                                   << "is outside the lesson";
        QTest::newRow("within") << "start/kernels/b.cu"
                                << "a.cu" << QString();
    }
    void aLinkOutOfALessonIsNotFollowed() {
        QFETCH(const QString, link);
        QFETCH(const QString, target);
        QFETCH(const QString, said);
        const Scratch scratch;
        scratch.writeModel("mine/start");
        scratch.write("mine/start/kernels/a.cu", "one\ntwo\n");
        scratch.write("mine/steps/01-one.patch",
                      "--- a/kernels/a.cu\n+++ b/kernels/a.cu\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n");
        QVERIFY(QFile::link(target, scratch.path("mine/" + link)));
        const auto opened = openLessonFolder(scratch.path("mine"));
        QCOMPARE(opened.hasValue(), said.isEmpty());
        if (!said.isEmpty())
            QVERIFY2(opened.message().contains(link) && opened.message().contains(said),
                     qPrintable(opened.message()));
    }

    void aLessonWithoutStepsSaysWhereTheyGo() {
        const Scratch scratch;
        scratch.writeModel("mine/start");
        scratch.write("mine/start/kernels/a.cu", "one\n");
        const QString said = openLessonFolder(scratch.path("mine")).message();
        QVERIFY2(said.contains("the folder steps/ is missing") && said.contains("01-name.patch"),
                 qPrintable(said));
    }

    void aNameThatIsNoneSaysWhatThereIs() {
        const Scratch scratch;
        const QString resources = scratch.folders().resources;
        QVERIFY(lessonByName(resources, "gemm").hasValue());
        const auto none = lessonByName(resources, "sofmax");
        QVERIFY2(none.message().contains("softmax, gemm") && none.message().contains("a lesson of your own"),
                 qPrintable(none.message()));
        QVERIFY(
            lessonByName(resources, scratch.path("nowhere")).message().contains("there is no such folder"));
    }

    // What comes is to be found out, and what a recording cannot show is not promised.
    void theShippedLessonsTellNoEndBeforehand() {
        const Scratch scratch;
        for (const Lesson &lesson : lessons(scratch)) {
            const QString told = lesson.title + lesson.description + lesson.goals.join(' ') +
                                 QString::fromUtf8(textOf(lesson.folder + "/start/README.md"));
            for (const char *word : {"famous", "is wrong", "slower here", "does not help"})
                QVERIFY2(!told.contains(word), qPrintable(lesson.name + ": " + word));
        }
    }

    void theShippedLessonsHaveNoFaults() {
        for (const char *name : {"softmax", "gemm"}) {
            QStringList told;
            for (const auto &[why, remedy] : faultsOfLessonWords(sourceFolder("/resources/lessons/") + name))
                told << why + ' ' + remedy;
            QCOMPARE(told.join('\n'), QString());
        }
    }

    // What the guide shows can be read by the program.
    void theGuidesExamplesAreTaken() {
        const QString guide = QString::fromUtf8(textOf(sourceFolder("/resources/lessons/WRITING.md")));
        static const QRegularExpression block("```json\n(.*?)```",
                                              QRegularExpression::DotMatchesEverythingOption);
        QStringList blocks;
        for (auto found = block.globalMatch(guide); found.hasNext();)
            blocks << found.next().captured(1);
        QCOMPARE(blocks.size(), 2);
        const Scratch scratch;
        scratch.writeModel("mine/start");
        scratch.write("mine/start/kernels/a.cu", "one\n");
        scratch.write("mine/steps/01-neighbours/kernels/a.cu", "1\n");
        scratch.write("mine/steps/01-neighbours.json", blocks[0].toUtf8());
        scratch.write("mine/lesson.json", blocks[1].toUtf8());
        const auto lesson = openLessonFolder(scratch.path("mine"));
        QVERIFY2(lesson.hasValue(), qPrintable(lesson.message()));
        QVERIFY(lesson.value().title == "Scaling a matrix" && lesson.value().goals.size() == 2 &&
                lesson.value().bound == "memory" && !lesson.value().kernel.isEmpty());
        const ScriptStep step = readScriptFolder(scratch.path("mine/steps")).value().front();
        QVERIFY(step.prediction.low && step.keepsUndecided && !step.taught.isEmpty() && !step.move.isEmpty());
        QVERIFY(step.expectedOn("cuda").words == "the stores only" &&
                step.expectedOn("cpu") == step.prediction);
    }

    void aLessonThatBeginsAgainLeavesTheOldOne() {
        const Scratch scratch;
        const Lesson lesson = lessons(scratch).front();
        const auto first = beginLesson(lesson, scratch.path("data"), scratch.folders().resources);
        QCOMPARE(first.value(), scratch.path("data/lessons/softmax"));
        scratch.write("data/lessons/softmax/model_new.py", "mine");
        const auto second = beginLesson(lesson, scratch.path("data"), scratch.folders().resources);
        QCOMPARE(second.value(), scratch.path("data/lessons/softmax-2"));
        QCOMPARE(nextLessonFolder("softmax", scratch.path("data")), scratch.path("data/lessons/softmax-3"));
        QCOMPARE(textOf(first.value() + "/model_new.py"), QByteArray("mine"));
    }
};

QObject *makeTestLessons() {
    return new TestLessons;
}

#include "tst_lessons.moc"
