// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/results/assembly_page.h"

#include "app/ide/kit/actions.h"
#include "app/ide/kit/card.h"
#include "app/ide/results/iteration_choices.h"
#include "profiler_views/code_listing_view.h"
#include "profiler_views/heat/heat_text.h"
#include "profiler_views/opcode_mix_view.h"
#include "toolchain/base/figures.h"
#include "toolchain/heat/code_match.h"
#include "toolchain/inspect/inspection_comparison.h"
#include "toolchain/tool_output/kernel_name.h"
#include "widgets/frame/empty_state.h"
#include "widgets/frame/tab_strip.h"
#include "widgets/look/look.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace warpwright {

AssemblyPage::AssemblyPage(const Look &look, Workbench &bench, const Actions &actions, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_bench(bench),
      m_actions(actions),
      m_inspector(new Inspector(this)),
      m_olderInspector(new Inspector(this)),
      m_content(new QWidget(this)),
      m_empty(new EmptyState(look, this)),
      m_kernels(new QComboBox(this)),
      m_against(new QComboBox(this)),
      m_choices(new IterationChoices(this)),
      m_forms(new TabStrip(look, this)),
      m_facts(new Words(look, TextRole::Small, "text.primary", this)),
      m_remark(new QLabel(this)),
      m_mix(new OpcodeMixView(look, this)),
      m_listing(new CodeListingView(look, this)) {
    setObjectName(QStringLiteral("assemblyPage"));
    m_kernels->setObjectName(QStringLiteral("kernelPicker"));
    m_kernels->setAccessibleName(tr("Kernel"));
    m_kernels->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_kernels->setMinimumContentsLength(16);
    m_kernels->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(m_kernels, &QComboBox::currentTextChanged, m_kernels, &QWidget::setToolTip);
    m_against->setObjectName(QStringLiteral("againstPicker"));
    m_against->setAccessibleName(tr("Compare with an iteration"));
    m_against->setToolTip(
        tr("Opcodes against those of another iteration; registers and addresses do not count"));
    m_against->setModel(m_choices);
    m_against->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_against->setMinimumContentsLength(11);
    m_forms->setObjectName(QStringLiteral("listingForm"));
    m_forms->setAccessibleName(tr("Form of the listing"));
    m_forms->addTab(tr("SASS"));
    m_forms->addTab(tr("PTX"));
    m_facts->setObjectName(QStringLiteral("kernelFacts"));
    m_facts->setElides();
    m_remark->setTextFormat(Qt::PlainText);

    auto *head = new QHBoxLayout;
    head->setContentsMargins(look.px(12), look.px(6), look.px(12), 0);
    head->setSpacing(look.px(12));
    head->addWidget(m_kernels, 1);
    head->addWidget(m_against);
    head->addWidget(m_forms);
    auto *facts = new QHBoxLayout;
    facts->setContentsMargins(look.px(12), look.px(4), look.px(12), look.px(2));
    facts->setSpacing(look.px(12));
    facts->addWidget(m_facts, 1);
    facts->addWidget(m_remark, 0, Qt::AlignTop);
    auto *inner = new QVBoxLayout(m_content);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(look.px(2));
    inner->addLayout(head);
    inner->addLayout(facts);
    inner->addWidget(m_mix);
    inner->addWidget(m_listing, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_content, 1);
    column->addWidget(m_empty, 1);

    connect(m_kernels, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_isFilling)
            showKernel();
    });
    connect(m_kernels, &QComboBox::activated, this, [this] { m_isPicked = true; });
    connect(m_against, &QComboBox::currentIndexChanged, this, [this] {
        if (m_isFilling)
            return;
        m_older.reset();
        inspectOlder();
        showKernel();
    });
    connect(m_olderInspector, &Inspector::finished, this,
            [this](const std::shared_ptr<const Inspection> &inspection) { showOlder(inspection); });
    connect(m_olderInspector, &Inspector::failed, this, [this](const QString &message) {
        m_olderFailure = message;
        showKernel();
    });
    connect(&bench, &Workbench::iterationsChanged, this, &AssemblyPage::fillIterations);
    connect(m_forms, &QTabBar::currentChanged, this, [this] { showKernel(); });
    connect(m_listing, &CodeListingView::placeActivated, this, &AssemblyPage::placeActivated);
    connect(m_listing, &CodeListingView::placeHovered, this, &AssemblyPage::placeHovered);
    connect(m_inspector, &Inspector::finished, this,
            [this](const std::shared_ptr<const Inspection> &inspection) { show(inspection); });
    connect(m_inspector, &Inspector::failed, this, [this](const QString &message) {
        m_failure = message;
        m_inspection.reset();
        fillKernels();
        emit settled();
    });
    connect(&bench, &Workbench::opened, this, &AssemblyPage::refresh);
    connect(&bench, &Workbench::closed, this, [this] {
        m_inspector->cancel();
        m_olderInspector->cancel();
        m_inspection.reset();
        m_older.reset();
        m_isOutdated = true;
        fillKernels();
    });
    connect(&bench, &Workbench::checked, this, &AssemblyPage::refresh);
    connect(&bench, &Workbench::shownChanged, this, [this] {
        fillIterations();
        if (isOfOtherText()) {
            m_isOfOther = true;
            refresh();
        }
    });
    connect(&bench, &Workbench::runChanged, this, [this] { inspect(); });
    connect(&look, &Look::changed, this, &AssemblyPage::restyle);
    restyle();
    fillIterations();
    fillKernels();
}

