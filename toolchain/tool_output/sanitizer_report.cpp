// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/tool_output/sanitizer_report.h"

#include "toolchain/tool_output/listed_source.h"

#include <QRegularExpression>

namespace warpwright {
namespace {

// «_Z5scalePfi+0x90 in /w/kernels/scale.cu:7», a race's with « [16 hazards]» behind it. Before 2022.3 the
// function came last: «0x90 in /w/kernels/scale.cu:7:_Z5scalePfi».
SanitizerPlace placeOf(QString text) {
    static const QRegularExpression hazards(QStringLiteral("\\s*\\[\\d+ hazards?\\]$"));
    static const QRegularExpression form(
        QStringLiteral("^(\\S.*?)?(?:[+:]?0x[0-9a-fA-F]+)?(?: in (.+?):(\\d+)(?::(\\S.*))?)?$"));
    text.remove(hazards);
    const auto match = form.match(text);
    SanitizerPlace place{match.captured(4).isEmpty() ? match.captured(1) : match.captured(4),
                         listedSource(match.captured(2).toUtf8()), match.captured(3).toInt()};
    return place;
}

/// Builds the report line by line; a record ends where the next one begins.
class Reader {
public:
    void head(const QString &line) {
        close();
        static const QRegularExpression unprinted(
            QStringLiteral("SUMMARY: (\\d+) errors? (?:was|were) not printed"));
        if (const auto match = unprinted.match(line); match.hasMatch()) {
            m_report.unprinted += match.captured(1).toLongLong();
            return;
        }
        if (line.contains(QLatin1String(" SUMMARY:"))) {
            m_report.hasSummary = true;
            return;
        }
        if (line.startsWith(QLatin1String("COMPUTE-SANITIZER")))
            return;
        m_isOpen = true;
        m_record.what = line;
        static const QRegularExpression race(
            QStringLiteral("^(Error|Warning|Info): Race reported between (\\w+) access at (.+)$"));
        if (const auto match = race.match(line); match.hasMatch()) {
            m_record.isWarning = match.captured(1) != QLatin1String("Error");
            m_record.what = QStringLiteral("race between %1").arg(match.captured(2).toLower());
            m_record.places.push_back(placeOf(match.captured(3)));
            m_isRace = true;
        } else if (line.startsWith(QLatin1String("Warning:"))) {
            m_record.isWarning = true;
        }
    }

    void detail(const QString &line) {
        if (!m_isOpen)
            return;
        static const QRegularExpression threads(
            QStringLiteral("^by thread (\\([^)]*\\)) in block (\\([^)]*\\))"));
        static const QRegularExpression access(QStringLiteral("^and (\\w+) access at (.+)$"));
        static const QRegularExpression hazards(QStringLiteral("\\[(\\d+) hazards?\\]$"));
        if (const auto match = access.match(line); m_isRace && match.hasMatch()) {
            const SanitizerPlace place = placeOf(match.captured(2));
            m_record.what += QStringLiteral(" and %1").arg(match.captured(1).toLower());
            if (place.line > 0)
                m_record.what += QStringLiteral(" of line %1").arg(place.line);
            if (const auto count = hazards.match(line); count.hasMatch())
                m_record.what += QStringLiteral(" (%1 hazards)").arg(count.captured(1));
            m_record.places.push_back(place);
        } else if (line.startsWith(QLatin1String("at "))) {
            m_record.places.push_back(placeOf(line.mid(3)));
        } else if (line.startsWith(QLatin1String("Device Frame:"))) {
            m_record.places.push_back(placeOf(line.mid(13).trimmed()));
        } else if (const auto at = threads.match(line); at.hasMatch()) {
            m_record.thread = at.captured(1);
            m_record.block = at.captured(2);
        } else if (line.contains(QLatin1String(" is out of bounds")) ||
                   line.contains(QLatin1String(" is misaligned")) ||
                   line.startsWith(QLatin1String("and is "))) {
            m_record.what +=
                (line.startsWith(QLatin1String("and ")) ? QStringLiteral(" ") : QStringLiteral(": ")) + line;
        }
    }

    SanitizerReport take() {
        close();
        return std::move(m_report);
    }

private:
    // What has a place in device code is an error there; other sentences are the tool's own troubles, or
    // calls of the program that failed.
    void close() {
        if (!m_isOpen)
            return;
        const QString &what = m_record.what;
        const bool isOfCall = what.startsWith(QLatin1String("Program hit ")) ||
                              what.startsWith(QLatin1String("Uninitialized access"));
        if (!m_record.places.empty() || !m_record.thread.isEmpty() || isOfCall)
            m_report.records.push_back(m_record);
        else if (!m_record.isWarning && m_report.problem.isEmpty())
            m_report.problem = what.startsWith(QLatin1String("Error: ")) ? what.mid(7) : what;
        m_record = {};
        m_isOpen = m_isRace = false;
    }

    SanitizerReport m_report;
    SanitizerRecord m_record;
    bool m_isOpen = false;
    bool m_isRace = false;
};

} // namespace

SanitizerReport parseSanitizerReport(const QByteArray &text) {
    static const QString mark = QStringLiteral("========= ");
    Reader reader;
    for (const QString &line : QString::fromUtf8(text).split(QLatin1Char('\n'))) {
        // What the program prints without a line's end may stand before it.
        const qsizetype begin = line.indexOf(mark);
        if (begin < 0)
            continue;
        const QString words = line.mid(begin + mark.size());
        if (words.trimmed().isEmpty())
            continue;
        if (words.startsWith(QLatin1Char(' ')))
            reader.detail(words.trimmed());
        else
            reader.head(words.trimmed());
    }
    return reader.take();
}

} // namespace warpwright
