// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/text/text_merge.h"

#include <QRegularExpression>
#include <QTest>

using namespace warpwright;

class TestTextMerge : public QObject {
    Q_OBJECT

private slots:
    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void mergesThreeTexts_data() {
        QTest::addColumn<QString>("base");
        QTest::addColumn<QString>("mine");
        QTest::addColumn<QString>("theirs");
        QTest::addColumn<QString>("merged");
        QTest::addColumn<bool>("isClean");
        const auto row = [](const char *name, const char *base, const char *mine, const char *theirs,
                            const char *merged, bool isClean = true) {
            const auto lines = [](const char *text) {
                return QString::fromUtf8(text).replace(u'|', u'\n');
            };
            QTest::newRow(name) << lines(base) << lines(mine) << lines(theirs) << lines(merged) << isClean;
        };
        row("nothing changed", "a|b|", "a|b|", "a|b|", "a|b|");
        row("only mine", "a|b|", "a|B|", "a|b|", "a|B|");
        row("only theirs", "a|b|", "a|b|", "A|b|", "A|b|");
        row("the same change", "a|b|", "a|B|", "a|B|", "a|B|");
        row("far apart", "1|2|3|4|5|", "one|2|3|4|5|", "1|2|3|4|five|", "one|2|3|4|five|");
        row("added at both ends", "1|2|3|4|", "0|1|2|3|4|", "1|2|3|4|5|", "0|1|2|3|4|5|");
        row("deleted and added", "1|2|3|4|5|", "1|3|4|5|", "1|2|3|4|5|6|", "1|3|4|5|6|");
        row("no last line end", "1|2|3|4|5", "one|2|3|4|5", "1|2|3|4|five", "one|2|3|4|five");
        row("µ", "µ|2|3|4|", "µs|2|3|4|", "µ|2|3|→|", "µs|2|3|→|");
        row("same line", "a|b|c|", "a|mine|c|", "a|theirs|c|",
            "a|<<<<<<< yours|mine|=======|theirs|>>>>>>> on disk|c|", false);
        row("changed and deleted", "1|2|3|", "1|two|3|", "1|3|",
            "1|<<<<<<< yours|two|=======|>>>>>>> on disk|3|", false);
        row("emptied", "1|2|", "", "1|2|3|", "<<<<<<< yours|=======|1|2|3|>>>>>>> on disk|", false);
    }

    void mergesThreeTexts() {
        QFETCH(QString, base);
        QFETCH(QString, mine);
        QFETCH(QString, theirs);
        const MergedText merged =
            mergeTexts(base, mine, theirs, QStringLiteral("yours"), QStringLiteral("on disk"));
        QTEST(merged.text, "merged");
        QTEST(merged.isClean, "isClean");
    }
};

QObject *makeTestTextMerge() {
    return new TestTextMerge;
}

#include "tst_text_merge.moc"