int AssemblyPage::against() const {
    return m_against->currentData().toInt();
}

// Every iteration but the one that is shown.
void AssemblyPage::fillIterations() {
    const int before = against();
    m_isFilling = true;
    if (m_choices->set(m_bench.tree(), shownIteration()) || m_against->currentIndex() < 0)
        m_against->setCurrentIndex(m_choices->rowOf(before));
    m_against->setEnabled(m_against->count() > 1);
    m_isFilling = false;
    if (against() == before)
        return;
    m_older.reset();
    m_olderInspector->cancel();
    showKernel();
}

void AssemblyPage::inspectOlder() {
    m_olderFailure.clear();
    m_olderInspector->cancel();
    if (against() == 0 || !m_bench.workspace() || !m_toolchain)
        return;
    InspectionRequest request;
    request.path = m_bench.workspace()->folder;
    request.settings = m_bench.settings();
    request.folders = m_bench.folders();
    request.toolchain = m_toolchain;
    request.wantsPtx = true;
    request.iteration = against();
    m_olderInspector->start(request);
}

void AssemblyPage::showOlder(const std::shared_ptr<const Inspection> &inspection) {
    m_older = inspection;
    showKernel();
}

// The same kernel in the iteration that is compared with: nvcc hashes the file into mangled names.
const InspectedKernel *AssemblyPage::olderKernel() const {
    const InspectedKernel *now = kernel();
    if (now == nullptr || !m_older)
        return nullptr;
    for (const ComparedKernel &pair : compareKernels(m_older->kernels, m_inspection->kernels))
        if (pair.after >= 0 && pair.before >= 0 &&
            &m_inspection->kernels[static_cast<std::size_t>(pair.after)] == now)
            return &m_older->kernels[static_cast<std::size_t>(pair.before)];
    return nullptr;
}

