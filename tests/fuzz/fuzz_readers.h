// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

/// Reads `text` and breaks off the program when what came out cannot be: a line before the first, a chain
/// that is not there. Each program of this folder has one of them.
void readDiagnostics(const QByteArray &text);
void readPtxasReport(const QByteArray &text);
void readSass(const QByteArray &text);
void readPtx(const QByteArray &text);
/// What tools answer to --version.
void readToolWords(const QByteArray &text);

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size);
