// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/kit/notices.h"
#include "app/ide/settings/profiles_table.h"
#include "app/ide/workbench/job.h"
#include "toolchain/base/result.h"

#include <algorithm>
#include <optional>

namespace warpwright {

/// The table of what a file of ours holds under names: reads and stores it in the pool, in the order of the
/// changes, and tells each change with the way back. `Profiles`: ModelProfiles, AcpProfiles.
template <typename Profiles>
class ProfilesInFile : public ProfilesTable {
public:
    using Profile = typename decltype(Profiles::profiles)::value_type;

    void read() override {
        inPool(
            m_writer, this, [file = m_file] { return Profiles::load(file); },
            [this](const Result<Profiles> &read) { take(read); });
    }
    [[nodiscard]] const std::vector<Profile> &profiles() const { return m_all.profiles; }

protected:
    ProfilesInFile(const Look &look, const QString &objectName, Texts texts, const QString &file,
                   QWidget *parent)
        : ProfilesTable(look, objectName, std::move(texts), parent), m_file(file) {}

    /// What stands in the form; an error for people.
    [[nodiscard]] virtual Result<Profile> typed() const = 0;
    /// One that is listed and not in the file.
    [[nodiscard]] virtual std::optional<Profile> unstored(const QString &) const { return std::nullopt; }
    [[nodiscard]] virtual QString whatRemains(const Profile &) const { return {}; }
    /// Begins a trial; ends in tried(). What is given is deleted when it is to be stopped.
    [[nodiscard]] virtual QObject *beginTrial(const Profile &profile, const QString &row) = 0;
    /// The file was read, also when nothing in it is new.
    virtual void taken() {}

    void tried(const QString &row, const ToolFinding &finding) {
        if (m_trial)
            m_trial->deleteLater();
        m_trial = nullptr;
        sayTried(row, finding);
    }

    [[nodiscard]] std::optional<Profile> named(const QString &name) const {
        const Profile *profile = m_all.find(name);
        return profile != nullptr ? std::optional(*profile) : unstored(name);
    }

    [[nodiscard]] QString freeName(const QString &wanted) const {
        QString name = wanted;
        for (int number = 2; m_all.find(name) != nullptr; ++number)
            name = QStringLiteral("%1-%2").arg(wanted).arg(number);
        return name;
    }

    void save() override {
        const Result<Profile> typed = this->typed();
        if (!typed.hasValue())
            return sayWrong(typed.message());
        const Profile after = typed.value();
        const Profile *known = m_all.find(edited());
        const std::optional<Profile> before = known != nullptr ? std::optional(*known) : std::nullopt;
        if (after.name != edited() && m_all.find(after.name) != nullptr)
            return sayBadName(
                tr("«%1» is the name of another one already. Give it a different one.").arg(after.name));
        if (before == after)
            return closeForm();
        forgetFinding(edited());
        forgetFinding(after.name);
        store(replacing(before ? before->name : after.name, after), [this, before, after] {
            closeForm();
            if (before)
                tell(tr("%1 changed").arg(after.name),
                     tr("Its runs use it as it is now from their next begin on."),
                     replacing(after.name, *before));
            else
                emit noticed(newsNotice(
                    tr("%1 is set up").arg(after.name),
                    tr("«Let %1 tune» stands in the menu «Agent» and in the agent's pane.").arg(after.name)));
        });
    }

    void remove(const QString &name) override {
        const auto found = std::find_if(m_all.profiles.begin(), m_all.profiles.end(),
                                        [&](const Profile &one) { return one.name == name; });
        if (found == m_all.profiles.end())
            return;
        if (isTrying(name))
            stopTrial();
        if (edited() == name)
            closeForm();
        const Profile before = *found;
        const auto place = found - m_all.profiles.begin();
        forgetFinding(name);
        store([name](Profiles &all) { all.remove(name); },
              [this, before, place] {
                  tell(tr("%1 removed").arg(before.name),
                       (tr("It is no longer offered.") + QLatin1Char(' ') + whatRemains(before)).trimmed(),
                       [before, place](Profiles &all) {
                           if (all.find(before.name) != nullptr)
                               return;
                           const auto at = std::min<std::ptrdiff_t>(place, std::ssize(all.profiles));
                           all.profiles.insert(all.profiles.begin() + at, before);
                       });
              });
    }

    // Asked once more for the same, it is stopped.
    void tryIt(const QString &row) override {
        const bool isSame = isTrying(row);
        stopTrial();
        if (isSame)
            return;
        if (row.isEmpty()) {
            const Result<Profile> typed = this->typed();
            if (!typed.hasValue())
                return sayWrong(typed.message());
            m_trial = beginTrial(typed.value(), row);
        } else if (const std::optional<Profile> profile = named(row)) {
            m_trial = beginTrial(*profile, row);
        }
    }

    void stopTrial() override {
        if (!m_trial)
            return;
        m_trial->disconnect(this);
        tried(QString(tryingRow()), {true, {}});
    }

private:
    using Edit = std::function<void(Profiles &)>;

    static Edit replacing(const QString &name, const Profile &by) {
        return [name, by](Profiles &all) {
            const auto place = std::find_if(all.profiles.begin(), all.profiles.end(),
                                            [&](const Profile &one) { return one.name == name; });
            if (place != all.profiles.end())
                *place = by;
            else
                all.put(by);
        };
    }

    void store(const Edit &edit, const std::function<void()> &then) {
        inPool(
            m_writer, this, [file = m_file, edit] { return Profiles::change(file, edit); },
            [this, then](const Result<Profiles> &stored) {
                take(stored);
                if (stored.hasValue())
                    then();
            });
    }

    // What cannot be read or stored changes nothing of what is shown.
    void take(const Result<Profiles> &read) {
        sayProblem(read.hasValue() ? QString() : read.message());
        if (!read.hasValue())
            return;
        if (read.value() != m_all) {
            m_all = read.value();
            show();
            emit changed();
        }
        taken();
    }

    void tell(const QString &title, const QString &text, const Edit &back) {
        Notice notice = newsNotice(title, text);
        notice.actionName = tr("Undo");
        notice.action = [table = QPointer<ProfilesInFile>(this), back, title] {
            if (table)
                table->store(back, [table, title] {
                    emit table->noticed(newsNotice(title, tr("It is again as it was before.")));
                });
        };
        emit noticed(notice);
    }

    QString m_file;
    Profiles m_all;
    QPointer<QObject> m_trial; ///< that runs
};

} // namespace warpwright
