// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/compile/object_cache.h"

#include <QDateTime>
#include <QFile>
#include <QTest>

using namespace warpwright;

class TestObjectCache : public QObject {
    Q_OBJECT

private slots:
    void givesBackTheWordsOfTheCompiler() {
        const Scratch scratch;
        const ObjectCache cache(scratch.path("objects"));
        QVERIFY(!cache.find("key"));
        QVERIFY(
            cache.store("key", scratch.write("objects/tmp/0.o", "object"), "x.cu(1): warning: w").hasValue());
        QCOMPARE(cache.find("key").value(), QByteArray("x.cu(1): warning: w"));
        QCOMPARE(textOf(cache.objectPath("key")), QByteArray("object"));
        QVERIFY(!QFile::exists(scratch.path("objects/tmp/0.o")));
    }

    void passesOverHalfAnEntry() {
        const Scratch scratch;
        const ObjectCache cache(scratch.path("objects"));
        scratch.write("objects/empty.o", "");
        scratch.write("objects/empty.log", "");
        scratch.write("objects/nolog.o", "x");
        QVERIFY(!cache.find("empty"));
        QVERIFY(!cache.find("nolog"));
    }

    void saysWhatCannotBeStored() {
        const Scratch scratch;
        const ObjectCache cache(scratch.path("objects"));
        const auto stored = cache.store("key", scratch.path("no-such.o"), {});
        QVERIFY(!stored.hasValue());
        QVERIFY2(stored.message().contains("No such file or directory"), qPrintable(stored.message()));
    }

    void removesWhatWasNotUsedForLongest() {
        const Scratch scratch;
        const ObjectCache cache(scratch.path("objects"));
        for (const char *key : {"old", "older", "new"})
            QVERIFY(
                cache.store(QLatin1String(key), scratch.write("objects/tmp.o", QByteArray(1000, 'x')), "log")
                    .hasValue());
        const auto setTime = [&](const QString &key, int secondsAgo) {
            QFile file(cache.objectPath(key));
            QVERIFY(file.open(QIODevice::ReadWrite) &&
                    file.setFileTime(QDateTime::currentDateTime().addSecs(-secondsAgo),
                                     QFileDevice::FileModificationTime));
        };
        setTime("old", 100);
        setTime("older", 200);
        QVERIFY(cache.find("older")); // used again: now the newest
        cache.prune(2500);
        QVERIFY(cache.find("older") && cache.find("new"));
        QVERIFY(!cache.find("old"));
        QVERIFY(!QFile::exists(scratch.path("objects/old.log")));
    }

    void looksThroughAllOfItNowAndThenOnly() {
        const Scratch scratch;
        const ObjectCache cache(scratch.path("objects"));
        const auto store = [&](const char *key) {
            return cache
                .store(QLatin1String(key), scratch.write("objects/tmp.o", QByteArray(1000, 'x')), "log")
                .hasValue();
        };
        QVERIFY(store("first"));
        cache.pruneNowAndThen(100);
        QVERIFY(!cache.find("first"));
        QVERIFY(store("second"));
        cache.pruneNowAndThen(100);
        QVERIFY(cache.find("second"));
        QFile last(scratch.path("objects/pruned"));
        QVERIFY(
            last.open(QIODevice::ReadWrite) &&
            last.setFileTime(QDateTime::currentDateTime().addSecs(-3600), QFileDevice::FileModificationTime));
        last.close();
        cache.pruneNowAndThen(100);
        QVERIFY(!cache.find("second"));
    }
};

QObject *makeTestObjectCache() {
    return new TestObjectCache;
}

#include "tst_object_cache.moc"
