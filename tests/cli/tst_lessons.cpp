// SPDX-License-Identifier: GPL-3.0-or-later
// The lessons that ship, with the real compilers: each step of each series builds as a whole, for CUDA and
// for the CPU. And the recordings that ship come out byte for byte.
#include "agent/script/script_folder.h"
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/workspace/lessons.h"

#include <QDir>
#include <QTest>

using namespace warpwright;

namespace {

const QString resources = sourceFolder("/resources");

QByteArray read(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestLessonsBuild : public QObject {
    Q_OBJECT

private:
    bool hasNvcc = false;

    static void eachLesson() {
        QTest::addColumn<QString>("name");
        for (const Lesson &lesson : listLessons(resources).value())
            QTest::newRow(qPrintable(lesson.name)) << lesson.name;
    }

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void newLaysOutALesson() {
        const CliWorld world;
        const CliOutcome said = world.run({"new", world.path("mine"), "--lesson", "softmax"});
        QVERIFY2(said.exitCode == 0, said.words());
        QVERIFY2(said.output.contains("Softmax over rows, 7 steps") &&
                     said.output.contains("wright tune " + world.path("mine") + " --script " +
                                          world.path("mine/lesson")),
                 said.words());
        QVERIFY(QFile::exists(world.path("mine/lesson/01-a-block-for-a-row.patch")));
        const CliOutcome again = world.run({"new", world.path("mine"), "--lesson", "softmax"});
        QVERIFY2(again.exitCode == 2 && again.errors.contains("is there already"), again.words());
        const CliOutcome unknown = world.run({"new", world.path("other"), "--lesson", "sofmax"});
        QVERIFY2(unknown.exitCode == 2 && unknown.errors.contains("softmax, gemm"), unknown.words());
        const CliOutcome neither = world.run({"new", world.path("other")});
        QVERIFY2(neither.exitCode == 2 && neither.errors.contains("--from FILE or --lesson NAME"),
                 neither.words());
        QVERIFY(!QFile::exists(world.path("other")));
        // One of somebody's own: what does not fit is said before anything is written.
        world.write(world.path("own/start/model.py"), read(resources + "/lessons/softmax/start/model.py"));
        world.write(world.path("own/start/kernels/a.cu"), "one\n");
        world.write(world.path("own/steps/01-two/kernels/a.cu"), "two\n");
        const CliOutcome own = world.run({"new", world.path("other"), "--lesson", world.path("own")});
        QVERIFY2(own.exitCode == 0 && own.output.contains("own, 1 step\n"), own.words());
        QVERIFY2(!own.output.contains("README.md") && own.output.contains("Next: wright tune"),
                 own.words()); // it has none
        QVERIFY(QFile::exists(world.path("other/lesson/01-two/kernels/a.cu")));
        // Pictures that its readers would not see are told to whoever writes it.
        world.write(world.path("own/start/README.md"),
                    "![a](img/a.png) ![b](https://a.example/b.png) ![c](c.svg)\n");
        world.write(world.path("own/start/c.svg"), "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
        const CliOutcome told = world.run({"new", world.path("told"), "--lesson", world.path("own")});
        QVERIFY2(told.exitCode == 0 &&
                     told.output.contains("does not show the picture img/a.png: there is no such file") &&
                     told.output.contains("https://a.example/b.png: only pictures in the lesson's folder") &&
                     !told.output.contains("c.svg"),
                 told.words());
        QVERIFY(QFile::remove(world.path("own/start/model.py")));
        const CliOutcome broken = world.run({"new", world.path("third"), "--lesson", world.path("own")});
        QVERIFY2(broken.exitCode == 2 && broken.errors.contains("start/model.py is missing"), broken.words());
        QVERIFY(!QFile::exists(world.path("third")));
    }

    void everyStepBuilds_data() {
        const CliOutcome found = CliWorld().run({"doctor", "--json"});
        for (const OrderedJson &finding : found.document["findings"])
            hasNvcc = hasNvcc || (stringIn(finding, "name") == "nvcc" && stringIn(finding, "status") == "ok");
        eachLesson();
    }
    void everyStepBuilds() {
        QFETCH(const QString, name);
        CliWorld world;
        // One folder in each run: with -lineinfo an object belongs to its folder, and nvcc's are kept.
        const QString folder = testState("/lesson-") + name;
        QDir(folder).removeRecursively();
        const Lesson lesson = findLesson(resources, name).value();
        QVERIFY(layOutLesson(lesson, folder, resources).hasValue());
        const auto steps = readScriptFolder(folder + '/' + lessonStepsFolder);
        QVERIFY2(steps.hasValue(), qPrintable(steps.message()));
        const QString kernel = QDir(folder + "/kernels").entryList({"*.cu"}, QDir::Files).value(0);
        QVERIFY(!kernel.isEmpty());
        CandidateTexts texts;
        for (const QString &file : QDir(folder + "/kernels").entryList(QDir::Files))
            texts["kernels/" + file] = read(folder + "/kernels/" + file);
        const auto builds = [&](const QString &step) {
            const CliOutcome outcome =
                world.run({"check", folder, "--device", "cpu", "--stages", "compile", "--json"}, 300000);
            QVERIFY2(outcome.verdict() == "not-run", step.toUtf8() + '\n' + outcome.words());
            QVERIFY2(stringIn(outcome.document["compile"], "status") == "passed", outcome.words());
            // A check on the CPU compiles the CUDA kernels as well, where nvcc is there.
            if (hasNvcc)
                QVERIFY2(outcome.errors.contains("kernels/" + kernel), outcome.words());
        };
        builds("start");
        for (const ScriptStep &step : steps.value()) {
            const auto after = afterStep(texts, step);
            QVERIFY2(after.hasValue(), qPrintable(step.name + ": " + after.message()));
            texts = after.value().texts;
            for (const auto &[path, text] : texts) {
                QFile file(folder + '/' + path);
                QVERIFY(file.open(QIODevice::WriteOnly));
                file.write(text);
            }
            builds(step.name);
            if (QTest::currentTestFailed())
                return;
        }
    }

    void theRecordingComesOutByteForByte_data() { eachLesson(); }
    void theRecordingComesOutByteForByte() {
        QFETCH(const QString, name);
        const QString folder = resources + "/recordings/" + name;
        const CliOutcome told = CliWorld().run({"replay", folder + "/trajectory.jsonl"});
        QVERIFY2(told.exitCode == 0, told.words());
        const QByteArray text = read(folder + "/trajectory.jsonl");
        QVERIFY(text.size() < 1000000);
        // Real decisions of all three kinds, and no place of the machine that it was made on.
        for (const char *word : {"\"answer\":\"accept\"", "\"answer\":\"reject\"", "\"answer\":\"edit\""})
            QVERIFY2(text.contains(word), word);
        QVERIFY(!text.contains("\"/tmp/") && !text.contains("/home/") && !text.contains("/root/"));
        // The steps that were recorded are those that ship.
        const auto steps = readScriptFolder(resources + "/lessons/" + name + "/steps");
        for (const ScriptStep &step : steps.value())
            QVERIFY2(text.contains(step.title.toUtf8()), qPrintable(step.title));
    }

    void thePlaybooksRecordingsComeOutByteForByte_data() {
        QTest::addColumn<QByteArray>("device");
        QTest::newRow("cpu") << QByteArray("\"device\":\"cpu\"");
        QTest::newRow("cuda") << QByteArray("NVIDIA H100");
    }

    void thePlaybooksRecordingsComeOutByteForByte() {
        QFETCH(QByteArray, device);
        const QString folder = resources + "/recordings/playbook-pointwise-chain-" + QTest::currentDataTag();
        const CliOutcome told = CliWorld().run({"replay", folder + "/trajectory.jsonl"});
        QVERIFY2(told.exitCode == 0, told.words());
        const QByteArray text = read(folder + "/trajectory.jsonl");
        for (const char *word :
             {"\"kind\":\"playbook\"", "\"move\":\"fuse\"", "\"answer\":\"keep\"", device.constData()})
            QVERIFY2(text.contains(word), word);
        QVERIFY(!text.contains("\"/tmp/") && !text.contains("/home/") && !text.contains("/root/"));
    }

    void theModelsRecordingComesOutByteForByte() {
        const QString folder = resources + "/recordings/model-softmax-cuda";
        const CliOutcome told = CliWorld().run({"replay", folder + "/trajectory.jsonl"});
        QVERIFY2(told.exitCode == 0, told.words());
        const QByteArray text = read(folder + "/trajectory.jsonl");
        // With a hunk that was rejected, and the model told so.
        for (const char *word : {"\"kind\":\"model\"", "\"answer\":\"reject\"", "REJECTED", "NVIDIA H200"})
            QVERIFY2(text.contains(word), word);
        for (const char *place : {"\"/tmp/", "/home/", "/root/", "/opt/", "ENGINEERS_KEY", "sk-of"})
            QVERIFY2(!text.contains(place), place);
    }
};

QObject *makeTestLessonsBuild() {
    return new TestLessonsBuild;
}

#include "tst_lessons.moc"
