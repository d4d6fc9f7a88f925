// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/editing/reference_panel.h"

#include "toolchain/base/figures.h"
#include "toolchain/text/source_text.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor_setup.h"
#include "widgets/frame/fact_table.h"
#include "widgets/frame/tab_strip.h"
#include "widgets/look/look.h"

#include <QFileInfo>
#include <QVBoxLayout>

namespace warpwright {
namespace {

constexpr int leastLines = 6; ///< of code, which come before the facts

/// Of what is no text, why nothing of it is shown.
QString shownText(const SourceText &source) {
    return source.isReadOnlyKind && source.text.isEmpty() ? source.note : source.text;
}

} // namespace

ReferencePanel::ReferencePanel(const Look &look, Workbench &bench, QWidget *parent)
    : Pane(look, QStringLiteral("target"), tr("Reference"), parent),
      m_look(look),
      m_bench(bench),
      m_editor(makeCodeEditor(look, this).release()),
      m_head(new SectionHead(look, tr("Task facts"), this)),
      m_facts(new FactTable(look, this)) {
    setObjectName(QStringLiteral("referencePane"));
    m_editor->setObjectName(QStringLiteral("referenceEditor"));
    m_editor->setLanguage(CodeEditor::Language::Python);
    m_editor->setReadOnlyReason(
        tr("The reference is what the candidate is measured against: it is not edited here."));
    m_editor->setAccessibleName(tr("Reference, read-only"));
    auto *content = new QWidget(this);
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_editor, 1);
    column->addWidget(m_head);
    column->addWidget(m_facts);
    setContent(content);
    setTitleYields();
    tabs()->addTab(QStringLiteral("model.py"));
    setRemark(tr("read-only"));
    connect(&bench, &Workbench::opened, this, &ReferencePanel::loadFile);
    connect(&bench, &Workbench::shownChanged, this, &ReferencePanel::describe);
    connect(&bench, &Workbench::closed, this, [this] {
        m_loads.next(); // what is still being read is of this workspace
        m_jobs.next();
        m_loaded.clear();
        m_text.clear();
        m_opened.clear();
        if (tabs()->count() > 1)
            tabs()->removeTab(1);
        m_editor->setContent({});
    });
    connect(tabs(), &QTabBar::currentChanged, this, &ReferencePanel::showTab);
    connect(&look, &Look::changed, this, &ReferencePanel::fitFacts);
    describe();
}

void ReferencePanel::loadFile() {
    const QString file = m_bench.workspace()->modelFile;
    tabs()->setTabText(0, QFileInfo(file).fileName());
    const int load = m_loads.next();
    inPool(
        this, [file] { return readSourceText(file); },
        [this, file, load](const Result<SourceText> &text) {
            if (m_loads.isStale(load))
                return;
            m_loaded = file;
            m_text = text.hasValue() ? shownText(text.value()) : text.message();
            if (!showsOpened())
                m_editor->setContent(m_text);
        });
}

bool ReferencePanel::showsOpened() const {
    return tabs()->currentIndex() == 1;
}

void ReferencePanel::showTab() {
    const int now = showsOpened() ? 1 : 0;
    if (now == m_shownTab)
        return;
    m_places[m_shownTab] = m_editor->viewState();
    m_shownTab = now;
    m_editor->setLanguage(now == 0 ? CodeEditor::Language::Python : CodeEditor::languageOf(m_opened));
    m_editor->setContent(now == 0 ? m_text : m_openedText);
    m_editor->restoreViewState(m_places[now]);
    m_editor->setReadOnlyReason(
        now == 0 ? tr("The reference is what the candidate is measured against: it is not edited here.")
                 : tr("This file is shown to be read: only the candidate's files are edited here."));
    m_editor->setAccessibleName(now == 0 ? tr("Reference, read-only")
                                         : tr("%1, read-only").arg(tabs()->tabText(1)));
    emit shownChanged();
}

