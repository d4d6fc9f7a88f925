// SPDX-License-Identifier: GPL-3.0-or-later
// What ElfImage, TrapPlan, CopiedLibrary and the recorder do to a small library of their own.
#include "referee/amputate/copied_library.h"
#include "referee/amputate/elf_image.h"
#include "referee/amputate/trap_plan.h"
#include "tests/referee/tests.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>

namespace warpwright {

namespace {

// Named as torch names its own: a wrapper, kernels for one processor, movement, and what makes tables.
const QByteArray library =
    "namespace at::native {\n"
    "namespace AVX2 {\n"
    "__attribute__((noinline)) static void add_kernel(int *x) { *x += 1; asm(\"\"); }\n"
    "__attribute__((noinline)) static void copy_kernel(int *x) { *x = 7; asm(\"\"); }\n"
    "}\n"
    "void add(int *x) { AVX2::add_kernel(x); }\n"
    "void copy(int *x) { AVX2::copy_kernel(x); }\n"
    "void zero(int *x) { *x = 0; }\n"
    "}\n"
    "namespace dnnl { int softmax() { return 3; } }\n"
    "extern \"C\" int plain(int x) { return x + 40; }\n";

const QByteArray program = "#include <dlfcn.h>\n#include <cstdio>\n"
                           "int main(int, char **words) {\n"
                           "  void *library = dlopen(words[1], RTLD_NOW);\n"
                           "  if (library == nullptr) { std::puts(dlerror()); return 9; }\n"
                           "  int x = 1;\n"
                           "  for (char **name = words + 2; *name != nullptr; ++name) {\n"
                           "    auto *call = reinterpret_cast<void (*)(int *)>(dlsym(library, *name));\n"
                           "    if (call == nullptr) return 8;\n"
                           "    call(&x);\n"
                           "  }\n"
                           "  return x;\n"
                           "}\n";

const QString add = QStringLiteral("_ZN2at6native3addEPi"), copied = QStringLiteral("_ZN2at6native4copyEPi"),
              zero = QStringLiteral("_ZN2at6native4zeroEPi");

} // namespace

class ElfImageTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString path(const QString &name) const { return m_folder.filePath(name); }
    std::string named(const QString &name) const { return path(name).toStdString(); }

    void compile(const QString &source, const QByteArray &text, const QStringList &arguments) const {
        QFile file(path(source));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        file.close();
        QStringList all{QStringLiteral("-O1"), path(source)};
        QCOMPARE(QProcess::execute(QStringLiteral("g++"), all + arguments), 0);
    }

    static const ElfFunction *find(const ElfImage &image, std::string_view name) {
        const auto &all = image.functions();
        const auto found =
            std::find_if(all.begin(), all.end(), [&](const ElfFunction &each) { return each.name == name; });
        return found == all.end() ? nullptr : &*found;
    }

    /// The number that the program ends with, or minus the signal.
    int run(const QString &file, const QStringList &calls, const QStringList &environment = {}) const {
        QProcess process;
        process.setEnvironment(QProcess::systemEnvironment() + environment);
        process.start(path(QStringLiteral("program")), QStringList{path(file)} + calls);
        if (!process.waitForFinished(30000))
            return 1000;
        return process.exitStatus() == QProcess::CrashExit ? -process.exitCode() : process.exitCode();
    }

private slots:
    void initTestCase() {
        if (QStandardPaths::findExecutable(QStringLiteral("g++")).isEmpty())
            QSKIP("no g++");
        compile(QStringLiteral("library.cpp"), library,
                {QStringLiteral("-shared"), QStringLiteral("-fPIC"), QStringLiteral("-o"),
                 path(QStringLiteral("library.so"))});
        compile(QStringLiteral("program.cpp"), program,
                {QStringLiteral("-o"), path(QStringLiteral("program")), QStringLiteral("-ldl")});
        QVERIFY(QFile::copy(path(QStringLiteral("library.so")), path(QStringLiteral("stripped.so"))));
        QCOMPARE(QProcess::execute(QStringLiteral("strip"), {path(QStringLiteral("stripped.so"))}), 0);
    }

