// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/layer_guard.h"

#include "tests/guards/include_lines.h"

#include <QDir>
#include <QHash>
#include <QRegularExpression>

namespace warpwright {

namespace {

const QString refereeLayer = "toolchain/referee";

QString layerOf(const QString &path) {
    // The judge's own include root is toolchain/, for in the package it lies beside nothing else of ours.
    if (path.startsWith(refereeLayer + "/") || path.startsWith("referee/"))
        return refereeLayer;
    return path.section('/', 0, 0);
}

const QHash<QString, QStringList> &allowedArrows() {
    static const QHash<QString, QStringList> arrows{
        {"app", {"app", "profiler_views", "agent", "widgets", "toolchain"}},
        {"profiler_views", {"profiler_views", "widgets", "toolchain"}},
        {"agent", {"agent", "toolchain"}},
        {"widgets", {"widgets"}},
        {"toolchain", {"toolchain"}},
        {refereeLayer, {refereeLayer}},
        {"tests", {"tests", "app", "profiler_views", "agent", "widgets", "toolchain", refereeLayer}},
    };
    return arrows;
}

bool isOurs(const QString &include) {
    return include.contains('/') && allowedArrows().contains(layerOf(include));
}

QString complaintAboutForeign(const QString &path, const QString &include) {
    static const QRegularExpression qt("^Q[A-Z]|^Qt[A-Z][A-Za-z]*/|^qt");
    static const QRegularExpression torch("^(torch|ATen|c10|cuda_runtime|cuda\\.h)");
    static const QRegularExpression window(
        "^(QtWidgets|QtGui|QtPrintSupport|QtSvg|Qsci)/|^qcustomplot|^Q(Gui)?Application$|"
        "^Q(Widget|Painter|Pixmap|Image|Icon|Color|Font|Dialog|Action)$");
    static const QRegularExpression network("^QtNetwork/|^QNetwork|^QTcp|^QSsl|^QLocalS|^qt6keychain/");
    const QString layer = layerOf(path);
    if (layer == refereeLayer)
        return qt.match(include).hasMatch() ? "includes Qt, but the judge has none" : QString();
    // Emulated kernels get their tensors from torch, in its own process.
    if (torch.match(include).hasMatch() && !path.startsWith("tests/playbook/emulator/"))
        return QString("includes <%1>: LibTorch and CUDA belong to %2").arg(include, refereeLayer);
    const bool mayHaveWindows = layer == "widgets" || layer == "profiler_views" || layer == "tests" ||
                                (layer == "app" && !path.startsWith("app/cli/"));
    if (!mayHaveWindows && window.match(include).hasMatch())
        return QString("includes <%1>, but has no window").arg(include);
    if (layer == "toolchain" && network.match(include).hasMatch())
        return QString("includes <%1>, but the toolchain has no network").arg(include);
    return {};
}

QString complaintAboutOurs(const QString &path, const QString &include) {
    // Made by the build: moc's output and the version header.
    if (include.endsWith(".moc") || include == "warpwright_version.h")
        return {};
    const QString layer = layerOf(path);
    const QString target = layerOf(include);
    if (!isOurs(include)) {
        if (layer == refereeLayer)
            return complaintAboutForeign(path, include);
        return QString("includes \"%1\": write it from the repository root").arg(include);
    }
    if (!allowedArrows().value(layer).contains(target))
        return QString("includes \"%1\", but %2 may not use %3").arg(include, layer, target);
    return {};
}

QString complaintAbout(const QString &path, const IncludeLine &include) {
    if (include.kind == IncludeLine::Kind::Computed)
        return QString("includes what is no name in quotes or angles: %1").arg(include.name);
    if (include.name.startsWith('/') || include.name.startsWith("../") ||
        QDir::cleanPath(include.name) != include.name)
        return QString("includes \"%1\": write the path without detours").arg(include.name);
    if (include.kind == IncludeLine::Kind::Quoted)
        return complaintAboutOurs(path, include.name);
    if (isOurs(include.name) || include.name == "warpwright_version.h")
        return QString("includes <%1>: write what is ours in quotes").arg(include.name);
    return complaintAboutForeign(path, include.name);
}

} // namespace

bool isLayeredSource(const QString &path) {
    static const QRegularExpression source("\\.(h|hpp|cpp|cc|cu|cuh)$");
    return allowedArrows().contains(layerOf(path)) && source.match(path).hasMatch();
}

QStringList layerComplaints(const QVector<GuardFile> &files) {
    QStringList complaints;
    for (const GuardFile &file : files)
        for (const IncludeLine &include : includeLines(file))
            if (const QString complaint = complaintAbout(file.path, include); !complaint.isEmpty())
                complaints.append(QString("%1:%2: %3").arg(file.path).arg(include.line).arg(complaint));
    return complaints;
}

} // namespace warpwright
