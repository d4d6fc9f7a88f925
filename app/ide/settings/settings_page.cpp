// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/settings/settings_page.h"

#include "app/ide/kit/card.h"
#include "app/ide/kit/key_table.h"
#include "app/ide/kit/message_card.h"
#include "app/ide/kit/notices.h"
#include "app/ide/settings/agents_table.h"
#include "app/ide/settings/models_table.h"
#include "app/ide/settings/setting_row.h"
#include "app/ide/start/start_rows.h"
#include "app/ide/workbench/job.h"
#include "toolchain/environment/inquiry.h"
#include "widgets/frame/action_button.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <QScrollBar>
#include <QShortcut>
#include <QTimer>

namespace warpwright {

SettingsPage::SettingsPage(const Look &look, const DataFolders &folders, const QList<QAction *> &actions,
                           QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_folders(folders),
      m_search(new QLineEdit(this)),
      m_none(new Words(look, TextRole::Body, "text.secondary", this)),
      m_problem(new MessageCard(look, this)),
      m_content(new QWidget),
      m_column(new QVBoxLayout(m_content)) {
    setObjectName(QStringLiteral("settingsPage"));
    m_writer.setMaxThreadCount(1);
    m_search->setObjectName(QStringLiteral("settingsSearch"));
    m_search->setPlaceholderText(tr("Search settings and keys"));
    m_search->setAccessibleName(tr("Search the settings"));
    m_search->setClearButtonEnabled(true);
    m_search->setTextMargins(look.px(4), 0, look.px(4), 0);
    auto *title = new Words(look, TextRole::Title, "text.primary", this, QFont::DemiBold);
    title->setText(tr("Settings"));
    auto *file = new Words(look, TextRole::Small, "text.tertiary", this);
    file->setText(homePath(folders.settingsFile()));
    file->setToolTip(tr("Every change is stored here at once: %1").arg(folders.settingsFile()));
    file->setElides(Qt::ElideMiddle);
    auto *close = new ActionButton(look, ActionButton::Kind::Plain, this);
    close->setText(tr("Close"));
    close->setKey(QStringLiteral("Esc"));
    auto *head = new QHBoxLayout;
    head->setContentsMargins(look.px(16), look.px(10), look.px(12), look.px(10));
    head->setSpacing(look.px(12));
    head->addWidget(title);
    head->addWidget(file, 1);
    head->addWidget(m_search, 1);
    head->addWidget(close);

    m_column->setSpacing(look.px(8));
    m_problem->hide();
    m_column->addWidget(m_problem);
    m_none->hide();
    m_column->addWidget(m_none);
    buildToolchain();
    m_column->addSpacing(look.px(14));
    m_models = new ModelsTable(look, folders, m_content);
    m_column->addWidget(m_models);
    m_column->addSpacing(look.px(14));
    m_agents = new AgentsTable(look, folders, m_content);
    m_column->addWidget(m_agents);
    buildEvaluation();
    buildEditor();
    buildAppearance();
    m_column->addSpacing(look.px(14));
    m_keys = new KeyTable(look, actions, m_content);
    m_column->addWidget(m_keys);
    m_column->addStretch(1);
    m_scroll = new ScrollPage(look, m_content, this);
    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->setSpacing(0);
    whole->addLayout(head);
    whole->addWidget(m_scroll, 1);
    setFocusProxy(m_search);

    connect(m_keys, &KeyTable::changed, this, &SettingsPage::changeKeys);
    for (const ProfilesTable *table : std::initializer_list<ProfilesTable *>{m_models, m_agents}) {
        connect(table, &ProfilesTable::noticed, this, &SettingsPage::noticed);
        connect(table, &ProfilesTable::shownAt, this, [this](QWidget *place) {
            // Heights are known only once the page has been laid out.
            QTimer::singleShot(0, place, [this, place] { m_scroll->ensureWidgetVisible(place, 0, 24); });
        });
    }
    connect(m_search, &QLineEdit::textChanged, this, &SettingsPage::filter);
    connect(close, &QAbstractButton::clicked, this, &SettingsPage::closed);
    auto *escape = new QShortcut(Qt::Key_Escape, this);
    escape->setContext(Qt::WidgetWithChildrenShortcut);
    connect(escape, &QShortcut::activated, this, &SettingsPage::goBack);
    fill();
}

// Escape: what is in hand closes first.
void SettingsPage::goBack() {
    for (ProfilesTable *table : std::initializer_list<ProfilesTable *>{m_models, m_agents})
        if (table->leaveForm())
            return;
    if (m_search->text().isEmpty())
        emit closed();
    else
        m_search->clear();
}

SettingsPage::~SettingsPage() {
    m_writer.waitForDone(); // what was chosen last is stored, too
}

void SettingsPage::change(SettingRow *row, const std::function<void(Settings &, const QString &)> &set) {
    if (m_isFilling)
        return;
    const auto to = [&set](const QString &word) {
        return [set, word](Settings &settings) {
            set(settings, word);
        };
    };
    const Value before = m_values.value(row);
    const Value after = m_values[row] = valueOf(row);
    if (store(to(after.word)))
        tell(row->name(), before.text, after.text, to(before.word));
}

void SettingsPage::tell(const QString &name, const QString &before, const QString &after, const Edit &back) {
    const bool isSameNotice =
        m_told.name == name && m_told.since.isValid() && !m_told.since.hasExpired(Toasts::shownForMs);
    if (!isSameNotice) {
        m_told.name = name;
        m_told.before = before;
        m_told.back = back;
    }
    m_told.since.start();
    Notice notice = newsNotice(tr("%1 changed").arg(name), {});
    if (m_told.before == after) {
        notice.text = tr("«%1» again, as before.").arg(after);
        m_told.name.clear();
        emit noticed(notice);
        return;
    }
    notice.text = tr("Was «%1», is «%2» now.").arg(m_told.before, after);
    notice.actionName = tr("Undo");
    notice.action = [page = QPointer<SettingsPage>(this), name, was = m_told.before, edit = m_told.back] {
        if (!page || !page->store(edit))
            return;
        page->fill();
        page->m_told.name.clear();
        emit page->noticed(newsNotice(tr("%1 changed").arg(name), tr("«%1» again, as before.").arg(was)));
    };
    emit noticed(notice);
}

bool SettingsPage::store(const Edit &edit) {
    Settings after = m_settings;
    edit(after);
    if (after == m_settings)
        return false;
    m_settings = after;
    emit changed(m_settings);
    const QPointer<SettingsPage> page(this);
    m_writer.start([page, edit, file = m_folders.settingsFile()] {
        const Result<Settings> result = Settings::change(file, edit);
        QMetaObject::invokeMethod(
            qApp,
            [page, result] {
                if (!page)
                    return;
                page->m_problem->setVisible(!result.hasValue());
                if (!result.hasValue())
                    page->m_problem->say(
                        QStringLiteral("build-failed"), "verdict.buildFailed", "verdictBg.buildFailed",
                        tr("The change holds for this window, and could not be stored"), result.message());
                emit page->stored();
            },
            Qt::QueuedConnection);
    });
    return true;
}

void SettingsPage::setSettings(const Settings &settings) {
    m_settings = settings;
    fill();
}

void SettingsPage::setToolchain(const Toolchain &toolchain) {
    for (const auto &[name, kind] :
         {std::pair{tr("Python"), ToolKind::Python}, std::pair{tr("CUDA"), ToolKind::Cuda},
          std::pair{tr("Device"), ToolKind::Device}, std::pair{tr("Architecture"), ToolKind::Architecture}}) {
        SettingRow *row = this->row(name);
        if (!m_tests.value(row))
            row->say(toolFinding(kind, toolchain, m_settings));
    }
    m_isFilling = true;
    for (const GpuDevice &device : toolchain.devices) {
        const QString word = QStringLiteral("cuda:%1").arg(device.index);
        const QString text = QStringLiteral("%1: %2").arg(word, device.name);
        if (const int index = m_device->findData(word); index >= 0)
            m_device->setItemText(index, text);
        else
            m_device->addItem(text, word);
    }
    m_isFilling = false;
}

void SettingsPage::addTest(SettingRow *row, ToolKind kind) {
    connect(row->addTest(), &QAbstractButton::clicked, this, [this, row, kind] { runTest(row, kind); });
}

void SettingsPage::runTest(SettingRow *row, ToolKind kind) {
    const auto end = [this, row] {
        if (const QPointer<QObject> inquiry = m_tests.take(row))
            inquiry->deleteLater();
        row->setTesting(false);
    };
    if (m_tests.value(row)) {
        delete m_tests.value(row);
        end();
        row->say({});
        return;
    }
    if (auto *field = qobject_cast<QLineEdit *>(row->field()))
        emit field->editingFinished(); // what stands there is what is tested
    ToolchainProbe::Request request;
    request.settings = m_settings;
    request.folders = m_folders;
    request.importsTorch = kind == ToolKind::Python;
    row->setTesting(true);
    m_tests.insert(row, new Inquiry<ToolchainProbe, Toolchain>(
                            std::move(request), this, [this, row, kind, end](const Toolchain &toolchain) {
                                end();
                                row->say(toolFinding(kind, toolchain, m_settings));
                            }));
}

SettingRow *SettingsPage::row(const QString &name) const {
    for (const Group &group : m_groups)
        for (SettingRow *row : group.rows)
            if (row->name().compare(name, Qt::CaseInsensitive) == 0)
                return row;
    return nullptr;
}

bool SettingsPage::reveal(const QString &name) {
    m_search->clear();
    const QString wanted = name.section(QLatin1Char('>'), -1).trimmed();
    SettingRow *found = row(wanted);
    QWidget *place = found;
    for (const Group &group : m_groups) {
        if (found != nullptr)
            break;
        if (group.head->objectName().compare(wanted, Qt::CaseInsensitive) == 0) {
            place = group.head;
            found = group.rows.front();
        }
    }
    for (const Group &group : m_groups) // «CUDA path»: a word of the name will do
        for (SettingRow *row : group.rows)
            if (found == nullptr && !wanted.isEmpty() &&
                wanted.section(QLatin1Char(' '), 0, 0)
                        .compare(row->name().section(QLatin1Char(' '), 0, 0), Qt::CaseInsensitive) == 0)
                place = found = row;
    QWidget *field = found != nullptr ? found->field() : nullptr;
    if (found == nullptr && wanted.compare(tr("Keys"), Qt::CaseInsensitive) == 0)
        place = field = m_keys;
    for (const auto &[title, table] : {std::pair<QString, ProfilesTable *>{tr("Models"), m_models},
                                       std::pair<QString, ProfilesTable *>{tr("Agents"), m_agents}})
        if (found == nullptr && wanted.compare(title, Qt::CaseInsensitive) == 0) {
            place = table;
            field = table->firstStep();
        }
    if (field == nullptr)
        return false;
    if (!field->focusPolicy() && field->findChild<QCheckBox *>() != nullptr)
        field = field->findChild<QCheckBox *>();
    // Shown like a focus by keys; but nobody came to it, so the wheel still belongs to the page.
    field->setFocus(Qt::OtherFocusReason);
    window()->setAttribute(Qt::WA_KeyboardFocusChange);
    // Heights are known only once the page has been laid out.
    QTimer::singleShot(0, place, [this, place] {
        m_scroll->verticalScrollBar()->setValue(place->mapTo(m_content, QPoint()).y() - m_look.px(24));
    });
    return true;
}

void SettingsPage::filter(const QString &text) {
    const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    int left = 0;
    for (const Group &group : m_groups) {
        int inGroup = 0;
        QStringList rest = words;
        rest.removeIf([&group](const QString &word) {
            return group.head->objectName().contains(word, Qt::CaseInsensitive);
        });
        for (SettingRow *row : group.rows) {
            const bool isShown = row->matches(rest);
            row->setVisible(isShown);
            inGroup += isShown ? 1 : 0;
        }
        group.head->setVisible(inGroup > 0);
        group.card->setVisible(inGroup > 0);
        left += inGroup;
    }
    left += m_models->filter(words);
    left += m_agents->filter(words);
    left += m_keys->filter(words);
    m_none->setVisible(left == 0);
    m_none->setText(tr("No setting and no key fits «%1».").arg(text));
    m_scroll->verticalScrollBar()->setValue(0);
}

void SettingsPage::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.bar"));
    painter.fillRect(0, m_scroll->y() - 1, width(), 1, m_look.color("border.normal"));
}

void SettingsPage::resizeEvent(QResizeEvent *) {
    // Rows wider than this no longer read as rows.
    const int side = std::max(m_look.px(24), (width() - m_look.px(920)) / 2);
    m_column->setContentsMargins(side, m_look.px(20), side, m_look.px(24));
}

} // namespace warpwright
