// SPDX-License-Identifier: GPL-3.0-or-later
// Guards the sizes of folders, classes and functions, and that no two types share a name. Each guard is
// first shown a fault. tests/guards/README.md says what is in the lists and how they are written anew.
#include "tests/guards/code_text.h"
#include "tests/guards/frozen_lists.h"
#include "tests/guards/size_guard.h"
#include "tests/guards/type_guard.h"
#include "tests/guards/verify_none.h"
#include "warpwright_version.h"

#include <QTest>

using namespace warpwright;

class TestSizes : public QObject {
    Q_OBJECT

private slots:
    void findsAFullFolder();
    void readsCodeAlone_data();
    void readsCodeAlone();
    void outlinesFunctions_data();
    void outlinesFunctions();
    void outlinesClasses_data();
    void outlinesClasses();
    void countsFromTheFirstWordToTheBrace();
    void findsBracesThatDoNotMatch();
    void findsALargeFunction();
    void findsALargeLambda_data();
    void findsALargeLambda();
    void findsALargeMacro();
    void findsALargeClass();
    void findsATypeDefinedTwice();
    void findsATypeDefinedTwiceAnywhere_data();
    void findsATypeDefinedTwiceAnywhere();

    void foldersClassesAndFunctionsOnlyShrink();
};

static QStringList repeated(const QString &line, int count) {
    QStringList lines;
    for (int i = 0; i < count; ++i)
        lines.append(line);
    return lines;
}

void TestSizes::findsAFullFolder() {
    QVector<GuardFile> files;
    for (int i = 0; i < 61; ++i) {
        files.append({QString("app/ide/%1.h").arg(i), {}});
        files.append({QString(i < 60 ? "app/cli/%1.h" : "app/cli/deep/%1.h").arg(i), {}});
    }
    const QVector<GuardFault> faults = folderFaults(files);
    QCOMPARE(faults.size(), 1);
    QCOMPARE(faults.first().key, QString("app/ide"));
    QCOMPARE(faults.first().sizes, QVector<int>{61});
}

void TestSizes::readsCodeAlone_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("code");
    const auto row = [](const char *name, const char *text, const char *code) {
        QTest::newRow(name) << QString(text) << QString(code);
    };
    row("code", "int a{1}; // {", "int a{1};");
    row("a comment that goes on", "a // {\\\n{\nb", "a\n\nb");
    row("a long comment", "a /* {\n * { */ b", "a\nb");
    row("a literal", "a = \"{\\\"{\" + b;", "a =        + b;");
    row("a backslash", "a = \"\\\\\"; {", "a =     ; {");
    row("a sign", "a = '{' + '\\'' + u'}'; {", "a =     +      + u   ; {");
    row("a large number", "a = 1'000'000; {", "a = 1'000'000; {");
    row("a raw literal", "a = R\"({\n\"{)\" + b;", "a = R\n+ b;");
    row("one with a name", "a = u8R\"x({)\"{)x\" + b;", "a = u8R           + b;");
    row("no raw literal", "a = fooR\"(\"; {", "a = fooR   ; {");
    row("the preprocessor", "  #define A {\\\n  {\nb # c", "\n\nb # c");
    row("a comment in a literal", "a = \"//\"; {", "a =     ; {");
    row("a quote in a comment", "a // don't\nb // \"\nc", "a\nb\nc");
}

void TestSizes::readsCodeAlone() {
    QFETCH(QString, text);
    QFETCH(QString, code);
    QStringList lines = codeText(text.split('\n')).split('\n');
    for (QString &line : lines)
        while (line.endsWith(' '))
            line.chop(1);
    for (QString &line : lines)
        if (lines.indexOf(line) > 0)
            line = line.trimmed();
    QCOMPARE(lines.join('\n'), code);
}

