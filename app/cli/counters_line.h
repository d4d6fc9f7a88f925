// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace warpwright {

/// What `wright counters` and `wright timeline` were asked for, besides path, --json and what other commands
/// have, too.
struct CountersLine {
    QString set = QStringLiteral("basic");
    QStringList sections;
    int mostLaunches = 24;       ///< 0: all
    QString import;              ///< a .ncu-rep instead of collecting; empty: none
    bool attachesImport = false; ///< a workspace was named, too: it is kept there
    int launch = 0;              ///< only this one, from 1; 0: all
    bool wantsBaselines = false; ///< --baselines
    bool wantsStored = false;    ///< --stored: what was collected or traced before, nothing is run
    bool wantsRaw = false;

    bool operator==(const CountersLine &) const = default;
};

/// The words of these commands as CLI11 fills them in; they outlive the parsing.
class CountersWords {
public:
    /// `path`, `kernel`, `iteration`, `against`, `device`, `python`: shared with other commands.
    CLI::App *addTo(CLI::App &app, std::string &path, std::string &kernel, int &iteration, int &against,
                    std::string &device, std::string &python, bool &asksJson);
    CLI::App *addTimelineTo(CLI::App &app, std::string &path, std::string &device, std::string &python,
                            bool &asksJson);
    /// `why`: set where the words cannot be understood.
    [[nodiscard]] CountersLine line(QString &why) const;

private:
    std::string m_set = "basic";
    std::vector<std::string> m_sections;
    int m_mostLaunches = 24;
    std::string m_import;
    int m_launch = 0;
    std::vector<const CLI::Option *> m_ofCollecting; ///< what a report that is read cannot be asked for
    std::vector<const CLI::Option *> m_ofParts;      ///< nor one that is kept
    const CLI::Option *m_folder = nullptr;
    const CLI::Option *m_ofIteration = nullptr;
    const CLI::Option *m_importOption = nullptr;
    bool m_wantsBaselines = false;
    bool m_wantsStored = false;
    bool m_wantsRaw = false;
};

} // namespace warpwright
