// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/judged_document.h"

#include <QTest>

using namespace warpwright;

void verifyDocument(const CliOutcome &outcome, const QString &verdict, int exitCode,
                    const QStringList &words) {
    QVERIFY2(outcome.verdict() == verdict, outcome.words());
    QVERIFY2(outcome.exitCode == exitCode, outcome.words());
    const OrderedJson message = outcome.document["message"];
    const QString text = stringIn(message, "what") + ' ' + stringIn(message, "thing") + ' ' +
                         stringIn(message, "why") + ' ' + stringIn(message, "advice");
    for (const QString &word : words)
        QVERIFY2(text.contains(word), outcome.words() + "\nlacks: " + word.toUtf8());
    QVERIFY2(verdict == "pass" || !stringIn(message, "advice").isEmpty(),
             "no word on what to do\n" + outcome.words());
    const QString complaints = CliWorld::schemaComplaints(outcome.document);
    QVERIFY2(complaints.isEmpty(), qPrintable(complaints));
}

void verifyLoneTask(const CliWorld &world) {
    const CliOutcome outcome = world.run(
        {"check", world.workspace("lone", "lone") + "/problem.py", "--device", "cpu", "--json"}, 600000);
    verifyDocument(outcome, "not-run", 4, {"model_new.py"});
}
