// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/window_settings.h"

#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/layout/settings_watch.h"
#include "app/ide/layout/text_scales.h"
#include "app/ide/settings/agents_table.h"
#include "app/ide/settings/models_table.h"
#include "app/ide/settings/settings_page.h"
#include "app/ide/settings/setup_page.h"
#include "app/ide/shell/device_display.h"
#include "app/ide/shell/system_theme.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/shell/window_pages.h"
#include "app/ide/workbench/job.h"
#include "app/ide/workbench/workbench.h"
#include "widgets/look/look.h"

#include <QAction>
#include <QHash>
#include <QStackedWidget>

#include <utility>

namespace warpwright {

WindowSettings::WindowSettings(const Parts &parts, Settings::Loaded loaded, QObject *parent)
    : QObject(parent), m_parts(parts), m_loaded(std::move(loaded)), m_systemTheme(new SystemTheme(this)) {
    connectOffers();
    connectPages();
    connect(m_systemTheme, &SystemTheme::changed, this, [this] { useTheme(m_forcedTheme); });
    connectActions();
}

void WindowSettings::connectPages() {
    SettingsPage *page = &m_parts.settingsPage;
    connect(page, &SettingsPage::changed, this, &WindowSettings::apply);
    connect(page, &SettingsPage::closed, &m_parts.pages, &WindowPages::backToWork);
    connect(page, &SettingsPage::noticed, this, [this](const Notice &notice) {
        m_parts.notices.takeBack(notice.title);
        m_parts.notices.tell(notice);
    });
    connect(&m_parts.notices, &WindowNotices::settingsAsked, this, &WindowSettings::showPage);
    connect(&m_parts.setupPage, &SetupPage::closed, &m_parts.pages, &WindowPages::backToWork);
    connect(&m_parts.setupPage, &SetupPage::ready, this, [this](const QString &python) {
        Settings settings = m_parts.bench.settings();
        settings.python = python;
        m_parts.device.forget(); // it is another one now
        apply(settings);
        m_parts.pages.backToWork();
    });
    connect(&m_parts.device, &DeviceDisplay::pythonMissed, this, &WindowSettings::offerSetup);
    connect(&m_parts.device, &DeviceDisplay::deviceChosen, this, [this](const QString &device) {
        change([device](Settings &settings) { settings.device = device; });
    });
}

// Without torch nothing can be checked: the way there is offered, not forced.
void WindowSettings::offerSetup(const QString &why) {
    if (m_parts.pages.isOnStart()) // the doctor says it there, and leads there too
        return;
    Notice notice = troubleNotice(DeviceDisplay::tr("No Python with torch"), why);
    notice.actionName = DeviceDisplay::tr("Set up");
    notice.isOfProgram = true;
    notice.action = [this] {
        m_parts.pages.show(&m_parts.setupPage);
    };
    m_parts.notices.tell(notice);
}

void WindowSettings::connectActions() {
    const Actions &a = m_parts.actions;
    const auto on = [this](QAction *action, auto what) {
        connect(action, &QAction::triggered, this, what);
    };
    on(a.settings, [this] { showPage(); });
    on(a.findChild<QAction *>(QStringLiteral("keyboardShortcuts")), [this] { showPage(tr("Keys")); });
    on(a.setUp, [this] { m_parts.pages.show(&m_parts.setupPage); });
    on(a.setUpModel, [this] {
        showPage(tr("Models"));
        m_parts.settingsPage.models().offerNew();
    });
    on(a.setUpAgent, [this] {
        showPage(tr("Agents"));
        m_parts.settingsPage.agents().offerNew();
    });
    const auto theme = [this](const char *name) {
        return [this, name] {
            m_forcedTheme.clear();
            change([name](Settings &settings) { settings.theme = QLatin1String(name); });
        };
    };
    on(a.themeLight, theme("light"));
    on(a.themeDark, theme("dark"));
    on(a.themeSystem, theme("system"));
    on(a.larger, [this] { changeScale(1); });
    on(a.smaller, [this] { changeScale(-1); });
    on(a.normalSize, [this] { changeScale(0); });
}

void WindowSettings::watchFile() {
    auto *watch = new SettingsWatch(m_parts.bench.folders().settingsFile(), this);
    connect(watch, &SettingsWatch::changed, this, [this](const Settings &settings) {
        m_parts.notices.takeBack(tr("The edited settings cannot be used"));
        if (settings != m_parts.bench.settings())
            apply(settings);
    });
    connect(watch, &SettingsWatch::failed, this, [this](const QString &why) {
        m_parts.notices.takeBack(tr("The edited settings cannot be used"));
        m_parts.notices.sayOfProgram(tr("The edited settings cannot be used"), why);
    });
}

// Which models and which agents of other programs a run can begin with.
void WindowSettings::connectOffers() {
    const ModelsTable &models = m_parts.settingsPage.models();
    connect(&models, &ModelsTable::changed, this, [this, &models] {
        QStringList names;
        for (const ModelProfile &profile : models.profiles())
            names << profile.name;
        m_parts.actions.setModels(names);
    });
    const AgentsTable &agents = m_parts.settingsPage.agents();
    connect(&agents, &AgentsTable::changed, this,
            [this, &agents] { m_parts.actions.setAgents(agents.offered()); });
    readOffers();
}

void WindowSettings::readOffers() {
    m_parts.settingsPage.models().read();
    m_parts.settingsPage.agents().read();
}

void WindowSettings::showPage(const QString &row) {
    m_parts.settingsPage.setSettings(m_parts.bench.settings());
    readOffers();
    if (m_parts.device.toolchain())
        m_parts.settingsPage.setToolchain(*m_parts.device.toolchain());
    m_parts.pages.show(&m_parts.settingsPage);
    if (!row.isEmpty())
        m_parts.settingsPage.reveal(row);
}

void WindowSettings::change(const std::function<void(Settings &)> &edit) {
    Settings now = m_parts.bench.settings();
    edit(now);
    apply(now);
    inPool(
        this, [file = m_parts.bench.folders().settingsFile(), edit] { return Settings::change(file, edit); },
        [this](const Result<Settings> &changed) {
            if (!changed.hasValue())
                m_parts.notices.sayTrouble(tr("The choice could not be kept"), changed.message());
        });
}

void WindowSettings::load() {
    const Settings::Loaded loaded = std::exchange(m_loaded, {});
    if (!loaded.notice.isEmpty())
        m_parts.notices.sayOfProgram(tr("The settings could not be read"), loaded.notice);
    apply(loaded.settings);
}

void WindowSettings::apply(const Settings &settings) {
    const bool isOtherMachine = !m_parts.device.toolchain() ||
                                settings.python != m_parts.bench.settings().python ||
                                settings.cuda != m_parts.bench.settings().cuda;
    const bool isOtherCompiler = settings.cuda != m_parts.bench.settings().cuda;
    m_parts.bench.setSettings(settings);
    if (isOtherCompiler)
        m_parts.bench.textSaved(); // the same text, and other words about it
    m_parts.settingsPage.follow(settings);
    emit applied(settings);
    QHash<QString, QString> keys;
    for (auto key = settings.keys.cbegin(); key != settings.keys.cend(); ++key)
        keys.insert(key.key(), key.value());
    m_parts.actions.setKeys(keys);
    m_parts.look.setCodeFont(settings.codeFontFamily, settings.codeFontSize);
    useTheme(m_forcedTheme);
    if (isOtherMachine)
        m_parts.device.probe(settings);
    m_parts.device.describe();
}

void WindowSettings::useTheme(const QString &name) {
    m_forcedTheme = name;
    const Settings &settings = m_parts.bench.settings();
    const QString chosen = name.isEmpty() ? settings.theme : name;
    const bool isDark =
        chosen == QLatin1String("dark") || (chosen != QLatin1String("light") && m_systemTheme->isDark());
    m_parts.look.set(isDark ? Theme::dark() : Theme::light(),
                     settings.fontScale > 0 ? settings.fontScale : 1.0);
}

void WindowSettings::changeScale(int steps) {
    const double scale = steps == 0 ? 1.0 : steppedTextScale(m_parts.look.scale(), steps);
    change([scale](Settings &settings) { settings.fontScale = scale; });
}

} // namespace warpwright
