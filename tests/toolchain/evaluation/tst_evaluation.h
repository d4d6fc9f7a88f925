// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestEvaluation : public QObject {
    Q_OBJECT

private slots:
    void comesBackFromItsTextAsItWas();
    void keepsFieldsOfALaterVersion();
    void namesTheFieldThatIsBroken_data();
    void namesTheFieldThatIsBroken();
    void keepsTheOrderOfItsFields();
    void idsSortByTime();
    void takesMessagesApartWithoutLosingAWord_data();
    void takesMessagesApartWithoutLosingAWord();
    void putsEveryFieldOfTheJudgeInItsPlace();
    void showsTheGraphsTimesWhereOnlyTheseAreCertified();
    void advisesAboutWhatTheMapShows();
    void addsUpWhatIsSaidOfIntegrity();
    void storesAndFindsByInputs();
    void storesWithoutALogThatCannotBeWritten();
    void saysWhichStoredFileIsBroken();
    void hashesNamesAndLengths();
    void remembersHowLongAStepTook();
};
