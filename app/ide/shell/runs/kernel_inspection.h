// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

class AssemblyPage;
class BuildPanel;
class Workbench;

/// What the compiler made of the kernels, told where failures and builds are shown: which lines store, launch
/// bounds.
class KernelInspection : public QObject {
    Q_OBJECT
public:
    struct Parts {
        AssemblyPage &assembly;
        const Workbench &bench;
        BuildPanel &build;
    };
    KernelInspection(const Parts &parts, QObject *parent);

private:
    const Parts m_parts;
};

} // namespace warpwright