// What is to be said of the comparison; empty: there is none.
QString AssemblyPage::showCode(const InspectedKernel &one, const std::optional<KernelCode> &code,
                               bool isSass) {
    const InspectedKernel *older = olderKernel();
    const std::optional<KernelCode> *before = older == nullptr ? nullptr
                                              : isSass         ? &older->sass
                                                               : &older->ptx;
    if (code && before != nullptr && *before) {
        const auto merged = std::make_shared<const MergedListing>(mergedListing(**before, *code));
        m_listing->setCode(std::shared_ptr<const KernelCode>(merged, &merged->code), isSass, merged->kinds);
        const int registers = one.resources.registers - older->resources.registers;
        return tr("against %1: +%2 \u2212%3 instructions, %4 registers")
            .arg(against())
            .arg(merged->added)
            .arg(merged->removed)
            .arg(signedText(registers));
    }
    // It lives as long as the inspection it is part of.
    m_listing->setCode(code ? std::shared_ptr<const KernelCode>(m_inspection, &*code) : nullptr, isSass);
    if (against() == 0)
        return {};
    if (!m_olderFailure.isEmpty())
        return m_olderFailure;
    if (!m_older)
        return tr("iteration %1 is being read").arg(against());
    return older == nullptr ? tr("iteration %1 has no such kernel").arg(against())
                            : tr("iteration %1 has no such listing").arg(against());
}

void AssemblyPage::restyle() {
    m_kernels->setFont(m_look.font(TextRole::Small));
    m_against->setFont(m_look.font(TextRole::Small));
    m_remark->setFont(m_look.font(TextRole::Small));
    QPalette palette = m_remark->palette();
    palette.setColor(QPalette::WindowText, m_look.color("text.tertiary"));
    m_remark->setPalette(palette);
}

void AssemblyPage::setToolchain(const Toolchain &toolchain) {
    m_toolchain = toolchain;
    refresh();
}

void AssemblyPage::refresh() {
    m_isOutdated = true;
    inspect();
}

void AssemblyPage::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    inspect();
}

void AssemblyPage::readFor(QWidget *other) {
    m_others.push_back(other);
    other->installEventFilter(this);
}

void AssemblyPage::readAlways(bool isWanted) {
    if (std::exchange(m_isReadAlways, isWanted) != isWanted && isWanted)
        inspect();
}

void AssemblyPage::setHeat(SharedHeat heat, bool isPast) {
    m_heat = std::move(heat);
    m_isPastHeat = isPast;
    m_listing->setHeat({}, {}, false); // the place that is looked at stays
    sayRemark();
}

// The shares of the instructions, and what is to be said of them. Two texts in one listing have none.
QString AssemblyPage::showHeat(const InspectedKernel &one, const std::optional<KernelCode> &code) {
    const KernelHeat *kernel = m_heat ? m_heat->kernelOf(one.resources.mangled) : nullptr;
    if (kernel == nullptr || !code || m_listing->code() != &*code || m_forms->currentIndex() != 0)
        return {};
    const auto counts = std::make_shared<const std::vector<HeatCounts>>(countsByLine(*kernel, *code));
    if (counts->empty())
        return m_isPastHeat ? tr("heat %1: its code was another").arg(heatSubject(*m_heat))
                            : tr("no heat: another build ran");
    std::vector<double> shares;
    shares.reserve(counts->size());
    for (const HeatCounts &each : *counts)
        shares.push_back(kernel->counts.cost > 0 ? each.cost / kernel->counts.cost : 0);
    m_listing->setHeat(
        std::move(shares),
        [counts, heat = m_heat, kernel](int line) {
            const HeatCounts &each = (*counts)[static_cast<std::size_t>(line)];
            return heatWords(each, each.cost / kernel->counts.cost, kernel->counts.samples)
                .join(QLatin1Char('\n'));
        },
        m_isPastHeat);
    return m_isPastHeat ? tr("heat %1").arg(heatSubject(*m_heat)) : QString();
}

void AssemblyPage::resizeEvent(QResizeEvent *) {
    m_mix->setBarOnly(height() < m_look.px(260)); // a listing of four lines is none
}

bool AssemblyPage::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::Show)
        inspect();
    return QWidget::eventFilter(watched, event);
}

void AssemblyPage::inspect() {
    // The toolchain is on its way, and comes with setToolchain().
    if (!m_isOutdated || !isInView() || !m_bench.workspace() || !m_toolchain)
        return;
    m_isOutdated = false;
    m_failure.clear();
    m_iteration = shownIteration();
    m_live = m_bench.liveIteration();
    InspectionRequest request;
    request.path =
        m_bench.workspace()->isLoneFile ? m_bench.workspace()->modelFile : m_bench.workspace()->folder;
    request.settings = m_bench.settings();
    request.folders = m_bench.folders();
    request.toolchain = m_toolchain;
    request.wantsPtx = true;
    request.iteration = m_iteration;
    m_inspector->start(request);
    if (!m_inspection)
        sayEmpty();
    m_remark->setText(tr("being read"));
}

