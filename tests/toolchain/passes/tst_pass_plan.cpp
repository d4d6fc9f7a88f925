// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/passes/fatbin_text.h"
#include "toolchain/passes/pass_plan.h"
#include "toolchain/passes/stub_text.h"

#include <QTest>

#include <algorithm>

using namespace warpwright;

namespace {

std::string text(const QString &name) {
    return recorded("nvcc-passes/" + name).toStdString();
}

bool has(const PassWords &words, const std::string &word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

} // namespace

class TestPassPlan : public QObject {
    Q_OBJECT

private slots:
    void readsTheDryRunOfOneFileForOneArchitecture() {
        std::string why;
        const auto plan = readDryRun(text("dryrun-13.0.88.txt"), why);
        QVERIFY2(plan, why.c_str());
        QCOMPARE(plan->commands[HostText][0], std::string("/usr/bin/g++"));
        QCOMPARE(plan->commands[HostFront][0], std::string("cudafe++"));
        QCOMPARE(plan->commands[DeviceCode][0],
                 std::string("/usr/local/cuda-13.0/bin/../nvvm/bin/cicc")); // by $CICC_PATH
        QCOMPARE(plan->commands[Pack][0], std::string("fatbinary"));
        QVERIFY(has(plan->commands[Pack], "--cmdline=-v  --generate-line-info "));
        QCOMPARE(plan->moduleId, std::string("kept/softmax_rows.module_id"));
        QCOMPARE(plan->hostText, std::string("kept/softmax_rows.cudafe1.cpp"));
        QCOMPARE(plan->stub, std::string("kept/softmax_rows.cudafe1.stub.c"));
        QCOMPARE(plan->fatbin, std::string("kept/softmax_rows.fatbin"));
        QCOMPARE(plan->embedded, std::string("kept/softmax_rows.fatbin.c"));
        QCOMPARE(plan->object, std::string("kept/0.o"));
        const auto named = std::find_if(plan->variables.begin(), plan->variables.end(),
                                        [](const auto &variable) { return variable.first == "INCLUDES"; });
        QVERIFY(named != plan->variables.end());
        QVERIFY(named->second.starts_with("\"-I/usr/local/cuda-13.0/bin/..")); // as it stands
    }

    void makesTheObjectInTwoSteps() {
        std::string why;
        const auto plan = readDryRun(text("dryrun-13.0.88.txt"), why);
        QVERIFY(plan && plan->canAssembleLast);
        const PassWords assembly = assemblyWords(*plan, "kept/a.s");
        QCOMPARE(assembly.size(), plan->commands[HostCode].size());
        QVERIFY(has(assembly, "-S") && !has(assembly, "-c") && has(assembly, "-O3"));
        QCOMPARE(valueAfter(assembly, "-o").value(), std::string("kept/a.s"));
        QCOMPARE(objectWords(*plan, "kept/a.s"),
                 (PassWords{"/usr/bin/g++", "-m64", "-c", "-x", "assembler", "kept/a.s", "-o", "kept/0.o"}));
    }

    void keepsTheHostCompilerWholeWhereAFlagConcernsItsAssembler_data() {
        QTest::addColumn<std::string>("flag");
        QTest::addColumn<bool>("isHarmless");
        for (const char *flag :
             {"-g", "-Wa,-adhln", "-save-temps", "-MD", "-flto", "-pipe", "@more", "-fno-x"})
            QTest::newRow(flag) << std::string(flag) << false;
        for (const char *flag : {"-Wall", "-march=native", "-DX=-g"})
            QTest::newRow(flag) << std::string(flag) << true;
    }

    void keepsTheHostCompilerWholeWhereAFlagConcernsItsAssembler() {
        QFETCH(std::string, flag);
        QFETCH(bool, isHarmless);
        std::string said = text("dryrun-13.0.88.txt");
        said.insert(said.rfind("-fPIC"), flag + ' ');
        std::string why;
        const auto plan = readDryRun(said, why);
        QVERIFY2(plan, why.c_str());
        QCOMPARE(plan->canAssembleLast, isHarmless);
    }

    void leavesToNvccWhatItDoesNotKnow_data() {
        QTest::addColumn<std::string>("said");
        const std::string usual = text("dryrun-13.0.88.txt");
        const auto with = [&usual](const std::string &old, const std::string &now) {
            std::string changed = usual;
            changed.replace(changed.rfind(old), old.size(), now);
            return changed;
        };
        QTest::newRow("nothing") << std::string();
        QTest::newRow("two architectures") << text("dryrun-two-13.0.88.txt");
        QTest::newRow("a warning") << "nvcc warning : something\n" + usual;
        QTest::newRow("a pass less") << usual.substr(0, usual.rfind("#$ "));
        QTest::newRow("a pass more") << usual + "#$ rm kept/softmax_rows.ptx\n";
        QTest::newRow("a shell's word") << with("-fPIC", "-DX=\\\"a\\\"");
        QTest::newRow("a shell's variable") << with("-fPIC", "$HOME/x");
        QTest::newRow("two commands") << with("-fPIC", "-fPIC; true");
        QTest::newRow("an open quote") << with("-fPIC", "\"-fPIC");
        QTest::newRow("another program") << with("cudafe++ ", "cudafe+++ ");
        QTest::newRow("another stub") << with("softmax_rows.cudafe1.stub.c\"", "other.stub.c\"");
        QTest::newRow("another module id") << with("softmax_rows.module_id\"", "other.module_id\"");
        QTest::newRow("no module id") << with("--gen_module_id_file", "--module_id");
        QTest::newRow("two images") << with("\"--image3=",
                                            "\"--image3=kind=ptx,sm=90a,file=x.ptx\" \"--image3=");
        QTest::newRow("another cubin") << with("file=kept/softmax_rows.cubin", "file=kept/other.cubin");
    }

