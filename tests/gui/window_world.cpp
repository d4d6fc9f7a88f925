// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/window_world.h"

#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/results/verdict_banner.h"
#include "tests/toolchain/places.h"
#include "toolchain/base/text_file.h"
#include "toolchain/check/evaluation_thread.h"
#include "widgets/editor/code_editor.h"
#include "widgets/frame/tab_strip.h"

#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

QByteArray bytesOf(const QString &path) {
    const Result<QByteArray> read = readTextFile(path);
    return read.hasValue() ? read.value() : QByteArray();
}

Look &styleLook() {
    static Look look;
    return look;
}

WindowWorld::WindowWorld(const QString &workspace, const QString &judge) {
    for (const QString &name : cli.environment.keys())
        qputenv(name.toLatin1().constData(), cli.environment.value(name).toLocal8Bit());
    // A language server would work beside the compilers of each test.
    cli.write(QStringLiteral("config/warpwright/settings.json"),
              "{\"device\": \"cpu\", \"theme\": \"light\", \"languageServer\": \"off\"}");
    // The data folder stays from test to test; what a window of another test remembers does not.
    QFile::remove(cli.environment.value(QStringLiteral("WARPWRIGHT_DATA")) + QStringLiteral("/window.json"));
    tell(judge);
    folder = cli.workspace(workspace, QStringLiteral("window"));
    reopen();
}

void WindowWorld::useTheme(const QString &name) const {
    styleLook().set(name == QLatin1String("dark") ? Theme::dark() : Theme::light(), 1.0);
    window->useTheme(name);
}

WindowWorld::~WindowWorld() {
    window.reset();
    EvaluationThread::waitForRetired(); // the next world's folders are these
    qunsetenv("WARPWRIGHT_JUDGE");
    qunsetenv("FAKE_JUDGE");
    qunsetenv("WARPWRIGHT_WALL_MEMORY_MIB");
}

void WindowWorld::tell(const QString &judge) {
    if (judge == QLatin1String("real")) {
        qunsetenv("WARPWRIGHT_JUDGE");
        qunsetenv("WARPWRIGHT_WALL_MEMORY_MIB");
    } else {
        qputenv("WARPWRIGHT_JUDGE", sourceFolder("/tests/tools/fake_judge/fake_judge.py").toUtf8());
        // A warm judge heard the words before: another wish, and the window starts a new one.
        static int told = 0;
        qputenv("WARPWRIGHT_WALL_MEMORY_MIB", QByteArray::number(4096 + ++told));
    }
    qputenv("FAKE_JUDGE", judge.toLatin1());
}

void WindowWorld::reopen() {
    if (window) {
        window->close();
        QTRY_VERIFY_WITH_TIMEOUT(!window->isVisible(), 20000);
    }
    window = std::make_unique<MainWindow>(DataFolders::find(), QStringLiteral("test"));
    window->resize(1600, 1000);
    window->show();
}

bool WindowWorld::open(const QString &path) {
    QSignalSpy settled(window.get(), &MainWindow::settled);
    window->openWorkspace(path);
    // Asked whether what goes on may be stopped: it may.
    if (auto *stop = window->findChild<QPushButton *>(QStringLiteral("leaveStop"));
        stop != nullptr && stop->isVisible())
        stop->click();
    // The first one may be the start page's, on a machine that is slow.
    return settled.wait(10000) &&
           (!QFileInfo::exists(path + "/model.py") ||
            QTest::qWaitFor([this] { return window->bench().workspace().has_value(); }, 10000));
}

bool WindowWorld::check(int timeoutMs) {
    QSignalSpy checked(&window->bench(), &Workbench::checked);
    window->actions().check->trigger();
    if (!checked.wait(timeoutMs))
        return false;
    const QString id = checked.last().first().value<Evaluation>().id;
    return QTest::qWaitFor(
        [&] { return window->bench().shown().evaluation && window->bench().shown().evaluation->id == id; },
        5000);
}

QString WindowWorld::word() const {
    return banner()->word();
}

VerdictBanner *WindowWorld::banner() const {
    return window->findChild<VerdictBanner *>();
}

CodeEditor *WindowWorld::editor(const QString &file) const {
    auto *panel = window->findChild<CandidatePanel *>();
    for (int i = 0; i < panel->tabs()->count(); ++i)
        if (panel->tabs()->tabToolTip(i) == file) {
            panel->tabs()->setCurrentIndex(i);
            return panel->currentEditor();
        }
    qFatal("no tab %s", qPrintable(file));
}

bool WindowWorld::saves(const QString &file, const QString &text) {
    window->actions().save->trigger();
    return QTest::qWaitFor(
        [&] {
            QFile read(file);
            return read.open(QIODevice::ReadOnly) && QString::fromUtf8(read.readAll()) == text;
        },
        5000);
}

void WindowWorld::press(int key, Qt::KeyboardModifiers modifiers) {
    QTest::keyClick(window.get(), static_cast<Qt::Key>(key), modifiers);
}

QString WindowWorld::toasts() const {
    QStringList words;
    for (const QWidget *toast : window->findChildren<QWidget *>(QStringLiteral("toast")))
        words << toast->accessibleName();
    return words.join(QLatin1Char('\n'));
}
