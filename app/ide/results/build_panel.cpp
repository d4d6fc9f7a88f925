// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/results/build_panel.h"

#include "app/ide/files/command_page.h"
#include "app/ide/kit/actions.h"
#include "app/ide/results/compile_page.h"
#include "app/ide/results/verify_page.h"
#include "app/ide/review/proposal_check.h"
#include "profiler_views/verdict_look.h"
#include "widgets/frame/tab_strip.h"
#include "widgets/listing/log_view.h"
#include "widgets/look/look.h"

#include <QTime>

#include <utility>

namespace warpwright {

BuildPanel::BuildPanel(const Look &look, Workbench &bench, const Actions &actions, QWidget *parent)
    : Pane(look, QStringLiteral("terminal"), tr("Build"), parent),
      m_bench(bench),
      m_compile(new CompilePage(look, actions, this)),
      m_verify(new VerifyPage(look, actions, this)),
      m_console(new LogView(look, this)),
      m_command(new CommandPage(look, this)) {
    setObjectName(QStringLiteral("buildPane"));
    m_console->setObjectName(QStringLiteral("console"));
    addPage(m_compile, tr("Compile"));
    addPage(m_verify, tr("Verify"));
    addPage(m_console, tr("Console"));
    addPage(m_command, tr("Command"));
    connect(m_compile, &CompilePage::placeActivated, this, &BuildPanel::placeActivated);
    connect(m_verify, &VerifyPage::placeActivated, this, &BuildPanel::placeActivated);
    connect(m_verify, &VerifyPage::settingsAsked, this, &BuildPanel::settingsAsked);
    connect(m_console, &LogView::placeActivated, this, &BuildPanel::placeActivated);
    connect(m_command, &CommandPage::placeActivated, this, &BuildPanel::placeActivated);
    connect(&bench, &Workbench::shownChanged, this, &BuildPanel::describe);
    connect(&bench, &Workbench::runChanged, this, &BuildPanel::describe);
    connect(&bench, &Workbench::compiledTextChanged, this, &BuildPanel::describe);
    connect(&bench, &Workbench::logged, this, [this](const QString &line) {
        m_console->appendLine(QTime::currentTime().toString(QStringLiteral("HH:mm:ss  ")) + line);
    });
    describe();
}

void BuildPanel::describe() {
    // An earlier iteration, or an event of a past run, was asked for by itself.
    const ProposedText *proposed = m_bench.shown().isEarlier ? nullptr : m_proposed;
    const bool isOfProposal = proposed != nullptr && proposed->isOfProposal();
    const Shown &shown = isOfProposal ? proposed->shown : m_bench.shown();
    // In a replay it is the proposal's at events about it.
    ProposedText past;
    if (!shown.evaluated.isEmpty()) {
        past.title = shown.evaluated;
        past.remark = tr("as it was checked then");
        past.shown.evaluation = shown.evaluation;
    }
    const bool isStale = !isOfProposal && m_bench.edits() > 0;
    const bool isOfRun = m_measuredByRun && !m_bench.isRunning() && !shown.isEarlier;
    const bool isRunning = m_bench.isRunning() || isOfRun;
    const StageProgress &now = isOfRun ? *m_measuredByRun : m_bench.progressNow();
    for (CheckPage *page : std::initializer_list<CheckPage *>{m_compile, m_verify}) {
        page->setProgress(isRunning ? &now : nullptr);
        page->setMeasuredByRun(isOfRun);
        page->setProposed(shown.evaluated.isEmpty() ? proposed : &past);
    }
    m_compile->show(shown, isOfProposal ? nullptr : m_bench.compiledText(), isStale, isRunning);
    m_verify->setWorkspace(m_bench.workspace());
    m_verify->show(shown, isStale, isRunning);
    // A failed stage marks its tab, so that it is seen from another one.
    const CompileSection *compile = isOfProposal ? &shown.evaluation->compile : m_bench.compileShown();
    const bool hasFailedBuild = compile != nullptr && compile->status == StageStatus::Failed;
    const bool hasFailedVerify = shown.evaluation && shown.figures.verify.status == StageStatus::Failed;
    tabs()->setTabMark(0, hasFailedBuild ? QStringLiteral("build-failed") : QString(), "verdict.buildFailed");
    tabs()->setTabMark(1, hasFailedVerify ? QStringLiteral("wrong") : QString(), "verdict.wrong");
    // One that comes from the history or the disk is explained as one that was just made.
    const QString id = shown.evaluation ? shown.evaluation->id : QString();
    if (std::exchange(m_described, id) != id && !id.isEmpty())
        showFor(shown.evaluation->verdict);
}

void BuildPanel::setMeasuredByRun(const StageProgress *now) {
    const std::optional<StageProgress> other = now == nullptr ? std::nullopt : std::optional(*now);
    if (std::exchange(m_measuredByRun, other) != other)
        describe();
}

void BuildPanel::setInspection(const std::shared_ptr<const Inspection> &inspection) {
    m_inspection = inspection;
    describeInspection();
}

// Kernels of another text are not those of the code that was read.
void BuildPanel::describeInspection() {
    const bool isOfTextBefore = m_bench.edits() > 0 && m_bench.compiledText() == nullptr;
    const bool isOfProposal =
        !m_bench.shown().isEarlier && m_proposed != nullptr && m_proposed->isOfProposal();
    m_compile->setInspection(isOfTextBefore || isOfProposal ? nullptr : m_inspection);
}

void BuildPanel::setProposed(const ProposedText *proposed) {
    m_proposed = proposed;
    describe();
    describeInspection();
}

bool BuildPanel::showPage(const QString &name) {
    static const QStringList names{QStringLiteral("compile"), QStringLiteral("verify"),
                                   QStringLiteral("console"), QStringLiteral("command")};
    const auto index = names.indexOf(name);
    if (index >= 0)
        setCurrentPage(static_cast<int>(index));
    return index >= 0;
}

void BuildPanel::showFor(Verdict verdict) {
    switch (verdict) {
    case Verdict::BuildFailed:
        showPage(QStringLiteral("compile"));
        break;
    case Verdict::Wrong:
    case Verdict::RunFailed:
    case Verdict::Rejected:
    case Verdict::TaskFailed:
    case Verdict::Unverifiable:
    case Verdict::Impossible:
        showPage(QStringLiteral("verify"));
        break;
    default:
        break;
    }
}

} // namespace warpwright
