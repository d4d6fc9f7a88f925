// SPDX-License-Identifier: GPL-3.0-or-later
// Fails a test with all complaints of a guard.
#pragma once

#include <QStringList>
#include <QTest>

/// A macro, as QFAIL is: it leaves the test that it stands in. Not QVERIFY2, which cuts what it says after
/// 1,000 signs.
#define VERIFY_NONE(complaints)                                                                 \
    do {                                                                                        \
        const QStringList found = complaints;                                                   \
        if (!found.isEmpty())                                                                   \
            QFAIL(qPrintable(QString("%1 complaints\n").arg(found.size()) + found.join('\n'))); \
    } while (false)
