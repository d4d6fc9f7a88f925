// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/kit/agent_view.h"
#include "toolchain/evaluation/evaluation.h"
#include "widgets/look/look.h"

#include <QWidget>

/// The house's style for a test's windows; one for the whole program.
warpwright::Look &houseLook();

/// Any warning fails the test, but those that the offscreen platform gives of itself.
void failOnOurWarnings();

/// Shows it at this size and waits until it is drawn.
void showAt(QWidget &page, int width = 1600, int height = 1000);

/// Draws the page light and dark, large, small and magnified, so that each drawing is run. Where
/// WARPWRIGHT_PICTURES names a folder the pictures are kept there: for eyes.
void takePictures(QWidget &page, const QString &name);

/// Something that was said in a run.
warpwright::AgentEvent message(int id, const QString &author, const QString &text);

/// A recorded document of tests/data/evaluations.
warpwright::Evaluation recordedEvaluation(const QString &name);

template <typename T>
T *child(QWidget &page, const char *objectName) {
    return page.findChild<T *>(QString::fromLatin1(objectName));
}
