// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/report_page/charts.h"

#include "toolchain/history/iteration_words.h"
#include "toolchain/report_page/svg_axis.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

constexpr double width = 960;
constexpr double left = 64;
constexpr double right = 850;
constexpr double rail = 20; // of those without a time
constexpr double top = 44;
constexpr double bottom = 270;
constexpr std::size_t mostWhiskers = 200;
constexpr double labelRoom = 60; ///< half of a time in words

/// Above it a point is drawn at the edge.
constexpr double timesTheBest = 8;

/// One shape an author, so that they are told apart without colour.
QString shapeOf(AuthorKind author, double x, double y) {
    const auto at = [x, y](double dx, double dy) {
        return placeText(x + dx) + QLatin1Char(' ') + placeText(y + dy);
    };
    switch (author) {
    case AuthorKind::You:
        return QStringLiteral("M%1L%2L%3L%4Z")
            .arg(at(-3.5, -3.5), at(3.5, -3.5), at(3.5, 3.5), at(-3.5, 3.5));
    case AuthorKind::Model:
        return QStringLiteral("M%1L%2L%3Z").arg(at(0, -4.5), at(4.5, 3.5), at(-4.5, 3.5));
    case AuthorKind::Acp:
    case AuthorKind::Mcp:
        return QStringLiteral("M%1L%2L%3L%4L%5Z")
            .arg(at(0, -4.5), at(4.3, -1.4), at(2.6, 3.6), at(-2.6, 3.6), at(-4.3, -1.4));
    case AuthorKind::Playbook:
    case AuthorKind::Replay:
    case AuthorKind::Script:
        break;
    }
    return QStringLiteral("M%1a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z").arg(at(-4, 0));
}

QString titleOf(const IterationRecord &record, const TimeScale &times) {
    QStringList lines{QStringLiteral("iteration %1, %2, by %3")
                          .arg(record.iteration.number)
                          .arg(verdictWord(record.latest), authorText(record.iteration.author))};
    if (const ArmTiming *time = timeOf(record))
        lines << QStringLiteral("median %1, 95 % interval %2 %3")
                     .arg(times.text(time->medianMicroseconds),
                          times.interval(time->lowMicroseconds, time->highMicroseconds), times.unit);
    if (const QString note = noteOf(record); !note.isEmpty())
        lines << cutText(note, 300);
    return lines.join(QLatin1Char('\n'));
}

class HistoryDrawing {
public:
    HistoryDrawing(Markup &page, const std::vector<IterationRecord> &records, const ShownIterations &shown,
                   const ArmTiming &guide, int own)
        : m_page(page),
          m_records(records),
          m_shown(shown),
          m_guide(guide),
          m_own(own),
          m_x(records.front().iteration.number, records.back().iteration.number, left + 8, right - 8) {}

    void draw(const MeasuredFigures *figures) {
        const double most = timesTheBest * m_guide.medianMicroseconds;
        double end = m_guide.medianMicroseconds;
        for (const std::size_t place : m_shown.places)
            if (const ArmTiming *time = timeOf(m_records[place]);
                time != nullptr && time->medianMicroseconds <= most)
                end = std::max({end, time->medianMicroseconds, std::min(most, time->highMicroseconds)});
        if (figures != nullptr)
            for (const ArmFigures &arm : figures->arms)
                if (!arm.isCandidate() && arm.medianMicroseconds <= most)
                    end = std::max(end, arm.medianMicroseconds);
        m_y = SvgAxis(0, end * 1.08, bottom, top);
        drawFrame();
        if (figures != nullptr)
            drawLines(*figures);
        drawBest();
        for (const std::size_t place : m_shown.places)
            drawOne(m_records[place]);
    }

private:
    void drawFrame() {
        bool hasUntimed = false;
        bool hasLonger = false;
        for (const std::size_t place : m_shown.places) {
            const ArmTiming *time = timeOf(m_records[place]);
            hasUntimed = hasUntimed || time == nullptr;
            hasLonger = hasLonger || (time != nullptr && time->medianMicroseconds > m_y.to());
        }
        const auto name = [this](double y, const QString &words) {
            m_page.add("text", {{"x", placeText(left - 8)}, {"y", placeText(y)}, {"class", "e"}}, words);
        };
        if (hasUntimed)
            name(rail + 4, QStringLiteral("no time"));
        if (hasLonger) // beyond the scale
            name(top - 6, QStringLiteral("longer"));
        for (const double tick : m_y.ticks(5)) {
            const QString y = placeText(m_y.at(tick));
            m_page.mark(
                "line",
                {{"class", "grid"}, {"x1", placeText(left)}, {"x2", placeText(right)}, {"y1", y}, {"y2", y}});
            m_page.add("text",
                       {{"x", placeText(left - 8)}, {"y", placeText(m_y.at(tick) + 4)}, {"class", "e"}},
                       m_times.number(tick));
        }
        for (const double tick : m_x.ticks(10))
            if (tick == std::floor(tick))
                m_page.add("text",
                           {{"x", placeText(m_x.at(tick))}, {"y", placeText(bottom + 16)}, {"class", "m"}},
                           QString::number(static_cast<int>(tick)));
        m_page.mark("path",
                    {{"class", "axis"},
                     {"fill", "none"},
                     {"d", QStringLiteral("M%1 %2V%3H%4")
                               .arg(placeText(left), placeText(top), placeText(bottom), placeText(right))}});
        m_page.add(
            "text", {{"x", placeText(left)}, {"y", placeText(bottom + 32)}},
            QStringLiteral("iteration; %1 a call, less is better; the line: best so far").arg(m_times.unit));
    }

