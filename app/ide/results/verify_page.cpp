// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/results/verify_page.h"

#include "app/ide/kit/card.h"
#include "app/ide/kit/figure_table.h"
#include "app/ide/kit/message_card.h"
#include "app/ide/kit/stage_row.h"
#include "app/ide/results/failure_line.h"
#include "profiler_views/diagnostics_model.h"
#include "profiler_views/failure_map/failure_map_view.h"
#include "profiler_views/verdict_look.h"
#include "profiler_views/worst_elements_model.h"
#include "toolchain/base/figures.h"
#include "toolchain/evaluation/evidence_lines.h"
#include "toolchain/failure_map/wrong_element_script.h"
#include "widgets/frame/empty_state.h"
#include "widgets/frame/fact_table.h"
#include "widgets/frame/pane.h"
#include "widgets/listing/log_view.h"
#include "widgets/look/look.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

std::vector<FactTable::Fact> howVerified(const Evaluation &evaluation, const VerifyFigures &verify) {
    std::vector<FactTable::Fact> facts;
    if (verify.roundsRun > 0)
        facts.push_back(
            {VerifyPage::tr("rounds"), VerifyPage::tr("%1 of %2 passed, each with a fresh secret seed")
                                           .arg(verify.roundsPassed)
                                           .arg(verify.roundsRun)});
    if (verify.elements)
        facts.push_back({VerifyPage::tr("elements"),
                         VerifyPage::tr("%1 a round, every one compared").arg(numberText(*verify.elements))});
    if (verify.elements && verify.elementsAboveAllowed)
        facts.push_back({VerifyPage::tr("wrong"),
                         VerifyPage::tr("%1 of %2 elements: error above what is allowed. This rule decides.")
                             .arg(numberText(*verify.elementsAboveAllowed), numberText(*verify.elements))});
    facts.push_back(
        {VerifyPage::tr("held against"), VerifyPage::tr("an FP64 oracle, and the reference's own error")});
    if (!evaluation.precisionMeasured.isEmpty())
        facts.push_back(
            {VerifyPage::tr("precision"),
             VerifyPage::tr("%1 measured; allowed: %2")
                 .arg(evaluation.precisionMeasured, evaluation.precisionAllowed.join(QStringLiteral(", ")))});
    if (verify.workdirCriterion != StageStatus::NotRun) {
        QString words = lookOf(verify.workdirCriterion).word;
        if (verify.workdirCriterion == StageStatus::Failed)
            words = VerifyPage::tr("Failed");
        if (verify.elementsOutsideWorkdirCriterion)
            words += VerifyPage::tr(", %1 elements outside")
                         .arg(numberText(*verify.elementsOutsideWorkdirCriterion));
        words += VerifyPage::tr("; a looser rule, which decides nothing");
        facts.push_back({VerifyPage::tr("atol = rtol = 0.01"), words});
    }
    for (const QString &doubt : evaluation.doubts)
        facts.push_back({VerifyPage::tr("doubt"), doubt});
    return facts;
}

// Of an evaluation whose document is not there.
std::vector<FactTable::Fact> whatIsKept(const Evaluation &evaluation) {
    std::vector<FactTable::Fact> facts{
        {VerifyPage::tr("kept"), VerifyPage::tr("verdict, times, doubts")},
        {VerifyPage::tr("not recorded"), VerifyPage::tr("rounds, elements, precision")}};
    for (const QString &doubt : evaluation.doubts)
        facts.push_back({VerifyPage::tr("doubt"), doubt});
    return facts;
}

std::optional<WrongElement> wrongElementOf(const WorstElement &worst) {
    if (!worst.expected || !worst.actual)
        return std::nullopt;
    WrongElement element{worst.round.value_or(0), worst.output, {}, *worst.expected, *worst.actual};
    for (const QString &number : worst.index.mid(1).chopped(1).split(QLatin1Char(','), Qt::SkipEmptyParts))
        element.index.push_back(number.trimmed().toLongLong());
    return element;
}

} // namespace

