// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/places.h"
#include "widgets/editor/change_marks.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/diagnostic_marks.h"
#include "widgets/editor/editor_commands.h"
#include "widgets/editor/editor_lexers.h"
#include "widgets/editor/function_names.h"
#include "widgets/editor/line_notes.h"
#include "widgets/editor_setup.h"
#include "widgets/look/house_style.h"

#include <QApplication>
#include <QFile>
#include <QKeyEvent>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

namespace {

const QString kKernel = QStringLiteral("// a comment\n"
                                       "#include <cuda_runtime.h>\n"
                                       "__global__ void scale(float4 *x, int n) {\n"
                                       "    const int i = threadIdx.x * 4;\n"
                                       "    if (i < n)\n"
                                       "        x[i] = make_float4(1.0f, 2, 3, sum<4>(i));\n"
                                       "    log(\"text\");\n"
                                       "}\n");

const QString kModel = QStringLiteral("import torch\n"
                                      "class Model(torch.nn.Module):\n"
                                      "    @property\n"
                                      "    def forward(self, x):\n"
                                      "        # a comment\n"
                                      "        return fused(x, 12, \"text\")\n");

QString source(const QString &name) {
    QFile file(sourceFolder() + u'/' + name);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

long positionOf(const CodeEditor &editor, const QString &word) {
    const qsizetype index = editor.content().indexOf(word);
    return index < 0 ? -1 : editor.content().left(index).toUtf8().size();
}

/// The token of the colour that the first character of `word` is painted in.
QString tokenAt(const CodeEditor &editor, const QString &word) {
    const long position = positionOf(editor, word);
    if (editor.sci(QsciScintillaBase::SCI_INDICATORVALUEAT, CodeEditor::FunctionIndicator, position) != 0)
        return QStringLiteral("syntax.function");
    const int style = static_cast<int>(editor.sci(QsciScintillaBase::SCI_GETSTYLEAT, position));
    return QLatin1String(editor.language() == CodeEditor::Language::Python ? pythonStyleToken(style)
                                                                           : cudaStyleToken(style));
}

/// Writes down what the editor tells and asks it; F2 is its key, and it doubles each x.
class Witness : public EditorDecorator {
public:
    using EditorDecorator::EditorDecorator;

    void applyLook() override { told << QStringLiteral("look"); }
    void forgetContent() override { told << QStringLiteral("forget"); }
    void leaveDocument() override { told << QStringLiteral("leave"); }
    void enterDocument(bool isAnothers) override {
        told << (isAnothers ? QStringLiteral("enter another's") : QStringLiteral("enter"));
    }
    void revealLine(int line) override { told << QStringLiteral("reveal %1").arg(line); }
    void revealAllLines() override { told << QStringLiteral("reveal all"); }
    void editorResized() override { ++resizes; }
    bool runKey(const QKeyEvent &event) override {
        told << QStringLiteral("run %1").arg(QKeySequence(event.key()).toString());
        return event.key() == Qt::Key_F2;
    }
    bool typeKey(const QKeyEvent &event, const std::function<void()> &write) override {
        told << QStringLiteral("type %1").arg(event.text());
        if (event.key() != Qt::Key_X)
            return false;
        write();
        write();
        return true;
    }

    [[nodiscard]] QStringList taken() { return std::exchange(told, {}); }
    QStringList told;
    int resizes = 0;
};

} // namespace

class TestCodeEditor : public QObject {
    Q_OBJECT

private:
    Look m_look;

    std::unique_ptr<CodeEditor> make(const QString &text,
                                     CodeEditor::Language language = CodeEditor::Language::Cuda) {
        auto editor = makeCodeEditor(m_look, nullptr);
        editor->setLanguage(language);
        editor->setContent(text);
        editor->resize(760, 400);
        editor->show();
        QCoreApplication::processEvents();
        editor->decorator<FunctionNames>().refresh();
        return editor;
    }

private slots:
    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
        m_look.set(Theme::light(), 1);
    }

