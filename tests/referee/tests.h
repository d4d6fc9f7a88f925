// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>

namespace warpwright {

QObject *arenaBlocksTest();
QObject *baselineStoreTest();
QObject *certificateTest();
QObject *channelTest();
QObject *kernelSharesTest();
QObject *libraryCallsTest();
QObject *libraryWatchTest();
QObject *queueWitnessTest();
QObject *referenceCheckTest();
QObject *statisticsTest();
QObject *valueTreeTest();
QObject *wallTest();
QObject *workerFaultsTest();

inline QList<QObject *> refereeTests() {
    return {arenaBlocksTest(),    baselineStoreTest(), certificateTest(),  channelTest(),
            kernelSharesTest(),   libraryCallsTest(),  libraryWatchTest(), queueWitnessTest(),
            referenceCheckTest(), statisticsTest(),    valueTreeTest(),    wallTest(),
            workerFaultsTest()};
}

} // namespace warpwright