    void leavesToNvccWhatItDoesNotKnow() {
        QFETCH(std::string, said);
        std::string why;
        QVERIFY(!readDryRun(said, why));
        QVERIFY(!why.empty());
    }

    void knowsTheTextThatFatbinaryWrites() {
        const std::string embedded = text("none-13.0.88.fatbin.c");
        const std::string fatbin = text("none-13.0.88.fatbin");
        QVERIFY(standsFor(embedded, fatbin));
        // The stand-in differs from it in the data and in the length alone.
        const std::string standIn = fatbinStandIn("kept/none.fatbin");
        QVERIFY(standIn.find("\".incbin \\\"kept/none.fatbin\\\"\\n\"") != std::string::npos);
        QCOMPARE(standIn.substr(0, standIn.find("\".incbin")), embedded.substr(0, embedded.find("\".quad")));
        QCOMPARE(standIn.substr(standIn.find("];")), embedded.substr(embedded.find("];")));
    }

    void takesNoOtherTextForIt_data() {
        QTest::addColumn<std::string>("embedded");
        QTest::addColumn<std::string>("fatbin");
        const std::string embedded = text("none-13.0.88.fatbin.c");
        const std::string fatbin = text("none-13.0.88.fatbin");
        QTest::newRow("nothing") << std::string() << std::string();
        QTest::newRow("a byte more") << embedded << fatbin + '\0';
        QTest::newRow("eight bytes less") << embedded << fatbin.substr(0, fatbin.size() - 8);
        std::string other = fatbin;
        other.back() = static_cast<char>(other.back() + 1);
        QTest::newRow("another byte") << embedded << other;
        for (const char *word : {"0x466243b1", "\".text", ".align 8", "extern \"C\"", "0x00100001ba55ed50"}) {
            std::string changed = embedded;
            changed.insert(changed.find(word) + 2, "7");
            QTest::newRow(word) << changed << fatbin;
        }
        QTest::newRow("more after it") << embedded + "int x;\n" << fatbin;
        QTest::newRow("more before it") << "#define extern static\n" + embedded << fatbin;
    }

    void takesNoOtherTextForIt() {
        QFETCH(std::string, embedded);
        QFETCH(std::string, fatbin);
        QVERIFY(!standsFor(embedded, fatbin));
    }

    void knowsTheSameStubAtOtherLines_data() {
        QTest::addColumn<std::string>("other");
        QTest::addColumn<bool>("isSame");
        QTest::newRow("itself") << stub << true;
        QTest::newRow("lines moved") << "# 1 \"k.cu\"\n" + replaced("# 14", "# 20") << true;
        QTest::newRow("variables of other numbers") << replaced("__T1 ", "__T7 ") << false;
        QTest::newRow("all variables of other numbers") << replaced("__T", "__T4") << true;
        QTest::newRow("two become one") << replaced("__T2", "__T1") << false;
        QTest::newRow("another name") << replaced("hidden", "shown") << false;
        QTest::newRow("another offset") << replaced("8UL", "4UL") << false;
        QTest::newRow("a line more") << stub + "int x;\n" << false;
        QTest::newRow("nothing") << std::string() << false;
        QTest::newRow("a longer body") << replaced("8UL);", "8UL);\n\n") << true;
        QTest::newRow("two names become one") << replaced("const int", "constint") << false;
        QTest::newRow("a space in a string") << replaced("\"a b\"", "\"a  b\"") << false;
        QTest::newRow("from a system's header") << replaced("k.cu\"", "k.cu\" 3") << false;
        QTest::newRow("a directive in a line") << replaced("\n#pragma x", " #pragma x") << false;
    }

    void knowsTheSameStubAtOtherLines() {
        QFETCH(std::string, other);
        QFETCH(bool, isSame);
        QCOMPARE(isSameStub(stub, other), isSame);
        QCOMPARE(isSameStub(other, stub), isSame);
    }

    void aStubNamesItselfAsCiccWould() {
        const std::string written = "# 1 \"/tmp/a-1/x.cudafe1.stub.c.whole\"\nvoid f();\n# 1 \"k.cu\" 3\n"
                                    "char *s = \"/tmp/a-1/x.cudafe1.stub.c\";\n# 2 \"/old/x.cudafe1.stub.c\"";
        QCOMPARE(stubNamed(written, "/kept/x.cudafe1.stub.c"),
                 std::string("# 1 \"/kept/x.cudafe1.stub.c\"\nvoid f();\n# 1 \"k.cu\" 3\n"
                             "char *s = \"/tmp/a-1/x.cudafe1.stub.c\";\n# 2 \"/kept/x.cudafe1.stub.c\""));
        QCOMPARE(stubNamed("", "/kept/x"), std::string());
        QVERIFY(namesStubVariables("typedef int __T5;") && namesStubVariables("__T x; a__T7"));
        QVERIFY(!namesStubVariables("__T __Type __T_5") && !namesStubVariables("__T"));
    }

private:
    const std::string stub = "static void hidden(int *__par0, float value) { const int *__T1 = __par0;\n"
                             "# 14 \"kernels/k.cu\"\n"
                             "float *__T2;__cudaSetupArgSimple(__T1, 0UL);__cudaSetupArgSimple(__T2, 8UL);}\n"
                             "#pragma x\nchar *s = \"a b\";\n";

    [[nodiscard]] std::string replaced(const std::string &old, const std::string &now) const {
        std::string text = stub;
        for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += now.size())
            text.replace(at, old.size(), now);
        return text;
    }
};

Q_DECLARE_METATYPE(std::string)

QObject *makeTestPassPlan() {
    return new TestPassPlan;
}

#include "tst_pass_plan.moc"
