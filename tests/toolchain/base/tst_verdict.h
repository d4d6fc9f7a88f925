// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestVerdict : public QObject {
    Q_OBJECT

private slots:
    void givesTheExitCodeOfTheTable_data();
    void givesTheExitCodeOfTheTable();
    void rewardsByEquationOne_data();
    void rewardsByEquationOne();
    void takesOnlyStagesThatBuildOnEachOther_data();
    void takesOnlyStagesThatBuildOnEachOther();
};
