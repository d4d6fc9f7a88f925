// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/settings/tool_tests.h"
#include "toolchain/base/data_folders.h"
#include "widgets/frame/toasts.h"

#include <QElapsedTimer>
#include <QHash>
#include <QPointer>
#include <QThreadPool>
#include <QWidget>

#include <functional>
#include <optional>

class QAction;
class QCheckBox;
class QComboBox;
class QLineEdit;
class QVBoxLayout;

namespace warpwright {

class AgentsTable;
class Card;
class CardHead;
class KeyTable;
class Look;
class MessageCard;
class ModelsTable;
class ScrollPage;
class SettingRow;
class Words;

/// What a person chooses once for all workspaces, by rows in groups. A change is stored at once, in the order
/// of the changes and without losing what another program wrote; where it cannot be stored the page says so
/// and the change holds until the window closes. Each change is told, with the way back.
class SettingsPage : public QWidget {
    Q_OBJECT
public:
    SettingsPage(const Look &look, const DataFolders &folders, const QList<QAction *> &actions,
                 QWidget *parent = nullptr);
    ~SettingsPage() override;

    void setSettings(const Settings &settings);
    /// What was chosen elsewhere in the window: kept by the next change here. The fields stay as they are.
    void follow(const Settings &settings) { m_settings = settings; }
    [[nodiscard]] const Settings &settings() const { return m_settings; }
    /// What a probe with these settings found: shown below the rows.
    void setToolchain(const Toolchain &toolchain);
    /// Which language servers were found.
    void setLanguageServers(const ToolFinding &finding);
    /// Brings a row or a group into view and gives it the focus: "Python", "Toolchain", "Settings > Python".
    bool reveal(const QString &name);
    [[nodiscard]] SettingRow *row(const QString &name) const;
    [[nodiscard]] ModelsTable &models() const { return *m_models; }
    [[nodiscard]] AgentsTable &agents() const { return *m_agents; }

signals:
    void changed(const warpwright::Settings &settings);
    /// Which row has another value, what it was and is, and an Undo. A row's later notice takes the place of
    /// its earlier one: they have the same title.
    void noticed(const warpwright::Notice &notice);
    /// It lies in the file now, or the page says why not.
    void stored();
    void closed();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Group {
        CardHead *head;
        Card *card;
        std::vector<SettingRow *> rows;
    };

    void buildToolchain();
    void buildEvaluation();
    void buildEditor();
    void buildAppearance();
    SettingRow *addRow(const QString &name, const QString &purpose, QWidget *field);
    void addGroup(const QString &name, const QString &remark);
    QLineEdit *addText(const QString &name, const QString &purpose, const QString &placeholder,
                       const std::function<void(Settings &, const QString &)> &set);
    QComboBox *addChoice(const QString &name, const QString &purpose,
                         const std::vector<std::pair<QString, QString>> &choices,
                         const std::function<void(Settings &, const QString &)> &set);
    void addBrowse(SettingRow *row, QLineEdit *field, bool isFolder);
    void addTest(SettingRow *row, ToolKind kind);
    void runTest(SettingRow *row, ToolKind kind);
    using Edit = std::function<void(Settings &)>;
    /// What a row says, as settings have it and as a person reads it.
    struct Value {
        QString word;
        QString text;
    };
    [[nodiscard]] Value valueOf(const SettingRow *row) const;
    void change(SettingRow *row, const std::function<void(Settings &, const QString &)> &set);
    void changeKeys(const QMap<QString, QString> &keys);
    /// False: it is so already.
    bool store(const Edit &edit);
    void tell(const QString &name, const QString &before, const QString &after, const Edit &back);
    void fill();
    void goBack();
    void filter(const QString &text);

    const Look &m_look;
    DataFolders m_folders;
    Settings m_settings;
    QThreadPool m_writer; ///< one thread: stores follow one another
    QLineEdit *m_search;
    Words *m_none;
    MessageCard *m_problem;
    QWidget *m_content;
    QVBoxLayout *m_column;
    ScrollPage *m_scroll;
    std::vector<Group> m_groups;
    ModelsTable *m_models = nullptr;
    AgentsTable *m_agents = nullptr;
    KeyTable *m_keys = nullptr;
    QLineEdit *m_python = nullptr, *m_cuda = nullptr, *m_architecture = nullptr, *m_nvccFlags = nullptr,
              *m_cxxFlags = nullptr;
    QComboBox *m_device = nullptr, *m_tier = nullptr, *m_font = nullptr, *m_theme = nullptr;
    QComboBox *m_jobs = nullptr, *m_fontSize = nullptr, *m_scale = nullptr;
    QComboBox *m_compileOn = nullptr, *m_languageServer = nullptr, *m_formatOnSave = nullptr;
    QComboBox *m_closeBrackets = nullptr;
    std::vector<QCheckBox *> m_precisions;
    QHash<SettingRow *, QPointer<QObject>> m_tests; ///< the inquiries that run
    QHash<const SettingRow *, Value> m_values;      ///< as they were before the change that comes next
    struct {
        QString name;
        QString before;
        Edit back;
        QElapsedTimer since;
    } m_told; ///< the notice that still stands, so that a row walked through by keys goes back to where it
              ///< was
    bool m_isFilling = false;
};

} // namespace warpwright