void TestSizes::outlinesFunctions_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("found"); // "qualifier|name", empty: none
    const auto row = [](const char *name, const char *text, const char *found) {
        QTest::newRow(name) << QString(text) << QString(found);
    };
    row("one", "int f(int a) { if (a) { return 1; } return 2; }", "|f");
    row("a declaration", "int f(int a = {});", "");
    row("in namespaces", "namespace a {\nnamespace {\nvoid f() {}\n}\n}", "|f");
    row("a member", "std::vector<int> A::f() const noexcept {}", "A|f");
    row("of a class in a class", "A::B A::B::f() {}", "A::B|f");
    row("of a template", "template <typename T = int> void A<T>::f() {}", "A|f");
    row("a specialization", "template <> int f<int>() {}", "|f");
    row("a constructor", "A::A(int a)\n    : Base(a), m_a{a}, m_b({1}), m_c{} {\n}", "A|A");
    row("of a template's base", "A::A() : Base<int>{1} {}", "A|A");
    row("a destructor", "A::~A() { delete a; }", "A|~A");
    row("an operator", "bool A::operator<(const A &a) const {}", "A|operator<");
    row("a call", "int A::operator()(int a) const {}", "A|operator()");
    row("an assignment", "A &A::operator=(A &&a) {}", "A|operator=");
    row("a conversion", "A::operator bool() const {}", "A|operatorbool");
    row("in a class", "struct A {\n    int f() const { return 1; }\n    int a = 1;\n};", "A|f");
    row("behind a label", "class A {\n    Q_OBJECT\npublic:\n    A() {}\n};", "A|A");
    row("behind moc's macros", "class A {\n    Q_OBJECT\n    Q_ENUM(B)\n    int f() {}\n};", "A|f");
    row("behind slots", "class A {\nprivate slots:\n    void f() {}\n};", "A|f");
    row("a friend", "struct A { friend bool operator==(const A &, const A &) = default; void g() {} };",
        "A|g");
    row("an attribute", "[[nodiscard]] __attribute__((noinline)) int f() {}", "|f");
    row("a kernel", "__global__ void __launch_bounds__(256) f(float *a) {}", "|f");
    row("a type with brackets", "std::function<int(int)> f(int a) {}", "|f");
    row("a result behind", "auto f() -> std::vector<int> {}", "|f");
    row("a lambda", "const auto f = [](int a) -> int { return a; };", "|f");
    row("a variable", "const int a[] = {1, 2};\nstd::function<int(int)> b{c};\nQHash<int, int> d{{1, 2}};",
        "");
    row("a lambda in a value", "static const A a(1, [] { return 2; });", "");
    row("an enumeration", "enum class A { B, C };\nvoid f() {}", "|f");
    row("of the linker", "extern \"C\" {\nvoid f() {}\n}\nextern \"C\" int g() {}", "|f |g");
    row("a structure as a result", "struct A f() {}", "|f");
    row("a variable of a class", "struct A { int a; } table[] = {{1}};\nvoid f() {}", "|f");
}

void TestSizes::outlinesFunctions() {
    QFETCH(QString, text);
    QFETCH(QString, found);
    const CppOutline outline = CppOutline::of(text.split('\n'));
    QStringList names;
    for (const CppOutline::Function &function : outline.functions)
        names.append(function.qualifier + '|' + function.name);
    QCOMPARE(names.join(' '), found);
    QVERIFY(outline.isWhole);
}

void TestSizes::outlinesClasses_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("found"); // "name:lines"
    const auto row = [](const char *name, const char *text, const char *found) {
        QTest::newRow(name) << QString(text) << QString(found);
    };
    row("one", "\nstruct A {\n    int a{1};\n};", "A:3");
    row("a declaration", "class A;\nclass B *b();", "");
    row("with a base", "class A final : public B<int(int)>, private C {\n};", "A:2");
    row("a template", "template <typename T>\nclass A {\n};", "A:3");
    row("a specialization", "template <> struct A<int> {};", "A:1");
    row("aligned", "struct alignas(64) A {};", "A:1");
    row("exported", "class EXPORTED A {};", "A:1");
    row("within another", "class A {\n    struct B {\n    };\n};", "A::B:2 A:4");
    row("of another", "class A::B {\n};", "A::B:2");
    row("without a name", "struct A {\n    union {\n        int a;\n    };\n};", "A:5");
    row("within a function", "void f() { struct A {}; }", "");
    row("an enumeration", "enum class A { B };", "");
    row("a parameter", "template <class A> void f(struct B b) {}", "");
}

void TestSizes::outlinesClasses() {
    QFETCH(QString, text);
    QFETCH(QString, found);
    const CppOutline outline = CppOutline::of(text.split('\n'));
    QStringList names;
    for (const CppOutline::Class &one : outline.classes)
        names.append(QString("%1:%2").arg(one.name).arg(one.lines));
    QCOMPARE(names.join(' '), found);
    QVERIFY(outline.isWhole);
}

void TestSizes::countsFromTheFirstWordToTheBrace() {
    const CppOutline outline = CppOutline::of(
        {"// what it is", "template <typename T>", "int", "f() {", "    // }", "", "    return 1;", "}"});
    QCOMPARE(outline.functions.size(), 1);
    QCOMPARE(outline.functions.first().line, 2);
    QCOMPARE(outline.functions.first().lines, 7);
}

void TestSizes::findsBracesThatDoNotMatch() {
    const auto complaints = [](const QStringList &lines) {
        const QVector<GuardFile> files{{"app/a.cpp", lines}};
        return outlineComplaints(files, outlinesOf(files)).size();
    };
    QCOMPARE(complaints({"void f() {}"}), 0);
    QCOMPARE(complaints({"void f() {"}), 1);
    QCOMPARE(complaints({"namespace a {"}), 1);
    QCOMPARE(complaints({"void f() {}", "}"}), 1);
}