void AssemblyPage::show(const std::shared_ptr<const Inspection> &inspection) {
    m_failure.clear();
    m_inspection = inspection;
    m_isOfOther = false;
    fillKernels();
    emit settled();
}

const InspectedKernel *AssemblyPage::kernel() const {
    const int index = m_kernels->currentIndex();
    return m_inspection && index >= 0 && index < static_cast<int>(m_inspection->kernels.size())
               ? &m_inspection->kernels[static_cast<std::size_t>(index)]
               : nullptr;
}

void AssemblyPage::fillKernels() {
    const InspectedKernel *before = kernel();
    const QString wanted = before != nullptr ? before->resources.name : m_kernels->currentData().toString();
    m_isFilling = true;
    m_kernels->clear();
    int chosen = -1;
    if (m_inspection)
        for (const InspectedKernel &one : m_inspection->kernels) {
            if (one.resources.name == wanted)
                chosen = m_kernels->count();
            m_kernels->addItem(QStringLiteral("%1   %2").arg(shortKernelName(one.resources.name), one.source),
                               one.resources.name);
            m_kernels->setItemData(m_kernels->count() - 1, one.resources.name, Qt::ToolTipRole);
        }
    m_isPicked = m_isPicked && chosen >= 0;
    if (const int launched = launchedIndex(); !m_isPicked && launched >= 0)
        chosen = launched;
    if (m_kernels->count() > 0)
        m_kernels->setCurrentIndex(std::max(0, chosen));
    m_isFilling = false;
    const bool hasAny = m_kernels->count() > 0;
    m_content->setVisible(hasAny);
    m_empty->setVisible(!hasAny);
    if (!hasAny)
        sayEmpty();
    showKernel();
}

// Of the kernel that a call launches longest; -1: none of them is known to be launched.
int AssemblyPage::launchedIndex() const {
    if (!m_inspection)
        return -1;
    const std::vector<InspectedKernel> &kernels = m_inspection->kernels;
    for (const QString &name : m_launched) {
        const auto found = std::find_if(kernels.begin(), kernels.end(), [&name](const InspectedKernel &one) {
            return shortKernelName(one.resources.name) == name;
        });
        if (found != kernels.end())
            return static_cast<int>(found - kernels.begin());
    }
    return -1;
}

void AssemblyPage::setLaunched(const QStringList &names) {
    if (std::exchange(m_launched, names) == names || m_isPicked)
        return;
    if (const int launched = launchedIndex(); launched >= 0)
        m_kernels->setCurrentIndex(launched);
}

void AssemblyPage::sayEmpty() {
    const QString icon = QStringLiteral("sass");
    if (!m_failure.isEmpty())
        return m_empty->say(QStringLiteral("warning"), tr("No assembly"), m_failure);
    if (m_inspection && m_inspection->status == CompileStatus::Failed)
        return m_empty->say(QStringLiteral("build-failed"), tr("The kernels do not compile"),
                            tr("a check lists what the compilers say"), m_actions.check);
    if (m_inspector->isRunning() || (isVisible() && m_isOutdated && m_bench.workspace()))
        return m_empty->say(QStringLiteral("running"), tr("The kernels are being read"),
                            tr("what was compiled before is not compiled again"));
    m_empty->say(icon, tr("SASS and PTX of the kernels appear here"), tr("of the .cu files, without a GPU"));
}

void AssemblyPage::showKernel() {
    const InspectedKernel *one = kernel();
    if (one == nullptr) {
        m_listing->setCode(nullptr, true);
        m_mix->setMix(std::nullopt);
        return;
    }
    describe(*one);
    const bool isSass = m_forms->currentIndex() == 0;
    const std::optional<KernelCode> &code = isSass ? one->sass : one->ptx;
    m_comparison = showCode(*one, code, isSass);
    m_mix->setMix(one->mix);
    m_listing->light(m_file, m_line);
    sayRemark();
}

