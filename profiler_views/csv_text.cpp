// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/csv_text.h"

#include "profiler_views/value_role.h"

#include <QAbstractItemModel>
#include <QLocale>
#include <QSaveFile>

namespace warpwright {
namespace {

QString field(const QVariant &value) {
    QString text;
    if (value.typeId() == QMetaType::Double)
        text = QString::number(value.toDouble(), 'g', QLocale::FloatingPointShortest);
    else
        text = value.toString();
    if (!text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"')) &&
        !text.contains(QLatin1Char('\n')) && !text.contains(QLatin1Char('\r')))
        return text;
    return QLatin1Char('"') + text.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
}

} // namespace

QByteArray csvText(const QAbstractItemModel &model) {
    QString text;
    QStringList fields;
    for (int column = 0; column < model.columnCount(); ++column)
        fields << field(model.headerData(column, Qt::Horizontal, ValueRole));
    text += fields.join(QLatin1Char(',')) + QStringLiteral("\r\n");
    for (int row = 0; row < model.rowCount(); ++row) {
        fields.clear();
        for (int column = 0; column < model.columnCount(); ++column)
            fields << field(model.index(row, column).data(ValueRole));
        text += fields.join(QLatin1Char(',')) + QStringLiteral("\r\n");
    }
    return text.toUtf8();
}

Result<void> writeCsv(const QString &path, const QAbstractItemModel &model) {
    QSaveFile file(path);
    const QByteArray text = csvText(model);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit())
        return Result<void>::error(
            QStringLiteral("Cannot write \"%1\": %2. Choose another folder.").arg(path, file.errorString()));
    return Result<void>::ok();
}

} // namespace warpwright
