// SPDX-License-Identifier: GPL-3.0-or-later
// Device code of a library as it registers it, without CUDA: a program that does what nvcc's start-up code
// does.
#include "referee/amputate/fatbins.h"
#include "tests/referee/tests.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

namespace warpwright {

namespace {

const QByteArray runtime =
    "extern \"C\" void **__cudaRegisterFatBinary(void *x) { return static_cast<void **>(x); }\n"
    "extern \"C\" void __cudaRegisterFunction(void **, const char *, char *, const char *, int,\n"
    "    void *, void *, void *, void *, int *) {}\n";

const QByteArray program =
    "struct Header { unsigned magic; unsigned short version, headerBytes; unsigned long long bytes; };\n"
    "extern \"C\" void **__cudaRegisterFatBinary(void *);\n"
    "extern \"C\" void __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *, void "
    "*, void *,\n"
    "    void *, int *);\n"
    "__attribute__((section(\".nv_fatbin\"), used)) Header codes[2] = {{0xba55ed50, 1, 16, 77}, {0xba55ed50, "
    "1, 16, 88}};\n"
    "struct Wrapper { int magic, version; const void *code; void *other; } wrappers[2] = {{0, 1, &codes[0], "
    "nullptr},\n"
    "    {0, 1, &codes[1], nullptr}};\n"
    "int main() {\n"
    "  const char *names[2][2] = {{\"x23direct_copy_kernel_cuda\", \"neg\"}, {\"softmax\", "
    "\"FillFunctor\"}};\n"
    "  for (int i = 0; i < 2; ++i) {\n"
    "    void **handle = __cudaRegisterFatBinary(&wrappers[i]);\n"
    "    for (const char *name : names[i]) __cudaRegisterFunction(handle, nullptr, nullptr, name, 0, "
    "nullptr, nullptr,\n"
    "        nullptr, nullptr, nullptr);\n"
    "  }\n"
    "}\n";

} // namespace

class FatbinsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString path(const QString &name) const { return m_folder.filePath(name); }
    void compile(const QString &source, const QByteArray &text, const QStringList &arguments) const {
        QFile file(path(source));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        file.close();
        QCOMPARE(QProcess::execute(QStringLiteral("g++"), QStringList{path(source)} + arguments), 0);
    }

private slots:
    void readsWhatWasRegistered() {
        const std::vector<Fatbin> found =
            fatbinsOf("fatbin\t0x1\t/a/libone.so\t16\nkernel\t0x1\tfirst\nfatbin\t0x2\t/a/libother.so\t32\n"
                      "kernel\t0x2\tthird\nkernel\t0x1\tsecond\n",
                      "/libone.so");
        QCOMPARE(found.size(), size_t{1});
        QCOMPARE(found[0].address, uint64_t{16});
        QCOMPARE(found[0].kernels, (std::vector<std::string>{"first", "second"}));
    }

    void knowsMovementByAllItsKernels() {
        QVERIFY(isMovement({0, {"neg", "_ZN23direct_copy_kernel_cudaEv"}}));
        QVERIFY(isMovement({0, {"1FillFunctorIf", "1FillFunctorId"}}));
        QVERIFY(!isMovement({0, {"1FillFunctorIf", "softmax"}}));
        QVERIFY(!isMovement({0, {"add"}}));
        QVERIFY(!isMovement({0, {}}));
    }

    void tellsOfALibraryWithoutAGpu() {
        if (QStandardPaths::findExecutable(QStringLiteral("g++")).isEmpty())
            QSKIP("no g++");
        compile(QStringLiteral("runtime.cpp"), runtime,
                {QStringLiteral("-shared"), QStringLiteral("-fPIC"), QStringLiteral("-o"),
                 path(QStringLiteral("libruntime.so"))});
        compile(QStringLiteral("program.cpp"), program,
                {QStringLiteral("-o"), path(QStringLiteral("program")), path(QStringLiteral("libruntime.so")),
                 QStringLiteral("-Wl,-rpath,") + m_folder.path()});
        QProcess process;
        process.setEnvironment(
            QProcess::systemEnvironment() +
            QStringList{QStringLiteral("LD_PRELOAD=" WARPWRIGHT_REGISTRAR),
                        QStringLiteral("WARPWRIGHT_REGISTRAR_OUTPUT=") + path(QStringLiteral("said"))});
        process.start(path(QStringLiteral("program")), QStringList());
        QVERIFY(process.waitForFinished(30000) && process.exitCode() == 0);
        QFile said(path(QStringLiteral("said")));
        QVERIFY(said.open(QIODevice::ReadOnly));
        const std::vector<Fatbin> found = fatbinsOf(said.readAll().toStdString(), "/program");
        QCOMPARE(found.size(), size_t{2});
        QVERIFY(isMovement(found[0]) && !isMovement(found[1]));
        const ElfImage image(path(QStringLiteral("program")).toStdString());
        const auto section = image.section(".nv_fatbin");
        QVERIFY(section.has_value());
        QCOMPARE(found[0].address, section->address);
        QCOMPARE(sizesToEmpty(image, found), std::vector<uint64_t>{section->offset + 16 + 8});
        QVERIFY_EXCEPTION_THROWN(sizesToEmpty(image, {{section->address + 8, {"add"}}}), std::runtime_error);
    }
};

QObject *fatbinsTest() {
    return new FatbinsTest;
}

} // namespace warpwright

#include "tst_fatbins.moc"