void AssemblyPage::sayRemark() {
    const InspectedKernel *one = kernel();
    if (one == nullptr)
        return;
    const std::optional<KernelCode> &code = m_forms->currentIndex() == 0 ? one->sass : one->ptx;
    const QString heat = showHeat(*one, code);
    if (!m_inspector->isRunning())
        m_remark->setText(!m_comparison.isEmpty() ? m_comparison
                          : !heat.isEmpty()       ? heat
                          : !code && !m_inspection->note.isEmpty()
                              ? m_inspection->note
                              : tr("%1, nvcc %2").arg(one->resources.arch, m_inspection->nvcc));
}

void AssemblyPage::describe(const InspectedKernel &one) {
    const KernelResources &own = one.resources;
    const int spills = own.spillLoadBytes + own.spillStoreBytes;
    QStringList facts{tr("%1 registers").arg(own.registers),
                      spills == 0 ? tr("no spills") : tr("%1 spilled").arg(bytesText(spills)),
                      tr("%1 shared").arg(bytesText(own.staticSharedBytes))};
    if (own.stackBytes > 0)
        facts << tr("%1 stack").arg(bytesText(own.stackBytes));
    QStringList sizes;
    for (const Occupancy &occupancy : one.occupancies)
        sizes << tr("%1 threads: %2").arg(occupancy.threads).arg(occupancyText(occupancy));
    // The launch bound is the kernel's own word on how it is launched; else the common size.
    if (!one.occupancies.empty()) {
        const auto usual =
            std::find_if(one.occupancies.begin(), one.occupancies.end(), [&one](const Occupancy &size) {
                return size.threads == (one.launchThreads() > 0 ? one.launchThreads() : 256);
            });
        const Occupancy &shown = usual == one.occupancies.end() ? one.occupancies.back() : *usual;
        facts << tr("%1 threads: %2").arg(shown.threads).arg(occupancyText(shown));
    }
    m_facts->setText(facts.join(QStringLiteral(" · ")));
    m_facts->setToolTip(
        m_facts->text() + QLatin1Char('\n') +
        (sizes.isEmpty()
             ? tr("the limits of an SM of this architecture are not known")
             : tr("theoretical occupancy by threads of a block\n%1\n%2")
                   .arg(sizes.join(QLatin1Char('\n')),
                        one.launchThreads() > 0 ? tr("launch bound: %1 threads").arg(one.launchThreads())
                                                : tr("no launch bound"))));
}

// The kernel that has this line, where the one that is shown has not.
void AssemblyPage::pickKernelOf(const QString &file, int line) {
    const auto has = [&](const InspectedKernel &one) {
        return one.sass && !linesFrom(*one.sass, file, line).empty();
    };
    const InspectedKernel *now = kernel();
    if (now == nullptr || has(*now))
        return;
    for (std::size_t i = 0; i < m_inspection->kernels.size(); ++i)
        if (has(m_inspection->kernels[i])) {
            m_isPicked = true;
            return m_kernels->setCurrentIndex(static_cast<int>(i));
        }
}

// What the mouse only passes over scrolls nothing and changes no kernel.
void AssemblyPage::hover(const QString &file, int line) {
    if (!isVisible() || !m_inspection)
        return;
    const bool hasCode =
        line > 0 && m_listing->code() != nullptr && !linesFrom(*m_listing->code(), file, line).empty();
    m_listing->light(hasCode ? file : m_file, hasCode ? line : m_line, false);
}

void AssemblyPage::follow(const QString &file, int line) {
    if (m_file == file && m_line == line)
        return;
    m_file = file;
    m_line = line;
    if (!isVisible() || !m_inspection)
        return;
    pickKernelOf(file, line);
    m_listing->light(file, line);
}

} // namespace warpwright
