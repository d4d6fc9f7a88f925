// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows besides the four panes: start, settings, comparison; and what it knows of machine and
// theme.
#include "app/ide/agent/agent_desk.h"
#include "app/ide/compare/compare_desk.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/history/iterations_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/language/language_desk.h"
#include "app/ide/layout/dock.h"
#include "app/ide/layout/presentation.h"
#include "app/ide/layout/status_line.h"
#include "app/ide/layout/text_scales.h"
#include "app/ide/layout/top_bar.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/results/assembly_page.h"
#include "app/ide/settings/settings_page.h"
#include "app/ide/settings/setup_page.h"
#include "app/ide/shell/main_window.h"
#include "app/ide/shell/system_theme.h"
#include "app/ide/start/doctor_panel.h"
#include "app/ide/start/judge_notice.h"
#include "app/ide/start/problem_list.h"
#include "app/ide/start/start_page.h"
#include "toolchain/base/text_file.h"
#include "toolchain/compile/device_choice.h"
#include "toolchain/environment/inquiry.h"
#include "toolchain/evaluation/evaluation_store.h"
#include "toolchain/history/iteration_store.h"
#include "toolchain/workspace/candidate_texts.h"
#include "toolchain/workspace/samples.h"
#include "toolchain/workspace/workspace_template.h"
#include "widgets/editor/code_editor.h"
#include "widgets/frame/file_dialogs.h"
#include "widgets/frame/toasts.h"

#include <QActionGroup>
#include <QDir>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QStackedWidget>