void ReferencePanel::openFile(const QString &path, int line, int column) {
    const int job = m_jobs.next();
    inPool(
        this, [path] { return readSourceText(path); },
        [this, path, line, column, job](const Result<SourceText> &text) {
            if (m_jobs.isStale(job) || !m_bench.workspace())
                return;
            if (!text.hasValue()) {
                emit failed(tr("Not opened"), text.message());
                return;
            }
            const QString shown = shownText(text.value());
            const bool isSame = path == m_opened && m_openedText == shown;
            if (tabs()->count() < 2)
                tabs()->addTab(QString());
            tabs()->setTabText(1, QFileInfo(path).fileName());
            tabs()->setTabToolTip(1, path);
            m_opened = path;
            m_openedText = shown;
            if (!isSame) {
                m_places[1] = {};
                tabs()->setCurrentIndex(0); // so that the text is set anew
            }
            tabs()->setCurrentIndex(1);
            if (line > 0)
                m_editor->goTo(line, column);
            m_editor->setFocus(Qt::OtherFocusReason);
        });
}

void ReferencePanel::showReference() {
    tabs()->setCurrentIndex(0);
    m_editor->setFocus(Qt::OtherFocusReason);
}

void ReferencePanel::goTo(int line, int column) {
    tabs()->setCurrentIndex(0);
    m_editor->goTo(line, column);
}

void ReferencePanel::describe() {
    // The task is the same for all iterations; where this one was not counted, its
    // parent's check has.
    const Shown &shown = m_bench.shown();
    const MeasuredFigures figures = shown.figures.task.inputs.isEmpty() && shown.parentEvaluation
                                        ? measuredFigures(*shown.parentEvaluation)
                                        : shown.figures;
    const TaskFigures &task = figures.task;
    std::vector<FactTable::Fact> facts;
    if (!task.inputs.isEmpty())
        facts.push_back({tr("inputs"), task.inputs.join(QStringLiteral(" · "))});
    if (!task.outputs.isEmpty())
        facts.push_back({tr("outputs"), task.outputs.join(QStringLiteral(" · "))});
    if (task.parameters)
        facts.push_back({tr("parameters"), numberText(*task.parameters)});
    if (task.flops)
        facts.push_back({tr("FLOPs"), scaledText(*task.flops, {})});
    if (task.bytes)
        facts.push_back({tr("bytes"), scaledText(*task.bytes, QStringLiteral("B"))});
    QStringList limit;
    if (!task.limit.isEmpty())
        limit << task.limit;
    if (task.intensity)
        limit << tr("%1 FLOP/B").arg(numberText(*task.intensity, 2));
    if (const auto &light = figures.speedOfLightMicroseconds)
        limit << tr("speed of light %1, measured anew in each check").arg(figures.times.fineText(*light));
    if (!limit.isEmpty())
        facts.push_back({tr("limit"), limit.join(QStringLiteral(", "))});
    m_factsRemark = !facts.empty()           ? tr("least work, counted")
                    : shown.replay.isEmpty() ? tr("counted by the first check")
                                             : tr("not recorded");
    m_facts->setFacts(std::move(facts));
    fitFacts();
}

void ReferencePanel::resizeEvent(QResizeEvent *event) {
    Pane::resizeEvent(event);
    fitFacts();
}

// In a low pane they are one line, whose tool tip has them whole.
void ReferencePanel::fitFacts() {
    const std::vector<FactTable::Fact> &facts = m_facts->facts();
    const int above = m_look.px(32) + static_cast<const QWidget *>(m_head)->sizeHint().height();
    const int line = QFontMetrics(m_look.font(TextRole::Code)).lineSpacing();
    const bool isLow = height() < above + m_facts->sizeHint().height() + leastLines * line;
    QStringList values;
    for (const FactTable::Fact &fact : facts)
        values << fact.value;
    m_facts->setVisible(!facts.empty() && !isLow);
    m_head->setToolTip(isLow ? m_facts->toolTip() : QString());
    if (!facts.empty() && isLow)
        m_head->setRemark(values.join(QStringLiteral(" · ")));
    else
        m_head->setRemark(m_factsRemark, !facts.empty());
}

} // namespace warpwright
