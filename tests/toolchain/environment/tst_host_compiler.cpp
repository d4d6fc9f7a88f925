// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/environment/host_compiler.h"

#include <QTest>

using namespace warpwright;

class TestHostCompiler : public QObject {
    Q_OBJECT

private slots:
    void findsTheOneOfTheEnvironment() {
        const Scratch scratch;
        const QString plain = scratch.writeProgram("bin/g++", "");
        const QString other = scratch.writeProgram("bin/my-g++", "");
        QProcessEnvironment environment;
        environment.insert("PATH", scratch.path("bin"));
        QCOMPARE(findHostCompiler(environment).value(), plain);
        environment.insert("CXX", "ccache my-g++ -m64");
        QCOMPARE(findHostCompiler(environment).value(), other);
        environment.insert("CXX", "clang-of-tomorrow");
        QVERIFY(findHostCompiler(environment).message().contains("\"clang-of-tomorrow\" (from CXX)"));
        QVERIFY(findHostCompiler({}).message().contains("sudo apt-get install g++"));
    }

    void choosesTheLinkerThatItTakes_data() {
        QTest::addColumn<QStringList>("found");
        QTest::addColumn<QString>("description");
        QTest::addColumn<QString>("linker");
        const QString gcc12 = QStringLiteral("g++ 12.2.0");
        QTest::newRow("none") << QStringList{} << gcc12 << "";
        QTest::newRow("lld") << QStringList{"ld.lld"} << gcc12 << "lld";
        QTest::newRow("mold, which cannot do what we ask")
            << QStringList{"ld.mold", "ld.gold"} << gcc12 << "";
        QTest::newRow("before it knew lld") << QStringList{"ld.lld"} << "g++ 8.3.0"
                                            << "";
        QTest::newRow("clang") << QStringList{"ld.lld"} << "clang version 8.0.1"
                               << "lld";
    }

    void choosesTheLinkerThatItTakes() {
        QFETCH(QStringList, found);
        QFETCH(QString, description);
        QFETCH(QString, linker);
        const Scratch scratch;
        for (const QString &name : found)
            scratch.writeProgram("bin/" + name, "one");
        HostCompiler compiler = readHostCompiler("/usr/bin/g++", description.toUtf8()).value();
        chooseLinker(compiler, {scratch.path("bin")});
        QCOMPARE(compiler.linker, linker);
        QCOMPARE(compiler.linkerIdentity.isEmpty(), linker.isEmpty());
        if (linker.isEmpty())
            return;
        const QString identity = compiler.linkerIdentity;
        scratch.writeProgram("bin/ld." + linker, "another build");
        chooseLinker(compiler, {scratch.path("bin")});
        QVERIFY(compiler.linkerIdentity != identity);
    }

    void readsTheVersion_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("version");
        QTest::newRow("Debian") << QByteArray("g++ (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright\n")
                                << "12.2.0";
        QTest::newRow("Ubuntu") << QByteArray("g++ (Ubuntu 13.3.0-6ubuntu2~24.04) 13.3.0\n") << "13.3.0";
        QTest::newRow("clang") << QByteArray("Debian clang version 14.0.6\n") << "14.0.6";
        QTest::newRow("no version") << QByteArray("g++: bad interpreter\n") << "";
        QTest::newRow("nothing") << QByteArray() << "";
    }

    void readsTheVersion() {
        QFETCH(QByteArray, text);
        QFETCH(QString, version);
        const auto compiler = readHostCompiler("/usr/bin/g++", text);
        QCOMPARE(compiler.hasValue(), !version.isEmpty());
        if (compiler.hasValue()) {
            QCOMPARE(compiler.value().version, version);
            QVERIFY(!compiler.value().processor.isEmpty());
        } else {
            QVERIFY(compiler.message().startsWith("Cannot use the C++ compiler \"/usr/bin/g++\""));
        }
    }
};

QObject *makeTestHostCompiler() {
    return new TestHostCompiler;
}

#include "tst_host_compiler.moc"
