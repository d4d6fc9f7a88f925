// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/review/text_change.h"

#include <QTest>

#include <rapidcheck.h>

using namespace warpwright;

namespace {

/// Few lines and few names, so that texts share much; now and then bytes that are no text.
rc::Gen<QByteArray> anyFile() {
    const auto piece =
        rc::gen::element<std::string>("a\n", "b\n", "c\r\n", "\n", "  d\n", "\xff\xfe\n", "e",
                                      std::string("\0z\n", 3), "\xef\xbb\xbfq\n", "\r", "\xe2\x82");
    return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece), [](const auto &pieces) {
        QByteArray text;
        for (const std::string &one : pieces)
            text += QByteArray::fromStdString(one);
        return text;
    });
}

rc::Gen<CandidateTexts> anyTexts() {
    const auto name =
        rc::gen::element<QString>("model_new.py", "kernels/a.cu", "kernels/b.cu", "kernels/ä.cu");
    const auto files =
        rc::gen::container<std::vector<std::pair<QString, QByteArray>>>(rc::gen::pair(name, anyFile()));
    return rc::gen::map(files, [](const auto &some) { return CandidateTexts(some.begin(), some.end()); });
}

} // namespace

class TestTextChange : public QObject {
    Q_OBJECT

private slots:
    void comesBackByteForByte() {
        QVERIFY(rc::check("any two texts", [] {
            const CandidateTexts before = *anyTexts();
            const CandidateTexts after = *anyTexts();
            const std::vector<RenamedFile> renames = {{"kernels/a.cu", "kernels/b.cu"},
                                                      {"kernels/b.cu", "kernels/a.cu"}};
            const TextChange change = textChange(before, after, renames);
            // Through the line of a file, as it is kept.
            const auto line = parseJson(dumpJson(changeToJson(change)));
            RC_ASSERT(line.hasValue());
            const auto read = changeFromJson(line.value());
            RC_ASSERT(read.hasValue());
            RC_ASSERT(read.value() == change);
            const auto applied = applyChange(read.value(), before);
            RC_ASSERT(applied.hasValue());
            RC_ASSERT(applied.value() == after);
        }));
    }

    void saysTheLeast() {
        const TextChange change =
            textChange({{"kernels/a.cu", "1\n2\n3\n4\n5"}, {"kernels/b.cu", "x\n"}},
                       {{"kernels/a.cu", "1\nzwei\n3\n4\n5\n"}, {"kernels/c.cu", "x\ny\n"}},
                       {{"kernels/b.cu", "kernels/c.cu"}});
        const Json json = changeToJson(change);
        const Json expected = {
            {{"file", "kernels/a.cu"}, {"oldStart", 1}, {"oldLines", {"2\n"}}, {"newLines", {"zwei\n"}}},
            {{"file", "kernels/a.cu"}, {"oldStart", 4}, {"oldLines", {"5"}}, {"newLines", {"5\n"}}},
            {{"file", "kernels/c.cu"}, {"oldStart", 1}, {"oldLines", Json::array()}, {"newLines", {"y\n"}}}};
        QCOMPARE(dumpJson(json["hunks"]), dumpJson(expected));
        QCOMPARE(dumpJson(json["renames"]),
                 QByteArray("[{\"from\":\"kernels/b.cu\",\"to\":\"kernels/c.cu\"}]"));
        QVERIFY(textChange({{"a", "x"}}, {{"a", "x"}}).hunks.empty());
    }

    void writesBytesThatAreNoTextAsBase64() {
        const std::vector<QByteArray> lines = {"a\n", "\xff\n"};
        QCOMPARE(dumpJson(linesToJson(lines)), QByteArray("[\"a\\n\",{\"base64\":\"/wo=\"}]"));
        QVERIFY(linesFromJson(linesToJson(lines)).value() == lines);
        for (const Json &broken : {Json(3), Json::array({3}), Json::array({{{"base64", "?"}}}),
                                   Json::array({{{"base64", ""}}}), Json::array({nullptr})})
            QVERIFY(!linesFromJson(broken).hasValue());
    }

    void refusesWhatDoesNotFit_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QString>("words");
        const auto row = [](const char *name, const char *field, const char *value, const char *words) {
            QTest::newRow(name) << QString(field) << QByteArray(value) << QString(words);
        };
        row("another base", "/baseHash", "\"00\"", "belongs to another text: to the one with the hash 00");
        row("another result", "/resultHash", "\"00\"", "The changed text is not the recorded one");
        row("other lines", "/hunks/0/oldLines/0", "\"3\\n\"",
            "does not fit \"a.cu\": other lines stand at line 2");
        row("behind the end", "/hunks/0/oldStart", "9", "other lines stand at line 10");
        row("another file", "/hunks/0/file", "\"b.cu\"", "does not fit \"b.cu\": there is no such file");
        row("a new file that is there", "/hunks/0/oldFile", "false", "the file is there already");
        row("a deleted file with lines left", "/hunks/0/newFile", "false",
            "lines are left of a deleted file");
        row("a rename of nothing", "/renames", "[{\"from\":\"x\",\"to\":\"y\"}]",
            "cannot be renamed to \"y\"");
        row("no hunks", "/hunks", "3", "it has no hunks");
        row("a hunk without a file", "/hunks/0/file", "3", "a hunk lacks file");
        row("a negative start", "/hunks/0/oldStart", "-1", "has no oldStart from 0");
        row("a huge start", "/hunks/0/oldStart", "99999999999", "has no oldStart from 0");
        row("a line that is a number", "/hunks/0/newLines/0", "7", "neither a string nor base64");
    }
    void refusesWhatDoesNotFit() {
        QFETCH(const QString, field);
        QFETCH(const QByteArray, value);
        QFETCH(const QString, words);
        const CandidateTexts before = {{"a.cu", "1\n2\n"}};
        Json json = changeToJson(textChange(before, {{"a.cu", "1\nzwei\n"}}));
        json[Json::json_pointer(field.toStdString())] = parseJson(value).value();
        const auto change = changeFromJson(json);
        const QString message =
            change.hasValue() ? applyChange(change.value(), before).message() : change.message();
        QVERIFY2(message.contains(words), qPrintable(message));
    }
};

QObject *makeTestTextChange() {
    return new TestTextChange;
}

#include "tst_text_change.moc"
