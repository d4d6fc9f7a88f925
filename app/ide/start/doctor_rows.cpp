// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/start/doctor_rows.h"

#include <QCoreApplication>

#include <algorithm>

namespace warpwright {
namespace {

QString words(const char *text) {
    return QCoreApplication::translate("DoctorRows", text);
}

struct Group {
    QString name;
    std::vector<const DoctorFinding *> inOrder;
};

// Where a finding belongs; our names are the doctor's own.
QString groupOf(const QString &name) {
    if (name.startsWith(QLatin1String("device")) || name == QLatin1String("NVIDIA driver"))
        return words("Device");
    if (name == QLatin1String("Python") || name == QLatin1String("Python with torch") ||
        name.startsWith(QLatin1String("torch")) || name == QLatin1String("Triton"))
        return words("Python");
    if (name == QLatin1String("referee"))
        return words("Judge");
    if (name.startsWith(QLatin1String("wall")))
        return words("Sandbox");
    if (name == QLatin1String("git") || name.startsWith(QLatin1String("disk")))
        return words("History and disk");
    return words("Compilers");
}

QString shortText(const DoctorFinding &finding) {
    const QString &name = finding.name;
    if (name.startsWith(QLatin1String("device ")))
        return name == QLatin1String("device cpu") ? finding.version
                                                   : name.mid(7) + QLatin1Char(' ') + finding.version;
    if (name == QLatin1String("NVIDIA driver"))
        return words("driver %1").arg(finding.version);
    if (name == QLatin1String("Python") || name == QLatin1String("referee") || name == QLatin1String("wall"))
        return finding.version;
    if (name == QLatin1String("torch's CUDA"))
        return words("CUDA %1").arg(finding.version);
    if (name == QLatin1String("CUDA toolkit"))
        return {};
    if (name.startsWith(QLatin1String("disk")))
        return finding.version +
               (name.endsWith(QLatin1String("cache")) ? words(" for the cache") : words(" for data"));
    if (name == QLatin1String("git"))
        return finding.version.startsWith(QLatin1String("git")) ? finding.version
                                                                : QStringLiteral("git ") + finding.version;
    static const QStringList bare{QStringLiteral("ptxas"), QStringLiteral("cuobjdump"),
                                  QStringLiteral("nvdisasm")};
    return bare.contains(name) || finding.version.isEmpty() ? name
                                                            : name + QLatin1Char(' ') + finding.version;
}

QString detail(const DoctorFinding &finding) {
    QStringList parts{titleOf(finding), finding.version, finding.path};
    parts.removeAll(QString());
    return parts.join(QStringLiteral("  "));
}

bool isCommand(const QString &text) {
    static const QStringList starts{QStringLiteral("sudo "),   QStringLiteral("\""),
                                    QStringLiteral("/"),       QStringLiteral("wright "),
                                    QStringLiteral("export "), QStringLiteral("packaging/")};
    return std::any_of(starts.begin(), starts.end(),
                       [&text](const QString &start) { return text.startsWith(start); });
}

DoctorRow troubleRow(const DoctorFinding &finding) {
    DoctorRow row;
    const bool isBad = finding.status != FindingStatus::Unsure;
    row.kind = finding.isNeeded && isBad ? DoctorRow::Kind::ToMend : DoctorRow::Kind::ToKnow;
    row.name = titleOf(finding);
    // Programs keep their names: nvcc, cuobjdump.
    if (finding.name == QLatin1String("wall") || finding.name == QLatin1String("referee"))
        row.name = groupOf(finding.name);
    row.remark = row.kind == DoctorRow::Kind::ToMend ? words("needed for checks")
                 : isBad                             ? words("optional")
                                                     : words("good to know");
    row.details = detail(finding);
    row.message = finding.message;
    // «command   (another system: another command)»
    const QString first = finding.remedy.section(QStringLiteral("   ("), 0, 0);
    if (isCommand(first)) {
        row.command = first;
        if (first != finding.remedy)
            row.advice = finding.remedy.mid(first.size()).trimmed().mid(1).chopped(1);
    } else {
        row.advice = finding.remedy;
    }
    row.isJudge = finding.name == QLatin1String("referee");
    row.isPython = groupOf(finding.name) == words("Python") && finding.isNeeded && isBad;
    return row;
}

} // namespace

std::vector<DoctorRow> doctorRows(const std::vector<DoctorFinding> &findings) {
    std::vector<Group> groups;
    std::vector<DoctorRow> toMend;
    std::vector<DoctorRow> toKnow;
    for (const DoctorFinding &finding : findings) {
        const QString name = groupOf(finding.name);
        auto group = std::find_if(groups.begin(), groups.end(),
                                  [&name](const Group &known) { return known.name == name; });
        if (group == groups.end())
            group = groups.insert(groups.end(), Group{name, {}});
        if (finding.status == FindingStatus::Ok) {
            group->inOrder.push_back(&finding);
        } else {
            // What one sandbox cannot be made of matters little beside the one that stands; a hole does.
            if (finding.name.startsWith(QLatin1String("wall:")) && finding.status == FindingStatus::Missing)
                continue;
            DoctorRow row = troubleRow(finding);
            (row.kind == DoctorRow::Kind::ToMend ? toMend : toKnow).push_back(std::move(row));
        }
    }
    std::vector<DoctorRow> rows = std::move(toMend);
    for (const Group &group : groups) {
        if (group.inOrder.empty() ||
            (group.name == words("Sandbox") && group.inOrder.back()->name != QLatin1String("wall")))
            continue;
        DoctorRow row;
        row.name = group.name;
        QStringList texts;
        QStringList details;
        for (const DoctorFinding *finding : group.inOrder) {
            if (const QString text = shortText(*finding);
                !text.isEmpty() && !finding->name.startsWith(QLatin1String("wall:")))
                texts << text;
            details << detail(*finding);
        }
        row.text = texts.join(QStringLiteral(", "));
        row.details = details.join(QLatin1Char('\n'));
        rows.push_back(std::move(row));
    }
    rows.insert(rows.end(), toKnow.begin(), toKnow.end());
    return rows;
}

QString doctorSummary(const std::vector<DoctorRow> &rows) {
    const auto count = [&rows](DoctorRow::Kind kind) {
        return std::count_if(rows.begin(), rows.end(),
                             [kind](const DoctorRow &row) { return row.kind == kind; });
    };
    QStringList parts{words("%1 in order").arg(count(DoctorRow::Kind::InOrder))};
    if (const auto toMend = count(DoctorRow::Kind::ToMend); toMend > 0)
        parts << words("%1 to fix").arg(toMend);
    if (const auto toKnow = count(DoctorRow::Kind::ToKnow); toKnow > 0)
        parts << words("%1 to know").arg(toKnow);
    return parts.join(QStringLiteral(", "));
}

QString doctorReport(const std::vector<DoctorFinding> &findings) {
    QString report;
    for (const DoctorFinding &finding : findings) {
        report += findingStatusName(finding.status).leftJustified(8) + detail(finding) + QLatin1Char('\n');
        if (!finding.message.isEmpty())
            report += QStringLiteral("        ") + finding.message + QLatin1Char('\n');
        if (!finding.remedy.isEmpty())
            report += QStringLiteral("        to fix it: ") + finding.remedy + QLatin1Char('\n');
    }
    return report + (isFitForChecks(findings) ? words("Checks can work here.\n")
                                              : words("Checks cannot work here yet.\n"));
}

} // namespace warpwright
