// SPDX-License-Identifier: GPL-3.0-or-later
// From a name to where it is defined and used, and what changes a text as a whole: a rename, a layout.
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/language/format_style.h"
#include "app/ide/language/language_controller.h"
#include "app/ide/language/source_window.h"
#include "tests/gui/language_world.h"
#include "widgets/editor/code_editor.h"
#include "widgets/popups/pick_list.h"

#include <QAbstractButton>
#include <QAbstractItemModel>
#include <QContextMenuEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPointer>
#include <QTest>

using namespace warpwright;

namespace {

struct Picks {
    explicit Picks(const LanguageWorld &world)
        : list(world.window->findChild<PickList *>()),
          field(list->findChild<QLineEdit *>(QStringLiteral("pickField"))),
          rows(list->findChild<QListView *>(QStringLiteral("pickRows"))->model()) {}

    [[nodiscard]] QStringList names() const {
        QStringList names;
        for (int i = 0; i < rows->rowCount(); ++i)
            names << rows->index(i, 0).data().toString();
        return names;
    }

    PickList *list;
    QLineEdit *field;
    QAbstractItemModel *rows;
};

} // namespace

class TestLanguageNames : public QObject {
    Q_OBJECT

private slots:
    void goesToTheDefinitionAndBack() {
        LanguageWorld world;
        QVERIFY(world.isReady());
        world.stand(11, 8); // the launch of gateKernel
        world.key(Qt::Key_F12);
        QTRY_COMPARE(world.gate->cursorPlace(), (EditorPlace{4, 17}));
        world.key(Qt::Key_Left, Qt::AltModifier);
        QTRY_COMPARE(world.gate->cursorPlace(), (EditorPlace{11, 8}));
        world.key(Qt::Key_Right, Qt::AltModifier);
        QTRY_COMPARE(world.gate->cursorPlace(), (EditorPlace{4, 17}));
    }

    void standsAtANameBehindAnEmoji() {
        LanguageWorld world;
        QVERIFY(world.isReady());
        world.gate->applyEdits({{3, 1, QStringLiteral("/* 😀 */ int fresh; // fresh\n")}});
        world.stand(3, 23);
        world.key(Qt::Key_F12);
        QTRY_COMPARE(world.gate->cursorPlace(), (EditorPlace{3, 13}));
    }

    void comesBackToWhatWasShown() {
        LanguageWorld world;
        QVERIFY(world.isReady());
        const QString many = QStringLiteral("// a line\n").repeated(300);
        world.gate->applyEdits({{1, 0, many}, {10, 0, many}});
        const int launch = 611; // of gateKernel, which line 304 defines
        world.stand(launch, 8);
        const int middle = world.gate->viewState().firstLine;
        world.gate->sci(QsciScintillaBase::SCI_SETFIRSTVISIBLELINE, middle - 3); // two up; the end is near
        const int shown = world.gate->viewState().firstLine;
        QVERIFY(shown != middle);
        world.key(Qt::Key_F12);
        QTRY_COMPARE(world.gate->cursorPlace().line, 304);
        world.key(Qt::Key_Left, Qt::AltModifier);
        QTRY_COMPARE(world.gate->cursorPlace().line, launch);
        QCOMPARE(world.gate->viewState().firstLine, shown);
    }

    void leadsByAClickWithCtrl() {
        LanguageWorld world;
        QVERIFY(world.isReady());
        world.stand(12, 1);
        const long name = world.gate->positionFromLineIndex(10, 7); // the launch of gateKernel
        const auto x = static_cast<int>(world.gate->sci(QsciScintillaBase::SCI_POINTXFROMPOSITION, 0, name));
        const auto y = static_cast<int>(world.gate->sci(QsciScintillaBase::SCI_POINTYFROMPOSITION, 0, name));
        const QPoint point(x, y + world.gate->rowHeight() / 2);
        QTest::mouseClick(world.gate->viewport(), Qt::LeftButton, {}, point);
        QTest::qWait(100);
        QCOMPARE(world.gate->cursorPlace().line, 11); // a plain click stays
        QTest::mouseClick(world.gate->viewport(), Qt::LeftButton, Qt::ControlModifier, point);
        QTRY_COMPARE(world.gate->cursorPlace(), (EditorPlace{4, 17}));
        QCOMPARE(world.gate->sci(QsciScintillaBase::SCI_GETSELECTIONS), 1L);
        world.key(Qt::Key_Left, Qt::AltModifier);
        QTRY_COMPARE(world.gate->cursorPlace().line, 11);
    }

