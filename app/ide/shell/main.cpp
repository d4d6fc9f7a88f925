// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/bench/event_meter.h"
#include "app/ide/shell/bench/window_bench.h"
#include "app/ide/shell/main_window.h"
#include "app/ide/shell/screenshot.h"
#include "toolchain/base/data_folders.h"
#include "warpwright_version.h"
#include "widgets/look/house_style.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTextStream>

#include <cstdio>

using namespace warpwright;

namespace {

int complain(const QString &message) {
    QTextStream(stderr) << "warpwright: " << message << '\n';
    return 2;
}

/// "1600x1000"
QSize sizeFrom(const QString &text) {
    const QStringList parts = text.split(QLatin1Char('x'));
    return parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize();
}

bool has(int argc, char **argv, const char *option, QString *value = nullptr) {
    for (int i = 1; i < argc; ++i) {
        const QString word = QString::fromLocal8Bit(argv[i]);
        const QString name = QString::fromLatin1(option);
        if (word == name || word.startsWith(name + QLatin1Char('='))) {
            if (value != nullptr)
                *value = word.contains(QLatin1Char('=')) ? word.section(QLatin1Char('='), 1)
                         : i + 1 < argc                  ? QString::fromLocal8Bit(argv[i + 1])
                                                         : QString();
            return true;
        }
    }
    return false;
}

} // namespace