VerifyPage::VerifyPage(const Look &look, const Actions &actions, QWidget *parent)
    : CheckPage(look, actions, QStringLiteral("shield"),
                tr("Whether the result is the reference's appears here"),
                tr("whether the result is right appears here when it ends"), parent),
      m_stages(new StageRow(look, this)),
      m_message(new MessageCard(look, this)),
      m_detail(new LogView(look, this)),
      m_worstModel(new WorstElementsModel(this)),
      m_worstHead(new SectionHead(look, tr("Worst elements"), this)),
      m_worst(new FigureTable(look, m_worstModel, this)),
      m_mapHead(new SectionHead(look, tr("Failure map"), this)),
      m_map(new FailureMapView(look, this)),
      m_failure(new FailureLine(look, this)),
      m_findingsModel(new DiagnosticsModel(this)),
      m_findingsHead(new SectionHead(look, tr("Findings"), this)),
      m_findings(new FigureTable(look, m_findingsModel, this)),
      m_sanitizersModel(new DiagnosticsModel(this)),
      m_sanitizersHead(new SectionHead(look, tr("Sanitizers"), this)),
      m_sanitizers(new FigureTable(look, m_sanitizersModel, this)),
      m_howHead(new SectionHead(look, tr("How it was verified"), this)),
      m_how(new FactTable(look, this)) {
    m_worst->setObjectName(QStringLiteral("worstTable"));
    m_worst->setAccessibleName(tr("Worst elements"));
    m_worst->setShape(WorstElementsModel::Index, 8);
    m_map->setObjectName(QStringLiteral("failureMap"));
    connect(m_worst->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &row) { selectInMap(row.row()); });
    connect(m_map, &FailureMapView::elementActivated, this, &VerifyPage::selectInTable);
    connect(m_map, &FailureMapView::shownChanged, this, [this] { showElement(m_map->selectedElement()); });
    connect(m_failure, &FailureLine::placeActivated, this, &VerifyPage::placeActivated);
    connect(m_failure, &FailureLine::agentAsked, this, &VerifyPage::askAgent);
    connect(m_failure, &FailureLine::programAsked, this, &VerifyPage::copyProgram);
    m_findings->setObjectName(QStringLiteral("findingsTable"));
    m_findings->setAccessibleName(tr("What breaks a rule of the task"));
    m_sanitizers->setObjectName(QStringLiteral("sanitizersTable"));
    m_sanitizers->setAccessibleName(tr("What the sanitizers found"));
    for (FigureTable *table : {m_findings, m_sanitizers}) {
        table->horizontalHeader()->hide();
        table->setShape(DiagnosticsModel::Message, 6);
        connect(table, &FigureTable::placeActivated, this, &VerifyPage::placeActivated);
    }
    m_message->setObjectName(QStringLiteral("verifyMessage"));
    m_detail->setObjectName(QStringLiteral("verifyDetail"));
    m_detail->setAccessibleName(tr("What the process printed"));
    auto *content = new QWidget;
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_message);
    column->addWidget(m_findingsHead);
    column->addWidget(m_findings);
    // What the errors have in common is in sight without scrolling; the elements below say it in numbers.
    column->addWidget(m_mapHead);
    column->addWidget(m_map);
    column->addWidget(m_worstHead);
    column->addWidget(m_worst);
    column->addWidget(m_failure);
    column->addWidget(m_sanitizersHead);
    column->addWidget(m_sanitizers);
    column->addWidget(m_howHead);
    column->addWidget(m_how);
    column->addWidget(m_detail, 2);
    column->addStretch(1);
    m_scroll = new ScrollPage(look, content, this);
    m_scroll->setObjectName(QStringLiteral("verifyScroll"));
    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->setSpacing(0);
    whole->addWidget(textHead());
    whole->addWidget(m_stages);
    whole->addWidget(m_scroll, 1);
    whole->addWidget(emptyState(), 100);
    connect(m_message, &MessageCard::settingsAsked, this, &VerifyPage::settingsAsked);
    connect(m_detail, &LogView::placeActivated, this, &VerifyPage::placeActivated);
}