    void tellsAndAsksItsDecorators() {
        CodeEditor editor(m_look, nullptr);
        auto added = std::make_unique<Witness>(editor);
        Witness &witness = *added;
        editor.addDecorator(std::move(added));
        QCOMPARE(&editor.decorator<Witness>(), &witness);
        QCOMPARE(editor.findDecorator<ChangeMarks>(), nullptr);
        QCOMPARE(witness.taken(), (QStringList{"look"}));
        editor.resize(500, 300);
        editor.show();
        QVERIFY(witness.resizes > 0);
        editor.setContent(QStringLiteral("one\ntwo\n"));
        QCOMPARE(witness.taken(), (QStringList{"forget"}));
        editor.goTo(2, 1);
        QCOMPARE(witness.taken(), (QStringList{"reveal 1"}));
        editor.showAllLines();
        QCOMPARE(witness.taken(), (QStringList{"reveal all"}));
        QTest::keyClick(&editor, Qt::Key_F2);
        QCOMPARE(witness.taken(), (QStringList{"run F2"}));
        QTest::keyClick(&editor, Qt::Key_X);
        QTest::keyClick(&editor, Qt::Key_Y);
        QCOMPARE(witness.taken(), (QStringList{"run X", "type x", "run Y", "type y"}));
        QCOMPARE(editor.content(), QStringLiteral("one\nxxytwo\n"));

        // Switched off it has no keys, but hears of what it keeps.
        witness.setEnabled(false);
        QTest::keyClick(&editor, Qt::Key_X);
        QCOMPARE(editor.content(), QStringLiteral("one\nxxyxtwo\n"));
        QCOMPARE(witness.taken(), QStringList());
        CodeEditor other(m_look, nullptr);
        editor.showDocumentOf(&other);
        QCOMPARE(witness.taken(), (QStringList{"leave", "enter another's"}));
        editor.showDocumentOf(nullptr);
        QCOMPARE(witness.taken(), (QStringList{"leave", "enter"}));
        editor.leaveDocument();
        QCOMPARE(witness.taken(), (QStringList{"leave"}));
    }

    void marksBracketsThatEnclose_data() {
        QTest::addColumn<QString>("before"); // the cursor stands behind it
        QTest::addColumn<bool>("hasPartner");
        QTest::addColumn<bool>("hasNone");
        QTest::newRow("a pair") << QStringLiteral("f(") << true << false;
        QTest::newRow("alone") << QStringLiteral("g(") << false << true;
        QTest::newRow("a comparison") << QStringLiteral("a <") << false << false;
        QTest::newRow("in a comment") << QStringLiteral("well (") << false << false;
    }

