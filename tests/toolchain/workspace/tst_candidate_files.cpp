// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/workspace/candidate_files.h"

#include <QDir>
#include <QTest>

using namespace warpwright;

namespace {

struct World {
    World() {
        scratch.writeModel("w");
        for (const char *name : {"kernels/row.cu", "kernels/row.cpp", "kernels/row_binding.cpp",
                                 "kernels/util.cuh", "model_new.py"})
            scratch.write(QStringLiteral("w/") + name, name);
    }
    [[nodiscard]] QStringList kernels() const {
        return QDir(scratch.path("w/kernels")).entryList(QDir::Files, QDir::Name);
    }
    Scratch scratch;
    CandidateFiles files{scratch.path("w"), scratch.path("w/.warpwright")};
    QString resources = scratch.folders().resources;
};

} // namespace

class TestCandidateFiles : public QObject {
    Q_OBJECT

private slots:
    void makesAKernelFromTheTemplate() {
        const World world;
        const auto made = world.files.makeKernel("softmax_rows", true, world.resources);
        QVERIFY2(made.hasValue(), qPrintable(made.message()));
        QCOMPARE(made.value(), (QStringList{"kernels/softmax_rows.cpp", "kernels/softmax_rows.cu",
                                            "kernels/softmax_rows_binding.cpp"}));
        const QByteArray cuda = textOf(world.scratch.path("w/kernels/softmax_rows.cu"));
        const QByteArray binding = textOf(world.scratch.path("w/kernels/softmax_rows_binding.cpp"));
        QVERIFY(cuda.contains("extern \"C\" void launchSoftmaxRows("));
        QVERIFY(binding.contains("REGISTER_FUNCTION(softmax_rows, softmax_rows, "));
        QVERIFY(!cuda.contains("xample") && !binding.contains("xample"));
        QCOMPARE(world.files.makeKernel("lone", false, world.resources).value().size(), 2);
    }

    void refusesAName_data() {
        QTest::addColumn<QString>("stem");
        QTest::addColumn<QString>("why");
        QTest::newRow("empty") << ""
                               << "it is empty";
        QTest::newRow("a digit first") << "3d"
                                       << "it begins with a digit";
        QTest::newRow("a space") << "my kernel"
                                 << "it has \" \" in it";
        QTest::newRow("a path") << "../evil"
                                << "it has \".\" in it";
        QTest::newRow("another script") << "größe"
                                        << "it has \"ö\" in it";
        QTest::newRow("a word of C++") << "float"
                                       << "C++ or Python has that word for itself";
        QTest::newRow("a word of Python") << "lambda"
                                          << "C++ or Python has that word for itself";
        QTest::newRow("underscores") << "__"
                                     << "C++ keeps such names for itself";
        QTest::newRow("a binding") << "x_binding"
                                   << "are bindings of kernels";
        QTest::newRow("there already") << "row"
                                       << "\"kernels/row.cpp\" is there already";
        QTest::newRow("a header is there already") << "util"
                                                   << "\"kernels/util.cuh\" is there already";
        QTest::newRow("the same launcher") << "Row"
                                           << "\"kernels/row.cu\" has a launchRow() already";
        QTest::newRow("long") << QString(101, 'x') << "longer than 100";
    }

    void refusesAName() {
        QFETCH(QString, stem);
        QFETCH(QString, why);
        const World world;
        const QStringList before = world.kernels();
        const auto made = world.files.makeKernel(stem, true, world.resources);
        QVERIFY(!made.hasValue());
        QVERIFY2(made.message().startsWith(
                     QStringLiteral("Cannot make a kernel with the name \"%1\": ").arg(stem)) &&
                     made.message().contains(why) && made.message().endsWith("Choose another name."),
                 qPrintable(made.message()));
        QCOMPARE(world.kernels(), before);
    }

    void saysThatTheTemplateIsMissing() {
        const World world;
        const auto made = world.files.makeKernel("fine", true, world.scratch.path("nowhere"));
        QVERIFY2(made.message().contains("No such file or directory") &&
                     made.message().contains("WARPWRIGHT_RESOURCES"),
                 qPrintable(made.message()));
    }

    void renamesWhatBelongsTogether() {
        const World world;
        QCOMPARE(world.files.groupOf("kernels/row_binding.cpp").size(), 3);
        QCOMPARE(world.files.groupOf("kernels/util.cuh"), QStringList{"kernels/util.cuh"});
        const auto done = world.files.rename("kernels/row.cpp", "line.cpp");
        QVERIFY2(done.hasValue(), qPrintable(done.message()));
        QCOMPARE(done.value().size(), 3U);
        QCOMPARE(done.value()[2],
                 (CandidateFiles::Renamed{"kernels/row_binding.cpp", "kernels/line_binding.cpp"}));
        QCOMPARE(world.kernels(), (QStringList{"line.cpp", "line.cu", "line_binding.cpp", "util.cuh"}));
        QCOMPARE(textOf(world.scratch.path("w/kernels/line.cu")), QByteArray("kernels/row.cu"));
        QVERIFY(world.files.rename("kernels/util.cuh", "tools").hasValue());
        QVERIFY(world.kernels().contains("tools.cuh"));
    }

    void renamesBack() {
        const World world;
        const QStringList before = world.kernels();
        const auto done = world.files.rename("kernels/row.cu", "line");
        QVERIFY(done.hasValue());
        // A file that took one of the names meanwhile is in the way, and then none is renamed.
        QVERIFY(
            QFile::copy(world.scratch.path("w/kernels/line.cu"), world.scratch.path("w/kernels/row.cpp")));
        const auto blocked = world.files.renameBack(done.value());
        QVERIFY(!blocked.hasValue() && blocked.message().contains("is there already"));
        QVERIFY(world.kernels().contains("line.cu") && world.kernels().contains("line_binding.cpp"));
        QVERIFY(QFile::remove(world.scratch.path("w/kernels/row.cpp")));
        const auto back = world.files.renameBack(done.value());
        QVERIFY2(back.hasValue(), qPrintable(back.message()));
        QCOMPARE(world.kernels(), before);
    }