void VerifyPage::show(const Shown &shown, bool isStale, bool isRunning) {
    const bool hasAny = shown.evaluation.has_value();
    emptyState()->setVisible(!hasAny);
    for (QWidget *part : std::initializer_list<QWidget *>{
             m_stages, m_scroll, m_message, m_findingsHead, m_findings, m_worstHead, m_worst, m_mapHead,
             m_map, m_sanitizersHead, m_sanitizers, m_howHead, m_how, m_detail})
        part->setVisible(hasAny);
    if (!hasAny) {
        sayEmpty(isRunning, !shown.replay.isEmpty());
        m_shownId.clear();
        m_evaluation.reset();
        return showElement(std::nullopt);
    }
    const Evaluation &evaluation = *shown.evaluation;
    const VerifyFigures &verify = shown.figures.verify;
    const EvaluationMessage &message = evaluation.message;
    const bool wasRunning =
        std::exchange(m_isRunning, isRunning && shown.replay.isEmpty() && !shown.isEarlier);
    m_message->setVisible(!message.isEmpty() || m_isRunning);
    m_stages->setVisible(!m_isRunning);
    m_detail->setVisible(!message.detail.isEmpty());
    const std::vector<Diagnostic> findings = findingLines(evaluation.integrity);
    const std::vector<Diagnostic> sanitizers = sanitizerLines(evaluation.sanitizers);
    // A quick check never runs them: that is said nowhere, for it is no news.
    const bool hasSanitizers =
        evaluation.tier == Tier::Certify && !(sanitizers.empty() && evaluation.sanitizers.reason.isEmpty());
    m_findingsHead->setVisible(!findings.empty());
    m_findings->setVisible(!findings.empty());
    m_sanitizersHead->setVisible(hasSanitizers);
    m_sanitizers->setVisible(hasSanitizers && !sanitizers.empty());
    m_worstHead->setVisible(!verify.worst.empty());
    m_worst->setVisible(!verify.worst.empty());
    const bool isShown = m_shownId == evaluation.id;
    if (!isShown)
        showMap(evaluation);
    m_mapHead->setVisible(m_hasMap);
    m_map->setVisible(m_hasMap);
    m_map->setStale(isStale);
    const bool wasStale = std::exchange(m_isStale, isStale);
    m_isEarlier = shown.isEarlier;
    if (isShown && wasStale != isStale)
        showStores();
    if (!isShown || wasRunning != m_isRunning)
        sayMessage(evaluation);
    if (isShown)
        return enableProgram();
    m_shownId = evaluation.id;
    m_inspection.reset(); // of the text before
    m_evaluation = verify.worst.empty() && !m_hasMap ? std::nullopt : shown.evaluation;
    m_stages->setStages(stagesOf(evaluation, shown.figures));
    m_detail->setLog(message.detail);
    m_findingsModel->setDiagnostics(findings);
    m_findingsHead->setRemark(tr("evidence from the run"));
    m_sanitizersModel->setDiagnostics(sanitizers);
    m_sanitizersHead->setRemark(sanitizers.empty() ? tr("not run: %1").arg(evaluation.sanitizers.reason)
                                                   : tr("one forward under each, in a looser sandbox"));
    m_worstModel->setElements(verify.worst);
    showStores();
    showElement(verify.worst.empty() ? std::nullopt : wrongElementOf(verify.worst.front()));
    m_worstHead->setRemark(verify.worst.empty() ? QString()
                                                : verify.worst.front().output +
                                                      (isStale ? tr(", of the text before") : QString()));
    m_howHead->setRemark(shown.isSummary                        ? tr("not recorded")
                         : verify.status == StageStatus::NotRun ? tr("not run")
                                                                : QString());
    m_how->setFacts(shown.isSummary ? whatIsKept(evaluation) : howVerified(evaluation, verify));
}

// While a check runs, the verdict before it is no news of it.
void VerifyPage::sayMessage(const Evaluation &evaluation) {
    if (m_isRunning)
        return m_message->say(QStringLiteral("running"), "accent.text", "accent.tint",
                              tr("The check is running"), tr("What stands below is of the check before."));
    const EvaluationMessage &message = evaluation.message;
    const VerdictLook look = lookOf(evaluation.verdict);
    QString words = message.why;
    if (!message.advice.isEmpty())
        words += (words.isEmpty() ? QString() : QStringLiteral("\n")) + message.advice;
    // Of a file its name says enough here; where it lies is the workspace's.
    const QString thing = message.thing.startsWith(QLatin1Char('/'))
                              ? message.thing.section(QLatin1Char('/'), -1)
                              : message.thing;
    // «Wrong result from forward of model_new.py», but «Cannot compile: rows.cu».
    const bool goesOn =
        message.what.endsWith(QLatin1String(" from")) || message.what.endsWith(QLatin1String(" of"));
    m_message->say(QString::fromLatin1(look.icon), look.ink, look.ground,
                   thing.isEmpty()
                       ? message.what
                       : message.what + (goesOn ? QStringLiteral(" ") : QStringLiteral(": ")) + thing,
                   words);
}

