// SPDX-License-Identifier: GPL-3.0-or-later
// References and candidates in the forms that people have them in, with the real judge on the CPU.
#include "tests/cli/judged_document.h"
#include "tests/toolchain/row_share.h"
#include "tests/toolchain/run_test_classes.h"

#include <QDir>
#include <QTest>

using namespace warpwright;

namespace {

const QByteArray head = "import torch\nfrom torch import nn\n";
const QByteArray inputs = "def get_inputs():\n    return [torch.randn(512, 512)]\n";
/// The task of the base workspace, with another constructor.
QByteArray gate(const char *constructor, const char *scale = "torch.rand(channels) + 0.5") {
    return "class Model(nn.Module):\n    def __init__(self" + QByteArray(constructor) +
           "):\n        super().__init__()\n        self.scale = nn.Parameter(" + scale +
           ")\n    def forward(self, x):\n        return torch.sigmoid(x) * self.scale\n";
}

QByteArray candidateOf(QByteArray model) {
    return "import cuda_extension\n" + head +
           model.replace("class Model(", "class ModelNew(")
               .replace("torch.sigmoid(x) * self.scale", "cuda_extension.gate(x, self.scale)");
}

} // namespace

class TestFilesAsTheyCome : public QObject {
    Q_OBJECT

private:
    CliWorld m_world;

    [[nodiscard]] CliOutcome check(const QString &path) const {
        return m_world.run({"check", path, "--device", "cpu", "--stages", "compile,verify", "--json"},
                           600000);
    }

