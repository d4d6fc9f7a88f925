// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/finding/text_hunt.h"

#include <QTimer>

#include <functional>
#include <map>
#include <memory>

namespace warpwright {

class Actions;
class AgentPanel;
class AssemblyPage;
class BuildPanel;
class CandidatePanel;
class FindPage;
struct Inspection;
class Look;
class PastRunPanel;
class ReferencePanel;
class Workbench;

/// Find in all texts: gathers what can be searched, lets it be searched, leads to the hits and replaces them
/// in the candidate's files. Its page is one of the build pane's.
class FindController : public QObject {
    Q_OBJECT
public:
    struct Rooms {
        Workbench &bench;
        Actions &actions;
        CandidatePanel &candidate;
        ReferencePanel &reference;
        BuildPanel &build;
        AssemblyPage &assembly;
        AgentPanel &agent;
        PastRunPanel &pastRun;
        std::function<void()> showBuild;    ///< the four panes, and of them the build pane
        std::function<void()> showAssembly; ///< the same of its page in the profile pane
        std::function<void()> showAgent;
    };
    FindController(const Look &look, const Rooms &rooms, QObject *parent);

    /// Begins with what is selected where the keys are; else with what was looked for before.
    void open(bool replaces);
    [[nodiscard]] FindPage &page() const { return *m_page; }

private:
    /// Of which listings and which past run texts are.
    struct Listed {
        std::shared_ptr<const Inspection> inspection;
        QString run; ///< empty: none is open
        qint64 events = 0;

        bool operator==(const Listed &) const = default;
    };
    [[nodiscard]] Listed listedNow() const;
    [[nodiscard]] std::vector<SearchedText> texts();
    void addFiles(std::vector<SearchedText> &texts);
    void addListings(std::vector<SearchedText> &texts);
    void search(const Question &question);
    void showPage();
    void goTo(const FoundHit &hit);
    void replaceAll();
    /// The candidate's texts as they are now, where they are open.
    [[nodiscard]] std::map<QString, QString> candidateTexts() const;
    [[nodiscard]] QString whyNoReplace() const;
    void lookAgain();
    void enable();

    Rooms m_rooms;
    FindPage *m_page;
    TextHunt *m_hunt;
    int m_index; ///< of the page in its pane
    QTimer m_soon;
    std::map<QString, QString> m_searched; ///< the candidate's texts that were looked through
    QStringList m_otherFiles;              ///< of the workspace's folder, all of them
    JobNumber m_jobs;
    Listed m_listed; ///< that was looked through
    QString m_log;   ///< the same of the compilers' output
    int m_iteration = 0;
    bool m_isEarlier = false;
};

} // namespace warpwright
