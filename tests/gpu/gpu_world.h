// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringList>

/// What the tests on a GPU share: small workspaces, and the real `wright` run on one.
/// WARPWRIGHT_PROGRAM names another `wright`, WARPWRIGHT_TEST_PYTHON the interpreter.
namespace warpwright {

using Json = nlohmann::json;

/// Where base/ and its overlays lie: in the package or in the source tree.
[[nodiscard]] QString workspaces();

/// Lays the files of `from` over those of `to`.
void copyOver(const QString &from, const QString &to);

/// Of all files but the state's.
[[nodiscard]] QByteArray hashOfFiles(const QString &folder);

struct Check {
    int exitCode = -1;
    Json document;
    QString words; ///< what was said on stderr
};

/// `wright check FOLDER --device cuda:0 --json` and more; WARPWRIGHT_TEST_DEVICE names another one.
Check check(const QString &folder, const QStringList &more = {});

/// `wright tune FOLDER --script SCRIPT`, and "hunks measured apart" as the first answer: all that it said.
QString measureHunksApart(const QString &folder, const QString &script);

[[nodiscard]] bool hasGpu();

/// Runs the test, or says that there is no GPU: 77 («skipped»), under REQUIRE_GPU=1 a failure.
int runOnGpu(QObject &test, int argc, char **argv);

} // namespace warpwright
