// SPDX-License-Identifier: GPL-3.0-or-later
// Files as they come: what belongs to a reference, what a C++ file beside a kernel is, and what a text tells
// before anything runs.
#include "tests/toolchain/run_rooms.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/candidate_texts.h"
#include "toolchain/folder_copy.h"
#include "toolchain/inputs_hash.h"
#include "toolchain/kernelbench_folder.h"
#include "toolchain/python_registrations.h"
#include "toolchain/python_text.h"
#include "toolchain/task_files.h"
#include "toolchain/text_refusal.h"
#include "toolchain/workspace_template.h"

#include <QDir>
#include <QTest>

using namespace warpwright;

namespace {

const QByteArray reference = "import torch\n"
                             "class Model(torch.nn.Module):\n    pass\n"
                             "def get_inputs():\n    return []\n";
const QByteArray candidate =
    "import torch\nimport cuda_extension\nclass ModelNew(torch.nn.Module):\n    pass\n";

QStringList namesOf(const std::vector<TaskFile> &files) {
    QStringList names;
    for (const TaskFile &file : files)
        names << file.name;
    return names;
}

Workspace opened(const Scratch &scratch, const QString &name = {}) {
    const auto workspace = Workspace::open(scratch.path(name), scratch.folders());
    return workspace.hasValue() ? workspace.value() : Workspace{};
}

QString hashOf(const Workspace &workspace) {
    HashedInputs inputs;
    return addWorkspaceTexts(inputs, workspace).hasValue() ? inputsHash(inputs) : QString();
}

} // namespace

