// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/report_page/report_input.h"

#include <QByteArray>

/// resources/look/tokens.json
[[nodiscard]] QByteArray lookTokens();

/// A workspace with a recorded check ("h200-softmax-rows"; empty: none), its text and three iterations.
[[nodiscard]] warpwright::ReportInput madeInput(const QString &evaluation);

/// The same with all that a page can show: counters of its kernels, a timeline, findings, a run.
[[nodiscard]] warpwright::ReportInput wholeInput();

/// The same as the page of its run: with what its proposal changes, and one that came out wrong.
[[nodiscard]] warpwright::ReportInput runInput();

/// What the judge says of a result of 8 by 8 whose last row is wrong, its last element NaN.
[[nodiscard]] warpwright::OrderedJson failureMapOfOneRow();

/// `count` iterations: times fall slowly, every 7th is wrong, every 50th was not run, notes of 60 letters.
[[nodiscard]] std::vector<warpwright::IterationRecord> madeIterations(int count);

/// The same input where every word that others may have written is `words`.
[[nodiscard]] warpwright::ReportInput saidEverywhere(warpwright::ReportInput input, const QString &words);
