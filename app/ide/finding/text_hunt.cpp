// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/finding/text_hunt.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

namespace warpwright {

TextHunt::~TextHunt() {
    if (m_stops)
        *m_stops = true;
}

void TextHunt::start(std::vector<SearchedText> texts, const Question &question) {
    if (m_stops)
        *m_stops = true;
    m_stops = std::make_shared<std::atomic_bool>(false);
    m_isRunning = true;
    const int job = m_jobs.next();
    // What the pool says is heard in the window's thread, and only of the newest question.
    const auto tell = [guarded = QPointer<TextHunt>(this), job](auto what) {
        QMetaObject::invokeMethod(
            qApp,
            [guarded, job, what = std::move(what)] {
                if (guarded && !guarded->m_jobs.isStale(job))
                    what(*guarded);
            },
            Qt::QueuedConnection);
    };
    QThreadPool::globalInstance()->start(
        [texts = std::move(texts), question, stops = m_stops, tell]() mutable {
            Ending ending;
            std::size_t room = mostHits;
            for (std::size_t i = 0; i < texts.size() && !*stops && !ending.isCut; ++i) {
                Question asked = question;
                if (texts[i].kind != SearchedText::Candidate)
                    asked.replacement.reset();
                ending.isCut = !findLines(
                    texts[i].read(), i, asked, room, *stops, [&room, &tell](std::vector<FoundHit> hits) {
                        room -= hits.size();
                        tell([hits = std::move(hits)](TextHunt &hunt) { emit hunt.found(hits); });
                    });
                ++ending.texts;
            }
            tell([ending](TextHunt &hunt) { hunt.end(ending); });
        });
}

void TextHunt::stop() {
    if (!m_isRunning)
        return;
    *m_stops = true;
    m_jobs.next();
    Ending ending;
    ending.isStopped = true;
    end(ending);
}

void TextHunt::end(const Ending &ending) {
    m_isRunning = false;
    emit finished(ending);
}

} // namespace warpwright
