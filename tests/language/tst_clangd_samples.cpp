// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/language/clangd_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/base/folder_copy.h"
#include "toolchain/workspace/lessons.h"
#include "toolchain/workspace/samples.h"
#include "toolchain/workspace/workspace_template.h"

#include <QDir>
#include <QProcess>
#include <QTest>

using namespace warpwright;

namespace {

/// Texts in C++ and CUDA, relative.
QStringList sourcesIn(const QString &folder) {
    QStringList names;
    for (const QString &below : {QString(), QStringLiteral("kernels/")})
        for (const QString &name : QDir(folder + QLatin1Char('/') + below)
                                       .entryList({"*.cu", "*.cuh", "*.cpp", "*.h"}, QDir::Files))
            names << below + name;
    return names;
}

} // namespace

/// What nvcc and g++ take, clangd takes.
class TestClangdSamples : public QObject {
    Q_OBJECT

    /// Each file of the folder is opened; what is said of them, in lines.
    static QString saidOf(const QString &folder, const QStringList &names) {
        ClangdWorld world(folder);
        if (!world.problem().isEmpty())
            return world.problem();
        QString said;
        for (const QString &name : names) {
            const QString file = world.open(name);
            if (file.isEmpty())
                said += name + QStringLiteral(": nothing was said\n");
            else if (!world.said(file).empty())
                said += name + QLatin1Char('\n') + world.saidAsText(file) + QLatin1Char('\n');
        }
        return said;
    }

private slots:
    void initTestCase() { NEED_TOOL(missingClangd().isEmpty(), missingClangd()); }

    void aSampleIsWithoutFalseErrors_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<bool>("isBroken");
        const auto samples = listSamples(sourceFolder("/resources"));
        QVERIFY(samples.hasValue());
        for (const Sample &sample : samples.value())
            QTest::newRow(qPrintable(sample.name))
                << sample.folder << (sample.name == QLatin1String("broken-compile"));
    }
    void aSampleIsWithoutFalseErrors() {
        QFETCH(QString, folder);
        QFETCH(bool, isBroken);
        Scratch scratch;
        const QString copy = scratch.path(QStringLiteral("w"));
        QVERIFY(copyWorkspace(folder, copy).hasValue());
        const QString said = saidOf(copy, sourcesIn(copy));
        if (isBroken)
            QVERIFY2(said.contains(QLatin1String("invalid operands"), Qt::CaseInsensitive), qPrintable(said));
        else
            QVERIFY2(said.isEmpty(), qPrintable(said));
    }

    void theTemplateIsWithoutFalseErrors() {
        Scratch scratch;
        const QString folder = scratch.path(QStringLiteral("w"));
        const auto made = createWorkspace(folder, sourceFolder("/resources/samples/softmax-rows/model.py"),
                                          sourceFolder("/resources"));
        QVERIFY2(made.hasValue(), qPrintable(made.message()));
        const QString said = saidOf(folder, sourcesIn(folder));
        QVERIFY2(said.isEmpty(), qPrintable(said));
    }

    void eachStepOfALessonIsWithoutFalseErrors_data() {
        QTest::addColumn<QString>("name");
        const auto lessons = listLessons(sourceFolder("/resources"));
        QVERIFY(lessons.hasValue());
        for (const Lesson &lesson : lessons.value())
            QTest::newRow(qPrintable(lesson.name)) << lesson.name;
    }
    void eachStepOfALessonIsWithoutFalseErrors() {
        QFETCH(QString, name);
        Scratch scratch;
        const QString folder = scratch.path(QStringLiteral("w"));
        const auto lesson = findLesson(sourceFolder("/resources"), name);
        QVERIFY(lesson.hasValue());
        QVERIFY(layOutLesson(lesson.value(), folder, sourceFolder("/resources")).hasValue());
        ClangdWorld world(folder);
        QVERIFY2(world.problem().isEmpty(), qPrintable(world.problem()));
        QStringList files;
        for (const QString &source : sourcesIn(folder)) {
            files << world.open(source);
            QVERIFY2(!files.last().isEmpty(), qPrintable(source));
            QVERIFY2(world.said(files.last()).empty(), qPrintable(world.saidAsText(files.last())));
        }
        const QStringList patches =
            QDir(folder + QStringLiteral("/lesson")).entryList({"*.patch"}, QDir::Files, QDir::Name);
        QVERIFY(!patches.isEmpty());
        for (const QString &patch : patches) {
            QProcess tool;
            tool.setWorkingDirectory(folder);
            tool.start(QStringLiteral("git"), {"apply", QStringLiteral("lesson/") + patch});
            QVERIFY(tool.waitForFinished());
            QVERIFY2(tool.exitCode() == 0, tool.readAllStandardError().constData());
            for (const QString &file : files) {
                const QString text = QString::fromUtf8(textOf(file));
                QVERIFY(!text.isEmpty());
                QVERIFY(world.change(file, text));
                QVERIFY2(world.said(file).empty(),
                         qPrintable(patch + QLatin1Char('\n') + world.saidAsText(file)));
            }
        }
    }

    /// Intrinsics, atomics, wmma, PTX, cooperative groups, cuda::pipeline, CUB, the runtime's calls: nvcc
    /// takes it.
    void whatNvccKnowsClangdKnows() {
        Scratch scratch;
        scratch.writeModel(QStringLiteral("w"));
        scratch.write(QStringLiteral("w/kernels/wide.cu"), textOf(testData("/language/wide.cu")));
        const QString said = saidOf(scratch.path(QStringLiteral("w")), {QStringLiteral("kernels/wide.cu")});
        QVERIFY2(said.isEmpty(), qPrintable(said));
    }
};

QObject *makeTestClangdSamples() {
    return new TestClangdSamples;
}
#include "tst_clangd_samples.moc"