// Reading a large one takes longer than a frame.
void VerifyPage::showMap(const Evaluation &evaluation) {
    const OrderedJson &verify = evaluation.verify;
    const auto rounds = verify.is_object() ? verify.find("rounds") : verify.end();
    m_hasMap = verify.is_object() && rounds != verify.end() && rounds->is_array() &&
               std::any_of(rounds->begin(), rounds->end(), [](const OrderedJson &round) {
                   return round.is_object() && round.contains("failureMap");
               });
    const int job = m_mapJob.next();
    if (!m_hasMap)
        return;
    m_mapHead->setRemark(tr("error over what is allowed, by tile"));
    inPool(
        this, [verify] { return failureMaps(verify); },
        [this, job](std::vector<FailureMap> maps) {
            if (!m_mapJob.isStale(job))
                m_map->show(std::move(maps));
        });
}

void VerifyPage::selectInMap(int row) {
    if (row < 0 || row >= m_worstModel->rowCount())
        return;
    const std::optional<WrongElement> element = wrongElementOf(m_worstModel->elementAt(row));
    if (!element)
        return;
    m_map->selectElement(element->round, element->output, element->index);
    showElement(element);
}

void VerifyPage::showElement(const std::optional<WrongElement> &element) {
    m_failure->setElement(m_evaluation ? element : std::nullopt);
    enableProgram();
}

void VerifyPage::setWorkspace(const std::optional<Workspace> &workspace) {
    m_workspace = workspace;
    enableProgram();
}

void VerifyPage::setInspection(const std::shared_ptr<const Inspection> &inspection) {
    m_inspection = inspection;
    showStores();
}

QWidget *VerifyPage::inspectionReader() const {
    return m_failure;
}

// A listing has tens of thousands of lines.
void VerifyPage::showStores() {
    const int job = m_storesJob.next();
    if (!m_evaluation)
        return;
    if (stringIn(m_evaluation->device, "kind") == QLatin1String("cpu"))
        return m_failure->setStores(
            {}, 0, tr("Which line wrote it is not known: on the CPU the twin ran, which has no listing."));
    if (isOfProposal())
        return m_failure->setStores(
            {}, 0, tr("Which line wrote it is not known: the listing is of the text on the disk."));
    if (!m_inspection || m_inspection->kernels.empty() || m_isStale)
        return m_failure->setStores({}, 0,
                                    m_isStale ? tr("Which line wrote it is not known: the text has changed.")
                                              : tr("Which line wrote it is not known: there is no listing of "
                                                   "the kernels."));
    inPool(
        this,
        [inspection = m_inspection] {
            int unplaced = 0;
            std::vector<StoreSite> sites = storeSites(*inspection, &unplaced);
            return std::pair(std::move(sites), unplaced);
        },
        [this, job](const std::pair<std::vector<StoreSite>, int> &found) {
            if (!m_storesJob.isStale(job))
                m_failure->setStores(found.first, found.second, {});
        });
}

void VerifyPage::askAgent() {
    if (!m_evaluation || !m_failure->element())
        return;
    inPool(
        this,
        [verify = m_evaluation->verify, element = *m_failure->element(), stores = m_failure->stores()] {
            return failureQuestion(verify, element, stores);
        },
        [this, job = m_questionJob.next()](const QString &question) {
            if (!m_questionJob.isStale(job))
                emit agentAsked(question);
        });
}

void VerifyPage::copyProgram() {
    if (!m_evaluation || !m_failure->element() || !m_workspace)
        return;
    const Result<QString> program =
        wrongElementScript(*m_evaluation, *m_failure->element(), m_workspace->folder, m_workspace->state,
                           m_workspace->task.trains);
    if (!program.hasValue())
        return m_failure->setWhyNoProgram(program.message());
    QGuiApplication::clipboard()->setText(program.value());
    m_failure->sayCopied();
}

void VerifyPage::enableProgram() {
    m_failure->setWhyNoProgram(!m_workspace     ? tr("no workspace is open")
                               : isOfProposal() ? tr("it runs the text on the disk, and the proposal is not "
                                                     "there")
                               : m_isEarlier ? tr("it runs the text on the disk: branch from this iteration "
                                                  "first")
                               : m_isStale   ? tr("the text has changed since: check it again")
                                             : QString());
}

void VerifyPage::selectInTable(const QString &output, const QString &index) {
    bool isThere = false;
    for (int row = 0; row < m_worstModel->rowCount() && !isThere; ++row) {
        const WorstElement &element = m_worstModel->elementAt(row);
        isThere = element.output == output && element.index == index;
        if (isThere)
            m_worst->selectRow(row);
    }
    if (!isThere)
        m_worst->clearSelection();
    showElement(m_map->selectedElement());
}

} // namespace warpwright
