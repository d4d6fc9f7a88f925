// SPDX-License-Identifier: GPL-3.0-or-later
// What a text tells before anything runs, and what a C++ file beside a kernel is.
#include "tests/toolchain/workspace/task_texts.h"
#include "toolchain/workspace/python_registrations.h"
#include "toolchain/workspace/text_refusal.h"
#include "toolchain/workspace/workspace_template.h"

#include <QFileInfo>
#include <QTest>

using namespace warpwright;

class TestTextRefusal : public QObject {
    Q_OBJECT

private slots:
    void aFileBesideAKernelIsWhatItSays_data() {
        QTest::addColumn<QByteArray>("cpp");
        QTest::addColumn<QByteArray>("cu");
        QTest::addColumn<bool>("isTwin");
        const QByteArray launcher = "void launch(float *x) {}\n";
        const QByteArray module = "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}\n";
        QTest::newRow("the launcher again") << launcher << launcher << true;
        QTest::newRow("a binding") << QByteArray("REGISTER_BINDING(a, b);\n") << launcher << false;
        QTest::newRow("a binding, line ends of Windows")
            << QByteArray("// a\r\nREGISTER_BINDING(a, b);\r\n") << launcher << false;
        QTest::newRow("a function") << QByteArray("REGISTER_FUNCTION(a, b, \"c\");\n") << launcher << false;
        QTest::newRow("a module") << module << launcher << false;
        QTest::newRow("a library") << QByteArray("TORCH_LIBRARY(a, m) {}\n") << launcher << false;
        QTest::newRow("modules of both") << module << module << true;
        QTest::newRow("in a comment")
            << QByteArray("// \nint a; /* \nREGISTER_BINDING(a, b);\n*/\n") << launcher << true;
        QTest::newRow("in a comment, line ends of Windows")
            << QByteArray("/*\r\nREGISTER_BINDING(a, b);\r\n*/\r\n") << launcher << true;
        QTest::newRow("behind #if 0")
            << QByteArray("#if 0\nREGISTER_BINDING(a, b);\n#endif\n") << launcher << true;
        QTest::newRow("in a text that it prints")
            << QByteArray("auto t = R\"(\nREGISTER_BINDING(a, b);\n)\";\n") << launcher << true;
        QTest::newRow("CUDA's headers")
            << QByteArray("#include <c10/cuda/CUDAStream.h>\n") << launcher << false;
        QTest::newRow("CUDA's headers, but not on a CPU")
            << QByteArray("#ifndef WARPWRIGHT_CPU\n#include <cuda_runtime.h>\n#endif\n") << launcher << true;
    }

    void aFileBesideAKernelIsWhatItSays() {
        QFETCH(QByteArray, cpp);
        QFETCH(QByteArray, cu);
        QFETCH(bool, isTwin);
        const Scratch scratch;
        scratch.writeModel();
        scratch.write("kernels/a.cu", cu);
        scratch.write("kernels/a.cpp", cpp);
        const Workspace workspace = opened(scratch);
        QCOMPARE(workspace.cudaSourcesWithoutTwin().isEmpty(), isTwin);
        const QString advice = adviceForTwin(workspace, "kernels/a.cu");
        QCOMPARE(advice.contains("kernels/a.cpp is its binding"), !isTwin);
        // With a binding of its own beside it, it can only be the twin.
        scratch.write("kernels/a_binding.cpp", "");
        QVERIFY(opened(scratch).cudaSourcesWithoutTwin().isEmpty());
    }

