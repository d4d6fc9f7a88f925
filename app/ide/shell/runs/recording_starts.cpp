// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/runs/recording_starts.h"

#include "agent/record/recordings.h"
#include "agent/record/run_index.h"
#include "app/ide/history/replay_controller.h"
#include "app/ide/kit/notices.h"
#include "app/ide/layout/top_bar.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/shell/workspace_opener.h"
#include "app/ide/start/start_page.h"
#include "app/ide/workbench/job.h"
#include "app/ide/workbench/workbench.h"

#include <QFileInfo>

#include <utility>

namespace warpwright {

RecordingStarts::RecordingStarts(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {
    // Its numbers are of another machine than the one that the device button names.
    connect(&m_parts.bench, &Workbench::opened, this, [this] {
        m_parts.topBar.setRecordedOn({});
        if (!isRecording(m_parts.bench))
            return;
        inPool(
            this,
            [name = QFileInfo(m_parts.bench.workspace()->folder).fileName(),
             resources = m_parts.bench.folders().resources] {
                QString device;
                for (const Recording &recording : listRecordings(resources))
                    if (recording.name == name)
                        device = recording.device;
                return device;
            },
            [this, folder = m_parts.bench.workspace()->folder](const QString &device) {
                if (m_parts.bench.workspace() && m_parts.bench.workspace()->folder == folder)
                    m_parts.topBar.setRecordedOn(device);
            });
    });
    connect(&m_parts.bench, &Workbench::closed, this, [this] { m_parts.topBar.setRecordedOn({}); });
    connect(&m_parts.opener, &WorkspaceOpener::recordingAsked, this, &RecordingStarts::playOpened);
    connect(&m_parts.start, &StartPage::recordingAsked, this, &RecordingStarts::openRecording);
}

void RecordingStarts::openRecording(const QString &name) {
    using Answer = Result<OpenedRecording>;
    inPool(
        this,
        [name, folders = m_parts.bench.folders()] {
            for (const Recording &recording : listRecordings(folders.resources))
                if (recording.name == name)
                    return openRecordingCopy(recording, folders.data);
            return Answer::error(QStringLiteral("There is no recording \"%1\".").arg(name));
        },
        [this](const Answer &opened) {
            if (!opened.hasValue())
                return m_parts.notices.sayTrouble(tr("Cannot open the recording"), opened.message());
            m_parts.opener.after().recording = opened.value();
            m_parts.opener.open(opened.value().folder);
        });
}

// Its text is in the editors now: the run can be shown over it, from its first event on.
void RecordingStarts::playOpened() {
    const std::optional<OpenedRecording> recording =
        std::exchange(m_parts.opener.after().recording, std::nullopt);
    if (!recording || !m_parts.bench.workspace() ||
        QFileInfo(m_parts.bench.workspace()->folder) != QFileInfo(recording->folder))
        return;
    using Answer = Result<std::vector<IndexedRun>>;
    inPool(
        this,
        [state = m_parts.bench.workspace()->state] {
            Result<RunIndex> opened = RunIndex::open(state);
            if (!opened.hasValue())
                return Answer::error(opened.message());
            RunIndex index = std::move(opened).value();
            return index.runs();
        },
        [this, recording = *recording](const Answer &runs) {
            if (!runs.hasValue())
                return m_parts.notices.sayTrouble(tr("Cannot open the recording"), runs.message());
            for (const IndexedRun &run : runs.value())
                if (run.run == recording.run) {
                    m_parts.replay.open(run);
                    m_parts.notices.tell(
                        newsNotice(tr("The recording"), tr("It lies in \"%1\". Play it above, or pick an "
                                                           "event at the right; «Branch» goes on "
                                                           "from what is shown.")
                                                            .arg(recording.folder)));
                    return;
                }
        });
}

} // namespace warpwright