    void opensWhatIsNoneOfTheWorkspaces() {
        LanguageWorld world;
        QVERIFY(world.isReady());
        const QString launch = world.line(10);
        world.stand(10, static_cast<int>(launch.indexOf(QStringLiteral("cudaStream_t"))) + 3);
        world.key(Qt::Key_F12);
        auto *other = world.window->findChild<SourceWindow *>();
        QTRY_VERIFY_WITH_TIMEOUT(other->isVisible(), 20000);
        QCOMPARE(other->file(), world.header);
        QCOMPARE(other->editor()->cursorPlace().line, 3);
        QVERIFY(other->editor()->isReadOnly());
        QVERIFY(other->findChild<QLabel *>()->text().contains(world.header));
        QTest::keyClick(other->editor(), Qt::Key_Escape);
        QTRY_VERIFY(!other->isVisible());
    }

    void listsReferencesWithTheirLines() {
        LanguageWorld world;
        QVERIFY(world.isReady());
        const Picks picks(world);
        world.stand(10, 20); // launchGate
        world.key(Qt::Key_F12, Qt::ShiftModifier);
        QTRY_VERIFY(picks.list->isVisible());
        QCOMPARE(picks.names().size(), 6);
        QVERIFY(picks.names().contains(QStringLiteral("kernels/gate.cpp:4")));
        QTest::keyClicks(picks.field, QStringLiteral("gate.cpp"));
        QCOMPARE(picks.names().front(), QStringLiteral("kernels/gate.cpp:4")); // others have these letters
        QTest::keyClick(picks.field, Qt::Key_Return);
        QVERIFY(!picks.list->isVisible());
        const auto *panel = world.window->findChild<CandidatePanel *>();
        QCOMPARE(panel->currentFile(), QStringLiteral("kernels/gate.cpp"));
        QCOMPARE(panel->currentEditor()->cursorPlace().line, 4);
    }