    void oneLibraryHasOneModule_data() {
        QTest::addColumn<QStringList>("files"); // name, text, name, text …
        QTest::addColumn<QString>("leftOut");
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("words");
        const QString module = "\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}\n";
        const QString other = "#include \"../binding_registry.h\"\nREGISTER_BINDING(b, b);\n";
        QTest::newRow("the usual") << QStringList{"binding.cpp", module, "kernels/a_binding.cpp", other} << ""
                                   << ""
                                   << "";
        QTest::newRow("in the kernel's file")
            << QStringList{"binding.cpp", module, "kernels/a.cpp", module} << "binding.cpp"
            << ""
            << "";
        QTest::newRow("in the kernel's file alone") << QStringList{"kernels/a.cpp", module} << ""
                                                    << ""
                                                    << "";
        QTest::newRow("and another that registers")
            << QStringList{"binding.cpp", module, "kernels/a.cpp", module, "kernels/b.cpp", other} << ""
            << "kernels/a.cpp:2"
            << "that binding.cpp:2 defines, too";
        QTest::newRow("two kernels' files")
            << QStringList{"kernels/a.cpp", module, "kernels/b.cpp", module} << ""
            << "kernels/b.cpp:2"
            << "that kernels/a.cpp:2 defines, too";
        QTest::newRow("two kernels' files and the binding")
            << QStringList{"binding.cpp", module, "kernels/a.cpp", module, "kernels/b.cpp", module} << ""
            << "kernels/a.cpp:2"
            << "REGISTER_BINDING";
        QTest::newRow("a name that nobody imports")
            << QStringList{"kernels/a.cpp", "PYBIND11_MODULE(my_ext, m) {}\n"} << ""
            << "kernels/a.cpp:1"
            << "Write TORCH_EXTENSION_NAME in place of my_ext";
        QTest::newRow("behind #if 0")
            << QStringList{"binding.cpp", module, "kernels/a.cpp", other + "#if 0" + module + "#endif\n"}
            << ""
            << ""
            << "";
        QTest::newRow("behind a condition that only the compiler knows")
            << QStringList{"binding.cpp", module, "kernels/a.cpp", "#ifdef ALONE" + module + "#endif\n"} << ""
            << ""
            << "";
        QTest::newRow("in a macro") << QStringList{"binding.cpp", module, "kernels/a.cpp",
                                                   "#define MODULE \\" + module}
                                    << ""
                                    << ""
                                    << "";
        QTest::newRow("a twin is another library")
            << QStringList{"kernels/a.cu", module, "kernels/a.cpp", module} << ""
            << ""
            << "";
    }

    void oneLibraryHasOneModule() {
        QFETCH(QStringList, files);
        QFETCH(QString, leftOut);
        QFETCH(QString, place);
        QFETCH(QString, words);
        const Scratch scratch;
        scratch.writeModel();
        scratch.write("model_new.py", candidate);
        for (qsizetype i = 0; i < files.size(); i += 2)
            scratch.write(files[i], files[i + 1].toUtf8());
        for (const bool isCuda : {false, true}) {
            QCOMPARE(pythonModulesOf(opened(scratch), isCuda).leftOut, leftOut);
            const auto refusal = whyNotCheckable(opened(scratch), isCuda);
            QCOMPARE(refusal.has_value(), !place.isEmpty());
            if (!refusal)
                continue;
            QCOMPARE(refusal->verdict, Verdict::BuildFailed);
            QCOMPARE(refusal->message.thing, scratch.path(place));
            QVERIFY2(plainText(refusal->message).contains(words), qPrintable(plainText(refusal->message)));
            QCOMPARE(refusal->diagnostics.front().file, place.section(QLatin1Char(':'), 0, 0));
        }
    }

