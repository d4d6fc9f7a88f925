// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows besides the four panes: start, settings, comparison; and what it knows of machine and
// theme.
#include "app/ide/actions.h"
#include "app/ide/candidate_panel.h"
#include "app/ide/main_window.h"
#include "app/ide/status_line.h"
#include "app/ide/top_bar.h"
#include "toolchain/device_choice.h"
#include "widgets/toasts.h"

#include <QActionGroup>
#include <QFileDialog>
#include <QMenu>
#include <QStackedWidget>

namespace warpwright {

void MainWindow::showPage(QWidget *page) {
    if (m_pages->indexOf(page) < 0)
        m_pages->addWidget(page);
    m_pages->setCurrentWidget(page);
    page->setFocus();
}

void MainWindow::loadSettings() {
    const Settings::Loaded loaded = Settings::loadOrDefaults(m_bench->folders().settingsFile());
    if (!loaded.notice.isEmpty())
        m_toasts->show({QStringLiteral("build-failed"),
                        QStringLiteral("verdict.buildFailed"),
                        tr("The settings could not be read"),
                        loaded.notice,
                        {},
                        {},
                        true,
                        {}});
    applySettings(loaded.settings);
}

void MainWindow::applySettings(const Settings &settings) {
    const bool isOtherMachine = !m_toolchain || settings.python != m_bench->settings().python ||
                                settings.cuda != m_bench->settings().cuda;
    m_bench->setSettings(settings);
    QHash<QString, QString> keys;
    for (auto key = settings.keys.cbegin(); key != settings.keys.cend(); ++key)
        keys.insert(key.key(), key.value());
    m_actions->setKeys(keys);
    m_look.setCodeFont(settings.codeFontFamily, settings.codeFontSize);
    useTheme(m_forcedTheme);
    if (isOtherMachine) {
        auto *probe = new ToolchainProbe(
            {{}, settings, m_bench->folders(), QProcessEnvironment::systemEnvironment(), false}, this);
        connect(probe, &ToolchainProbe::finished, this, [this, probe](const Toolchain &toolchain) {
            probe->deleteLater();
            m_toolchain = toolchain;
            describeDevice();
        });
        probe->start();
    }
    describeDevice();
}

void MainWindow::useTheme(const QString &name) {
    m_forcedTheme = name;
    const Settings &settings = m_bench->settings();
    const QString chosen = name.isEmpty() ? settings.theme : name;
    const bool isDark =
        chosen == QLatin1String("dark") || (chosen != QLatin1String("light") && m_systemIsDark);
    m_look.set(isDark ? Theme::dark() : Theme::light(), settings.fontScale > 0 ? settings.fontScale : 1.0);
}

void MainWindow::describeDevice() {
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
    const auto add = [this](const QString &device, const QString &text) {
        QAction *action = m_deviceMenu->addAction(text);
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
    inPool(
        this,
        [file = m_bench->folders().settingsFile(), device] {
            return Settings::change(file, [&device](Settings &settings) { settings.device = device; });
        },
        [this, device](const Result<Settings> &changed) {
            Settings settings = m_bench->settings();
            settings.device = device;
            applySettings(changed.hasValue() ? changed.value() : settings);
            if (!changed.hasValue())
                m_toasts->show({QStringLiteral("build-failed"),
                                QStringLiteral("verdict.buildFailed"),
                                tr("The choice of the device could not be kept"),
                                changed.message(),
                                {},
                                {},
                                true,
                                {}});
        });
}

void MainWindow::changeScale(int steps) {
    const double scale = steps == 0 ? 1.0 : m_look.scale() + 0.1 * steps;
    m_look.set(m_look.theme(), scale);
    Settings settings = m_bench->settings();
    settings.fontScale = m_look.scale();
    m_bench->setSettings(settings);
    inPool(
        this,
        [file = m_bench->folders().settingsFile(), now = m_look.scale()] {
            return Settings::change(file, [now](Settings &changed) { changed.fontScale = now; });
        },
        [](const Result<Settings> &) {});
}

void MainWindow::openByDialog() {
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("Open a workspace: a folder with model.py"));
    if (!folder.isEmpty())
        openWorkspace(folder);
}

} // namespace warpwright

namespace warpwright {

void MainWindow::showStartPage() {
}

void MainWindow::showSettings(const QString &) {
}

} // namespace warpwright
