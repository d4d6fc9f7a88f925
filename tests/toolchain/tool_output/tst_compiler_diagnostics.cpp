// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/tool_output/compiler_diagnostics.h"
#include "toolchain/tool_output/ptxas_report.h"

#include <QRandomGenerator>
#include <QTest>

using namespace warpwright;

namespace {

/// One line a diagnostic, notes indented: what a person would expect to see.
QString printed(const std::vector<Diagnostic> &diagnostics) {
    const auto place = [](const QString &file, int line, int column) {
        return file + (line > 0 ? QStringLiteral(":%1").arg(line) : QString()) +
               (column > 0 ? QStringLiteral(":%1").arg(column) : QString());
    };
    QString text;
    for (const Diagnostic &diagnostic : diagnostics) {
        text += QStringLiteral("%1 %2 %3 | %4%5\n")
                    .arg(diagnostic.tool, severityName(diagnostic.severity),
                         place(diagnostic.file, diagnostic.line, diagnostic.column), diagnostic.message,
                         diagnostic.option.isEmpty() ? QString() : " " + diagnostic.option);
        for (const DiagnosticNote &note : diagnostic.notes)
            text += QStringLiteral("  %1 | %2\n").arg(place(note.file, note.line, note.column), note.message);
    }
    return text;
}

} // namespace