    void aSolutionInOneFileIsKnownByItsText_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("words");
        const QByteArray model = "class ModelNew:\n    pass\n";
        QTest::newRow("load_inline") << "import torch\nfrom torch.utils.cpp_extension import load_inline\n"
                                        "e = load_inline(name='e', cuda_sources='')\n" +
                                            model
                                     << QStringList{"a solution in one file", "load_inline (line 3)",
                                                    "kernels/NAME.cu", "REGISTER_FUNCTION",
                                                    "import cuda_extension"};
        QTest::newRow("load")
            << "from torch.utils import cpp_extension\n\ne = cpp_extension.load(name='e')\n" + model
            << QStringList{"cpp_extension.load (line 3)", "kernels/NAME.cpp"};
        QTest::newRow("Triton") << "import torch\nimport triton\nimport triton.language as tl\n" + model
                                << QStringList{"a solution in Triton (line 2)", "@triton.jit",
                                               "kernels/NAME.cu"};
        QTest::newRow("Triton, in CR LF")
            << "import torch\r\nimport triton\r\n" + model << QStringList{"a solution in Triton (line 2)"};
        QTest::newRow("in a comment")
            << "import torch\n# import triton, load_inline()\n" + model << QStringList();
        QTest::newRow("Triton in a neighbour")
            << "import torch\nfrom ops import added\n" + model
            << QStringList{"a solution in Triton (ops.py, line 4)", "kernels/NAME.cu"};
        QTest::newRow("a neighbour that only imports it") << "import helper\n" + model << QStringList();
        QTest::newRow("beside what is built")
            << "import cuda_extension\nimport triton\n" + model << QStringList();
    }

    void aSolutionInOneFileIsKnownByItsText() {
        QFETCH(QByteArray, text);
        QFETCH(QStringList, words);
        const Scratch scratch;
        scratch.write("model.py", reference);
        scratch.write("model_new.py", text);
        scratch.write("ops.py", "from triton import jit\n\n\n@jit\ndef added(a):\n    pass\n");
        scratch.write("helper.py", "import triton\n");
        const QString lone = scratch.write("solution.py", text);
        const auto refusal = whyNotCheckable(opened(scratch), false);
        QCOMPARE(refusal.has_value(), !words.isEmpty());
        const auto open = Workspace::open(lone, scratch.folders());
        const auto made = createWorkspace(scratch.path("w"), lone, scratch.folders().resources);
        QVERIFY(!open.hasValue() && !made.hasValue());
        QVERIFY(!QFileInfo::exists(scratch.path("w")));
        for (const QString &said : {open.message(), made.message()}) {
            QVERIFY2(said.contains("it defines ModelNew and no reference to hold it against"),
                     qPrintable(said));
            QVERIFY2(said.contains("wright new DIR --from MODEL.py"), qPrintable(said));
        }
        for (const QString &word : words) {
            QCOMPARE(refusal->verdict, Verdict::NotRun);
            QVERIFY2(plainText(refusal->message).contains(word), qPrintable(plainText(refusal->message)));
            QVERIFY2(open.message().contains(word), qPrintable(open.message()));
        }
    }

    void saysWhatThereIsInsteadOfAReference_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("words");
        const QByteArray inputs = "def get_inputs():\n    return []\n";
        QTest::newRow("a function") << "task.py"
                                    << "def helper(a):\n    pass\n\ndef forward_fn(x, w):\n    return x\n\n" +
                                           inputs
                                    << QStringList{
                                           "the function forward_fn(x, w) in line 4: a functional reference",
                                           "Add a class Model(nn.Module)", "whose forward calls forward_fn",
                                           "config_forward.json beside it is not read"};
        QTest::newRow("a module of another name")
            << "task.py"
            << "class Net(nn.Module):\n    pass\n" + inputs
            << QStringList{"its modules are Net", "a last line, Model = Net."};
        QTest::newRow("nothing") << "task.py" << QByteArray()
                                 << QStringList{"does not define Model, get_inputs",
                                                "A task is a Python file"};
        QTest::newRow("UTF-16") << "task.py" << QByteArray("\xff\xfei\0m\0", 6)
                                << QStringList{"it is UTF-16 text", "Save it as UTF-8"};
        QTest::newRow("a notebook") << "task.ipynb" << QByteArray("{}")
                                    << QStringList{"it is a notebook", "jupyter nbconvert --to script"};
    }

    void saysWhatThereIsInsteadOfAReference() {
        QFETCH(QString, name);
        QFETCH(QByteArray, text);
        QFETCH(QStringList, words);
        const Scratch scratch;
        scratch.write("config_forward.json", "{}");
        const QString file = scratch.write(name, text);
        const auto open = Workspace::open(file, scratch.folders());
        const auto made = createWorkspace(scratch.path("w"), file, scratch.folders().resources);
        QVERIFY(!open.hasValue() && !made.hasValue());
        for (const QString &word : words) {
            QVERIFY2(open.message().contains(word), qPrintable(open.message()));
            QVERIFY2(made.message().contains(word), qPrintable(made.message()));
        }
    }

    void aTextThatNobodyReadsIsNamed_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<Verdict>("verdict");
        QTest::newRow("the reference") << "model.py" << Verdict::TaskFailed;
        QTest::newRow("the candidate") << "model_new.py" << Verdict::RunFailed;
        QTest::newRow("a kernel") << "kernels/a.cpp" << Verdict::BuildFailed;
    }

    void aTextThatNobodyReadsIsNamed() {
        QFETCH(QString, name);
        const Scratch scratch;
        scratch.writeModel();
        scratch.write("model_new.py", candidate);
        scratch.write("kernels/a.cpp", "");
        QVERIFY(!whyNotCheckable(opened(scratch), false));
        const QString file = scratch.write(name, QByteArray("\xff\xfei\0", 4));
        const auto refusal = whyNotCheckable(opened(scratch), false);
        QVERIFY(refusal.has_value());
        QTEST(refusal->verdict, "verdict");
        QCOMPARE(refusal->message.thing, file);
        QVERIFY(refusal->message.why.startsWith("it is UTF-16 text"));
    }

    void aFolderWithoutAReferenceSaysWhereItMayBe_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("words");
        QTest::newRow("one folder too high") << "My Task/model.py"
                                             << "/My Task\": open that folder.";
        QTest::newRow("an ending too many") << "model.py.txt"
                                            << "\"model.py.txt\" is there: give it the name";
        QTest::newRow("another name") << "reference.py"
                                      << "\"reference.py\" defines a Model: give it the name";
        QTest::newRow("nowhere") << "notes.txt"
                                 << "model.py holds the reference";
    }

    void aFolderWithoutAReferenceSaysWhereItMayBe() {
        QFETCH(QString, name);
        QFETCH(QString, words);
        const Scratch scratch;
        scratch.write(name, reference);
        const auto open = Workspace::open(scratch.path(""), scratch.folders());
        QVERIFY2(open.message().contains("it holds no model.py") && open.message().contains(words),
                 qPrintable(open.message()));
    }

    void aSourceThatNobodyCompilesIsNamed() {
        const Scratch scratch;
        scratch.write("model.py", reference);
        scratch.write("kernels/a.cpp", "#include \"cpu/part.cpp\"\n#include \"parts.cuh\"\n");
        scratch.write("kernels/parts.cuh", "#include \"cpu/whole.cc\"\n");
        scratch.write("kernels/cpu/part.cpp", "");
        scratch.write("kernels/cpu/whole.cc", "");
        QVERIFY(doubtsOfFiles(opened(scratch)).isEmpty());
        scratch.write("kernels/b.cc", "");
        QVERIFY(doubtsOfFiles(opened(scratch)).value(0).startsWith("kernels/b.cc is not compiled: "));
        scratch.write("csrc/c.cu", "");
        scratch.write("kernels/cpu/d.cpp", "");
        const QStringList doubts = doubtsOfFiles(opened(scratch));
        QCOMPARE(doubts.size(), 1);
        QVERIFY2(doubts.front().startsWith("kernels/b.cc, kernels/cpu/d.cpp, csrc/c.cu are not compiled: "),
                 qPrintable(doubts.front()));
    }

    void aLoneFileWithBothModelsHasNoKernels() {
        const Scratch scratch;
        scratch.write("task.py", reference + candidate);
        const auto refusal = whyNotCheckable(opened(scratch, "task.py"), false);
        QVERIFY(refusal.has_value());
        QCOMPARE(refusal->verdict, Verdict::NotRun);
        QVERIFY(plainText(refusal->message).contains("a lone file has no kernels that ModelNew could call"));
    }
};

QObject *makeTestTextRefusal() {
    return new TestTextRefusal;
}

#include "tst_text_refusal.moc"
