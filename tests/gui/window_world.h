// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/agent/agent_panel.h"
#include "app/ide/shell/main_window.h"
#include "tests/cli/cli_world.h"

#include <memory>

namespace warpwright {
class CodeEditor;
class VerdictBanner;
} // namespace warpwright

/// Of a file; empty: there is none.
[[nodiscard]] QByteArray bytesOf(const QString &path);

/// What the style of the tests' application draws with.
[[nodiscard]] warpwright::Look &styleLook();

/// A window on a copy of a workspace of tests/data, with data, settings and cache folders of its own.
class WindowWorld {
public:
    /// `judge`: what FAKE_JUDGE is told; "real": the real one.
    explicit WindowWorld(const QString &workspace = QStringLiteral("base"),
                         const QString &judge = QStringLiteral("times=100,220,150"));
    ~WindowWorld();

    /// A new window on the same workspace; the old one is closed as by a person.
    void reopen();
    /// Waits until the workspace's files are in the editors; what goes on in another is stopped.
    bool open(const QString &folder);
    void tell(const QString &judge);
    /// "dark", "light"; the style's look as well, which the program has only one of.
    void useTheme(const QString &name) const;

    /// Presses F5 and waits for the verdict and for the panes to show it.
    bool check(int timeoutMs = 60000);
    [[nodiscard]] QString word() const; ///< of the banner
    [[nodiscard]] warpwright::CodeEditor *
    editor(const QString &file) const; ///< "kernels/gate.cpp"; its tab is opened
    [[nodiscard]] warpwright::VerdictBanner *banner() const;
    /// A past run is shown in parts of the same names: the agent's are looked for first.
    template <typename T>
    [[nodiscard]] T *find(const char *name) const {
        const auto *agent = window->findChild<warpwright::AgentPanel *>();
        T *found = agent == nullptr ? nullptr : agent->findChild<T *>(QString::fromLatin1(name));
        return found != nullptr ? found : window->findChild<T *>(QString::fromLatin1(name));
    }
    /// Saves, and waits until that file holds this text.
    [[nodiscard]] bool saves(const QString &file, const QString &text);
    void press(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
    /// The words of all toasts that are in sight.
    [[nodiscard]] QString toasts() const;

    CliWorld cli;
    QString folder;
    std::unique_ptr<warpwright::MainWindow> window;
};
