// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/language_world.h"

#include "app/ide/language/language_controller.h"
#include "tests/toolchain/places.h"
#include "widgets/editor/code_editor.h"
#include "widgets/popups/completion_list.h"
#include "widgets/popups/text_popup.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>
#include <QTest>

using namespace warpwright;

LanguageWorld::LanguageWorld() {
    header = cli.write(QStringLiteral("headers/streams.h"), "// streams\n\nclass CUstream;\n");
    reopenWith("");
}

void LanguageWorld::reopenWith(const QByteArray &settings) {
    cli.write(QStringLiteral("config/warpwright/settings.json"),
              "{\"device\": \"cpu\", \"theme\": \"light\"" + settings + "}");
    reopen();
    serve(*window);
    list = window->findChild<CompletionList *>();
    popup = window->findChild<TextPopup *>();
    open();
}

void LanguageWorld::serve(MainWindow &some) const {
    some.language().setFind([header = header](const Workspace &workspace, const Toolchain &) {
        FoundServers found;
        LanguageServerCommand command;
        command.name = QStringLiteral("clangd");
        command.program = QStandardPaths::findExecutable(QStringLiteral("python3"));
        command.arguments = QStringList{sourceFolder("/tests/tools/word_server/word_server.py"), header,
                                        QStringLiteral("--background-index")};
        command.folder = workspace.folder;
        found.clangd = command;
        return found;
    });
}

void LanguageWorld::reopenOutsideTheClone(const QByteArray &settings) {
    const QString copy = cli.path(QStringLiteral("outside"));
    copyFolder(folder, copy);
    QDir(copy + QStringLiteral("/.warpwright")).removeRecursively(); // with the lock of the window before
    folder = copy;
    reopenWith(settings);
}

void LanguageWorld::open() {
    QVERIFY(WindowWorld::open(folder));
    gate = editor(QStringLiteral("kernels/gate.cu"));
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    gate->setFocus();
}

bool LanguageWorld::isReady() const {
    return QTest::qWaitFor([this] { return window->language().whyNot(gate).isEmpty(); }, 30000);
}

void LanguageWorld::writeStyle(const QByteArray &style) const {
    QFile file(folder + QStringLiteral("/.clang-format"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(style) == style.size());
}

qint64 LanguageWorld::serverProcess() const {
    const OpenText *text = window->language().textOf(gate);
    return text == nullptr || text->server() == nullptr ? -1 : text->server()->processId();
}

void LanguageWorld::stand(int line, int column) const {
    gate->goTo(line, column);
    QCoreApplication::processEvents();
}

void LanguageWorld::type(const QString &keys) const {
    QTest::keyClicks(gate, keys);
}

void LanguageWorld::key(int key, Qt::KeyboardModifiers modifiers) const {
    QTest::keyClick(gate, static_cast<Qt::Key>(key), modifiers);
}

QString LanguageWorld::line(int number) const {
    return gate->text(number - 1).remove(QLatin1Char('\n'));
}

bool LanguageWorld::listIsShown() const {
    return QTest::qWaitFor([this] { return list->isVisible(); }, 5000);
}