class TestTaskFiles : public QObject {
    Q_OBJECT

private slots:
    void readsWhatAPythonTextNames_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("imports");
        QTest::addColumn<QStringList>("strings");
        const auto row = [](const char *name, const char *text, const QStringList &imports,
                            const QStringList &strings) {
            QTest::newRow(name) << QByteArray(text) << imports << strings;
        };
        row("plain", "import a, b.c as d\n", {"a", "b.c"}, {});
        row("from", "from a.b import c\nfrom . import d, e\nfrom .f import g\n", {"a.b", "d", "e", "f"}, {});
        row("in brackets", "from . import (\n    one,\n    two)\n", {"one", "two"}, {});
        row("after a colon", "try: import fast\nexcept: pass\n", {"fast"}, {});
        row("line ends of Windows", "\xef\xbb\xbfimport a\r\nfrom b import c\r\n", {"b", "a"}, {});
        row("no comment and no string", "# import a\nx = 'import b'\n\"\"\"\nimport c\n\"\"\"\n", {},
            {"import b", "\nimport c\n"});
        row("strings", "open(\"a.json\"); s = 'it\\'s'; r = r'x#y'  # 'no'\n", {},
            {"a.json", "it\\'s", "x#y"});
    }

    void readsWhatAPythonTextNames() {
        QFETCH(QByteArray, text);
        QFETCH(QStringList, imports);
        QFETCH(QStringList, strings);
        const PythonText read = readPythonText(text);
        QCOMPARE(read.imports, imports);
        QCOMPARE(read.strings, strings);
        QCOMPARE(read.code.count(QLatin1Char('\n')), text.count('\n'));
    }

    void aTaskNeedsNoInitInputs_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("missing");
        QTest::newRow("all") << reference << QStringList();
        QTest::newRow("CR LF and a mark")
            << "\xef\xbb\xbf" + QByteArray(reference).replace("\n", "\r\n") << QStringList();
        QTest::newRow("blanks at the ends")
            << QByteArray(reference).replace(":\n", ":   \n") << QStringList();
        QTest::newRow("in branches")
            << QByteArray("try:\n    import x\n    class Model:\n        pass\nexcept ImportError:\n"
                          "    class Model:\n        pass\nif x:\n    def get_inputs():\n        pass\n")
            << QStringList();
        QTest::newRow("in a function")
            << QByteArray("def f():\n    if x:\n        class Model:\n            pass\n"
                          "    return get_inputs\n")
            << QStringList{"Model"};
        QTest::newRow("by another name")
            << QByteArray("from b import B\nModel = B\nget_inputs = B.inputs\n") << QStringList();
        QTest::newRow("everything of a neighbour") << QByteArray("from b import *\n") << QStringList();
        QTest::newRow("in a comment")
            << QByteArray("# class Model\n'''\nclass Model:\n'''\n") << QStringList{"Model", "get_inputs"};
        QTest::newRow("a candidate") << candidate << QStringList{"Model", "get_inputs"};
    }

    void aTaskNeedsNoInitInputs() {
        QFETCH(QByteArray, text);
        QFETCH(QStringList, missing);
        QCOMPARE(missingTaskNames(text), missing);
    }

    void findsTheNeighboursOfAReference() {
        const Scratch scratch;
        scratch.write("model.py", "import torch, math\nfrom blocks.norms import Norm\nimport settings\n" +
                                      reference + "import model_new\n");
        scratch.write("settings.py", "import json\nS = json.load(open(\"sizes.json\"))\n"
                                     "T = 'tables' + '/' + 'sines.txt'\n");
        scratch.write("sizes.json", "{}");
        scratch.write("tables/sines.txt", "0 1");
        scratch.write("blocks/__init__.py", "");
        scratch.write("blocks/norms.py", "from .deep import x\nimport helper\nn = 'table.csv'\n");
        scratch.write("blocks/deep/__init__.py", "x = 1\n");
        scratch.write("blocks/table.csv", "1,2");
        scratch.write("blocks/__pycache__/norms.pyc", "");
        scratch.write("helper.py", "");
        scratch.write("stranger.py", "");
        scratch.write("notes.json", "{}");
        scratch.write("model_new.py", candidate);
        scratch.write("math.txt", "");
        QCOMPARE(
            namesOf(neighboursOf(scratch.path("model.py"))),
            (QStringList{"blocks/__init__.py", "blocks/deep/__init__.py", "blocks/norms.py",
                         "blocks/table.csv", "helper.py", "settings.py", "sizes.json", "tables/sines.txt"}));
    }

    void aLinkedReferenceHasTheNeighboursOfItsFile() {
        const Scratch scratch;
        scratch.write("from/model.py", "import settings\n" + reference);
        scratch.write("from/settings.py", "");
        QDir().mkpath(scratch.path("w"));
        QVERIFY(QFile::link(scratch.path("from/model.py"), scratch.path("w/model.py")));
        const auto files = neighboursOf(scratch.path("w/model.py"));
        QCOMPARE(namesOf(files), QStringList{"settings.py"});
        QCOMPARE(files.front().path, scratch.path("from/settings.py"));
        // Both where the folder is a workspace and where the file is alone.
        QVERIFY(readCandidateTexts(opened(scratch, "w")).value().count("settings.py") == 1);
        QVERIFY(readCandidateTexts(opened(scratch, "w/model.py")).value().count("settings.py") == 1);
    }

    void aChangedNeighbourIsAChangedTask_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("changed");
        for (const char *path : {"", "model.py"})
            for (const char *changed : {"blocks/norms.py", "sizes.json"})
                QTest::addRow("%s in %s", changed, *path ? path : "a folder")
                    << QString(path) << QString(changed);
    }

    void aChangedNeighbourIsAChangedTask() {
        QFETCH(QString, path);
        QFETCH(QString, changed);
        const Scratch scratch;
        scratch.write("model.py", "from blocks.norms import Norm\ns = open('sizes.json')\n" + reference);
        scratch.write("blocks/norms.py", "Norm = 1\n");
        scratch.write("sizes.json", "{}");
        const Workspace workspace = opened(scratch, path);
        QVERIFY(workspace.isLoneFile == !path.isEmpty());
        const QString inputs = hashOf(workspace);
        const QString text = textHashOf(readCandidateTexts(workspace).value());
        scratch.write("stranger.json", "1");
        QCOMPARE(hashOf(workspace), inputs);
        scratch.write(changed, "Norm = 2\n");
        QVERIFY(hashOf(workspace) != inputs);
        QVERIFY(textHashOf(readCandidateTexts(workspace).value()) != text);
    }

    void aNewWorkspaceTakesTheNeighboursAlong() {
        const Scratch scratch;
        const QString model =
            scratch.write("from/model.py", "import settings\nx = 'sizes.json'\n" + reference);
        scratch.write("from/settings.py", "S = 1\n");
        scratch.write("from/sizes.json", "{\"a\": 1}");
        scratch.write("from/stranger.py", "");
        const QString resources = scratch.folders().resources;
        const auto made = createWorkspace(scratch.path("w"), model, resources);
        QVERIFY2(made.hasValue(), qPrintable(made.message()));
        QCOMPARE(textOf(scratch.path("w/settings.py")), QByteArray("S = 1\n"));
        QCOMPARE(textOf(scratch.path("w/sizes.json")), QByteArray("{\"a\": 1}"));
        QVERIFY(!QFileInfo::exists(scratch.path("w/stranger.py")));
        // In its own folder they are there already.
        const auto here = createWorkspace(scratch.path("from"), model, resources);
        QVERIFY2(here.hasValue(), qPrintable(here.message()));
        QVERIFY(!here.value().contains("settings.py") && !here.value().contains("model.py"));
        scratch.write("odd/model.py", "x = 'README.md'\n" + reference);
        scratch.write("odd/README.md", "");
        const auto odd = createWorkspace(scratch.path("v"), scratch.path("odd/model.py"), resources);
        QVERIFY2(odd.message().contains("takes \"README.md\" from beside it"), qPrintable(odd.message()));
        QVERIFY(odd.message().endsWith("Give that file another name."));
    }

    void aConfigurationThatNobodyReadsIsNamed() {
        const Scratch scratch;
        scratch.write("model.py", "x = open('config_used.json')\n" + reference);
        scratch.write("config_used.json", "{}");
        scratch.write("config_forward.json", "{}");
        const QStringList doubts = doubtsOfFiles(opened(scratch));
        QCOMPARE(doubts.size(), 1);
        QVERIFY(doubts.front().startsWith("config_forward.json beside model.py is not read: "));
    }

    void bothModelsMayStandInOneFile_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("model.py") << "model.py";
        QTest::newRow("model_new.py") << "model_new.py";
    }

    void bothModelsMayStandInOneFile() {
        QFETCH(QString, name);
        const Scratch scratch;
        const QString file = scratch.write(name, reference + candidate);
        scratch.write("kernels/a.cpp", "");
        const Workspace workspace = opened(scratch);
        QCOMPARE(workspace.modelFile, file);
        QCOMPARE(workspace.modelNewFile, file);
        QCOMPARE(sourceOfPython(workspace.folder, "model_new.py"), file);
        QVERIFY(
            doubtsOfFiles(workspace).value(0).contains("who may edit the candidate may edit the reference"));
        QVERIFY(!whyNotCheckable(workspace, false));
    }

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

    void aFolderOfManyListsTasksWithoutInitInputs() {
        const Scratch scratch;
        scratch.write("p/1_Plain.py", reference);
        scratch.write("p/2_Marked.py", "\xef\xbb\xbf" + QByteArray(reference).replace("\n", "\r\n"));
        scratch.write("p/3_Candidate.py", candidate);
        const auto listed = listKernelBench(scratch.path("p"));
        QVERIFY2(listed.hasValue(), qPrintable(listed.message()));
        QCOMPARE(listed.value().problems.size(), std::size_t{2});
        QCOMPARE(listed.value().skipped.size(), 1);
    }

    void linksAreFollowed() {
        const Scratch scratch;
        scratch.write("far/model.py", reference);
        scratch.write("far/kernels/a.cu", "");
        scratch.write("far/kernels/a.cpp", "");
        QDir().mkpath(scratch.path("w"));
        for (const char *name : {"model.py", "kernels"})
            QVERIFY(QFile::link(scratch.path(QString("far/") + name), scratch.path(QString("w/") + name)));
        const Workspace workspace = opened(scratch, "w");
        QCOMPARE(workspace.sources.size(), std::size_t{2});
        QVERIFY(workspace.cudaSourcesWithoutTwin().isEmpty());
        QCOMPARE(readCandidateTexts(workspace).value().size(), std::size_t{3});
        QVERIFY(copyWorkspace(scratch.path("w"), scratch.path("copy")).hasValue());
        QCOMPARE(textOf(scratch.path("copy/model.py")), reference);
        QVERIFY(QFileInfo::exists(scratch.path("copy/kernels/a.cu")));
        // One that leads nowhere is a source that cannot be read, and not no source.
        QVERIFY(QFile::link(scratch.path("nowhere.cu"), scratch.path("far/kernels/b.cu")));
        QCOMPARE(opened(scratch, "w").sources.size(), std::size_t{3});
    }
};

QObject *makeTestTaskFiles() {
    return new TestTaskFiles;
}

#include "tst_task_files.moc"