    void marksBracketsThatEnclose() {
        QFETCH(QString, before);
        const auto editor = make(QStringLiteral("x = f(y); // well (\nb = a < c;\nz = g(;\n"));
        editor->sci(QsciScintillaBase::SCI_GOTOPOS, positionOf(*editor, before) + before.size());
        QCoreApplication::processEvents();
        const QImage picture = editor->grab().toImage();
        const auto isPainted = [&](const char *token) {
            const QRgb color = m_look.color(token).rgb();
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x)
                    if ((picture.pixel(x, y) & RGB_MASK) == (color & RGB_MASK))
                        return true;
            return false;
        };
        QTEST(isPainted("accent.focus"), "hasPartner");
        QTEST(isPainted("verdict.wrong"), "hasNone");
    }

    void coloursWords_data() {
        QTest::addColumn<bool>("isPython");
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("token");
        const auto cuda = [](const char *word, const char *token) {
            QTest::newRow(word) << false << QString::fromLatin1(word) << QString::fromLatin1(token);
        };
        cuda("// a", "syntax.comment");
        cuda("#include", "syntax.preproc");
        cuda("__global__", "syntax.cuda");
        cuda("threadIdx", "syntax.cuda");
        cuda("float4 *x", "syntax.type");
        cuda("void", "syntax.type");
        cuda("const", "syntax.keyword");
        cuda("if", "syntax.keyword");
        cuda("scale", "syntax.function");
        cuda("make_float4", "syntax.function");
        cuda("sum<4>", "syntax.function");
        cuda("n)", "syntax.text");
        cuda("1.0f", "syntax.number");
        cuda("\"text", "syntax.string");
        const auto python = [](const char *word, const char *token) {
            QTest::newRow((std::string("python ") + word).c_str())
                << true << QString::fromLatin1(word) << QString::fromLatin1(token);
        };
        python("import", "syntax.keyword");
        python("Model(", "syntax.type");
        python("torch", "syntax.builtin");
        python("@property", "syntax.decorator");
        python("forward", "syntax.function");
        python("self", "syntax.keyword");
        python("# a", "syntax.comment");
        python("fused", "syntax.function");
        python("12", "syntax.number");
    }

    void coloursWords() {
        QFETCH(bool, isPython);
        QFETCH(QString, word);
        QFETCH(QString, token);
        const auto editor = isPython ? make(kModel, CodeEditor::Language::Python) : make(kKernel);
        QCOMPARE(tokenAt(*editor, word), token);
    }

    void followsTheTheme() {
        const auto editor = make(kKernel);
        const auto ink = [&editor] {
            return editor->lexer()->color(QsciLexerCPP::Keyword);
        };
        QCOMPARE(ink(), Theme::light().color("syntax.keyword"));
        m_look.set(Theme::dark(), 1);
        QCOMPARE(ink(), Theme::dark().color("syntax.keyword"));
        QCOMPARE(editor->lexer()->paper(QsciLexerCPP::Keyword), Theme::dark().color("bg.pane"));
    }

    void growsWithTheScale() {
        const auto editor = make(kKernel);
        const int before = editor->rowHeight();
        m_look.set(Theme::light(), 2);
        QVERIFY2(editor->rowHeight() >= before * 9 / 5, qPrintable(QString::number(editor->rowHeight())));
        m_look.set(Theme::light(), 1);
        QCOMPARE(editor->rowHeight(), before);
    }

    void undoReachesBackBeyondASave() {
        const auto editor = make(QStringLiteral("one\n"));
        editor->insertAt(QStringLiteral("two\n"), 1, 0);
        editor->setModified(false); // what a save does
        editor->insertAt(QStringLiteral("three\n"), 2, 0);
        editor->undo();
        QCOMPARE(editor->content(), QStringLiteral("one\ntwo\n"));
        editor->undo();
        QCOMPARE(editor->content(), QStringLiteral("one\n"));
        QVERIFY(!editor->isUndoAvailable());
    }

    void newContentIsNoEdit() {
        const auto editor = make(QStringLiteral("one\n"));
        const QSignalSpy edited(editor.get(), &CodeEditor::edited);
        editor->setContent(QStringLiteral("two\n"));
        QCOMPARE(edited.size(), 0);
        QVERIFY(!editor->isUndoAvailable());
        editor->insertAt(QStringLiteral("x"), 0, 0);
        QCOMPARE(edited.size(), 1);
    }

    void appliesEditsAsOneStep() {
        const auto editor = make(QStringLiteral("1\n2\n3\n4\n5\n"));
        editor->decorator<LineNotes>().set(5, QStringLiteral("five"));
        editor->goTo(4, 1);
        editor->applyEdits({{1, 1, QStringLiteral("1a\n1b\n")}, {3, 1, {}}, {6, 0, QStringLiteral("6\n")}});
        QCOMPARE(editor->content(), QStringLiteral("1a\n1b\n2\n4\n5\n6\n"));
        QCOMPARE(editor->decorator<LineNotes>().noteAt(5), QStringLiteral("five"));
        QCOMPARE(editor->cursorPlace(), (EditorPlace{4, 1}));
        editor->undo();
        QCOMPARE(editor->content(), QStringLiteral("1\n2\n3\n4\n5\n"));
    }

    void saysWhyItIsReadOnly() {
        const auto editor = make(QStringLiteral("one\n"));
        editor->setReadOnlyReason(QStringLiteral("Iteration 3 is shown."));
        const QSignalSpy refused(editor.get(), &CodeEditor::readOnlyRefused);
        QTest::keyClicks(editor.get(), QStringLiteral("x"));
        QCOMPARE(editor->content(), QStringLiteral("one\n"));
        QCOMPARE(refused.value(0).value(0).toString(), QStringLiteral("Iteration 3 is shown."));
        editor->setReadOnlyReason({});
        QTest::keyClicks(editor.get(), QStringLiteral("x"));
        QCOMPARE(editor->content(), QStringLiteral("xone\n"));
    }

    void goesToPlaces_data() {
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("column");
        QTest::addColumn<int>("atLine");
        QTest::addColumn<int>("atColumn");
        QTest::newRow("first character") << 4 << 1 << 4 << 1;
        QTest::newRow("column") << 4 << 11 << 4 << 11;
        QTest::newRow("start of the text in it") << 4 << 0 << 4 << 5;
        QTest::newRow("behind the end of the line") << 1 << 99 << 1 << 13;
        QTest::newRow("behind the end of the last line") << 8 << 99 << 8 << 2;
        QTest::newRow("behind the last line") << 99 << 1 << 9 << 1;
        QTest::newRow("before the first") << 0 << 0 << 1 << 1;
    }

    void goesToPlaces() {
        QFETCH(int, line);
        QFETCH(int, column);
        QFETCH(int, atLine);
        QFETCH(int, atColumn);
        const auto editor = make(kKernel);
        editor->goTo(line, column);
        QCOMPARE(editor->cursorPlace(), (EditorPlace{atLine, atColumn}));
    }

    void countsColumnsInCharacters() {
        const auto editor = make(QStringLiteral("µs = é + 😀 + x;\n"));
        editor->goTo(1, 14);
        editor->sci(QsciScintillaBase::SCI_CHARRIGHTEXTEND);
        QCOMPARE(editor->selectedText(), QStringLiteral("x"));
        QCOMPARE(editor->cursorPlace().column, 15);
    }

    void viewComesBack() {
        QString text;
        for (int i = 0; i < 200; ++i)
            text += QStringLiteral("void f%1() {\n    int a;\n}\n").arg(i);
        const auto editor = make(text);
        editor->goTo(301, 6);
        editor->sci(QsciScintillaBase::SCI_COLOURISE, 0, -1);
        editor->goTo(31, 1);
        editor->decorator<EditorCommands>().toggleFold();
        editor->goTo(301, 6);
        const EditorView view = editor->viewState();
        QCOMPARE(view.folded, std::vector<int>{31});
        const auto other = make(text);
        other->restoreViewState(view);
        QCOMPARE(other->viewState(), view);
    }

    void viewComesBackFromTheRight() {
        const auto editor = make("short\n" + QString(400, 'x') + '\n');
        const EditorView view = editor->viewState();
        editor->goTo(2, 390);
        QVERIFY(editor->viewState().leftPixels > 0);
        editor->restoreViewState(view);
        QCOMPARE(editor->viewState(), view);
    }

    void homeBringsTheLinesBeginningIntoSight() {
        const auto editor = makeCodeEditor(m_look, nullptr);
        editor->setContent(QStringLiteral("    ") + QString(400, QLatin1Char('x')) + u'\n');
        editor->resize(400, 200);
        editor->show();
        QVERIFY(QTest::qWaitForWindowExposed(editor.get()));
        QTest::keyClick(editor.get(), Qt::Key_End);
        QVERIFY(editor->viewState().leftPixels > 0);
        QTest::keyClick(editor.get(), Qt::Key_Home);
        QCOMPARE(editor->cursorPlace(), (EditorPlace{1, 5}));
        QCOMPARE(editor->viewState().leftPixels, 0);
    }

    void keepsChangedLinesInMind() {
        const auto editor = make(kKernel);
        editor->decorator<ChangeMarks>().setLines({2, 4});
        editor->insertAt(QStringLiteral("x\n"), 2, 0);
        QCOMPARE(editor->decorator<ChangeMarks>().lines(), (std::vector<int>{2, 5}));
    }

    void paintsInBothThemesAndAnySize() {
        const QString folder = qEnvironmentVariable("WARPWRIGHT_PICTURES");
        for (const QString &name :
             {QStringLiteral("light"), QStringLiteral("dark"), QStringLiteral("double")}) {
            const double scale = name == QLatin1String("double") ? 2 : 1;
            m_look.set(name == QLatin1String("dark") ? Theme::dark() : Theme::light(), scale);
            qApp->setStyle(new HouseStyle(m_look));
            qApp->setPalette(m_look.theme().palette());
            const auto save = [&](CodeEditor &editor, const QString &what) {
                QCoreApplication::processEvents();
                const QPixmap picture = editor.grab();
                QVERIFY(!picture.isNull());
                if (!folder.isEmpty())
                    QVERIFY(picture.save(QStringLiteral("%1/%2-%3.png").arg(folder, what, name)));
            };
            const auto editor = make(
                source(QStringLiteral("resources/samples/rmsnorm-residual/kernels/rmsnorm_residual.cu")));
            editor->resize(m_look.px(610), m_look.px(450));
            editor->decorator<DiagnosticMarks>().setMarks(
                {{17, 11, EditorMark::Error, QStringLiteral("identifier \"sumOverBlok\" is undefined"), 0},
                 {21, 25, EditorMark::Warning, QStringLiteral("unsigned and signed are mixed"), 0},
                 {26, 5, EditorMark::Finding,
                  QStringLiteral(
                      "4,096 / (384 × 4) is 2 in integers, remainder 1,024: columns 3,072 to 4,095 are never "
                      "visited and stay as they were before the call"),
                  10}});
            editor->decorator<LineNotes>().set(18, QStringLiteral("32 regs, 0 spills"));
            editor->decorator<ChangeMarks>().setLines({14, 19});
            editor->restoreViewState({14, {22, 30}, {}});
            save(*editor, QStringLiteral("editor"));
            editor->decorator<DiagnosticMarks>().setMarks({});
            editor->setSelection(21, 8, 23, 20);
            editor->restoreViewState({14, {35, 1}, {18}});
            editor->setSelection(35, 4, 37, 20);
            save(*editor, QStringLiteral("folded"));
            const auto python = make(source(QStringLiteral("resources/samples/rmsnorm-residual/model.py")),
                                     CodeEditor::Language::Python);
            python->resize(m_look.px(430), m_look.px(450));
            python->restoreViewState({1, {13, 18}, {}});
            save(*python, QStringLiteral("python"));
        }
        qApp->setStyle(QStringLiteral("fusion")); // ours dies with its look
    }
};

QObject *makeTestCodeEditor() {
    return new TestCodeEditor;
}

#include "tst_code_editor.moc"