    void knowsFunctionsByNamePlaceAndFile() {
        const ElfImage image(named(QStringLiteral("library.so")));
        QVERIFY(image.hasNames() && image.isForThisProcessor());
        const ElfFunction *local = find(image, "_ZN2at6native4AVX2L10add_kernelEPi");
        QVERIFY(local != nullptr && local->bytes > 0);
        QCOMPARE(QByteArray(local->file.data(), qsizetype(local->file.size())), QByteArray("library.cpp"));
        QVERIFY(image.fileOffset(local->address).has_value());
        const ElfFunction *exported = find(image, "plain");
        QVERIFY(exported != nullptr && exported->file.empty());
        const auto text = image.section(".text");
        QVERIFY(text && exported->address >= text->address &&
                exported->address < text->address + text->bytes);
        QVERIFY(!image.section(".nothing"));
        QVERIFY(!image.fileOffset(uint64_t{1} << 60));
    }

    // What can be unwound has a place without a name.
    void saysThatNamesAreGone() {
        const ElfImage image(named(QStringLiteral("stripped.so")));
        const ElfImage whole(named(QStringLiteral("library.so")));
        QVERIFY(!image.hasNames());
        QVERIFY(find(image, "plain") != nullptr);
        QVERIFY(find(image, "_ZN2at6native4AVX2L10add_kernelEPi") == nullptr);
        const auto *local = find(whole, "_ZN2at6native4AVX2L10add_kernelEPi");
        const auto &all = image.functions();
        const auto found = std::find_if(
            all.begin(), all.end(), [&](const ElfFunction &each) { return each.address == local->address; });
        QVERIFY(found != all.end() && found->name.empty() && !found->isFragment);
        QCOMPARE(found->bytes, local->bytes);
    }

    void trapsAllThatDidNotRun_data() {
        QTest::addColumn<QString>("file");
        QTest::newRow("with names") << "library.so";
        QTest::newRow("stripped") << "stripped.so";
    }

    void trapsAllThatDidNotRun() {
        QFETCH(QString, file);
        const ElfImage image(named(file));
        const ElfImage whole(named(QStringLiteral("library.so")));
        const uint64_t plain = find(whole, "plain")->address;
        const uint64_t hidden = find(whole, "_ZN2at6native4AVX2L10add_kernelEPi")->address;
        const TrapPlan plan = planTraps(image, {hidden}, Trapped::Everything);
        const auto holds = [&plan](uint64_t address) {
            return std::any_of(plan.bodies.begin(), plan.bodies.end(),
                               [&](const Span &body) { return body.address == address; });
        };
        QVERIFY(holds(plain));
        QVERIFY(!holds(hidden));
    }

    void refusesWhatIsNoLibrary() {
        QVERIFY_EXCEPTION_THROWN(ElfImage(named(QStringLiteral("library.cpp"))), std::runtime_error);
        QVERIFY_EXCEPTION_THROWN(ElfImage(named(QStringLiteral("nothing.so"))), std::runtime_error);
        QFile whole(path(QStringLiteral("library.so")));
        QVERIFY(whole.open(QIODevice::ReadOnly));
        QFile half(path(QStringLiteral("half.so")));
        QVERIFY(half.open(QIODevice::WriteOnly) && half.write(whole.read(whole.size() / 2)) > 0);
        half.close();
        QVERIFY_EXCEPTION_THROWN(ElfImage(named(QStringLiteral("half.so"))), std::runtime_error);
    }

    void readsNames() {
        QCOMPARE(kindOf("_ZN2at6native7softmaxERKNS_6TensorE"), NameKind::Arithmetic);
        QCOMPARE(kindOf("_ZN4dnnl7softmaxEv"), NameKind::Arithmetic);
        QCOMPARE(kindOf("xnn_f32_gemm_ukernel"), NameKind::Arithmetic);
        QCOMPARE(kindOf("_ZN2at6native4AVX2L11copy_kernelEPi"), NameKind::Movement);
        // Another function whose name ends the same way.
        QCOMPARE(kindOf("_ZN2at6native4AVX2L22unfolded2d_copy_kernelEv"), NameKind::Arithmetic);
        QCOMPARE(kindOf("_GLOBAL__sub_I__ZN2at6native4AVX2E"), NameKind::Registration);
        QCOMPARE(kindOf("_ZN3c106Tensor4sizeEv"), NameKind::Other);
        QCOMPARE(kindOf("_ZN6mydnnl1fEv"), NameKind::Other);
        // Products of BLAS are what a task's rules allow; what only scales is not.
        QCOMPARE(kindOf("mkl_blas_avx2_sgemm_kernel_0"), NameKind::Other);
        QCOMPARE(kindOf("mkl_blas_xsaxpy"), NameKind::Arithmetic);
        QCOMPARE(kindOf("mkl_vml_serv_threader"), NameKind::Other);
        QCOMPARE(kindOf("mkl_vml_kernel_sExp"), NameKind::Arithmetic);
    }

