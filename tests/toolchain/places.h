// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "warpwright_version.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QString>

/// Where tests find things. Functions, and no macros of the build: a path on the compiler's command line
/// belongs to one clone, and a second clone would compile each file of the test again.

/// `below`: "/resources".
inline QString sourceFolder(const char *below = "") {
    return QString::fromUtf8(warpwright::buildSourceFolder()) + QLatin1String(below);
}

inline QString testData(const char *below = "") {
    return sourceFolder("/tests/data") + QLatin1String(below);
}

/// A program that is built beside this one. Not before main().
inline QString programBeside(const char *name) {
    return QCoreApplication::applicationDirPath() + QLatin1Char('/') + QLatin1String(name);
}

inline QString wrightProgram() {
    return programBeside("wright");
}

/// Kept from run to run: objects and the judge, which are keyed by all they depend on. Each program has its
/// own, for they run side by side. Not before main().
inline QString testState(const char *below = "") {
    return QDir::cleanPath(programBeside("../test-state/")) + QLatin1Char('/') +
           QFileInfo(QCoreApplication::applicationFilePath()).fileName() + QLatin1String(below);
}
