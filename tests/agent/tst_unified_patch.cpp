// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/review/unified_patch.h"

#include <QTest>

using namespace warpwright;

class TestUnifiedPatch : public QObject {
    Q_OBJECT

private:
    static CandidateTexts base() {
        return {{"model.py", "m\n"}, {"kernels/a.cu", "1\r\n2\r\n3\n4\n5"}, {"kernels/b.cu", "b\n"}};
    }

private slots:
    void appliesByteByByte() {
        const QByteArray text =
            "words of it\n\ndiff --git a/kernels/a.cu b/kernels/a.cu\nindex 1..2 100644\n"
            "--- a/kernels/a.cu\n+++ b/kernels/a.cu\n@@ -1,5 +1,5 @@ void f()\n 1\r\n-2\r\n+two\r\n 3\n 4\n"
            "-5\n\\ No newline at end of file\n+five\n"
            "diff --git a/kernels/n.cu b/kernels/n.cu\nnew file mode 100644\n--- /dev/null\n"
            "+++ b/kernels/n.cu\n@@ -0,0 +1,2 @@\n+new\n+\n"
            "diff --git a/kernels/b.cu b/kernels/c.cu\nsimilarity index 100%\n"
            "rename from kernels/b.cu\nrename to kernels/c.cu\n";
        const auto patch = parseUnifiedPatch(text);
        QVERIFY2(patch.hasValue(), qPrintable(patch.message()));
        QCOMPARE(patch.value().header, QString("words of it\n\n"));
        const auto done = patched(base(), patch.value());
        QVERIFY2(done.hasValue(), qPrintable(done.message()));
        const CandidateTexts wanted = {{"model.py", "m\n"},
                                       {"kernels/a.cu", "1\r\ntwo\r\n3\n4\nfive\n"},
                                       {"kernels/n.cu", "new\n\n"},
                                       {"kernels/c.cu", "b\n"}};
        QVERIFY(done.value().texts == wanted);
        QCOMPARE(done.value().renames.size(), 1U);
    }

    void findsLinesThatMoved() {
        CandidateTexts texts = base();
        texts["kernels/b.cu"] = "x\ny\nz\na\nb\nc\n";
        const auto patch = parseUnifiedPatch(
            "--- a/kernels/b.cu\t2026-01-01\n+++ b/kernels/b.cu\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
        const auto done = patched(texts, patch.value());
        QVERIFY2(done.hasValue(), qPrintable(done.message()));
        QCOMPARE(done.value().texts.at("kernels/b.cu"), QByteArray("x\ny\nz\na\nB\nc\n"));
    }

    void deletesAFile() {
        const auto patch = parseUnifiedPatch("--- a/kernels/b.cu\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n");
        QCOMPARE(patched(base(), patch.value()).value().texts.count("kernels/b.cu"), 0U);
    }

    void saysWhatIsWrong_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("said");
        const QByteArray head = "--- a/kernels/b.cu\n+++ b/kernels/b.cu\n";
        QTest::newRow("nothing") << QByteArray("only words\n") << "changes no file";
        QTest::newRow("counts") << head + "@@ -1,2 +1,1 @@\n-b\n+c\n"
                                << "instead of 2 and 1";
        QTest::newRow("head") << head + "@@ nonsense @@\n"
                              << "is no @@";
        QTest::newRow("no +++") << QByteArray("--- a/kernels/b.cu\nwords\n") << "a line +++ belongs here";
        QTest::newRow("binary") << QByteArray("diff --git a/kernels/b.cu b/kernels/b.cu\nGIT binary patch\n")
                                << "binary";
        QTest::newRow("elsewhere") << head + "@@ -1 +1 @@\n-nowhere\n+c\n"
                                   << "are nowhere in that file";
        QTest::newRow("not ours") << QByteArray("--- a/model.py\n+++ b/model.py\n@@ -1 +1 @@\n-m\n+c\n")
                                  << "changes \"model.py\"";
        QTest::newRow("up and away") << QByteArray("--- /dev/null\n+++ b/kernels/../x\n@@ -0,0 +1 @@\n+c\n")
                                     << "kernels/../x";
        QTest::newRow("missing") << QByteArray(
                                        "--- a/kernels/z.cu\n+++ b/kernels/z.cu\n@@ -1 +1 @@\n-m\n+c\n")
                                 << "\"kernels/z.cu\" is not there";
        QTest::newRow("taken") << QByteArray("--- /dev/null\n+++ b/kernels/b.cu\n@@ -0,0 +1 @@\n+c\n")
                               << "is there already";
    }
    void saysWhatIsWrong() {
        QFETCH(const QByteArray, text);
        QFETCH(const QString, said);
        const auto patch = parseUnifiedPatch(text);
        const QString message = patch.hasValue() ? patched(base(), patch.value()).message() : patch.message();
        QVERIFY2(message.contains(said), qPrintable(message));
    }
};

QObject *makeTestUnifiedPatch() {
    return new TestUnifiedPatch;
}

#include "tst_unified_patch.moc"
