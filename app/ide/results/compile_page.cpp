// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/results/compile_page.h"

#include "app/ide/kit/figure_table.h"
#include "app/ide/kit/stage_row.h"
#include "profiler_views/diagnostics_model.h"
#include "profiler_views/kernel_resources_model.h"
#include "toolchain/base/figures.h"
#include "toolchain/tool_output/readable_log.h"
#include "widgets/frame/action_button.h"
#include "widgets/frame/empty_state.h"
#include "widgets/frame/pane.h"
#include "widgets/listing/log_view.h"
#include "widgets/look/look.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>

namespace warpwright {
namespace {

constexpr qsizetype readableAtMost = 400'000; ///< characters: more would be felt

} // namespace

CompilePage::CompilePage(const Look &look, const Actions &actions, QWidget *parent)
    : CheckPage(look, actions, QStringLiteral("terminal"),
                tr("Kernels, diagnostics and compiler output appear here"),
                tr("what the compilers say appears here when they are done"), parent),
      m_stages(new StageRow(look, this)),
      m_kernelsModel(new KernelResourcesModel(this)),
      m_diagnosticsModel(new DiagnosticsModel(this)),
      m_kernels(new FigureTable(look, m_kernelsModel, this)),
      m_diagnosticsHead(new SectionHead(look, tr("Diagnostics"), this)),
      m_diagnostics(new FigureTable(look, m_diagnosticsModel, this)),
      m_logHead(new SectionHead(look, tr("Output"), this)),
      m_log(new LogView(look, this)),
      m_whole(new ActionButton(look, ActionButton::Kind::Flat, m_logHead)) {
    m_kernels->setObjectName(QStringLiteral("kernelsTable"));
    m_kernels->setAccessibleName(tr("Kernels and what they need"));
    m_diagnostics->setObjectName(QStringLiteral("diagnosticsTable"));
    m_diagnostics->setAccessibleName(tr("Diagnostics"));
    m_diagnostics->horizontalHeader()->hide();
    m_log->setObjectName(QStringLiteral("compileLog"));
    m_log->setAccessibleName(tr("What the compilers said"));
    m_whole->setObjectName(QStringLiteral("wholeCommands"));
    m_whole->setText(tr("Whole commands"));
    m_whole->setToolTip(tr("Command lines with all of their arguments, as they were run"));
    m_whole->setCheckable(true);
    m_whole->setSmall(true);
    auto *head = new QHBoxLayout(m_logHead);
    head->setContentsMargins(0, 0, look.px(8), 0);
    head->addStretch(1);
    head->addWidget(m_whole);
    connect(m_whole, &QAbstractButton::toggled, this, &CompilePage::showLog);
    m_kernels->setShape(KernelResourcesModel::Kernel, 5);
    m_kernels->setKeepsInSight(KernelResourcesModel::MaxThreads);
    m_diagnostics->setShape(DiagnosticsModel::Message, 7);
    for (FigureTable *table : {m_kernels, m_diagnostics})
        table->setYields();
    m_log->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored); // the tables come first
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(textHead());
    column->addWidget(m_stages);
    column->addWidget(m_kernels);
    column->addWidget(m_diagnosticsHead);
    column->addWidget(m_diagnostics);
    column->addWidget(m_logHead);
    column->addWidget(m_log, 1);
    column->addWidget(emptyState(), 1);
    connect(m_kernels, &FigureTable::placeActivated, this, &CompilePage::placeActivated);
    connect(m_diagnostics, &FigureTable::placeActivated, this, &CompilePage::placeActivated);
    connect(m_log, &LogView::placeActivated, this, &CompilePage::placeActivated);
}