    void trapsWhatDidNotRun() {
        const ElfImage image(named(QStringLiteral("library.so")));
        const auto addressOf = [&](const char *name) {
            return find(image, name)->address;
        };
        const TrapPlan none = planTraps(image, {});
        const auto holds = [](const TrapPlan &plan, uint64_t address) {
            return std::any_of(plan.bodies.begin(), plan.bodies.end(),
                               [&](const Span &body) { return body.address == address; });
        };
        for (const char *name : {"_ZN2at6native4AVX2L10add_kernelEPi", "_ZN2at6native3addEPi",
                                 "_ZN2at6native4zeroEPi", "_ZN4dnnl7softmaxEv"})
            QVERIFY2(holds(none, addressOf(name)), name);
        QVERIFY(!holds(none, addressOf("_ZN2at6native4AVX2L11copy_kernelEPi")));
        QVERIFY(!holds(none, addressOf("plain")));
        const TrapPlan some = planTraps(image, {addressOf("_ZN2at6native4zeroEPi")});
        QVERIFY(!holds(some, addressOf("_ZN2at6native4zeroEPi")));
        QCOMPARE(some.bodies.size(), none.bodies.size() - 1);
        for (size_t i = 1; i < none.bodies.size(); ++i)
            QVERIFY(none.bodies[i - 1].address + none.bodies[i - 1].bytes <= none.bodies[i].address);
    }

    void recordsThenAmputates() {
#if !defined(__x86_64__)
        QSKIP("the recorder is for x86-64");
#endif
        const ElfImage image(named(QStringLiteral("library.so")));
        CopiedLibrary copy(named(QStringLiteral("library.so")), named(QStringLiteral("copy.so")));
        const std::vector<RecordedFunction> marked = copy.markAll(image);
        QCOMPARE(run(QStringLiteral("copy.so"), {zero}), -SIGTRAP); // nobody puts the byte back
        QFile table(path(QStringLiteral("table")));
        QVERIFY(table.open(QIODevice::WriteOnly));
        table.write(reinterpret_cast<const char *>(marked.data()),
                    qint64(marked.size() * sizeof(RecordedFunction)));
        table.close();
        QCOMPARE(run(QStringLiteral("copy.so"), {copied, zero},
                     {QStringLiteral("LD_PRELOAD=" WARPWRIGHT_RECORDER),
                      QString::fromLatin1(recorderTable) + QLatin1Char('=') + table.fileName(),
                      QString::fromLatin1(recorderLibraries) + QStringLiteral("=/copy.so")}),
                 0);
        QVERIFY(table.open(QIODevice::ReadOnly));
        std::set<uint64_t> executed;
        for (RecordedFunction row; table.read(reinterpret_cast<char *>(&row), sizeof row) == sizeof row;)
            if (row.ran != 0)
                executed.insert(row.address);
        QVERIFY(executed.contains(find(image, "_ZN2at6native4zeroEPi")->address));
        QVERIFY(executed.contains(find(image, "_ZN2at6native4AVX2L11copy_kernelEPi")->address));
        QVERIFY(!executed.contains(find(image, "_ZN2at6native3addEPi")->address));
        copy.amputate(image, marked, planTraps(image, executed));
        QCOMPARE(run(QStringLiteral("copy.so"), {copied}), 7);
        QCOMPARE(run(QStringLiteral("copy.so"), {copied, zero}), 0);
        QCOMPARE(run(QStringLiteral("copy.so"), {add}), -SIGILL);
        QCOMPARE(run(QStringLiteral("library.so"), {add}), 2);
    }
};

QObject *elfImageTest() {
    return new ElfImageTest;
}

} // namespace warpwright

#include "tst_elf_image.moc"
