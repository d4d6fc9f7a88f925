// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/bench/typing_cost.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor_setup.h"

#include <QTest>

using namespace warpwright;

/// The figures themselves belong to a bench: here they are only made and told.
class TestTypingCost : public QObject {
    Q_OBJECT

private slots:
    void leavesTheTextAsItWas() {
        const Look look;
        const auto ownedEditor = makeCodeEditor(look, nullptr);
        CodeEditor &editor = *ownedEditor;
        const QString text = longKernelFile(5000);
        QVERIFY(text.count(u'\n') >= 5000);
        editor.setLanguage(CodeEditor::Language::Cuda);
        editor.setContent(text);
        editor.resize(800, 900);
        editor.show();
        const TypingCost cost = measureTyping(editor, 150);
        QCOMPARE(cost.keys, 150);
        QVERIFY(cost.medianMs > 0 && cost.worstMs >= cost.medianMs);
        qInfo("a key in a file of 5,000 lines: median %.2f ms, worst %.2f ms", cost.medianMs, cost.worstMs);
        QCOMPARE(editor.content(), text);
    }
};

QObject *makeTestTypingCost() {
    return new TestTypingCost;
}

#include "tst_typing_cost.moc"
