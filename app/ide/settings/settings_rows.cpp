// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of the settings page: which there are, and how each goes between its field and the settings.
#include "app/ide/kit/card.h"
#include "app/ide/kit/key_table.h"
#include "app/ide/layout/text_scales.h"
#include "app/ide/settings/setting_row.h"
#include "app/ide/settings/settings_page.h"
#include "toolchain/base/precision_names.h"
#include "toolchain/base/task_settings.h"
#include "widgets/frame/action_button.h"
#include "widgets/frame/file_dialogs.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLineEdit>

#include <cmath>

namespace warpwright {
namespace {

QString pointUnit() {
    return QStringLiteral("\u00a0pt");
}

QString percentUnit() {
    return QStringLiteral("\u00a0%");
}

// Numbers to choose from; `none`: what the empty word means, first.
std::vector<std::pair<QString, QString>> numbers(const std::vector<int> &values, const QString &none,
                                                 const QString &unit) {
    std::vector<std::pair<QString, QString>> choices;
    if (!none.isEmpty())
        choices.emplace_back(QString(), none);
    for (const int value : values)
        choices.emplace_back(QString::number(value), QString::number(value) + unit);
    return choices;
}

QString wordOf(int value) {
    return value > 0 ? QString::number(value) : QString();
}

} // namespace

void SettingsPage::addGroup(const QString &name, const QString &remark) {
    if (!m_groups.empty())
        m_column->addSpacing(m_look.px(14));
    Group group{new CardHead(m_look, name, remark, m_content), new Card(m_look, m_content), {}};
    group.head->setObjectName(name);
    m_column->addWidget(group.head);
    m_column->addWidget(group.card);
    m_groups.push_back(std::move(group));
}

SettingRow *SettingsPage::addRow(const QString &name, const QString &purpose, QWidget *field) {
    Group &group = m_groups.back();
    auto *row = new SettingRow(m_look, name, purpose, field, group.card);
    row->setObjectName(QStringLiteral("setting-") + name);
    group.card->add(row);
    group.rows.push_back(row);
    return row;
}

QLineEdit *SettingsPage::addText(const QString &name, const QString &purpose, const QString &placeholder,
                                 const std::function<void(Settings &, const QString &)> &set) {
    auto *field = new QLineEdit;
    field->setPlaceholderText(placeholder);
    field->setToolTip(placeholder); // it may be longer than the field
    field->setTextMargins(m_look.px(4), 0, m_look.px(4), 0);
    SettingRow *row = addRow(name, purpose, field);
    connect(field, &QLineEdit::editingFinished, this, [this, row, set] { change(row, set); });
    return field;
}

QComboBox *SettingsPage::addChoice(const QString &name, const QString &purpose,
                                   const std::vector<std::pair<QString, QString>> &choices,
                                   const std::function<void(Settings &, const QString &)> &set) {
    auto *field = new QComboBox;
    field->setFocusPolicy(Qt::StrongFocus);
    field->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    for (const auto &[word, text] : choices)
        field->addItem(text, word);
    SettingRow *row = addRow(name, purpose, field);
    field->setToolTip(field->currentText());
    connect(field, &QComboBox::currentTextChanged, field, &QWidget::setToolTip);
    connect(field, &QComboBox::currentIndexChanged, this, [this, row, set] { change(row, set); });
    return field;
}

void SettingsPage::addBrowse(SettingRow *row, QLineEdit *field, bool isFolder) {
    auto *browse = new ActionButton(m_look, ActionButton::Kind::Plain, row);
    browse->setIconName(isFolder ? QStringLiteral("folder") : QStringLiteral("file"));
    browse->setToolTip(isFolder ? tr("Choose a folder") : tr("Choose a file"));
    browse->setAccessibleName(tr("%1 for %2").arg(browse->toolTip(), row->name()));
    row->addBeside(browse);
    connect(browse, &QAbstractButton::clicked, this, [this, field, isFolder] {
        const FileQuestion question =
            isFolder ? FileQuestion{FileQuestion::Of::Folder, tr("The folder of a CUDA toolkit")}
                     : FileQuestion{FileQuestion::Of::File, tr("A Python interpreter with torch")};
        askForFile(this, question, [field = QPointer(field)](const QString &path) {
            if (!field)
                return;
            field->setText(path);
            emit field->editingFinished();
        });
    });
}

void SettingsPage::buildToolchain() {
    addGroup(tr("Toolchain"), tr("empty fields are found automatically"));
    m_python = addText(tr("Python"), tr("The interpreter whose torch is used"),
                       tr("our own environment, else python3"),
                       [](Settings &settings, const QString &text) { settings.python = text; });
    addBrowse(row(tr("Python")), m_python, false);
    addTest(row(tr("Python")), ToolKind::Python);
    m_cuda = addText(tr("CUDA"), tr("The folder of a toolkit: holds bin/nvcc"),
                     tr("CUDA_HOME, PATH, /usr/local/cuda, torch's wheels"),
                     [](Settings &settings, const QString &text) { settings.cuda = text; });
    addBrowse(row(tr("CUDA")), m_cuda, true);
    addTest(row(tr("CUDA")), ToolKind::Cuda);
    m_device = addChoice(
        tr("Device"), tr("What kernels are measured on"),
        {{QString(), tr("Automatic: CUDA, else the CPU")}, {QStringLiteral("cpu"), tr("cpu: the CPU twins")}},
        [](Settings &settings, const QString &word) { settings.device = word; });
    addTest(row(tr("Device")), ToolKind::Device);
    m_architecture = addText(tr("Architecture"), tr("Compiled for where there is no device"),
                             QStringLiteral("sm_90a"), [](Settings &settings, const QString &text) {
                                 if (isArchitecture(text))
                                     settings.architecture = text;
                             });
    connect(m_architecture, &QLineEdit::editingFinished, this, [this] {
        const QString text = m_architecture->text().trimmed();
        Settings asked;
        asked.architecture = text;
        row(tr("Architecture"))
            ->say(isArchitecture(text) ? ToolFinding{} : toolFinding(ToolKind::Architecture, {}, asked));
    });
    addTest(row(tr("Architecture")), ToolKind::Architecture);
    m_nvccFlags =
        addText(tr("Flags for nvcc"), tr("After ours; a workspace's task.json goes before these"),
                QStringLiteral("--use_fast_math -lineinfo"),
                [](Settings &settings, const QString &text) { settings.nvccFlags = flagsFrom(text); });
    m_cxxFlags =
        addText(tr("Flags for g++"), tr("For bindings and CPU twins"), QStringLiteral("-march=native"),
                [](Settings &settings, const QString &text) { settings.cxxFlags = flagsFrom(text); });
    m_jobs = addChoice(tr("Jobs"), tr("Compilers at a time"),
                       numbers({1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64}, tr("As cores and memory allow"), {}),
                       [](Settings &settings, const QString &count) { settings.maxJobs = count.toInt(); });
    m_compileOn = addChoice(tr("Compile"), tr("While you write: diagnostics and resources without a check"),
                            {{QString(), tr("On save")},
                             {QStringLiteral("idle"), tr("When you pause: saves, and compiles")},
                             {QStringLiteral("never"), tr("With a check only")}},
                            [](Settings &settings, const QString &word) { settings.compileOn = word; });
}

void SettingsPage::buildEvaluation() {
    addGroup(tr("Evaluation"), tr("for workspaces whose task.json says nothing else"));
    auto *box = new QWidget;
    auto *line = new QHBoxLayout(box);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(m_look.px(16));
    for (const QString &name : precisionNames()) {
        auto *check = new QCheckBox(name, box);
        check->setObjectName(QStringLiteral("precision-") + name);
        line->addWidget(check);
        m_precisions.push_back(check);
        connect(check, &QCheckBox::toggled, this, [this] {
            QStringList allow;
            for (const QCheckBox *one : m_precisions)
                if (one->isChecked())
                    allow << one->text();
            row(tr("Precision"))
                ->say(allow.isEmpty() ? ToolFinding{true, tr("nothing chosen: FP32 and TF32, as it comes")}
                                      : ToolFinding{});
            change(row(tr("Precision")), [](Settings &settings, const QString &names) {
                const QStringList chosen = names.split(QLatin1Char(' '), Qt::SkipEmptyParts);
                settings.allow = chosen == TaskSettings().allow ? QStringList() : chosen;
            });
        });
    }
    line->addStretch(1);
    addRow(tr("Precision"), tr("What a candidate may compute in; its class is measured, never believed"),
           box);
    m_tier = addChoice(tr("Tier"), tr("How thoroughly Check measures"),
                       {{QString(), tr("Quick: one live baseline, the others as stored")},
                        {tierName(Tier::Certify), tr("Certify: all baselines live")}},
                       [](Settings &settings, const QString &word) { settings.tier = tierFromName(word); });
}

void SettingsPage::buildEditor() {
    addGroup(tr("Editor"), {});
    std::vector<std::pair<QString, QString>> fonts{{QString(), tr("Warpwright Mono")}};
    for (const QString &family : QFontDatabase::families(QFontDatabase::Latin))
        if (QFontDatabase::isFixedPitch(family) && !family.startsWith(QLatin1String("Warpwright")))
            fonts.emplace_back(family, family);
    m_font = addChoice(tr("Font"), tr("Of code and logs: fonts of one width"), fonts,
                       [](Settings &settings, const QString &family) { settings.codeFontFamily = family; });
    m_fontSize =
        addChoice(tr("Size"), tr("Of code; logs follow"),
                  numbers({8, 9, 10, 11, 12, 13, 14, 16, 18, 20, 24}, tr("As the theme has it"), pointUnit()),
                  [](Settings &settings, const QString &points) { settings.codeFontSize = points.toInt(); });
    m_languageServer =
        addChoice(tr("Language server"), tr("clangd and one for Python: completion, documentation, symbols"),
                  {{QString(), tr("On")}, {QStringLiteral("off"), tr("Off")}},
                  [](Settings &settings, const QString &word) { settings.languageServer = word; });
    m_formatOnSave = addChoice(tr("Format on save"),
                               tr("Changed files, by a .clang-format; without one they stay as they are"),
                               {{QString(), tr("Off")}, {QStringLiteral("on"), tr("On")}},
                               [](Settings &settings, const QString &word) { settings.formatOnSave = word; });
    m_closeBrackets = addChoice(
        tr("Closing brackets"), tr("Brackets and quotes, where the context allows it"),
        {{QString(), tr("Written with the opening one")}, {QStringLiteral("never"), tr("As typed")}},
        [](Settings &settings, const QString &word) { settings.closeBrackets = word; });
}

void SettingsPage::setLanguageServers(const ToolFinding &finding) {
    row(tr("Language server"))->remark(finding);
}

void SettingsPage::buildAppearance() {
    addGroup(tr("Appearance"), {});
    m_theme = addChoice(tr("Theme"), tr("Follows the desktop while it changes"),
                        {{QString(), tr("As the desktop has it")},
                         {QStringLiteral("light"), tr("Light")},
                         {QStringLiteral("dark"), tr("Dark")}},
                        [](Settings &settings, const QString &word) { settings.theme = word; });
    m_scale =
        addChoice(tr("Scale"), tr("Text size and zoom, of all texts and controls"),
                  numbers(textScales(), {}, percentUnit()), [](Settings &settings, const QString &percent) {
                      const int value = percent.toInt();
                      settings.fontScale = value == 100 ? 0 : value / 100.0;
                  });
}

SettingsPage::Value SettingsPage::valueOf(const SettingRow *row) const {
    if (const auto *box = qobject_cast<const QComboBox *>(row->field()))
        return {box->currentData().toString(), box->currentText()};
    if (const auto *line = qobject_cast<const QLineEdit *>(row->field())) {
        const QString text = line->text().trimmed();
        return {text, text.isEmpty() ? tr("empty") : text};
    }
    QStringList allow;
    for (const QCheckBox *one : m_precisions)
        if (one->isChecked())
            allow << one->text();
    return {allow.join(QLatin1Char(' ')),
            allow.isEmpty() ? tr("nothing chosen") : allow.join(QStringLiteral(", "))};
}

void SettingsPage::changeKeys(const QMap<QString, QString> &keys) {
    if (m_isFilling)
        return;
    const QMap<QString, QString> old = m_settings.keys;
    const auto said = [this](const QMap<QString, QString> &map, const QString &id) {
        const QString key = map.value(id, m_keys->row(id)->ownKey());
        return key.isEmpty() ? tr("no key") : key;
    };
    QStringList names, before, after, ids = old.keys() + keys.keys();
    ids.removeDuplicates();
    ids.removeIf([&](const QString &id) { // those of a newer version, too
        return m_keys->row(id) == nullptr || said(old, id) == said(keys, id);
    });
    for (const QString &id : std::as_const(ids)) {
        names << m_keys->row(id)->name();
        before << said(old, id);
        after << said(keys, id);
    }
    const auto back = [old, ids](Settings &settings) {
        for (const QString &id : ids) {
            settings.keys.remove(id);
            if (old.contains(id))
                settings.keys[id] = old[id];
        }
    };
    if (store([keys](Settings &settings) { settings.keys = keys; }))
        tell(tr("Key of %1").arg(names.join(QStringLiteral(", "))), before.join(QStringLiteral(", ")),
             after.join(QStringLiteral(", ")), back);
}

void SettingsPage::fill() {
    m_isFilling = true;
    const auto choose = [](QComboBox *box, const QString &word, const QString &unit = {}) {
        int index = box->findData(word);
        if (index < 0) { // of a newer version, or a device that is away: shown, not lost
            box->addItem(word + unit, word);
            index = box->count() - 1;
        }
        box->setCurrentIndex(index);
    };
    m_python->setText(m_settings.python);
    m_cuda->setText(m_settings.cuda);
    m_architecture->setText(m_settings.architecture);
    m_nvccFlags->setText(flagsText(m_settings.nvccFlags));
    m_cxxFlags->setText(flagsText(m_settings.cxxFlags));
    choose(m_jobs, wordOf(m_settings.maxJobs));
    choose(m_compileOn, m_settings.compileOn == QLatin1String("save") ? QString() : m_settings.compileOn);
    choose(m_languageServer,
           m_settings.languageServer == QLatin1String("on") ? QString() : m_settings.languageServer);
    choose(m_formatOnSave,
           m_settings.formatOnSave == QLatin1String("off") ? QString() : m_settings.formatOnSave);
    choose(m_device, m_settings.device == QLatin1String("auto") ? QString() : m_settings.device);
    const QStringList allow = m_settings.allow.isEmpty() ? TaskSettings().allow : m_settings.allow;
    for (QCheckBox *check : m_precisions)
        check->setChecked(allow.contains(check->text()));
    choose(m_tier, m_settings.tier == Tier::Certify ? tierName(Tier::Certify) : QString());
    choose(m_font, m_settings.codeFontFamily);
    choose(m_closeBrackets,
           m_settings.closeBrackets == QLatin1String("typing") ? QString() : m_settings.closeBrackets);
    choose(m_fontSize, wordOf(m_settings.codeFontSize), pointUnit());
    choose(m_theme, m_settings.theme == QLatin1String("system") ? QString() : m_settings.theme);
    const double scale = m_settings.fontScale > 0 ? m_settings.fontScale : 1;
    choose(m_scale, QString::number(std::lround(scale * 100)), percentUnit());
    m_keys->setKeys(m_settings.keys);
    for (const Group &group : m_groups)
        for (const SettingRow *row : group.rows)
            m_values[row] = valueOf(row);
    m_isFilling = false;
}

} // namespace warpwright