    /// `files`: relative names and texts, laid over the base workspace; an empty text takes the file away.
    QString workspace(const std::map<QString, QByteArray> &files) const {
        const QString folder = m_world.workspace("base");
        for (const auto &[name, text] : files)
            if (text.isEmpty())
                QFile::remove(folder + '/' + name);
            else
                m_world.write(folder + '/' + name, text);
        return folder;
    }

private slots:
    void initTestCase() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        verifyLoneTask(m_world);
    }

    void aReferenceIsReadOrSaysWhatItLacks_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("verdict");
        QTest::addColumn<QStringList>("words");
        const auto row = [](const char *name, const QByteArray &text, const char *verdict,
                            const QStringList &words) {
            QTest::newRow(name) << head + text << QString::fromLatin1(verdict) << words;
        };
        const char *works = "not-run"; // there is no candidate
        row("no get_init_inputs", gate(", channels=512") + inputs, works, {"The reference works"});
        row("no get_init_inputs, and they are needed", gate(", channels, groups") + inputs, "task-failed",
            {"model.py defines no get_init_inputs, and Model(channels, groups) cannot be made without "
             "arguments",
             "Add get_init_inputs(), which returns [channels, groups]"});
        row("inputs that need sizes",
            gate(", channels=512") + "def get_inputs(rows, width=512):\n    return []\n", "task-failed",
            {"get_inputs() needs rows", "Write a default for each: get_inputs(rows=...)"});
        row("inputs by their names",
            gate(", channels=512") + "def get_inputs():\n    return {'x': torch.randn(64, 512)}\n", works,
            {"The reference works"});
        row("no inputs", gate(", channels=512") + "def get_inputs():\n    torch.randn(64, 512)\n",
            "task-failed", {"get_inputs() returns nothing", "Let it return the list of forward's arguments"});
        row("inputs of another library",
            gate(", channels=512") +
                "import array\ndef get_inputs():\n    return [array.array('f', [1.0])]\n",
            "task-failed", {"get_inputs() gives a array.array", "Give tensors"});
        row("a module that is made already", "class Own(nn.Module):\n    pass\nModel = Own()\n" + inputs,
            "task-failed", {"makes its Model itself (a Own)", "Write Model = Own"});
        row("a module that nobody has", "import nosuchlibrary.parts\n" + gate(", channels=512") + inputs,
            "task-failed",
            {"model.py, line 3, imports nosuchlibrary, which is neither installed here nor beside model.py",
             "-m pip install nosuchlibrary"});
        row("kernels in a reference", "import cuda_extension\n" + gate(", channels=512") + inputs,
            "task-failed",
            {"imports cuda_extension, which is made of the candidate's kernels", "compute with torch alone"});
        row("sizes with defaults",
            gate(", channels=512") + "def get_inputs(rows=64):\n    return [torch.randn(rows, 512)]\n", works,
            {"The reference works"});
        row("the function as an argument",
            "def forward_fn(x, scale):\n    return torch.sigmoid(x) * scale\n" +
                gate(", channels=512")
                    .replace("forward(self, x)", "forward(self, x, fn=forward_fn)")
                    .replace("torch.sigmoid(x) * self.scale", "fn(x, self.scale)") +
                inputs,
            works, {"The reference works"});
        row("a pair",
            gate(", channels, *, power=1") + inputs +
                "def get_init_inputs():\n    return [[], {'channels': 512, 'power': 2}]\n",
            works, {"The reference works"});
        row("a pair that is two arguments",
            gate(", sizes, options", "torch.rand(sizes[0]) + options['least']") + inputs +
                "def get_init_inputs():\n    return [[512], {'least': 0.5}]\n",
            works, {"The reference works"});
        row("what the candidate's process cannot have",
            gate(", make", "make(512)") + inputs +
                "def get_init_inputs():\n    return [lambda n: torch.rand(n)]\n",
            "task-failed", {"get_init_inputs() gives <lambda> of model.py", "Give a name or a number"});
        row("autograd inside forward",
            gate(", channels=512")
                    .replace(
                        "return torch.sigmoid(x) * self.scale",
                        "with torch.enable_grad():\n            x = x.detach().requires_grad_()\n"
                        "            return torch.autograd.grad((torch.tanh(x) * self.scale).sum(), x)[0]") +
                inputs,
            works, {"The reference works"});
    }

    void aReferenceIsReadOrSaysWhatItLacks() {
        TAKE_TURNS(3);
        QFETCH(QByteArray, text);
        QFETCH(QString, verdict);
        QFETCH(QStringList, words);
        const CliOutcome outcome = check(m_world.write("reference/model.py", text));
        verifyDocument(outcome, verdict, verdict == "not-run" ? 4 : 2, words);
    }

    void aModuleOfAnotherNameIsToBeNamed() {
        const QString folder =
            workspace({{"model.py", head + "class Gate(nn.Module):\n    pass\n" + inputs}});
        verifyDocument(check(folder), "task-failed", 2, {"its modules are Gate", "Model = Gate"});
        workspace({{"model.py", head + "def forward_fn(x, w):\n    return x\n" + inputs}});
        verifyDocument(check(folder), "task-failed", 2,
                       {"but the function forward_fn(x, w)", "whose forward calls forward_fn"});
    }

    void aCandidateGetsWhatTheReferenceGot_data() {
        QTest::addColumn<QByteArray>("model");
        QTest::addColumn<QByteArray>("init");
        QTest::newRow("a pair") << gate(", channels, *, least", "torch.rand(channels) + least")
                                << QByteArray("[[], {'channels': 512, 'least': 0.5}]");
        QTest::newRow("a pair with both") << gate(", channels, *, least", "torch.rand(channels) + least")
                                          << QByteArray("[[512], {'least': 0.5}]");
        QTest::newRow("tensors") << gate(", scale, more", "scale.clone() + more['b']")
                                 << QByteArray("[torch.rand(512), {'b': torch.tensor(0.5)}]");
        QTest::newRow("a configuration")
            << gate(", config", "torch.rand(config.channels) + config.least")
            << QByteArray("[type('Config', (), {'least': property(lambda self: self.channels / 1024), "
                          "'__init__': lambda self, n: setattr(self, 'channels', n)})(512)]");
        QTest::newRow("none") << gate(", channels=512") << QByteArray("None");
    }

    void aCandidateGetsWhatTheReferenceGot() {
        TAKE_TURNS(3);
        QFETCH(QByteArray, model);
        QFETCH(QByteArray, init);
        const QString folder = workspace(
            {{"model.py", head + model + inputs + "def get_init_inputs():\n    return " + init + "\n"},
             {"model_new.py", candidateOf(model)}});
        verifyDocument(check(folder), "pass", 0, {});
    }

    void bothModelsStandInOneFile_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("model.py") << "model.py";
        QTest::newRow("model_new.py") << "model_new.py";
    }

    void bothModelsStandInOneFile() {
        QFETCH(QString, name);
        const QByteArray model = gate(", channels=512");
        // A reference has no kernels: what is built is there for ModelNew alone.
        const QByteArray both = "try:\n    import cuda_extension\nexcept ImportError:\n    pass\n" + head +
                                model + candidateOf(model).replace("import cuda_extension\n", "") + inputs;
        const QString other = name == "model.py" ? "model_new.py" : "model.py";
        const QString folder = workspace({{name, both}, {other, {}}});
        const CliOutcome outcome = check(folder);
        verifyDocument(outcome, "pass", 0, {});
        QVERIFY2(outcome.output.contains("who may edit the candidate may edit the reference"),
                 outcome.words());
        const CliOutcome tuned = m_world.run({"tune", folder, "--agent", "playbook", "--device", "cpu"});
        QVERIFY2(tuned.exitCode == 2 && tuned.errors.contains("Model and ModelNew stand in one file"),
                 tuned.words());
    }

    void neighboursComeAlongAndCount() {
        const QByteArray model =
            "from sizes.read import SIZES\n" + head + gate(", channels") +
            "def get_inputs():\n    return [torch.randn(SIZES['rows'], SIZES['channels'])]\n"
            "def get_init_inputs():\n    return [SIZES['channels']]\n";
        const QByteArray read = "import json, pathlib\nSIZES = json.loads((pathlib.Path(__file__).parent / "
                                "'sizes.json').read_text())\n";
        const QByteArray candidate = "from sizes.read import SIZES\n" + candidateOf(gate(", channels")) +
                                     "assert SIZES['channels'] == 512\n";
        const QString folder = workspace({{"model.py", model},
                                          {"model_new.py", candidate},
                                          {"sizes/read.py", read},
                                          {"sizes/sizes.json", "{\"rows\": 96, \"channels\": 512}"}});
        const CliOutcome first = check(folder);
        verifyDocument(first, "pass", 0, {});
        QVERIFY2(first.output.contains("96"), first.words());
        m_world.write(folder + "/sizes/sizes.json", "{\"rows\": 80, \"channels\": 512}");
        const CliOutcome second = check(folder);
        verifyDocument(second, "pass", 0, {});
        QVERIFY(stringIn(first.document, "inputsHash") != stringIn(second.document, "inputsHash"));
        // Alone, and in a new workspace.
        const CliOutcome made = m_world.run({"new", m_world.path("made"), "--from", folder + "/model.py"});
        QVERIFY2(made.exitCode == 0 && made.output.contains("sizes/sizes.json"), made.words());
        QFile::remove(m_world.path("made/model_new.py"));
        const CliOutcome alone = check(m_world.path("made"));
        verifyDocument(alone, "not-run", 4, {"kernels"});
    }

    void lineEndsAndMarksChangeNothing() {
        const QString folder = m_world.workspace("base");
        for (const char *name : {"model.py", "model_new.py", "kernels/gate.cpp"}) {
            QFile file(folder + '/' + name);
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray text = file.readAll().replace(";\n", ";  \n").replace("\n", "\r\n");
            file.close();
            m_world.write(folder + '/' + name, "\xef\xbb\xbf" + text);
        }
        m_world.write(folder + "/.warpwright/task.json", "\xef\xbb\xbf{\r\n\"allow\": [\"FP32\"]\r\n}\r\n");
        verifyDocument(check(folder), "pass", 0, {});
    }

    void aCandidateThatEndsItsProcessIsQuoted_data() {
        QTest::addColumn<QByteArray>("ends");
        QTest::addColumn<QString>("word");
        QTest::newRow("exit") << QByteArray("std::exit(3)") << "exit(3) in forward";
        QTest::newRow("_exit") << QByteArray("_exit(0)") << "exit(0) in forward";
    }

    void aCandidateThatEndsItsProcessIsQuoted() {
        QFETCH(QByteArray, ends);
        QFETCH(QString, word);
        const QString folder = workspace(
            {{"kernels/gate.cpp", "#include <cstdio>\n#include <cstdlib>\n#include <unistd.h>\n"
                                  "extern \"C\" void launchGate(const float *, const float *, float *, int, "
                                  "int) {\n    std::printf(\"gate.cpp:5: too many rows\\n\");\n    " +
                                      ends + ";\n}\n"}});
        const CliOutcome outcome = check(folder);
        verifyDocument(outcome, "run-failed", 1,
                       {word, "gate.cpp:5: too many rows", "Throw an exception there"});
        QVERIFY2(outcome.seconds < 100, outcome.words());
    }

    void aModuleInTheKernelsFileIsBuilt() {
        const QByteArray kernel =
            "#include <pybind11/pybind11.h>\n#include <cmath>\n#include <cstdint>\nnamespace py = pybind11;\n"
            "static float *at(const py::object &tensor) {\n"
            "    return reinterpret_cast<float *>(tensor.attr(\"data_ptr\")().cast<std::uintptr_t>());\n}\n"
            "static py::object gate(const py::object &x, const py::object &scale) {\n"
            "    py::object y = py::module_::import(\"torch\").attr(\"empty_like\")(x);\n"
            "    const long n = x.attr(\"numel\")().cast<long>(), c = scale.attr(\"numel\")().cast<long>();\n"
            "    const float *in = at(x), *by = at(scale);\n    float *out = at(y);\n"
            "    for (long i = 0; i < n; ++i)\n        out[i] = by[i % c] / (1.0f + std::exp(-in[i]));\n"
            "    return y;\n}\n"
            "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"gate\", &gate); }\n";
        QString folder = workspace({{"kernels/gate.cpp", {}},
                                    {"kernels/gate.cu", {}},
                                    {"kernels/gate_binding.cpp", {}},
                                    {"kernels/own.cpp", kernel}});
        verifyDocument(check(folder), "pass", 0, {});
        QFile::remove(folder + "/binding.cpp");
        verifyDocument(check(folder), "pass", 0, {});
        // Beside one that needs binding.cpp.
        folder = workspace({{"kernels/own.cpp", kernel}});
        const CliOutcome outcome = check(folder);
        verifyDocument(
            outcome, "build-failed", 3,
            {"kernels/own.cpp:17", "defines the Python module that binding.cpp:", "REGISTER_BINDING"});
        QVERIFY2(outcome.seconds < 30, outcome.words());
    }

    void aBindingWithTheKernelsNameIsNoTwin() {
        const QString folder = m_world.workspace("base");
        QFile::remove(folder + "/kernels/gate.cpp");
        QVERIFY(QFile::rename(folder + "/kernels/gate_binding.cpp", folder + "/kernels/gate.cpp"));
        verifyDocument(check(folder), "not-run", 4,
                       {"kernels/gate.cu", "kernels/gate.cpp is its binding (REGISTER_BINDING in line",
                        "kernels/gate_binding.cpp"});
    }

    void aCandidateWithoutKernelsSaysSo() {
        const QString folder = workspace({{"kernels/gate.cpp", {}},
                                          {"kernels/gate.cu", {}},
                                          {"kernels/gate_binding.cpp", {}},
                                          {"binding.cpp", {}}});
        verifyDocument(check(folder), "run-failed", 1, {"There is no kernel", "Put one into kernels/"});
    }

    void aSolutionInOneFileIsNeverWrong_data() {
        QTest::addColumn<QByteArray>("head");
        QTest::addColumn<QString>("word");
        QTest::newRow("Triton") << QByteArray("import triton\nimport triton.language as tl\n")
                                << "a solution in Triton (line 1)";
        QTest::newRow("load_inline") << QByteArray(
                                            "from torch.utils.cpp_extension import load_inline\n"
                                            "e = load_inline(name='e', cpp_sources='', functions=[])\n")
                                     << "load_inline (line 2)";
    }

    void aSolutionInOneFileIsNeverWrong() {
        QFETCH(QByteArray, head);
        QFETCH(QString, word);
        const QByteArray text = head + "import torch\nclass ModelNew(torch.nn.Module):\n    pass\n";
        const QString folder = workspace({{"model_new.py", text}});
        const CliOutcome outcome = check(folder);
        verifyDocument(outcome, "not-run", 4, {word, "cannot be checked yet", "kernels/NAME.cu"});
        const QString lone = m_world.write("solution.py", text);
        verifyDocument(check(lone), "usage", 2, {word, "it defines ModelNew and no reference"});
        const CliOutcome made = m_world.run({"new", m_world.path("from-solution"), "--from", lone});
        QVERIFY2(made.exitCode == 2 && made.errors.contains(word), made.words());
    }
};

QObject *makeTestFilesAsTheyCome() {
    return new TestFilesAsTheyCome;
}

#include "tst_files_as_they_come.moc"