class TestCompilerDiagnostics : public QObject {
    Q_OBJECT

private slots:
    void readsWhatTheToolsSaid_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("expected");
        QTest::newRow("nvcc: errors")
            << "nvcc/undefined-13.0.88.txt"
            << "nvcc error kernels/undefined.cu:7:22 | identifier \"missingFactor\" is undefined\n"
               "nvcc error kernels/undefined.cu:13:5 | identifier \"undeclared\" is undefined\n"
               "nvcc error kernels/undefined.cu:14:13 | a value of type \"const char *\" cannot be used to "
               "initialize an entity of type \"int\"\n";
        QTest::newRow("nvcc: in a template")
            << "nvcc/instantiation-13.0.88.txt"
            << "nvcc error kernels/instantiation.cu:2:98 | expression must have pointer-to-class type but it "
               "has type \"const float *\"\n"
               "  kernels/instantiation.cu:6 | instantiation of \"T Loader<T>::load(const T *) [with "
               "T=float]\"\n"
               "  kernels/instantiation.cu:9 | instantiation of \"T sum<T,N>(const T *) [with T=float, "
               "N=4]\"\n"
               "  kernels/instantiation.cu:10 | instantiation of \"void k(const T *, T *) [with T=float]\"\n";
        QTest::newRow("nvcc: warnings, once each") << "nvcc/warnings-13.0.88.txt"
                                                   << "nvcc warning kernels/warnings.cu:6:39 | pointless "
                                                      "comparison of unsigned integer with zero #186-D\n"
                                                      "nvcc warning kernels/warnings.cu:4:9 | variable "
                                                      "\"unused\" was declared but never referenced #177-D\n"
                                                      "nvcc warning kernels/warnings.cu:8:29 | variable "
                                                      "\"host\" was declared but never referenced #177-D\n";
        QTest::newRow("nvcc: a missing header")
            << "nvcc/missing_header-13.0.88.txt"
            << "g++ fatal kernels/missing_header.cu:1:10 | not_there.cuh: No such file or directory\n";
        QTest::newRow("nvcc: architecture") << "nvcc/arch-13.0.88.txt"
                                            << "nvcc fatal  | Unsupported gpu architecture 'compute_10'\n";
        QTest::newRow("nvlink") << "nvcc/nvlink-13.0.88.txt"
                                << "nvlink error  | Undefined reference to 'elsewhere(float)' in 'out/r.o'\n";
        QTest::newRow("ptxas: shared memory") << "ptxas/shared_memory-13.0.88.txt"
                                              << "ptxas error  | Entry function 'tooMuch(float*)' uses too "
                                                 "much shared data (0x80000 bytes, 0x38c00 max)\n";
        QTest::newRow("ptxas: instruction")
            << "ptxas/instruction-13.0.88.txt"
            << "ptxas error  | Not a name of any known instruction: 'bogus' (line 29 of the PTX)\n";
        QTest::newRow("ptxas: function of another file")
            << "ptxas/unresolved_extern-13.0.88.txt"
            << "ptxas fatal  | Unresolved extern function 'elsewhere(float)'\n";
        QTest::newRow("ptxas: a report") << "ptxas/resources-13.0.88.txt"
                                         << "";
        QTest::newRow("g++: through headers")
            << "gcc/included-12.2.0.txt"
            << "g++ error inner.h:2:25 | ‘g’ was not declared in this scope\n"
               "  outer.h:2 | included from here\n"
               "  kernels/included.cpp:1 | included from here\n"
               "g++ error kernels/included.cpp:2:24 | expected ‘;’ before ‘}’ token\n";
        QTest::newRow("g++: fatal")
            << "gcc/fatal-12.2.0.txt"
            << "g++ fatal kernels/fatal.cpp:1:10 | no_such_header.h: No such file or directory\n";
        QTest::newRow("g++: macros") << "gcc/macro-12.2.0.txt"
                                     << "g++ error kernels/macro.cpp:2:25 | request for member ‘y’ in ‘a’, "
                                        "which is of non-class type ‘int’\n"
                                        "  kernels/macro.cpp:1:20 | in definition of macro ‘TWICE’\n"
                                        "  kernels/macro.cpp:3:23 | in expansion of macro ‘DEEP’\n";
        QTest::newRow("g++: too deep")
            << "gcc/depth-12.2.0.txt"
            << "g++ fatal kernels/ice.cpp:1:64 | template instantiation depth exceeds maximum of 900 (use "
               "‘-ftemplate-depth=’ to increase the maximum)\n"
               "  kernels/ice.cpp:1:64 | recursively required from ‘constexpr const int R<1>::v’\n"
               "  kernels/ice.cpp:1:64 | required from ‘constexpr const int R<0>::v’\n"
               "  kernels/ice.cpp:2:24 | required from here\n";
        QTest::newRow("g++: an option") << "gcc/option-12.2.0.txt"
                                        << "g++ error  | unrecognized command-line option ‘--bogus’\n";
        QTest::newRow("as") << "gcc/assembler-12.2.0.txt"
                            << "as error asm.cpp:1 | no such instruction: `bogus %eax'\n";
        QTest::newRow("ld: undefined")
            << "ld/undefined-2.40.txt"
            << "ld error link.cpp | undefined reference to \"launchIt\"\n  link.cpp | in use(float*)\n"
               "ld error link.cpp | undefined reference to \"n::other(int)\"\n  link.cpp | in use(float*)\n"
               "ld error link.cpp | undefined reference to \"vtable for V\"\n  link.cpp | in use(float*)\n"
               "ld error link.cpp | undefined reference to \"V::~V()\"\n  link.cpp | in use(float*)\n";
        QTest::newRow("ld: as warnings")
            << "ld/unresolved-2.40.txt"
            << "ld warning link.cpp | undefined reference to \"launchIt\"\n  link.cpp | in use(float*)\n"
               "ld warning link.cpp | undefined reference to \"n::other(int)\"\n  link.cpp | in use(float*)\n"
               "ld warning link.cpp | undefined reference to \"vtable for V\"\n  link.cpp | in use(float*)\n"
               "ld warning link.cpp | undefined reference to \"V::~V()\"\n  link.cpp | in use(float*)\n";
        QTest::newRow("ld: more of the same")
            << "ld/more-2.40.txt"
            << "ld warning tasks_binding.cpp | undefined reference to \"PyErr_Clear\"\n"
               "  tasks_binding.cpp | in pybind11::gil_scoped_acquire::dec_ref()\n";
        QTest::newRow("ld: a missing symbol, by lld")
            << "ld/unresolved-lld-14.0.6.txt"
            << "ld warning binding.cpp | undefined reference to \"answer\"\n";
        QTest::newRow("ld: two of one name, by lld") << "ld/duplicate-lld-14.0.6.txt"
                                                     << "ld error b.cpp | multiple definition of \"twice\"\n"
                                                        "  a.cpp | first defined here\n";
        QTest::newRow("ld: twice")
            << "ld/duplicate-2.40.txt"
            << "ld error link.cpp | multiple definition of \"use(float*)\"\n  link.cpp | in use(float*)\n"
               "  link.cpp | first defined here\n"
               "ld error  | cannot find -lnosuch: No such file or directory\n";
    }

    void readsWhatTheToolsSaid() {
        QFETCH(QString, file);
        QFETCH(QString, expected);
        QCOMPARE(printed(parseDiagnostics(recorded(file), "/ws")), expected);
    }

    void attachesNotesOptionsAndMoreLines() {
        const auto notes = parseDiagnostics(recorded("gcc/notes-12.2.0.txt"), "/ws");
        QCOMPARE(notes[0].notes.size(), std::size_t(4));
        QCOMPARE(notes[0].notes[1].message, QStringLiteral("candidate expects 2 arguments, 3 provided"));
        QCOMPARE(notes[2].option, QStringLiteral("-Wsign-compare"));
        QCOMPARE(notes[2].severity, Severity::Warning);
        QCOMPARE(notes[2].message,
                 QStringLiteral(
                     "comparison of integer expressions of different signedness: ‘int’ and ‘unsigned int’"));

        const auto host = parseDiagnostics(recorded("nvcc/hosterr-13.0.88.txt"), "/ws");
        QCOMPARE(host[0].message,
                 QStringLiteral("no operator \"<\" matches these operands; operand types are: A < A"));
        QCOMPARE(host[0].file, QStringLiteral("/usr/include/c++/12/bits/predefined_ops.h"));
        QVERIFY(host[0].notes.size() > 5);
        // The one line that is the person's own is among them.
        QVERIFY(std::any_of(host[0].notes.begin(), host[0].notes.end(), [](const DiagnosticNote &note) {
            return note.file == "kernels/hosterr.cu" && note.line == 5;
        }));
    }

    void keepsItsHeadInAFlood() {
        const auto flood = parseDiagnostics(recorded("gcc/torch_binding-12.2.0.txt"), "/ws");
        QVERIFY(countErrors(flood) >= 1);
        for (const Diagnostic &diagnostic : flood)
            QVERIFY(!diagnostic.message.isEmpty() && !diagnostic.file.isEmpty());
        QByteArray many;
        for (int i = 0; i < 5000; ++i)
            many += "x.cu(" + QByteArray::number(i + 1) + "): error: e\nx.cu(1): note #1-D: n\n";
        QCOMPARE(parseDiagnostics(many, "/ws").size(), std::size_t(1000));
        QCOMPARE(parseDiagnostics(many, "/ws", 3).size(), std::size_t(3));
        QCOMPARE(parseDiagnostics(QByteArray("x.cu(1): error: e\n") +
                                      QByteArray("x.cu(1): note #1-D: n\n").repeated(100),
                                  "/ws")[0]
                     .notes.size(),
                 std::size_t(32));
    }

    void makesNamesRelativeToTheWorkspace_data() {
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("file");
        QTest::newRow("inside") << "/ws/kernels/a.cu"
                                << "kernels/a.cu";
        QTest::newRow("relative") << "kernels/../b.h"
                                  << "b.h";
        QTest::newRow("outside") << "/usr/include/c.h"
                                 << "/usr/include/c.h";
        QTest::newRow("outside, relative") << "../other/c.h"
                                           << "/other/c.h";
        QTest::newRow("a neighbour of a like name") << "/ws2/c.h"
                                                    << "/ws2/c.h";
        QTest::newRow("with spaces and parentheses") << "/ws/my (old) kernels/a.cu"
                                                     << "my (old) kernels/a.cu";
    }

    void makesNamesRelativeToTheWorkspace() {
        QFETCH(QString, said);
        QTEST(parseDiagnostics(said.toUtf8() + "(3): error: e", "/ws").at(0).file, "file");
        QTEST(parseDiagnostics(said.toUtf8() + ":3:1: error: e", "/ws").at(0).file, "file");
    }

    void passesOverTextThatIsNoDiagnostic_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("a sentence with the word") << QByteArray("no error here\nwarning signs\n");
        QTest::newRow("counts") << QByteArray(
            "3 errors detected in the compilation of \"x.cu\".\n2 warnings generated.\n");
        QTest::newRow("a remark on options") << QByteArray(
            "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n");
        QTest::newRow("zeros") << QByteArray(1000, '\0');
    }

    void passesOverTextThatIsNoDiagnostic() {
        QFETCH(QByteArray, text);
        QCOMPARE(printed(parseDiagnostics(text, "/ws")), QString());
    }

    void survivesBrokenText_data() {
        QTest::addColumn<QString>("file");
        for (const QString &name : allRecorded())
            QTest::newRow(qPrintable(name)) << name;
    }

    void survivesBrokenText() {
        QFETCH(QString, file);
        const QByteArray whole = recorded(file);
        QRandomGenerator random(4711); // the same every time, so that a failure can be had again
        for (int round = 0; round < 60; ++round) {
            QByteArray text = whole;
            if (round % 2 == 0)
                text.truncate(random.bounded(static_cast<int>(text.size()) + 1));
            for (int i = random.bounded(20); i > 0 && !text.isEmpty(); --i) {
                const int at = random.bounded(static_cast<int>(text.size()));
                if (i % 3 == 0)
                    text.remove(at, random.bounded(40));
                else if (i % 3 == 1)
                    text[at] = static_cast<char>(random.bounded(256));
                else
                    text.insert(at,
                                text.mid(random.bounded(static_cast<int>(text.size())), random.bounded(60)));
            }
            QVERIFY(parseDiagnostics(text, "/ws", 50).size() <= 50);
            QVERIFY(parsePtxasReport(text).size() <= 10000);
        }
    }
};

QObject *makeTestCompilerDiagnostics() {
    return new TestCompilerDiagnostics;
}

#include "tst_compiler_diagnostics.moc"