    // A call that depends on a template's parameters; and where no server tells.
    void listsReferencesFromWhereTheServerKnowsNone_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isByName");
        QTest::newRow("known at the definition") << QStringLiteral("dependsOnRows") << false;
        QTest::newRow("known nowhere") << QStringLiteral("hiddenSum") << true;
    }
    void listsReferencesFromWhereTheServerKnowsNone() {
        QFETCH(QString, name);
        QFETCH(bool, isByName);
        LanguageWorld world;
        QVERIFY(world.isReady());
        const Picks picks(world);
        world.gate->applyEdits({{1, 0,
                                 QStringLiteral("int %1(int);\nint %1s(int);\n"
                                                "template <int N> int twice() { return %1(N) + %1(N); }\n")
                                     .arg(name)}});
        world.stand(3, 42);
        QCOMPARE(world.line(3).mid(38, name.size()), name);
        world.key(Qt::Key_F12, Qt::ShiftModifier);
        QTRY_VERIFY2(picks.list->isVisible(), qPrintable(world.toasts()));
        QCOMPARE(picks.names(),
                 (QStringList{QStringLiteral("kernels/gate.cu:1"), QStringLiteral("kernels/gate.cu:3"),
                              QStringLiteral("kernels/gate.cu:3")}));
        QCOMPARE(picks.field->accessibleName().contains(QStringLiteral("by name")), isByName);
    }

    void goesToASymbol() {
        LanguageWorld world;
        QVERIFY(world.isReady());
        const Picks picks(world);
        world.stand(1, 1);
        world.key(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(picks.list->isVisible());
        QCOMPARE(picks.names(), (QStringList{QStringLiteral("gateKernel"), QStringLiteral("launchGate")}));
        QTest::keyClicks(picks.field, QStringLiteral("launch"));
        QTest::keyClick(picks.field, Qt::Key_Return);
        QCOMPARE(world.gate->cursorPlace(), (EditorPlace{10, 17}));
        QVERIFY(world.gate->hasFocus());
    }

    void theQuestionOfARenameIsLeft_data() {
        QTest::addColumn<bool>("isByKey");
        QTest::newRow("Esc") << true;
        QTest::newRow("going on in the text") << false;
    }

    void theQuestionOfARenameIsLeft() {
        QFETCH(bool, isByKey);
        LanguageWorld world;
        QVERIFY(world.isReady());
        const QString before = world.gate->content();
        world.stand(10, 20); // launchGate
        world.key(Qt::Key_F2);
        auto *bar = world.window->findChild<QWidget *>(QStringLiteral("renameBar"));
        auto *field = bar->findChild<QLineEdit *>();
        QTRY_VERIFY(field->isVisible() && field->hasFocus());
        field->setText(QStringLiteral("startGate"));
        QTest::keyClick(field, Qt::Key_Return);
        QAbstractButton *rename = nullptr;
        QTRY_VERIFY((rename = bar->findChild<QAbstractButton *>(QStringLiteral("choice:Rename"))) !=
                        nullptr &&
                    rename->isVisible() && rename->hasFocus());
        if (isByKey)
            QTest::keyClick(rename, Qt::Key_Escape);
        else
            world.gate->setFocus(Qt::MouseFocusReason);
        QTRY_VERIFY(!bar->isVisible());
        QVERIFY(world.gate->hasFocus());
        QCOMPARE(world.gate->content(), before);
    }

    void renamesInAllFiles() {
        LanguageWorld world;
        QVERIFY(world.isReady());
        const QString before = world.gate->content();
        world.stand(10, 20); // launchGate
        world.key(Qt::Key_F2);
        auto *bar = world.window->findChild<QWidget *>(QStringLiteral("renameBar"));
        auto *field = bar->findChild<QLineEdit *>();
        QTRY_VERIFY(field->isVisible() && field->hasFocus());
        QCOMPARE(field->text(), QStringLiteral("launchGate"));
        QTest::keyClicks(field, QStringLiteral("2gate"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(field->isVisible()); // no name
        field->setText(QStringLiteral("startGate"));
        QTest::keyClick(field, Qt::Key_Return);
        QAbstractButton *rename = nullptr;
        QTRY_VERIFY((rename = bar->findChild<QAbstractButton *>(QStringLiteral("choice:Rename"))) !=
                        nullptr &&
                    rename->isVisible());
        const QString statement = bar->findChild<QLabel *>()->text();
        QVERIFY2(statement.contains(QStringLiteral("6 places")), qPrintable(statement));
        QVERIFY2(statement.contains(QStringLiteral("kernels/gate_binding.cpp (4)")), qPrintable(statement));
        QCOMPARE(world.gate->content(), before); // nothing yet
        rename->click();
        for (const char *file : {"kernels/gate.cu", "kernels/gate.cpp", "kernels/gate_binding.cpp"}) {
            const CodeEditor *editor = world.editor(QString::fromLatin1(file));
            QVERIFY2(!editor->content().contains(QStringLiteral("launchGate")), file);
            QVERIFY2(editor->content().contains(QStringLiteral("startGate")), file);
            QVERIFY2(editor->isModified(), file);
        }
        CodeEditor *binding = world.editor(QStringLiteral("kernels/gate_binding.cpp"));
        binding->undo();
        QVERIFY(!binding->content().contains(QStringLiteral("startGate")));
        QVERIFY(!binding->isModified());
        QVERIFY(world.gate->content().contains(QStringLiteral("startGate")));
    }

    void saysWhatCannotBeRenamed() {
        LanguageWorld world;
        QVERIFY(world.isReady());
        world.stand(3, 1); // an empty line
        world.key(Qt::Key_F2);
        QTRY_VERIFY2(world.toasts().contains(QStringLiteral("Not renamed")), qPrintable(world.toasts()));
    }

    void formatsAndKeepsTheCursor() {
        LanguageWorld world;
        QVERIFY(world.isReady());
        world.writeStyle();
        const QString before = world.gate->content();
        world.gate->applyEdits({{3, 1, QStringLiteral("   \n")}, {9, 1, QStringLiteral("  \n")}});
        const QString untidy = world.gate->content();
        QVERIFY(untidy != before);
        world.stand(10, 5);
        world.key(Qt::Key_F, Qt::AltModifier | Qt::ShiftModifier);
        QTRY_COMPARE(world.gate->content(), before);
        QCOMPARE(world.gate->cursorPlace(), (EditorPlace{10, 5}));
        world.gate->undo();
        QCOMPARE(world.gate->content(), untidy);
        world.gate->setSelection(2, 0, 2, 3);
        world.window->actions().formatSelection->trigger();
        QTRY_COMPARE(world.line(3), QString());
        QCOMPARE(world.line(9), QStringLiteral("  "));
    }

    void withoutAStyleNothingIsFormattedUntilOneIsWritten() {
        LanguageWorld world;
        world.reopenOutsideTheClone();
        if (hasFormatStyle(world.folder))
            QSKIP("a .clang-format lies above the system's temporary folder");
        QVERIFY(world.isReady());
        const QString before = world.gate->content();
        world.gate->applyEdits({{3, 1, QStringLiteral("   \n")}});
        const QString untidy = world.gate->content();
        world.key(Qt::Key_F, Qt::AltModifier | Qt::ShiftModifier);
        QTRY_VERIFY2(world.toasts().contains(QStringLiteral("No .clang-format lies in")),
                     qPrintable(world.toasts()));
        QCOMPARE(world.gate->content(), untidy);
        world.window->actions().writeFormatStyle->trigger();
        const QString style = world.folder + QStringLiteral("/.clang-format");
        QTRY_VERIFY(bytesOf(style).contains("IndentWidth: 4"));
        world.key(Qt::Key_F, Qt::AltModifier | Qt::ShiftModifier);
        QTRY_COMPARE(world.gate->content(), before);
        // What is there is somebody's own by now.
        const QByteArray own("BasedOnStyle: Google\n");
        QVERIFY(QFile::remove(style));
        world.writeStyle(own);
        world.window->actions().writeFormatStyle->trigger();
        QTRY_VERIFY2(world.toasts().contains(QStringLiteral("is there already")), qPrintable(world.toasts()));
        QCOMPARE(bytesOf(style), own);
    }

    void theEditorsMenuAsksAboutWhatIsClicked() {
        LanguageWorld world;
        QVERIFY(world.isReady());
        world.stand(1, 1);
        const long name = world.gate->positionFromLineIndex(10, 7); // the launch of gateKernel
        const QPoint point(
            static_cast<int>(world.gate->sci(QsciScintillaBase::SCI_POINTXFROMPOSITION, 0, name)),
            static_cast<int>(world.gate->sci(QsciScintillaBase::SCI_POINTYFROMPOSITION, 0, name)) + 2);
        QWidget *viewport = world.gate->viewport();
        QContextMenuEvent asked(QContextMenuEvent::Mouse, point, viewport->mapToGlobal(point));
        QCoreApplication::sendEvent(viewport, &asked);
        const QPointer<QMenu> menu = world.gate->findChild<QMenu *>(QStringLiteral("editorMenu"));
        QVERIFY(menu && menu->isVisible());
        const Actions &actions = world.window->actions();
        for (QAction *action : {actions.goToDefinition, actions.findReferences, actions.renameSymbol,
                                actions.showDocumentation, actions.formatFile})
            QVERIFY2(menu->actions().contains(action), qPrintable(action->text()));
        QVERIFY(menu->actions().size() > 12); // undo, copy and the like stay
        menu->close();
        actions.goToDefinition->trigger();
        QTRY_COMPARE(world.gate->cursorPlace(), (EditorPlace{4, 17}));
    }

    void formatsWhatIsSaved_data() {
        QTest::addColumn<QByteArray>("settings");
        QTest::addColumn<bool>("hasStyle");
        QTest::addColumn<QByteArray>("third");
        const QByteArray on(", \"formatOnSave\": \"on\"");
        QTest::newRow("off at first") << QByteArray() << true << QByteArray("   ");
        QTest::newRow("on") << on << true << QByteArray();
        QTest::newRow("on, and no style") << on << false << QByteArray("   ");
    }
    void formatsWhatIsSaved() {
        QFETCH(QByteArray, settings);
        QFETCH(bool, hasStyle);
        QFETCH(QByteArray, third);
        LanguageWorld world;
        world.reopenOutsideTheClone(settings);
        if (hasStyle)
            world.writeStyle();
        else if (hasFormatStyle(world.folder))
            QSKIP("a .clang-format lies above the system's temporary folder");
        QVERIFY(world.isReady());
        world.gate->applyEdits({{3, 1, QStringLiteral("   \n")}, {12, 1, QStringLiteral("} // saved\n")}});
        world.key(Qt::Key_S, Qt::ControlModifier);
        const QString path = world.folder + QStringLiteral("/kernels/gate.cu");
        QTRY_VERIFY_WITH_TIMEOUT(bytesOf(path).contains("// saved"), 20000);
        QCOMPARE(bytesOf(path).split('\n')[2], third);
        QVERIFY(!world.toasts().contains(QStringLiteral("Not formatted")));
    }
};

QObject *makeTestLanguageNames() {
    return new TestLanguageNames;
}

#include "tst_language_names.moc"
