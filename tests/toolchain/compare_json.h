// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"

#include <QTest>

/// QCOMPARE of two JSON values, of which it knows neither how to compare nor how to print them.
#define COMPARE_JSON(actual, expected)                        \
    QCOMPARE(QString::fromUtf8(warpwright::dumpJson(actual)), \
             QString::fromUtf8(warpwright::dumpJson(expected)))
