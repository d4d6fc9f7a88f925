// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_rooms.h"

QObject *makeTestClangd();
QObject *makeTestClangdSamples();

int main(int argc, char **argv) {
    return runRooms(argc, argv,
                    {{"TestClangd", makeTestClangd}, {"TestClangdSamples", makeTestClangdSamples}});
}