void CompilePage::show(const Shown &shown, const CompiledText *compiled, bool isStale, bool isRunning) {
    const bool hasAny = compiled != nullptr || shown.evaluation.has_value();
    const CompileSection none;
    const CompileSection &compile = compiled != nullptr ? compiled->compile
                                    : hasAny            ? shown.evaluation->compile
                                                        : none;
    emptyState()->setVisible(!hasAny);
    for (QWidget *part : std::initializer_list<QWidget *>{m_stages, m_diagnosticsHead, m_logHead, m_log})
        part->setVisible(hasAny);
    m_kernels->setVisible(!compile.kernels.empty());
    m_diagnostics->setVisible(!compile.diagnostics.empty());
    if (!hasAny) {
        sayEmpty(isRunning, !shown.replay.isEmpty());
        m_shownId.clear();
        m_shownNumber = 0;
        return;
    }
    auto stages =
        compiled != nullptr ? stagesOf(compile, isRunning) : stagesOf(*shown.evaluation, shown.figures);
    m_stages->setStages(isStale && compiled == nullptr ? ofTextBefore(std::move(stages)) : std::move(stages));
    const QString id = shown.evaluation ? shown.evaluation->id : QString();
    const QString &log = compiled != nullptr ? compiled->log : shown.compileLog;
    const int number = compiled != nullptr ? compiled->number : 0;
    if (id == m_shownId && log == m_shownLog && number == m_shownNumber)
        return; // only the progress changed
    m_shownId = id;
    m_shownLog = log;
    m_shownNumber = number;
    // A text that was not checked is compared with the one that was.
    const std::optional<Evaluation> &before = compiled != nullptr ? shown.evaluation : shown.parentEvaluation;
    const std::vector<KernelResources> kernelsBefore =
        before ? before->compile.kernels : std::vector<KernelResources>();
    const auto hasStack = [](const std::vector<KernelResources> &kernels) {
        return std::any_of(kernels.begin(), kernels.end(),
                           [](const KernelResources &kernel) { return kernel.stackBytes > 0; });
    };
    // Where no kernel has one its column tells nothing, and takes the room of others.
    m_kernels->setColumnShown(KernelResourcesModel::Stack,
                              hasStack(compile.kernels) || hasStack(kernelsBefore));
    m_kernelsModel->setKernels(compile.kernels, kernelsBefore);
    m_diagnosticsModel->setDiagnostics(compile.diagnostics);
    const QString counts = m_diagnosticsModel->counts();
    m_diagnosticsHead->setRemark((counts.isEmpty() ? tr("none") : counts) +
                                 (compiled != nullptr ? isRunning ? tr(", of the text being checked")
                                                                  : tr(", of the saved text, not checked")
                                  : isStale ? tr(", of the text before")
                                                      : QString()));
    const OrderedJson &environment =
        compiled != nullptr ? compiled->environment : shown.evaluation->environment;
    const QString toolchain = stringIn(environment, "cuda");
    // "g++ (Debian 12.2.0-14+deb12u1) 12.2.0": whose package it is has no room in a head.
    static const QRegularExpression package(QStringLiteral(R"(\s*\([^)]*\))"));
    const QString host = stringIn(environment, "hostCompiler").remove(package);
    QStringList tools;
    if (!toolchain.isEmpty())
        tools << tr("nvcc %1").arg(toolchain);
    if (!compile.architecture.isEmpty())
        tools << compile.architecture;
    if (!host.isEmpty())
        tools << host;
    if (compile.objects > 0 && compile.cachedObjects > 0)
        tools << tr("%1 of %2 objects from the cache").arg(compile.cachedObjects).arg(compile.objects);
    m_logHead->setRemark(tools.join(QStringLiteral(", ")));
    showLog();
}

void CompilePage::showLog() {
    m_log->setLog(m_shownLog.isEmpty()                 ? tr("No compiler output.")
                  : m_shownLog.size() > readableAtMost ? m_shownLog
                                                       : readableLog(m_shownLog, m_whole->isChecked()));
    m_log->showFirstError();
}

void CompilePage::setInspection(const std::shared_ptr<const Inspection> &inspection) {
    QHash<QString, int> bounds;
    if (inspection)
        for (const InspectedKernel &kernel : inspection->kernels)
            if (kernel.sass || kernel.ptx)
                bounds.insert(kernel.resources.name, kernel.launchThreads());
    m_kernelsModel->setLaunchBounds(bounds);
}

} // namespace warpwright
