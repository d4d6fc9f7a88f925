// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/compile/header_store.h"

#include <QFile>
#include <QTest>

#include <fcntl.h>
#include <sys/stat.h>

using namespace warpwright;

namespace {

struct Made {
    Made() : store(scratch.path("cache")) {
        scratch.write("include/a b.h", "int a;\n");
        scratch.write("include/c.h", "int c;\n");
        scratch.write("cache/headers/tmp-1/headers.h", "");
        scratch.write("cache/headers/tmp-1/headers.h.gch", "precompiled");
        const QByteArray folder = scratch.path("include").toUtf8();
        scratch.write("cache/headers/tmp-1/headers.d",
                      "headers.h.gch: " + scratch.path("cache/headers/tmp-1/all.h").toUtf8() + " \\\n " +
                          folder + "/a\\ b.h \\\n " + folder + "/c.h\n");
        published = store.publish(scratch.path("cache/headers/tmp-1"), "key");
    }

    [[nodiscard]] QString found() const { return store.find("key"); }

    Scratch scratch;
    HeaderStore store;
    Result<void> published = Result<void>::ok();
};

} // namespace

class TestHeaderStore : public QObject {
    Q_OBJECT

private slots:
    void givesBackWhatWasMade() {
        const Made made;
        QVERIFY2(made.published.hasValue(), qPrintable(made.published.message()));
        QCOMPARE(made.found(), made.scratch.path("cache/headers/key/headers.h"));
        QVERIFY(!QFile::exists(made.scratch.path("cache/headers/tmp-1")));
        QVERIFY(made.store.find("other").isEmpty());
    }

    void trustsNothingThatWasTouched_data() {
        QTest::addColumn<QString>("what");
        for (const char *what :
             {"overwritten", "same size", "torn", "gone", "a header edited", "a header gone",
              "a header touched", "the list cut", "the list empty", "a text beside it"})
            QTest::newRow(what) << what;
    }

    void trustsNothingThatWasTouched() {
        QFETCH(QString, what);
        const Made made;
        QVERIFY(!made.found().isEmpty());
        const QString gch = made.scratch.path("cache/headers/key/headers.h.gch");
        const QString list = made.scratch.path("cache/headers/key/made");
        const QString header = made.scratch.path("include/a b.h");
        if (what == "overwritten") {
            made.scratch.write("cache/headers/key/headers.h.gch", "something else");
        } else if (what == "same size") {
            // Even with the old time put back.
            struct stat before {};
            QCOMPARE(::stat(gch.toUtf8().constData(), &before), 0);
            QTest::qWait(20); // The file system's clock ticks in milliseconds.
            QFile file(gch);
            QVERIFY(file.open(QIODevice::ReadWrite));
            QCOMPARE(file.write("P"), 1);
            file.close();
            const timespec times[] = {before.st_atim, before.st_mtim};
            QCOMPARE(utimensat(AT_FDCWD, gch.toUtf8().constData(), times, 0), 0);
        } else if (what == "torn") {
            QVERIFY(QFile::resize(gch, 4));
        } else if (what == "gone") {
            QVERIFY(QFile::remove(gch));
        } else if (what == "a header edited") {
            made.scratch.write("include/a b.h", "int b; // longer\n");
        } else if (what == "a header gone") {
            QVERIFY(QFile::remove(header));
        } else if (what == "a header touched") {
            QTest::qWait(20);
            QCOMPARE(utimensat(AT_FDCWD, header.toUtf8().constData(), nullptr, 0), 0);
        } else if (what == "the list cut") {
            QVERIFY(QFile::resize(list, QFile(list).size() - 3));
        } else if (what == "the list empty") {
            QVERIFY(QFile::resize(list, 0));
        } else if (what == "a text beside it") {
            made.scratch.write("cache/headers/key/headers.h", "#define A\n");
        }
        QVERIFY(made.found().isEmpty());
    }

    void refusesAListThatNamesNothing() {
        const Scratch scratch;
        const HeaderStore store(scratch.path("cache"));
        for (const char *name : {"headers.h", "headers.h.gch"})
            scratch.write(QStringLiteral("cache/headers/tmp-1/") + name, "x");
        QVERIFY(!store.publish(scratch.path("cache/headers/tmp-1"), "key").hasValue());
        scratch.write("cache/headers/tmp-1/headers.d", "headers.h.gch: /no/such.h\n");
        QVERIFY(store.publish(scratch.path("cache/headers/tmp-1"), "key").message().contains("/no/such.h"));
        QVERIFY(store.find("key").isEmpty());
    }

    void keepsNoMoreThanFits() {
        const Made made;
        made.store.prune(1000);
        QVERIFY(!made.found().isEmpty());
        made.store.prune(5);
        QVERIFY(made.found().isEmpty());
        QVERIFY(!QFile::exists(made.scratch.path("cache/headers/key")));
    }

    void remembersWhatCannotBeMade() {
        const Scratch scratch;
        const HeaderStore store(scratch.path("cache"));
        QVERIFY(!store.isRefused("key"));
        store.refuse("key", "no such option");
        QVERIFY(store.isRefused("key"));
    }

    void knowsWhetherASecondTextAsks() {
        const Scratch scratch;
        const HeaderStore store(scratch.path("cache"));
        QVERIFY(!store.isAskedForByOthers("key", "one"));
        QVERIFY(!store.isAskedForByOthers("key", "one"));
        QVERIFY(store.isAskedForByOthers("key", "two"));
        QVERIFY(!store.isAskedForByOthers("other key", "two"));
    }

    void asksForOneThingByOneKey_data() {
        QTest::addColumn<QString>("what");
        for (const char *what : {"nothing", "compiler", "arguments", "headers", "identity"})
            QTest::newRow(what) << what;
    }

    void asksForOneThingByOneKey() {
        QFETCH(QString, what);
        const HeaderRequest one =
            makeHeaderRequest("/usr/bin/g++", {"-c", "-O3"}, {"torch/types.h"}, "torch 2.11");
        const HeaderRequest other =
            makeHeaderRequest(what == "compiler" ? "/opt/g++" : "/usr/bin/g++",
                              what == "arguments" ? QStringList{"-c", "-O2"} : QStringList{"-c", "-O3"},
                              what == "headers" ? QStringList{"ATen/ATen.h"} : QStringList{"torch/types.h"},
                              what == "identity" ? "torch 2.12" : "torch 2.11");
        QCOMPARE(one.key == other.key, what == "nothing");
        QCOMPARE(HeaderRequest::fromJson(one.toJson()).value(), one);
    }

    void refusesWhatIsNoRequest() {
        for (const char *text : {"", "[]", "{}", R"({"compiler": 1})", R"({"compiler": "g++", "key": "a"})"})
            QVERIFY2(!HeaderRequest::fromJson(text).hasValue(), text);
    }
};

QObject *makeTestHeaderStore() {
    return new TestHeaderStore;
}

#include "tst_header_store.moc"
