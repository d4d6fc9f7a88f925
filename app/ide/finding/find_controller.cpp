// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/finding/find_controller.h"

#include "app/ide/agent/agent_panel.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/editing/reference_panel.h"
#include "app/ide/finding/find_page.h"
#include "app/ide/finding/listing_texts.h"
#include "app/ide/finding/workspace_files.h"
#include "app/ide/history/past_run_panel.h"
#include "app/ide/history/run_event_list.h"
#include "app/ide/kit/actions.h"
#include "app/ide/results/assembly_page.h"
#include "app/ide/results/build_panel.h"
#include "toolchain/text/source_text.h"
#include "toolchain/tool_output/kernel_name.h"
#include "toolchain/workspace/candidate_texts.h"
#include "widgets/editor/code_editor.h"
#include "widgets/listing/listing_face.h"
#include "widgets/listing/log_view.h"

#include <QApplication>
#include <QFileInfo>
#include <QLocale>

#include <set>

namespace warpwright {
namespace {

constexpr int lookAgainMs = 300; ///< after a change of a text

std::function<QString()> fileReader(const QString &path) {
    return [path] {
        const Result<SourceText> text = readSourceText(path);
        return text.hasValue() ? text.value().text : QString();
    };
}

std::function<QString()> known(const QString &text) {
    return [text] {
        return text;
    };
}

/// What is selected where the keys are, if that is within a line.
QString selectedWords() {
    QString words;
    QWidget *focus = QApplication::focusWidget();
    if (const auto *editor = qobject_cast<CodeEditor *>(focus))
        words = editor->selectedText();
    else if (const auto *log = qobject_cast<LogView *>(focus))
        words = log->textCursor().selectedText();
    return words.contains(u'\n') || words.contains(QChar::ParagraphSeparator) ? QString() : words;
}

} // namespace

FindController::FindController(const Look &look, const Rooms &rooms, QObject *parent)
    : QObject(parent),
      m_rooms(rooms),
      m_page(new FindPage(look, &rooms.build)),
      m_hunt(new TextHunt(this)),
      m_index(rooms.build.addPage(m_page, tr("Find"))) {
    connect(m_page, &FindPage::asked, this, &FindController::search);
    connect(m_page, &FindPage::stopAsked, this, [this] {
        m_jobs.next();
        if (m_hunt->isRunning()) {
            m_hunt->stop();
            return;
        }
        TextHunt::Ending ending; // the folder was still being read
        ending.isStopped = true;
        m_page->end(ending);
    });
    connect(m_page, &FindPage::hitActivated, this, &FindController::goTo);
    connect(m_page, &FindPage::replaceAsked, this, &FindController::replaceAll);
    connect(m_page, &FindPage::closed, this, [this] { m_rooms.candidate.focusHere(); });
    connect(m_hunt, &TextHunt::found, m_page, &FindPage::add);
    connect(m_hunt, &TextHunt::finished, m_page, &FindPage::end);
    connect(m_hunt, &TextHunt::finished, this, &FindController::enable);
    Actions &actions = m_rooms.actions;
    connect(actions.findAll, &QAction::triggered, this, [this] { open(false); });
    connect(actions.replaceAll, &QAction::triggered, this, [this] { open(true); });
    connect(actions.nextFound, &QAction::triggered, this, [this] { m_page->step(1); });
    connect(actions.previousFound, &QAction::triggered, this, [this] { m_page->step(-1); });
    connect(&m_page->rows(), &QAbstractItemModel::modelReset, this, &FindController::enable);
    connect(&m_rooms.bench, &Workbench::opened, this, &FindController::enable);
    connect(&m_rooms.bench, &Workbench::closed, this, [this] {
        m_hunt->stop();
        m_page->begin({});
        m_page->end({});
        enable();
    });
    m_soon.setSingleShot(true);
    m_soon.setInterval(lookAgainMs);
    connect(&m_soon, &QTimer::timeout, this, &FindController::lookAgain);
    const auto soon = [this] {
        if (!m_soon.isActive())
            m_soon.start();
    };
    connect(&m_rooms.candidate, &CandidatePanel::editsChanged, this, soon);
    connect(&m_rooms.candidate, &CandidatePanel::saved, this, soon);
    connect(&m_rooms.bench, &Workbench::shownChanged, this, soon);
    connect(&m_rooms.bench, &Workbench::compiledTextChanged, this, soon);
    connect(&m_rooms.bench, &Workbench::filesChanged, this, soon);
    // A listing of a text that was compiled anew, another past run.
    connect(&m_rooms.assembly, &AssemblyPage::settled, this, soon);
    connect(&m_rooms.pastRun.events().events(), &QAbstractItemModel::modelReset, this, soon);
    enable();
}

void FindController::enable() {
    const QString why = m_rooms.bench.workspace() ? QString() : tr("no workspace is open");
    Actions::setReason(m_rooms.actions.findAll, why);
    Actions::setReason(m_rooms.actions.replaceAll, why.isEmpty() ? whyNoReplace() : why);
    for (QAction *step : {m_rooms.actions.nextFound, m_rooms.actions.previousFound})
        Actions::setReason(step, m_page->rows().hitCount() > 0 ? QString()
                                                               : tr("nothing was found in all texts yet"));
    m_page->setWhyNoReplace(whyNoReplace());
}

QString FindController::whyNoReplace() const {
    const Workbench &bench = m_rooms.bench;
    return bench.shown().isEarlier ? tr("an earlier iteration is read-only")
           : bench.isLent()        ? tr("an agent's run is going on")
                                   : bench.readOnlyReason();
}

void FindController::showPage() {
    m_rooms.showBuild();
    m_rooms.build.setCurrentPage(m_index);
}

void FindController::open(bool replaces) {
    const QString words = selectedWords();
    showPage();
    m_page->ask(words, replaces);
}

std::map<QString, QString> FindController::candidateTexts() const {
    std::map<QString, QString> texts;
    const auto &workspace = m_rooms.bench.workspace();
    if (!workspace)
        return texts;
    if (m_rooms.bench.shown().isEarlier) {
        for (const auto &[path, bytes] : m_rooms.bench.shown().texts)
            if (isCandidatePath(path))
                texts[path] = decodeSourceText(bytes).text;
        return texts;
    }
    QStringList paths;
    if (!workspace->modelNewFile.isEmpty())
        paths << QFileInfo(workspace->modelNewFile).fileName();
    for (const SourceFile &source : workspace->sources)
        paths << source.name;
    for (const QString &path : std::as_const(paths))
        if (const CodeEditor *editor = m_rooms.candidate.editorOf(path))
            texts[path] = editor->content();
    return texts;
}

std::vector<SearchedText> FindController::texts() {
    std::vector<SearchedText> texts;
    if (!m_rooms.bench.workspace())
        return texts;
    m_searched = candidateTexts();
    m_listed = listedNow();
    for (const auto &[path, text] : m_searched)
        texts.push_back({SearchedText::Candidate, path, path, -1, known(text)});
    addFiles(texts);
    const Shown &shown = m_rooms.bench.shown();
    const CompiledText *compiled = m_rooms.bench.compiledText();
    m_log = compiled != nullptr ? compiled->log : shown.compileLog;
    m_iteration = shown.iteration;
    m_isEarlier = shown.isEarlier;
    texts.push_back({SearchedText::CompilerOutput, tr("Compiler output"), {}, -1, known(m_log)});
    addListings(texts);
    const ConversationText conversation = conversationText(m_rooms.agent.events());
    texts.push_back({SearchedText::Conversation,
                     tr("Conversation with the agent"),
                     {},
                     -1,
                     known(conversation.text),
                     conversation.begins});
    if (const RunEventModel &events = m_rooms.pastRun.events().events(); !m_listed.run.isEmpty())
        texts.push_back({SearchedText::PastRun,
                         tr("Events of the past run"),
                         {},
                         -1,
                         [state = events.stateFolder(), run = events.run()] {
                             return runEventsText(state, run);
                         }});
    if (const auto *console = m_rooms.build.findChild<LogView *>(QStringLiteral("console")))
        texts.push_back({SearchedText::Console, tr("Console"), {}, -1, known(console->toPlainText())});
    return texts;
}

FindController::Listed FindController::listedNow() const {
    const RunEventModel &events = m_rooms.pastRun.events().events();
    Listed listed{m_rooms.assembly.inspection(), {}, 0};
    if (!m_rooms.pastRun.isHidden() && !events.run().isEmpty())
        listed = {std::move(listed.inspection), events.stateFolder() + QLatin1Char('/') + events.run(),
                  events.count()};
    return listed;
}

// The reference, and what else lies in the folder.
void FindController::addFiles(std::vector<SearchedText> &texts) {
    const Workspace &workspace = *m_rooms.bench.workspace();
    const QString reference = QFileInfo(workspace.modelFile).fileName();
    texts.push_back({SearchedText::Reference, tr("%1 (reference)").arg(reference), workspace.modelFile, -1,
                     fileReader(workspace.modelFile)});
    for (const QString &file : m_otherFiles)
        if (file != reference && m_searched.count(file) == 0 && !isCandidatePath(file))
            texts.push_back({SearchedText::OtherFile, file, workspace.folder + QLatin1Char('/') + file, -1,
                             fileReader(workspace.folder + QLatin1Char('/') + file)});
}

void FindController::addListings(std::vector<SearchedText> &texts) {
    const std::shared_ptr<const Inspection> &inspection = m_rooms.assembly.inspection();
    if (!inspection)
        return;
    for (std::size_t i = 0; i < inspection->kernels.size(); ++i) {
        const QString name = shortKernelName(inspection->kernels[i].resources.name);
        const auto read = [inspection, i](bool isSass) {
            return [inspection, i, isSass] {
                const InspectedKernel &kernel = inspection->kernels[i];
                const std::optional<KernelCode> &code = isSass ? kernel.sass : kernel.ptx;
                return code ? listingText(*code) : QString();
            };
        };
        const int number = static_cast<int>(i);
        if (inspection->kernels[i].sass)
            texts.push_back({SearchedText::Sass, tr("SASS of %1").arg(name), {}, number, read(true)});
        if (inspection->kernels[i].ptx)
            texts.push_back({SearchedText::Ptx, tr("PTX of %1").arg(name), {}, number, read(false)});
    }
}

// The folder is read before: what lies there is a matter of the disk.
void FindController::search(const Question &question) {
    if (!m_rooms.bench.workspace())
        return;
    m_page->begin({});
    const int job = m_jobs.next();
    inPool(
        this, [workspace = *m_rooms.bench.workspace()] { return workspaceFiles(workspace); },
        [this, job, question, folder = m_rooms.bench.workspace()->folder](const QStringList &files) {
            // What is being typed meanwhile asks anew, or asks the same again and waits for this answer.
            if (m_jobs.isStale(job) || !m_rooms.bench.workspace() ||
                m_rooms.bench.workspace()->folder != folder)
                return;
            m_otherFiles = files;
            std::vector<SearchedText> all = texts();
            for (const auto &[path, text] : m_searched)
                if (const CodeEditor *editor = m_rooms.candidate.editorOf(path))
                    connect(editor, &CodeEditor::edited, &m_soon, qOverload<>(&QTimer::start),
                            Qt::UniqueConnection);
            m_page->begin(all);
            m_hunt->start(std::move(all), question);
            enable();
        });
}

void FindController::lookAgain() {
    enable();
    if (m_page->rows().texts().empty())
        return;
    const Shown &shown = m_rooms.bench.shown();
    const CompiledText *compiled = m_rooms.bench.compiledText();
    m_page->setStale(shown.iteration != m_iteration || shown.isEarlier != m_isEarlier ||
                     (compiled != nullptr ? compiled->log : shown.compileLog) != m_log ||
                     listedNow() != m_listed || candidateTexts() != m_searched);
}

void FindController::goTo(const FoundHit &hit) {
    const SearchedText &text = m_page->rows().textOf(hit);
    const Workbench &bench = m_rooms.bench;
    if (!bench.workspace())
        return;
    const auto showInLog = [&](const char *page, const char *name) {
        m_rooms.showBuild();
        m_rooms.build.showPage(QLatin1String(page));
        auto *log = m_rooms.build.findChild<LogView *>(QLatin1String(name));
        if (log == nullptr)
            return;
        LogFace(m_page->look(), log, nullptr).show({hit.line - 1, hit.unit, hit.length});
        log->setFocus(Qt::OtherFocusReason);
    };
    switch (text.kind) {
    case SearchedText::Candidate:
        if (!m_rooms.candidate.goTo(bench.workspace()->folder + QLatin1Char('/') + text.path, hit.line,
                                    hit.column)) {
            m_page->say(tr("%1 is not open any more").arg(text.title));
            return;
        }
        // Where the text is as it was, the match itself is selected.
        if (CodeEditor *editor = m_rooms.candidate.currentEditor();
            m_searched.count(text.path) > 0 && editor->content() == m_searched[text.path])
            editor->sci(QsciScintillaBase::SCI_SETSEL, hit.hit.start, hit.hit.start + hit.hit.length);
        return;
    case SearchedText::Reference:
        m_rooms.reference.goTo(hit.line, hit.column);
        return;
    case SearchedText::OtherFile:
        m_rooms.reference.openFile(text.path, hit.line, hit.column);
        return;
    case SearchedText::CompilerOutput:
        showInLog("compile", "compileLog");
        return;
    case SearchedText::Console:
        showInLog("console", "console");
        return;
    case SearchedText::Sass:
    case SearchedText::Ptx:
        m_rooms.showAssembly();
        m_rooms.assembly.showLine(text.number, text.kind == SearchedText::Sass, hit.line - 1);
        return;
    case SearchedText::PastRun: {
        m_rooms.showAgent();
        RunEventList &events = m_rooms.pastRun.events();
        events.setCurrentIndex(events.events().index(events.events().rowOf(hit.line)));
        events.scrollTo(events.currentIndex());
        events.setFocus(Qt::OtherFocusReason);
        return;
    }
    case SearchedText::Conversation:
        m_rooms.showAgent();
        m_rooms.agent.goToEvent(ConversationText{{}, text.begins}.rowOf(hit.line - 1));
        return;
    }
}

void FindController::replaceAll() {
    const Question question = m_page->question();
    if (!question.replacement || !whyNoReplace().isEmpty())
        return;
    std::map<QString, std::set<long>> wanted; // where hits begin, by file
    for (const FoundHit &hit : m_page->rows().hits())
        if (hit.replacement)
            wanted[m_page->rows().textOf(hit).path].insert(hit.hit.start);
    int count = 0;
    QStringList left;
    for (const auto &[path, starts] : wanted) {
        CodeEditor *editor = m_rooms.candidate.editorOf(path);
        // Where the text is another by now the places are not those that were looked at.
        if (editor == nullptr || editor->isReadOnly() || editor->content() != m_searched[path]) {
            left << path;
            continue;
        }
        const std::vector<Replacement> all =
            replacementsInText(editor->content(), question.query, *question.replacement);
        editor->beginUndoAction();
        for (auto each = all.rbegin(); each != all.rend(); ++each) { // from the end back none moves another
            if (starts.count(each->hit.start) == 0)
                continue;
            const QByteArray text = each->text.toUtf8();
            editor->sci(QsciScintillaBase::SCI_SETTARGETRANGE, each->hit.start,
                        each->hit.start + each->hit.length);
            editor->sci(QsciScintillaBase::SCI_REPLACETARGET, text.size(),
                        reinterpret_cast<long>(text.constData()));
            ++count;
        }
        editor->endUndoAction();
    }
    m_page->begin({});
    m_page->end({});
    const auto files = static_cast<qsizetype>(wanted.size()) - left.size();
    QString words = tr("%1 replaced in %2; nothing is saved yet")
                        .arg(QLocale(QLocale::English).toString(count),
                             files == 1 ? tr("1 file") : tr("%1 files").arg(files));
    if (!left.isEmpty())
        words += tr(". Not in %1: changed since it was searched, or read-only")
                     .arg(left.join(QStringLiteral(", ")));
    m_page->say(words);
}

} // namespace warpwright
