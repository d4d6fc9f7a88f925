// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/lessons.h"

#include "agent/script_agent.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/workspace.h"

#include <QDir>
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
                const Prediction &bet = step.prediction;
                QVERIFY2(bet.timeRatio && bet.low && bet.high && *bet.low <= *bet.timeRatio &&
                             *bet.timeRatio <= *bet.high && !bet.words.isEmpty(),
                         name);
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
            // Nothing is overwritten, and nothing half written.
            scratch.write("laid-out/" + lesson.name + "/model.py", "mine");
            const auto again = layOutLesson(lesson, folder, resources);
            QVERIFY2(again.message().contains("is there already"), qPrintable(again.message()));
            QCOMPARE(textOf(folder + "/model.py"), QByteArray("mine"));
        }
    }

    void aLessonThatBeginsAgainLeavesTheOldOne() {
        const Scratch scratch;
        const Lesson lesson = lessons(scratch).front();
        const auto first = beginLesson(lesson, scratch.path("data"), scratch.folders().resources);
        QCOMPARE(first.value(), scratch.path("data/lessons/softmax"));
        scratch.write("data/lessons/softmax/model_new.py", "mine");
        const auto second = beginLesson(lesson, scratch.path("data"), scratch.folders().resources);
        QCOMPARE(second.value(), scratch.path("data/lessons/softmax-2"));
        QCOMPARE(textOf(first.value() + "/model_new.py"), QByteArray("mine"));
    }
};

QObject *makeTestLessons() {
    return new TestLessons;
}

#include "tst_lessons.moc"