    /// What the iterations are held against, measured beside the shown text.
    void drawLines(const MeasuredFigures &figures) {
        const auto line = [this](double microseconds, const QString &label, const QString &kind) {
            if (microseconds > m_y.to())
                return;
            const double y = m_y.at(microseconds);
            m_page.begin("line", {{"class", kind},
                                  {"x1", placeText(left)},
                                  {"x2", placeText(right)},
                                  {"y1", placeText(y)},
                                  {"y2", placeText(y)}});
            m_page.add("title", QStringLiteral("%1: %2").arg(label, m_times.text(microseconds)));
            m_page.end();
            m_page.add("text", {{"x", placeText(right + 6)}, {"y", placeText(y + 4)}}, label);
        };
        for (const char *name : {"eager", "compile"})
            if (const ArmFigures *arm = figures.arm(QLatin1String(name)))
                line(arm->medianMicroseconds, arm->label, QStringLiteral("s-%1").arg(QLatin1String(name)));
        if (figures.speedOfLightMicroseconds)
            line(*figures.speedOfLightMicroseconds, QStringLiteral("speed of light"),
                 QStringLiteral("light"));
    }

    void drawBest() {
        QString path;
        int last = -1;
        for (const std::size_t place : m_shown.places) {
            const int best = m_shown.bestUpTo[place];
            if (best < 0)
                continue;
            const double y =
                m_y.clampedAt(timeOf(m_records[static_cast<std::size_t>(best)])->medianMicroseconds);
            const double x = m_x.at(m_records[place].iteration.number);
            if (path.isEmpty())
                path = QStringLiteral("M%1 %2").arg(placeText(x), placeText(y));
            else if (best != last || place == m_shown.places.back())
                path += QStringLiteral("H%1V%2").arg(placeText(x), placeText(y));
            last = best;
        }
        if (!path.isEmpty())
            m_page.mark("path", {{"class", "best"}, {"d", path}});
    }

    void drawOne(const IterationRecord &record) {
        const double x = m_x.at(record.iteration.number);
        const ArmTiming *time = timeOf(record);
        const bool isOwn = record.iteration.number == m_own;
        if (time == nullptr) {
            m_page.begin(
                "text",
                {{"x", placeText(x)}, {"y", placeText(rail + 4)}, {"class", isOwn ? "strong m" : "m"}});
            m_page.add("title", titleOf(record, m_times));
            m_page.text(record.latest ? QStringLiteral("×") : QStringLiteral("–"));
            m_page.end();
            return;
        }
        if (time->medianMicroseconds > m_y.to()) {
            // Left of it stands what the row is: near there it goes to the right.
            const bool isFirst = x < left + labelRoom;
            m_page.begin("text", {{"x", placeText(isFirst ? std::max(x - 4, left) : x)},
                                  {"y", placeText(top - 6)},
                                  {"class", isFirst ? "longer" : "longer m"}});
            m_page.add("title", titleOf(record, m_times));
            m_page.text(QStringLiteral("↑ ") + m_times.text(time->medianMicroseconds));
            m_page.end();
            return;
        }
        const double y = m_y.at(time->medianMicroseconds);
        if (m_shown.places.size() <= mostWhiskers) {
            m_page.mark("path", {{"class", "whisker"},
                                 {"d", QStringLiteral("M%1 %2V%3")
                                           .arg(placeText(x), placeText(m_y.clampedAt(time->lowMicroseconds)),
                                                placeText(m_y.clampedAt(time->highMicroseconds)))}});
            if (time->highMicroseconds > m_y.to()) // it goes on above
                m_page.mark("path", {{"class", "whisker"},
                                     {"d", QStringLiteral("M%1 %2L%3 %4L%5 %2")
                                               .arg(placeText(x - 4), placeText(top + 6), placeText(x),
                                                    placeText(top), placeText(x + 4))}});
        }
        const char *kind = isDoubtful(record) ? (isOwn ? "own-doubt-point" : "doubt-point")
                           : isOwn            ? "own-point"
                                              : "point";
        m_page.begin("path", {{"class", kind}, {"d", shapeOf(record.iteration.author.kind, x, y)}});
        m_page.add("title", titleOf(record, m_times));
        m_page.end();
    }

    Markup &m_page;
    const std::vector<IterationRecord> &m_records;
    const ShownIterations &m_shown;
    const ArmTiming &m_guide;
    int m_own;
    SvgAxis m_x;
    SvgAxis m_y{0, 1, bottom, top};
    TimeScale m_times =
        timeScaleOf(m_guide.medianMicroseconds, m_guide.lowMicroseconds, m_guide.highMicroseconds);
};

} // namespace

void drawHistory(Markup &page, const std::vector<IterationRecord> &records, const ShownIterations &shown,
                 int own, const MeasuredFigures *figures) {
    const ArmTiming *guide = guideOf(records, shown);
    if (guide == nullptr)
        return;
    beginChart(page, width, bottom + 40,
               QStringLiteral("Time of a call of each iteration; the same numbers stand in the table below"));
    HistoryDrawing(page, records, shown, *guide, own).draw(figures);
    endChart(page);
}

} // namespace warpwright
