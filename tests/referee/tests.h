// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>

namespace warpwright {

QObject *arenaBlocksTest();
QObject *baselineStoreTest();
QObject *byteOverlapTest();
QObject *certificateTest();
QObject *channelTest();
QObject *elfImageTest();
QObject *failureMapTest();
QObject *fatbinsTest();
QObject *kernelSharesTest();
QObject *keyedHashTest();
QObject *libraryCallsTest();
QObject *memoryPlanTest();
QObject *libraryWatchTest();
QObject *movementTest();
QObject *persistentErrorTest();
QObject *plainValuesTest();
QObject *queueWitnessTest();
QObject *referenceCheckTest();
QObject *sandboxTest();
QObject *statisticsTest();
QObject *stoppedProcessTest();
QObject *turnGiverTest();
QObject *valueTreeTest();
QObject *workerFaultsTest();

inline QList<QObject *> refereeTests() {
    return {arenaBlocksTest(),    baselineStoreTest(),  byteOverlapTest(),     certificateTest(),
            channelTest(),        elfImageTest(),       failureMapTest(),      fatbinsTest(),
            kernelSharesTest(),   keyedHashTest(),      libraryCallsTest(),    libraryWatchTest(),
            memoryPlanTest(),     movementTest(),       persistentErrorTest(), plainValuesTest(),
            queueWitnessTest(),   referenceCheckTest(), sandboxTest(),         statisticsTest(),
            stoppedProcessTest(), turnGiverTest(),      valueTreeTest(),       workerFaultsTest()};
}

} // namespace warpwright
