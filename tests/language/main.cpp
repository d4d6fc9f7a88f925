// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_test_classes.h"

QObject *makeTestFarNames();
QObject *makeTestLanguageCommands();
QObject *makeTestLanguageJson();
QObject *makeTestLanguageServer();
QObject *makeTestMessageFrames();
QObject *makeTestTextDelta();

int main(int argc, char **argv) {
    return runTestClasses(argc, argv,
                          {{"TestMessageFrames", makeTestMessageFrames},
                           {"TestLanguageJson", makeTestLanguageJson},
                           {"TestLanguageCommands", makeTestLanguageCommands},
                           {"TestLanguageServer", makeTestLanguageServer},
                           {"TestFarNames", makeTestFarNames},
                           {"TestTextDelta", makeTestTextDelta}});
}
