// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/measured/editor_heat.h"

#include "app/ide/editing/candidate_panel.h"
#include "app/ide/measured/heat_controller.h"
#include "profiler_views/heat/heat_text.h"
#include "toolchain/base/figures.h"
#include "toolchain/heat/moved_lines.h"
#include "toolchain/text/source_text.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/heat_marks.h"
#include "widgets/frame/action_button.h"
#include "widgets/look/heat_scale.h"
#include "widgets/look/tool_tip_text.h"

#include <QAction>

namespace warpwright {
namespace {

constexpr int soonMs = 120;

struct PlacedHeat {
    std::vector<HeatMark> marks;
    bool isChanged = false; ///< the file's text is another one
};

/// As the editor holds it: without marks of order and with one kind of line end.
QByteArray plainBytes(const QByteArray &file) {
    return decodeSourceText(file).text.toUtf8().replace("\r\n", "\n");
}

PlacedHeat placed(const Heat &heat, const QString &file, const QString &content, bool isPast) {
    PlacedHeat made;
    const auto ran = heat.texts.find(file);
    if (ran == heat.texts.end())
        return made;
    const QByteArray before = plainBytes(ran->second);
    const QByteArray now = content.toUtf8().replace("\r\n", "\n");
    made.isChanged = before != now;
    const std::vector<int> lines = movedLines(before, now);
    for (const HeatLine &line : heat.lines) {
        const auto at = static_cast<std::size_t>(line.line - 1);
        if (line.file != file || !(line.counts.samples > 0) || at >= lines.size() || lines[at] == 0)
            continue;
        QStringList words = heatWords(line, heat.samples);
        if (isPast || made.isChanged)
            words.prepend(EditorHeat::tr("heat %1, line %2 there: the text is another one now")
                              .arg(heatSubject(heat))
                              .arg(line.line));
        made.marks.push_back({lines[at], line.share, words.join(QLatin1Char('\n'))});
    }
    return made;
}

} // namespace

EditorHeat::EditorHeat(const Look &look, HeatController &controller, CandidatePanel &candidate, QAction &show)
    : QObject(&candidate),
      m_controller(controller),
      m_candidate(candidate),
      m_show(show),
      m_head(new ActionButton(look, ActionButton::Kind::Flat, &candidate)) {
    m_head->setObjectName(QStringLiteral("heatHead"));
    m_head->setSmall(true);
    m_head->hide();
    connect(m_head, &QAbstractButton::clicked, &show, &QAction::trigger);
    connect(&show, &QAction::toggled, this, [this] {
        say();
        draw();
    });
    candidate.addToHead(m_head);
    m_soon.setSingleShot(true);
    m_soon.setInterval(soonMs);
    connect(&m_soon, &QTimer::timeout, this, &EditorHeat::draw);
    connect(&controller, &HeatController::changed, this, [this] {
        say();
        m_soon.start();
    });
    // It comes with every other file that is shown, too.
    connect(&candidate, &CandidatePanel::placeChanged, this, &EditorHeat::follow);
    connect(&candidate, &CandidatePanel::loaded, this, &EditorHeat::follow);
}

void EditorHeat::follow() {
    CodeEditor *editor = m_candidate.currentEditor();
    const QString file = m_candidate.currentFile();
    if (editor == m_editor && file == m_file)
        return;
    if (m_editor != nullptr)
        m_editor->disconnect(this);
    m_editor = editor;
    m_file = file;
    if (editor != nullptr)
        connect(editor, &QsciScintilla::textChanged, this, [this] { m_soon.start(); });
    m_soon.start();
}

void EditorHeat::draw() {
    follow();
    const SharedHeat heat = m_controller.heat();
    const int number = m_jobs.next();
    if (m_editor == nullptr)
        return;
    if (!heat || !m_show.isChecked() || heat->texts.count(m_file) == 0) {
        m_editor->decorator<HeatMarks>().setMarks({}, false);
        return;
    }
    const bool isPast = m_controller.isPast();
    inPool(
        this,
        [heat, file = m_file, content = m_editor->content(), isPast] {
            return placed(*heat, file, content, isPast);
        },
        [this, number, isPast, editor = m_editor](PlacedHeat &&made) {
            if (!m_jobs.isStale(number) && editor != nullptr)
                editor->decorator<HeatMarks>().setMarks(std::move(made.marks), isPast || made.isChanged);
        });
}

void EditorHeat::say() {
    const SharedHeat heat = m_controller.heat();
    m_head->setVisible(heat != nullptr);
    if (!heat)
        return;
    const bool isPast = m_controller.isPast();
    // It stays where it is while it is off: who hid the column by it finds it again.
    m_head->setText(!m_show.isChecked() ? tr("heat is hidden")
                    : isPast            ? tr("heat %1").arg(heatSubject(*heat))
                                        : tr("heat: stall samples"));
    QStringList words{tr("Beside each line: its share of %1 samples of warps on %2. "
                         "Collected %3.")
                          .arg(numberText(heat->samples), heat->device,
                               heat->at.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm")))};
    if (isPast)
        words << tr("The text is another one now: lines that were changed have none, others no colour.");
    else
        for (int step = 0; step < heatSteps; ++step)
            words << heatStepName(step);
    words << heat->problems;
    words << (m_show.isChecked() ? tr("Click: hide it beside the lines.") : tr("Click: show it."));
    m_head->setToolTip(toolTipText(words.join(QLatin1Char('\n'))));
    m_head->setAccessibleName(m_head->text());
    m_head->setAccessibleDescription(words.join(QLatin1Char(' ')));
    m_head->setIconName(QStringLiteral("heat"),
                        isPast || !m_show.isChecked() ? "text.tertiary" : "text.secondary");
}

void EditorHeat::find(const QString &file, int line) {
    const SharedHeat heat = m_controller.heat();
    const CodeEditor *editor =
        file == m_file && m_editor != nullptr ? m_editor.data() : m_candidate.editorOf(file);
    const int number = m_findings.next();
    if (!heat || heat->texts.count(file) == 0 || editor == nullptr)
        return emit lineGone(file, line);
    inPool(
        this,
        [heat, file, line, content = editor->content()] {
            const std::vector<int> lines =
                movedLines(plainBytes(heat->texts.at(file)), content.toUtf8().replace("\r\n", "\n"));
            const auto at = static_cast<std::size_t>(line - 1);
            return at < lines.size() ? lines[at] : 0;
        },
        [this, number, file, line](int now) {
            if (m_findings.isStale(number))
                return;
            if (now > 0)
                emit placeFound(file, now);
            else
                emit lineGone(file, line);
        });
}

} // namespace warpwright