void TestSizes::findsALargeFunction() {
    const QStringList most = QStringList{"void f() {"} + repeated("a();", 78) + QStringList{"}"};
    const QStringList more = QStringList{"int A::f() {"} + repeated("a();", 79) + QStringList{"}"};
    const QStringList overloaded = QStringList{"int A::f(int) {"} + repeated("a();", 90) + QStringList{"}"};
    const QVector<GuardFile> files{{"app/a.cpp", most}, {"app/b.cpp", most + more + overloaded + more}};
    const QVector<GuardFault> faults = functionFaults(files, outlinesOf(files));
    QCOMPARE(faults.size(), 1);
    QCOMPARE(faults.first().key, QString("app/b.cpp A::f"));
    QCOMPARE(faults.first().sizes, QVector<int>({92, 81, 81}));
    QCOMPARE(faults.first().complaint, QString("app/b.cpp:162: A::f has 92 lines, more than 80"));
}

void TestSizes::findsALargeLambda_data() {
    QTest::addColumn<QString>("text"); // with the body for BODY
    QTest::addColumn<QString>("key");
    const auto row = [](const char *name, const char *text, const char *key) {
        QTest::newRow(name) << QString(text) << QString(key);
    };
    row("in a table", "static const std::array table{\n[](int a) {BODY},\n};", "table[]");
    row("in a map", "const std::map<int, F> table = {{1, [&a] {BODY}}, {2, [] { return 1; }}};", "table[]");
    row("for a function", "static const auto big = std::function<void()>([] {BODY});", "big[]");
    row("of a member", "struct Z {\n    F m_big{[] {BODY}};\n};", "m_big[]");
    row("with a result", "F a(1, [](auto &&...x) mutable noexcept -> std::vector<int> & {BODY});", "a[]");
    row("a table of numbers", "const int a[] = {BODY};", "");
    row("an index", "const A a(b[1], c{BODY});", "");
}

void TestSizes::findsALargeLambda() {
    QFETCH(QString, text);
    QFETCH(QString, key);
    for (const int lines : {80, 81}) {
        const QString body = QString(key.isEmpty() ? "\n1," : "\na();").repeated(lines - 1);
        const QVector<GuardFile> files{{"app/a.cpp", QString(text).replace("BODY", body).split('\n')}};
        const QVector<GuardFault> faults = functionFaults(files, outlinesOf(files));
        QCOMPARE(faults.size(), key.isEmpty() || lines == 80 ? 0 : 1);
        if (!faults.isEmpty()) {
            QCOMPARE(faults.first().key, "app/a.cpp " + key);
            QCOMPARE(faults.first().sizes, QVector<int>{81});
        }
        QVERIFY(outlineComplaints(files, outlinesOf(files)).isEmpty());
    }
}

void TestSizes::findsALargeMacro() {
    const auto macro = [](int lines) {
        return QStringList{"", "#define BIG(a) \\"} + repeated("    a(); \\", lines - 2) +
               QStringList{"    b()", "int c;"};
    };
    QCOMPARE(macroComplaints({{"app/a.h", macro(20)}, {"app/b.h", macro(21)}}),
             QStringList("app/b.h:2: the macro BIG has 21 lines, more than 20"));
}

void TestSizes::findsALargeClass() {
    const auto classOf = [](int lines) {
        return QStringList{"class A {"} + repeated("int a;", lines - 2) + QStringList{"};"};
    };
    const auto member = [](const QString &name, int lines) {
        return QStringList{"void " + name + "() {"} + repeated("a();", lines - 2) + QStringList{"}"};
    };
    QVector<GuardFile> files{
        {"app/a.h", classOf(300)},
        {"app/a.cpp", QStringList{"#include \"app/a.h\""} + member("A::f", 200)},
        {"app/a_more.cpp", QStringList{"#include \"app/a.h\""} + member("warpwright::A::g", 100)},
        {"app/local.cpp", QStringList{"#include \"app/a.h\""} + classOf(20) + member("A::f", 300)},
        {"app/other.h", classOf(10)},
        {"app/other.cpp",
         QStringList{"#include \"app/other.h\""} + member("A::f", 400) + member("A::B::f", 400)},
    };
    const auto faultsOf = [](const QVector<GuardFile> &all) {
        return classFaults(all, outlinesOf(all), includeArrows(all));
    };
    QCOMPARE(faultsOf(files).size(), 0);
    files[2].lines += member("A::h", 2);
    const QVector<GuardFault> faults = faultsOf(files);
    QCOMPARE(faults.size(), 1);
    QCOMPARE(faults.first().key, QString("app/a.h A"));
    QCOMPARE(faults.first().sizes, QVector<int>{602});
    QCOMPARE(faults.first().complaint, QString("app/a.h:1: A has 602 lines, more than 600"));
}

