// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/device_display.h"

#include "app/ide/layout/status_line.h"
#include "app/ide/layout/top_bar.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/workbench/workbench.h"
#include "toolchain/compile/device_choice.h"
#include "toolchain/environment/inquiry.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <QStackedWidget>

namespace warpwright {

DeviceDisplay::DeviceDisplay(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {}

void DeviceDisplay::probe(const Settings &settings) {
    delete m_probe; // what it would say is of other settings
    ToolchainProbe::Request request;
    request.settings = settings;
    request.folders = m_parts.bench.folders();
    m_probe = new Inquiry<ToolchainProbe, Toolchain>(request, this, [this](const Toolchain &toolchain) {
        m_probe->deleteLater();
        take(toolchain);
    });
}

void DeviceDisplay::take(const Toolchain &toolchain) {
    m_toolchain = toolchain;
    emit found(toolchain);
    m_parts.notices.takeBack(tr("No Python with torch")); // what it said is of other settings
    describe();
    if (!toolchain.python)
        emit pythonMissed(toolchain.pythonMessage);
}

QString DeviceDisplay::reasonNow() const {
    if (!m_toolchain)
        return tr("devices are being looked for");
    const QString asked = m_parts.bench.settings().device;
    const Result<DeviceChoice> choice = chooseDevice(asked, *m_toolchain);
    if (!choice.hasValue())
        return tr("%1 cannot be used").arg(asked);
    if (choice.value().kind == TargetKind::Cuda)
        return {};
    return m_toolchain->devices.empty()    ? tr("it needs a GPU, and no CUDA device was found")
           : asked == QLatin1String("cpu") ? tr("it needs a GPU, and the CPU is chosen")
                                           : tr("it needs a GPU, and none can be used");
}

void DeviceDisplay::describe() {
    m_whyNoSweep = reasonNow();
    emit described();
    const QString asked = m_parts.bench.settings().device;
    if (!m_toolchain) {
        m_parts.topBar.setDevice(tr("looking for devices"), false,
                                 tr("Python, CUDA and the devices are being looked for"));
        return;
    }
    const Result<DeviceChoice> choice = chooseDevice(asked, *m_toolchain);
    if (!choice.hasValue()) {
        m_parts.topBar.setDevice(tr("%1: not usable").arg(asked), true, choice.message());
        m_parts.status.setMachine(choice.message());
        fillMenu();
        return;
    }
    const bool isCuda = choice.value().kind == TargetKind::Cuda;
    const QString name =
        isCuda ? QStringLiteral("%1 · %2").arg(choice.value().gpu->name, choice.value().torchName())
               : tr("CPU · no CUDA device used");
    m_parts.topBar.setDevice(
        isCuda ? name : tr("CPU"), isCuda,
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
    m_parts.status.setMachine(machine.join(QStringLiteral(" · ")));
    fillMenu();
}

void DeviceDisplay::fillMenu() {
    m_parts.deviceMenu.clear();
    delete m_parts.deviceMenu.findChild<QActionGroup *>();
    auto *one = new QActionGroup(&m_parts.deviceMenu);
    const auto add = [this, one](const QString &device, const QString &text) {
        QAction *action = one->addAction(m_parts.deviceMenu.addAction(text));
        action->setCheckable(true);
        action->setChecked(device == m_parts.bench.settings().device ||
                           (device == QLatin1String("auto") && m_parts.bench.settings().device.isEmpty()));
        connect(action, &QAction::triggered, this, [this, device] { emit deviceChosen(device); });
    };
    add(QStringLiteral("auto"), tr("Automatic: the first CUDA device, else the CPU"));
    add(QStringLiteral("cpu"), tr("CPU: %1").arg(processorName()));
    for (const GpuDevice &device : m_toolchain->devices)
        add(QStringLiteral("cuda:%1").arg(device.index),
            QStringLiteral("cuda:%1: %2").arg(device.index).arg(device.name));
    if (m_toolchain->devices.empty())
        m_parts.deviceMenu
            .addAction(m_toolchain->devicesMessage.isEmpty() ? tr("No CUDA device was found")
                                                             : m_toolchain->devicesMessage)
            ->setEnabled(false);
}

} // namespace warpwright