    void refusesToRename_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("words");
        QTest::newRow("onto another") << "kernels/row.cu"
                                      << "other"
                                      << "\"kernels/other_binding.cpp\" is there already";
        QTest::newRow("a path") << "kernels/row.cu"
                                << "../row"
                                << "is no file's name here";
        QTest::newRow("nothing") << "kernels/row.cu"
                                 << ".cu"
                                 << "is no file's name here";
        QTest::newRow("the reference") << "model.py"
                                       << "x"
                                       << "it is not in kernels/";
        QTest::newRow("from outside") << "kernels/../model.py"
                                      << "x"
                                      << "it is not in kernels/";
        QTest::newRow("gone") << "kernels/no.cu"
                              << "x"
                              << "not there any more";
        QTest::newRow("a kernel into a binding") << "kernels/row.cu"
                                                 << "a_binding"
                                                 << "are bindings of kernels";
    }

    void refusesToRename() {
        QFETCH(QString, path);
        QFETCH(QString, name);
        QFETCH(QString, words);
        const World world;
        world.scratch.write("w/kernels/other_binding.cpp", "");
        const QStringList before = world.kernels();
        const auto done = world.files.rename(path, name);
        QVERIFY(!done.hasValue());
        QVERIFY2(done.message().startsWith(QStringLiteral("Cannot rename \"%1\": ").arg(path)) &&
                     done.message().contains(words),
                 qPrintable(done.message()));
        QCOMPARE(world.kernels(), before);
    }

    void deletesSoThatItCanBeUndone() {
        const World world;
        const auto gone = world.files.remove({"kernels/row.cu", "kernels/row.cpp"});
        QVERIFY2(gone.hasValue(), qPrintable(gone.message()));
        QCOMPARE(world.kernels(), (QStringList{"row_binding.cpp", "util.cuh"}));
        QVERIFY(gone.value().folder.startsWith(world.scratch.path("w/.warpwright/trash/")));
        QCOMPARE(textOf(gone.value().folder + "/kernels/row.cu"), QByteArray("kernels/row.cu"));

        world.scratch.write("w/kernels/row.cpp", "mine");
        const auto blocked = world.files.restore(gone.value());
        QVERIFY2(blocked.message().contains("row.cpp\" is there already") &&
                     blocked.message().contains(gone.value().folder),
                 qPrintable(blocked.message()));
        QVERIFY(!world.kernels().contains("row.cu")); // all or none
        QFile::remove(world.scratch.path("w/kernels/row.cpp"));
        QVERIFY(world.files.restore(gone.value()).hasValue());
        QCOMPARE(world.kernels().size(), 4);
    }

    void refusesToDelete() {
        const World world;
        QVERIFY(world.files.remove({"model.py"}).message().contains("it is not in kernels/"));
        QVERIFY(
            world.files.remove({"kernels/row.cu", "kernels/no.cu"}).message().contains("not there any more"));
        QCOMPARE(world.kernels().size(), 4);
    }

    void putsATextInPlace() {
        const World world;
        const CandidateTexts texts{{"model.py", "not to be touched"},
                                   {"model_new.py", "older"},
                                   {"kernels/row.cu", "kernels/row.cu"},
                                   {"kernels/deep/new.cuh", "new"}};
        const auto put = world.files.put(texts);
        QVERIFY2(put.hasValue(), qPrintable(put.message()));
        QCOMPARE(put.value().written, (QStringList{"kernels/deep/new.cuh", "model_new.py"}));
        QCOMPARE(world.kernels(), QStringList{"row.cu"});
        QCOMPARE(textOf(world.scratch.path("w/model_new.py")), QByteArray("older"));
        QVERIFY(textOf(world.scratch.path("w/model.py")).contains("class Model"));
        QCOMPARE(put.value().before.paths.size(), 4);
        QCOMPARE(textOf(put.value().before.folder + "/model_new.py"), QByteArray("model_new.py"));
        const auto again = world.files.put(texts);
        QVERIFY(again.hasValue() && again.value().written.isEmpty() && again.value().before.folder.isEmpty());
    }

    void writesThroughNoLinkOutOfTheWorkspace() {
        const World world;
        world.scratch.write("outside/own.cu", "somebody else's");
        QVERIFY(QFile::link(world.scratch.path("outside/own.cu"), world.scratch.path("w/kernels/own.cu")));
        QVERIFY(QFile::link(world.scratch.path("outside"), world.scratch.path("w/kernels/far")));
        for (const char *path : {"kernels/own.cu", "kernels/far/new.cu", "kernels/far/deep/new.cu"}) {
            const auto put =
                world.files.put({{"model_new.py", "model_new.py"}, {path, "changed by an agent"}});
            QVERIFY2(!put.hasValue() && put.message().contains("outside of the workspace"), path);
        }
        QCOMPARE(textOf(world.scratch.path("outside/own.cu")), QByteArray("somebody else's"));
        QCOMPARE(QDir(world.scratch.path("outside")).entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
                 QStringList{"own.cu"});
        QCOMPARE(world.kernels().size(), 5); // nothing was written or removed
    }
};

QObject *makeTestCandidateFiles() {
    return new TestCandidateFiles;
}

#include "tst_candidate_files.moc"