void TestSizes::findsATypeDefinedTwice() {
    const QVector<GuardFile> files{
        {"app/a.h", {"class Shown;", "struct Row { int a; };", "class Dock { struct Row {}; };"}},
        {"app/a.cpp", {"namespace warpwright {", "namespace {", "struct Row {};", "}", "}"}},
        {"toolchain/b.h", {"class Shown {", "};", "struct Dock;"}},
        {"widgets/c.h",
         {"", "struct Shown {};", "struct Table { struct Row {}; };", "template <>", "struct Dock<int> {};"}},
    };
    QCOMPARE(typesDefinedTwice(files, outlinesOf(files)),
             QStringList{"widgets/c.h:2: Shown is defined in toolchain/b.h:1 too: rename one of them"});
}

void TestSizes::findsATypeDefinedTwiceAnywhere_data() {
    QTest::addColumn<QStringList>("paths");
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("second");
    QTest::addColumn<bool>("isFault");
    const QStringList headers{"app/a.h", "app/b.h"}, sources{"app/a.cpp", "app/b.cpp"};
    const auto row = [](const char *name, const QStringList &paths, const char *first, const char *second,
                        bool isFault) {
        QTest::newRow(name) << paths << QString(first) << QString(second) << isFault;
    };
    row("two sources", sources, "struct Row {};", "namespace warpwright {\nclass Row {};\n}", true);
    row("a source behind its unnamed namespace", sources, "namespace {\nint a;\n}\nstruct Row {};",
        "struct Row {};", true);
    row("a header and a source", {"app/a.h", "app/b.cpp"}, "struct Row {};", "struct Row {};", true);
    row("headers of CUDA", {"app/a.cuh", "app/b.cu"}, "struct Row {};", "struct Row {};", true);
    row("enums", headers, "enum class Row { A };", "enum Row : long { B };", true);
    row("an enum and a class", headers, "enum Row { A };", "struct Row {};", true);
    row("templates with what they require", headers,
        "template <typename T>\n    requires std::integral<T>\nstruct Row {};",
        "template <typename T> requires(sizeof(T) > 4) struct Row {};", true);
    row("unnamed namespaces", sources, "namespace {\nnamespace b {\nstruct Row {};\n}\n}",
        "namespace {\nenum Row { A };\n}", false);
    row("enums in classes", headers, "class A { enum Row { X }; enum { Y }; };",
        "class B { enum Row { X }; };", false);
    row("a part of a template's arguments", headers, "template <typename T> struct Row {};",
        "template <typename T> struct Row<T *> {};", false);
    row("without a blank", headers, "template<> struct Row<int> {};", "struct Row {};", false);
    row("within a specialization", headers, "struct Row { struct Part {}; };",
        "template <> struct Row<int> { struct Part {}; };", false);
    row("branches of a file", {"app/a.h", "app/b.h"},
        "#ifdef A\nstruct Row { int a; };\n#else\nstruct Row {};\n#endif", "struct Column {};", false);
    row("what only has the word", headers, "// struct Row {};\nstruct Row *found(struct Row a) { return 0; }",
        "struct Row {};", false);
}

void TestSizes::findsATypeDefinedTwiceAnywhere() {
    QFETCH(QStringList, paths);
    QFETCH(QString, first);
    QFETCH(QString, second);
    QFETCH(bool, isFault);
    const QVector<GuardFile> files{{paths.at(0), first.split('\n')}, {paths.at(1), second.split('\n')}};
    QCOMPARE(typesDefinedTwice(files, outlinesOf(files)).size(), isFault ? 1 : 0);
}

void TestSizes::foldersClassesAndFunctionsOnlyShrink() {
    const QVector<GuardFile> files = GuardFile::readAll(buildSourceFolder(), isCpp);
    const QVector<GuardFile> layers = chosenFiles(files, isCppOfLayers);
    QVERIFY2(layers.size() > 100, "the source tree was not found");
    const QVector<CppOutline> outlines = outlinesOf(layers);
    VERIFY_NONE(
        outlineComplaints(layers, outlines) + macroComplaints(layers) + typesDefinedTwice(layers, outlines) +
        beyondAllowed("folders.txt", "Folders of more than 60 C++ files, and how many.",
                      folderFaults(files)) +
        beyondAllowed("classes.txt", "Classes of more than 600 lines in all their files, and how many.",
                      classFaults(layers, outlines, includeArrows(layers))) +
        beyondAllowed("functions.txt", "Functions of more than 80 lines, and how many.",
                      functionFaults(layers, outlines)));
}

QTEST_GUILESS_MAIN(TestSizes)
#include "tst_sizes.moc"