namespace warpwright {

void MainWindow::showPage(QWidget *page) {
    if (page != m_workPage && m_presentation != nullptr)
        m_presentation->end();
    m_pages->setCurrentWidget(page);
    // A page is one thing at a time: the docks belong to the four panes.
    const bool isWork = page == m_workPage;
    if (!isWork && m_hiddenDocks.isEmpty())
        m_docksBefore = m_inner->saveState();
    for (Dock *dock : {m_iterationsDock, m_agentDock}) {
        if (!isWork && dock->isVisibleTo(m_inner))
            m_hiddenDocks << dock;
        if (!isWork)
            dock->hide();
    }
    const bool isPresented = m_presentation != nullptr && m_presentation->isOn();
    if (isWork) {
        for (Dock *dock : isPresented ? QList<Dock *>() : std::exchange(m_hiddenDocks, {}))
            dock->show();
        QMetaObject::invokeMethod(m_candidate, &CandidatePanel::focusHere, Qt::QueuedConnection);
    }
    if (!isWork)
        page->setFocus();
}

void MainWindow::buildPages() {
    m_start = new StartPage(m_look, m_bench->folders(), this);
    m_start->setKeys(m_actions->open->shortcut().toString(QKeySequence::NativeText),
                     m_actions->newFromModel->shortcut().toString(QKeySequence::NativeText),
                     m_actions->openFile->shortcut().toString(QKeySequence::NativeText));
    connect(m_start, &StartPage::openAsked, this, &MainWindow::openWorkspace);
    connect(m_start, &StartPage::sampleAsked, this, &MainWindow::openSample);
    connectLeftWork();
    connectKeyboard();
    connect(m_start, &StartPage::lessonAsked, this, &MainWindow::askLesson);
    connect(m_start, &StartPage::recordingAsked, this, &MainWindow::openRecording);
    connect(m_start, &StartPage::newAsked, m_actions->newFromModel, &QAction::trigger);
    connect(m_start, &StartPage::openDialogAsked, m_actions->open, &QAction::trigger);
    connect(m_start, &StartPage::problemAsked, this, [this] {
        auto *menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addActions({m_actions->openFile, m_actions->openProblems});
        // Below the row that was pressed, by a key as well.
        const QWidget *row = m_start->focusWidget();
        menu->popup(row != nullptr ? row->mapToGlobal(QPoint(0, row->height())) : QCursor::pos());
    });
    connect(m_start, &StartPage::agentsAsked, this, [this](QWidget *row) {
        auto *menu = new QMenu(row);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addActions({m_actions->setUpModel, m_actions->setUpAgent});
        menu->popup(row->mapToGlobal(QPoint(0, row->height())));
    });
    connect(m_start, &StartPage::setUpAsked, m_actions->setUp, &QAction::trigger);
    connect(&m_start->doctor(), &DoctorPanel::settingsAsked, this, &MainWindow::showSettings);

    m_settingsPage = new SettingsPage(m_look, m_bench->folders(), m_actions->all(), this);
    connectOffers();
    connect(m_settingsPage, &SettingsPage::changed, this, &MainWindow::applySettings);
    connect(m_settingsPage, &SettingsPage::closed, this, &MainWindow::backToWork);
    connect(m_settingsPage, &SettingsPage::noticed, this, [this](const Notice &notice) {
        m_toasts->closeAll(notice.title);
        m_toasts->show(notice);
    });

    m_setupPage = new SetupPage(m_look, m_bench->folders(), this);
    connect(m_setupPage, &SetupPage::closed, this, &MainWindow::backToWork);
    connect(m_setupPage, &SetupPage::ready, this, [this](const QString &python) {
        Settings settings = m_bench->settings();
        settings.python = python;
        m_toolchain.reset(); // it is another one now
        applySettings(settings);
        backToWork();
    });

    m_problems = new ProblemList(m_look, this);
    connect(m_problems, &ProblemList::problemPicked, this, &MainWindow::newWorkspaceFrom);
    connect(m_problems, &ProblemList::folderAsked, m_actions->openProblems, &QAction::trigger);
    connect(m_problems, &ProblemList::closed, this, &MainWindow::backToWork);

    for (QWidget *page : std::initializer_list<QWidget *>{m_start, m_settingsPage, m_setupPage, m_problems})
        m_pages->addWidget(page);

    m_systemTheme = new SystemTheme(this);
    connect(m_systemTheme, &SystemTheme::changed, this, [this] { useTheme(m_forcedTheme); });

    const auto on = [this](QAction *action, auto what) {
        connect(action, &QAction::triggered, this, what);
    };
    on(m_actions->startPage, [this] { showStartPage(); });
    on(m_actions->settings, [this] { showSettings(); });
    on(m_actions->findChild<QAction *>(QStringLiteral("keyboardShortcuts")),
       [this] { showSettings(tr("Keys")); });
    on(m_actions->findChild<QAction *>(QStringLiteral("fullScreen")),
       [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    on(m_actions->setUp, [this] { showPage(m_setupPage); });
    on(m_actions->doctor, [this] {
        showStartPage();
        m_start->revealDoctor();
    });
    on(m_actions->newFromModel, [this] {
        askForFile(this,
                   {FileQuestion::Of::File, tr("New workspace from a reference"), {}, QStringLiteral("*.py")},
                   [this](const QString &file) { askWorkspaceFrom(file); });
    });
    on(m_actions->followLesson, [this] {
        showStartPage();
        m_start->revealLessons();
    });
    on(m_actions->beginCandidate, [this] { beginCandidate(); });
    on(m_actions->openFile, [this] {
        askForFile(this, {FileQuestion::Of::File, tr("A KernelBench problem"), {}, QStringLiteral("*.py")},
                   [this](const QString &file) { newWorkspaceFrom(file); });
    });
    on(m_actions->openProblems, [this] {
        askForFile(this, {FileQuestion::Of::Folder, tr("A folder of KernelBench problems")},
                   [this](const QString &folder) {
                       m_problems->open(folder);
                       showPage(m_problems);
                   });
    });
    const auto theme = [this](const char *name) {
        return [this, name] {
            m_forcedTheme.clear();
            changeSettings([name](Settings &settings) { settings.theme = QLatin1String(name); });
        };
    };
    on(m_actions->themeLight, theme("light"));
    on(m_actions->themeDark, theme("dark"));
    on(m_actions->themeSystem, theme("system"));
    on(m_actions->about, [this] {
        m_toasts->show(newsNotice(
            tr("Warpwright"),
            tr("Version %1. GPL-3.0-or-later. Qt %2, QScintilla, QCustomPlot; Inter and JetBrains Mono under "
               "the OFL.")
                .arg(QCoreApplication::applicationVersion(), QLatin1String(qVersion())),
            true));
    });
}

void MainWindow::showStartPage() {
    m_start->setSettings(m_bench->settings());
    m_start->refresh();
    showPage(m_start);
}

void MainWindow::showSettings(const QString &row) {
    m_settingsPage->setSettings(m_bench->settings());
    readOffers();
    if (m_toolchain)
        m_settingsPage->setToolchain(*m_toolchain);
    showPage(m_settingsPage);
    if (!row.isEmpty())
        m_settingsPage->reveal(row);
}

void MainWindow::openSample(const QString &name) {
    inPool(
        this,
        [name, folders = m_bench->folders()] {
            using Answer = Result<QString>;
            const Result<std::vector<Sample>> samples = listSamples(folders.resources);
            if (!samples.hasValue())
                return Answer::error(samples.message());
            for (const Sample &sample : samples.value())
                if (sample.name == name)
                    return openSampleCopy(sample, folders.data);
            return Answer::error(QStringLiteral("There is no sample \"%1\".").arg(name));
        },
        [this](const Result<QString> &folder) {
            if (folder.hasValue())
                return openWorkspace(folder.value());
            if (!m_bench->workspace())
                showStartPage();
            sayTrouble(tr("Cannot open the sample"), folder.message());
        });
}

void MainWindow::newWorkspaceFrom(const QString &modelFile) {
    inPool(
        this,
        [modelFile, folders = m_bench->folders()] {
            // A problem that was begun before is gone on with: nothing is written twice.
            const QString parent = QFileInfo(modelFile).dir().dirName();
            const QString stem = QFileInfo(modelFile).completeBaseName();
            const QString name = stem == QLatin1String("model") ? parent : parent + QLatin1Char('-') + stem;
            const QString folder = folders.data + QStringLiteral("/workspaces/") + name;
            if (QFileInfo::exists(folder + QStringLiteral("/model.py")))
                return Result<QString>::ok(folder);
            const Result<QStringList> made = createWorkspace(folder, modelFile, folders.resources);
            return made.hasValue() ? Result<QString>::ok(folder) : Result<QString>::error(made.message());
        },
        [this](const Result<QString> &folder) {
            if (!folder.hasValue()) {
                sayTrouble(tr("No new workspace"), folder.message());
                return;
            }
            openWorkspace(folder.value());
            Notice where = newsNotice(tr("Workspace"), tr("It lies in \"%1\".").arg(folder.value()));
            where.isOfProgram = true; // it is told before that workspace is open
            m_toasts->show(where);
        });
}

void MainWindow::beginCandidate() {
    const Workspace &workspace = *m_bench->workspace();
    if (workspace.isLoneFile) // beside a lone file may lie anything
        return askWorkspaceFrom(workspace.modelFile);
    inPool(
        this,
        [folder = workspace.folder, model = workspace.modelFile, resources = m_bench->folders().resources] {
            return createWorkspace(folder, model, resources);
        },
        [this](const Result<QStringList> &made) {
            if (!made.hasValue())
                sayTrouble(tr("No candidate was written"), made.message());
            m_bench->refreshFiles();
        });
}

void MainWindow::changeSettings(const std::function<void(Settings &)> &edit) {
    Settings now = m_bench->settings();
    edit(now);
    applySettings(now);
    inPool(
        this, [file = m_bench->folders().settingsFile(), edit] { return Settings::change(file, edit); },
        [this](const Result<Settings> &changed) {
            if (!changed.hasValue())
                sayTrouble(tr("The choice could not be kept"), changed.message());
        });
}

void MainWindow::loadSettings() {
    const Settings::Loaded loaded = std::exchange(m_loaded, {});
    if (!loaded.notice.isEmpty())
        sayOfProgram(tr("The settings could not be read"), loaded.notice);
    applySettings(loaded.settings);
}

void MainWindow::applySettings(const Settings &settings) {
    const bool isOtherMachine = !m_toolchain || settings.python != m_bench->settings().python ||
                                settings.cuda != m_bench->settings().cuda;
    const bool isOtherCompiler = settings.cuda != m_bench->settings().cuda;
    m_bench->setSettings(settings);
    if (isOtherCompiler)
        m_bench->textSaved(); // the same text, and other words about it
    m_settingsPage->follow(settings);
    m_language->setSettings(settings);
    QHash<QString, QString> keys;
    for (auto key = settings.keys.cbegin(); key != settings.keys.cend(); ++key)
        keys.insert(key.key(), key.value());
    m_actions->setKeys(keys);
    m_look.setCodeFont(settings.codeFontFamily, settings.codeFontSize);
    m_candidate->setClosesBrackets(settings.closeBrackets != QLatin1String("never"));
    useTheme(m_forcedTheme);
    if (isOtherMachine) {
        delete m_probe; // what it would say is of other settings
        ToolchainProbe::Request request;
        request.settings = settings;
        request.folders = m_bench->folders();
        m_probe = new Inquiry<ToolchainProbe, Toolchain>(request, this, [this](const Toolchain &toolchain) {
            m_probe->deleteLater();
            m_toolchain = toolchain;
            m_settingsPage->setToolchain(toolchain);
            m_profile->assembly().setToolchain(toolchain);
            m_compareDesk->setToolchain(toolchain);
            m_language->setToolchain(toolchain);
            m_start->judge().setToolchain(toolchain);
            m_toasts->closeAll(tr("No Python with torch")); // what it said is of other settings
            describeDevice();
            // Without torch nothing can be checked: the way there is offered, not forced.
            // On the start page the doctor says it, and leads there too.
            if (!toolchain.python && m_pages->currentWidget() != m_start) {
                Notice notice = troubleNotice(tr("No Python with torch"), toolchain.pythonMessage);
                notice.actionName = tr("Set up");
                notice.isOfProgram = true;
                notice.action = [this] {
                    showPage(m_setupPage);
                };
                m_toasts->show(notice);
            }
        });
    }
    describeDevice();
}

void MainWindow::useTheme(const QString &name) {
    m_forcedTheme = name;
    const Settings &settings = m_bench->settings();
    const QString chosen = name.isEmpty() ? settings.theme : name;
    const bool isDark =
        chosen == QLatin1String("dark") || (chosen != QLatin1String("light") && m_systemTheme->isDark());
    m_look.set(isDark ? Theme::dark() : Theme::light(), settings.fontScale > 0 ? settings.fontScale : 1.0);
}

QString MainWindow::whyNoSweep() const {
    if (!m_toolchain)
        return tr("devices are being looked for");
    const QString asked = m_bench->settings().device;
    const Result<DeviceChoice> choice = chooseDevice(asked, *m_toolchain);
    if (!choice.hasValue())
        return tr("%1 cannot be used").arg(asked);
    if (choice.value().kind == TargetKind::Cuda)
        return {};
    return m_toolchain->devices.empty()    ? tr("it needs a GPU, and no CUDA device was found")
           : asked == QLatin1String("cpu") ? tr("it needs a GPU, and the CPU is chosen")
                                           : tr("it needs a GPU, and none can be used");
}

void MainWindow::describeDevice() {
    m_whyNoSweep = whyNoSweep();
    enableActions();
    const QString asked = m_bench->settings().device;
    if (!m_toolchain) {
        m_topBar->setDevice(tr("looking for devices"), false,
                            tr("Python, CUDA and the devices are being looked for"));
        return;
    }
    const Result<DeviceChoice> choice = chooseDevice(asked, *m_toolchain);
    if (!choice.hasValue()) {
        m_topBar->setDevice(tr("%1: not usable").arg(asked), true, choice.message());
        m_status->setMachine(choice.message());
        fillDeviceMenu();
        return;
    }
    const bool isCuda = choice.value().kind == TargetKind::Cuda;
    const QString name =
        isCuda ? QStringLiteral("%1 · %2").arg(choice.value().gpu->name, choice.value().torchName())
               : tr("CPU · no CUDA device used");
    m_topBar->setDevice(isCuda ? name : tr("CPU"), isCuda,
                        isCuda ? name
                        : m_toolchain->devices.empty()
                            ? tr("No CUDA device was found: kernels are compiled, and their CPU twins run")
                            : tr("CPU, as chosen"));
    QStringList machine;
    machine << (isCuda ? choice.value().gpu->name : processorName());
    if (m_toolchain->cuda)
        machine << tr("nvcc %1").arg(m_toolchain->cuda->version);
    if (m_toolchain->python)
        machine << tr("torch %1").arg(m_toolchain->python->torchVersion);
    else
        machine << tr("no torch");
    m_status->setMachine(machine.join(QStringLiteral(" · ")));
    fillDeviceMenu();
}

void MainWindow::fillDeviceMenu() {
    m_deviceMenu->clear();
    delete m_deviceMenu->findChild<QActionGroup *>();
    auto *one = new QActionGroup(m_deviceMenu);
    const auto add = [this, one](const QString &device, const QString &text) {
        QAction *action = one->addAction(m_deviceMenu->addAction(text));
        action->setCheckable(true);
        action->setChecked(device == m_bench->settings().device ||
                           (device == QLatin1String("auto") && m_bench->settings().device.isEmpty()));
        connect(action, &QAction::triggered, this, [this, device] { useDevice(device); });
    };
    add(QStringLiteral("auto"), tr("Automatic: the first CUDA device, else the CPU"));
    add(QStringLiteral("cpu"), tr("CPU: %1").arg(processorName()));
    for (const GpuDevice &device : m_toolchain->devices)
        add(QStringLiteral("cuda:%1").arg(device.index),
            QStringLiteral("cuda:%1: %2").arg(device.index).arg(device.name));
    if (m_toolchain->devices.empty())
        m_deviceMenu
            ->addAction(m_toolchain->devicesMessage.isEmpty() ? tr("No CUDA device was found")
                                                              : m_toolchain->devicesMessage)
            ->setEnabled(false);
}

void MainWindow::useDevice(const QString &device) {
    changeSettings([device](Settings &settings) { settings.device = device; });
}

void MainWindow::changeScale(int steps) {
    const double scale = steps == 0 ? 1.0 : steppedTextScale(m_look.scale(), steps);
    changeSettings([scale](Settings &settings) { settings.fontScale = scale; });
}

void MainWindow::openByDialog() {
    askForFile(this, {FileQuestion::Of::Folder, tr("Open a workspace: a folder with model.py")},
               [this](const QString &folder) { openWorkspace(folder); });
}

} // namespace warpwright