int main(int argc, char **argv) {
    // Both must be known before there is an application.
    QString scale;
    const bool isPicture = has(argc, argv, "--screenshot");
    if (isPicture && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    if (has(argc, argv, "--scale", &scale))
        qputenv("QT_SCALE_FACTOR", scale.toLatin1());
    // --version and --help answer on a machine without a display, too.
    if (has(argc, argv, "--version") || has(argc, argv, "--help") || has(argc, argv, "-h"))
        qputenv("QT_QPA_PLATFORM", "offscreen");

    // A machine without fontconfig would only hear its complaints; our fonts are built in.
    const QString fonts = QFileInfo(QFileInfo(QStringLiteral("/proc/self/exe")).canonicalFilePath()).path() +
                          QStringLiteral("/../share/warpwright/fonts.conf");
    if (!QFileInfo::exists(QStringLiteral("/etc/fonts/fonts.conf")) && QFileInfo::exists(fonts) &&
        !qEnvironmentVariableIsSet("FONTCONFIG_FILE"))
        qputenv("FONTCONFIG_FILE", fonts.toLocal8Bit());

    QApplication::setApplicationName(QStringLiteral("warpwright"));
    QApplication::setApplicationDisplayName(QStringLiteral("Warpwright"));
    QApplication::setApplicationVersion(
        QStringLiteral("%1 (%2)").arg(QLatin1String(buildVersion()), QLatin1String(buildRevision())));
    QApplication::setDesktopFileName(QStringLiteral("warpwright"));
    EventMeter application(argc, argv);

    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "Your PyTorch model, the kernels that replace it, and what the machine says about both."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption screenshot(
        QStringLiteral("screenshot"),
        QStringLiteral("Save a picture of the window, without a display, and end."), QStringLiteral("FILE"));
    const QCommandLineOption size(QStringLiteral("size"), QStringLiteral("Size of the window, 1600x1000."),
                                  QStringLiteral("WxH"));
    const QCommandLineOption theme(QStringLiteral("theme"),
                                   QStringLiteral("light or dark; without it as the settings say."),
                                   QStringLiteral("NAME"));
    const QCommandLineOption scaleOption(QStringLiteral("scale"),
                                         QStringLiteral("Pixels a point, as on a dense screen: 1 to 3."),
                                         QStringLiteral("N"));
    const QCommandLineOption check(QStringLiteral("check"),
                                   QStringLiteral("With --screenshot: check first."));
    const QCommandLineOption pane(
        QStringLiteral("pane"),
        QStringLiteral("With --screenshot: reference, candidate, build, compile, verify, console, profile, "
                       "overview, speedup, graph, history, distribution, assembly, hunks, roofline, "
                       "timeline, counters, findings, "
                       "occupancy, settings, models, palette, lesson, compare, running."),
        QStringLiteral("NAME"));
    const QCommandLineOption act(
        QStringLiteral("act"),
        QStringLiteral(
            "With --screenshot: do this before, as openRun, pastRuns, commands, completeHere; may be "
            "given several times."),
        QStringLiteral("ACTION"));
    const QCommandLineOption at(
        QStringLiteral("at"),
        QStringLiteral("With --screenshot: the cursor there before, for --act completeHere, callHint, "
                       "showDocumentation."),
        QStringLiteral("FILE:LINE:COLUMN"));
    const QCommandLineOption script(
        QStringLiteral("script"),
        QStringLiteral("With --screenshot: the first of these patches under review, when it is measured."),
        QStringLiteral("FOLDER"));
    const QCommandLineOption sample(QStringLiteral("sample"),
                                    QStringLiteral("Open your copy of one of our samples, softmax-rows."),
                                    QStringLiteral("NAME"));
    const QCommandLineOption recording(QStringLiteral("recording"),
                                       QStringLiteral("Play your copy of a run that ships, softmax."),
                                       QStringLiteral("NAME"));
    QCommandLineOption measure(QStringLiteral("measure"), QStringLiteral("For wright bench window."),
                               QStringLiteral("WHAT"));
    measure.setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOptions(
        {sample, recording, measure, screenshot, size, theme, scaleOption, check, pane, act, at, script});
    parser.addPositionalArgument(QStringLiteral("DIR"),
                                 QStringLiteral("A workspace, or a file with a reference."),
                                 QStringLiteral("[DIR]"));
    parser.process(application);
    if (parser.positionalArguments().size() > 1)
        return complain(QStringLiteral("one workspace at a time; see --help"));
    if (parser.isSet(theme) && parser.value(theme) != QLatin1String("light") &&
        parser.value(theme) != QLatin1String("dark"))
        return complain(QStringLiteral("--theme takes light or dark, not \"%1\"").arg(parser.value(theme)));

    for (const QCommandLineOption &option : {size, check, pane, act, at, script})
        if (!isPicture && parser.isSet(option))
            return complain(QStringLiteral("--%1 goes with --screenshot FILE").arg(option.names().first()));
    static const QRegularExpression place(QStringLiteral("^.+?:[1-9]\\d*(:[1-9]\\d*)?$"));
    if (parser.isSet(at) && !place.match(parser.value(at)).hasMatch())
        return complain(QStringLiteral("--at takes FILE:LINE:COLUMN, not \"%1\"").arg(parser.value(at)));

    for (const QString &font : loadFonts())
        complain(QStringLiteral("the built-in font \"%1\" cannot be loaded").arg(font));
    MainWindow window(DataFolders::find(), QApplication::applicationVersion());
    QApplication::setStyle(new HouseStyle(window.look()));
    window.useTheme(parser.value(theme));
    const QString workspace = parser.positionalArguments().isEmpty()
                                  ? QString()
                                  : QDir::current().absoluteFilePath(parser.positionalArguments().first());
    if (parser.isSet(measure)) {
        window.keepNothing();
        WindowBench bench(parser.value(measure), workspace, application, window);
        QObject::connect(&bench, &WindowBench::finished, &application,
                         [](int exitCode, const QByteArray &json) {
                             QTextStream(stdout) << json << '\n';
                             QApplication::exit(exitCode);
                         });
        QMetaObject::invokeMethod(&bench, &WindowBench::start, Qt::QueuedConnection);
        return QApplication::exec();
    }
    if (!isPicture) {
        window.fitScreen();
        window.show();
        window.preparesJudge();
        if (parser.isSet(sample))
            window.openSample(parser.value(sample));
        else if (parser.isSet(recording))
            window.openRecording(parser.value(recording));
        else if (workspace.isEmpty())
            window.resume();
        else
            window.openWorkspace(workspace);
        return QApplication::exec();
    }

    ScreenshotRequest request;
    request.file = parser.value(screenshot);
    request.checks = parser.isSet(check);
    request.page = parser.value(pane);
    request.workspace = workspace;
    request.acts = parser.values(act);
    request.at = parser.value(at);
    if (parser.isSet(script))
        request.script = QDir::current().absoluteFilePath(parser.value(script));
    if (parser.isSet(size))
        request.size = sizeFrom(parser.value(size));
    if (request.size.isEmpty() || request.size.width() > 8000 || request.size.height() > 8000)
        return complain(
            QStringLiteral("--size takes WxH up to 8000x8000, not \"%1\"").arg(parser.value(size)));
    window.keepNothing();
    Screenshot job(request, window);
    QObject::connect(&job, &Screenshot::finished, &application, [](int exitCode, const QString &message) {
        if (exitCode != 0)
            complain(message);
        else
            QTextStream(stdout) << message << '\n';
        QApplication::exit(exitCode);
    });
    QMetaObject::invokeMethod(&job, &Screenshot::start, Qt::QueuedConnection);
    return QApplication::exec();
}
