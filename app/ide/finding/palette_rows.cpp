// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/finding/palette_rows.h"

#include "profiler_views/verdict_look.h"
#include "toolchain/workspace/candidate_texts.h"

#include <QAction>
#include <QCoreApplication>
#include <QSet>

namespace warpwright {
namespace {

constexpr QLatin1Char actionMark('>');
constexpr QLatin1Char fileMark('/');
constexpr QLatin1Char iterationMark('#');

QString tr(const char *text) {
    return QCoreApplication::translate("PaletteRows", text);
}

} // namespace

PaletteTarget paletteTarget(const QString &id) {
    const QString rest = id.mid(1);
    if (id.startsWith(fileMark))
        return {PaletteTarget::File, rest, 0};
    if (id.startsWith(iterationMark))
        return {PaletteTarget::Iteration, {}, rest.toInt()};
    return {PaletteTarget::Action, rest, 0};
}

std::vector<PaletteRow> actionRows(const QList<QAction *> &actions) {
    std::vector<PaletteRow> rows;
    for (const QAction *action : actions) {
        PaletteRow row;
        row.id = actionMark + action->objectName();
        row.name = action->text().remove(QLatin1Char('&'));
        row.otherNames = action->property("otherNames").toString();
        row.behind = action->property("group").toString();
        if (action->isChecked()) // a menu has a mark for it
            row.behind = tr("%1, on").arg(row.behind);
        row.iconName = action->property("iconName").toString();
        row.key = action->shortcut().toString(QKeySequence::NativeText);
        if (!action->isEnabled()) {
            const QString why = action->property("whyDisabled").toString();
            row.whyDisabled = why.isEmpty() ? tr("not now") : why;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<PaletteRow> fileRows(const QStringList &files, const QStringList &recent,
                                 const QString &reference) {
    QStringList ordered;
    for (const QString &file : recent)
        if (files.contains(file) && !ordered.contains(file))
            ordered << file;
    const QSet<QString> before(ordered.begin(), ordered.end());
    for (const QString &file : files)
        if (!before.contains(file))
            ordered << file;
    std::vector<PaletteRow> rows;
    for (const QString &file : std::as_const(ordered)) {
        const qsizetype slash = file.lastIndexOf(QLatin1Char('/'));
        PaletteRow row;
        row.id = fileMark + file;
        row.name = file.mid(slash + 1);
        row.otherNames = file;
        QStringList behind;
        if (slash > 0)
            behind << file.left(slash);
        if (file == reference)
            behind << tr("reference, read-only");
        else if (!isCandidatePath(file))
            behind << tr("read-only");
        row.behind = behind.join(QStringLiteral(" · "));
        row.iconName = QStringLiteral("file");
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<PaletteRow> iterationRows(const IterationTree &tree) {
    std::vector<PaletteRow> rows;
    rows.reserve(tree.records.size());
    for (auto record = tree.records.rbegin(); record != tree.records.rend(); ++record) {
        const QString number = QString::number(record->iteration.number);
        const QString note = noteOf(*record);
        const QString headline = headlineOf(*record);
        PaletteRow row;
        row.id = iterationMark + number;
        row.name = note.isEmpty() ? number : number + QStringLiteral("  ") + note;
        QStringList behind;
        QString icon = QStringLiteral("not-run");
        if (record->latest) {
            const VerdictLook look = lookOf(record->latest->verdict, record->latest->unexercised);
            icon = QString::fromLatin1(look.icon);
            behind << look.word;
        }
        if (!behind.contains(headline))
            behind << headline; // its speed-up
        if (record->iteration.number == tree.best)
            behind << tr("best");
        row.behind = behind.join(QStringLiteral(" · "));
        row.otherNames = tr("iteration") + QLatin1Char(' ') + row.behind;
        row.iconName = icon;
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace warpwright
