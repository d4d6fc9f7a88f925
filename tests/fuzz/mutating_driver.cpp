// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a fuzz target without libFuzzer: recordings whole, cut, and mangled. `fuzz_sass [--rounds N]
// FOLDER...` The same bytes in each run, so a failure comes again; the seed of the round that fails is
// printed before it.
#include "tests/fuzz/fuzz_readers.h"

#include <QDir>
#include <QFile>

#include <cstdio>
#include <random>
#include <vector>

namespace {

constexpr int usualRounds = 3000;
constexpr qsizetype longest = 64 * 1024;

void feed(const QByteArray &text) {
    LLVMFuzzerTestOneInput(reinterpret_cast<const unsigned char *>(text.constData()),
                           static_cast<std::size_t>(text.size()));
}

QByteArray mangled(const std::vector<QByteArray> &seeds, unsigned round) {
    std::mt19937 random(round);
    const auto below = [&random](qsizetype bound) {
        return static_cast<qsizetype>(random() % static_cast<unsigned>(std::max<qsizetype>(1, bound)));
    };
    QByteArray text = seeds[static_cast<std::size_t>(below(static_cast<qsizetype>(seeds.size())))];
    if (text.size() > longest)
        text = text.mid(below(text.size() - longest), longest);
    for (qsizetype change = 1 + below(8); change > 0; --change) {
        const qsizetype at = below(text.size());
        const qsizetype length = 1 + below(60);
        switch (below(6)) {
        case 0: // bytes that no text holds
            for (qsizetype i = at; i < std::min(text.size(), at + length); ++i)
                text[i] = static_cast<char>(random());
            break;
        case 1:
            text.remove(at, length);
            break;
        case 2:
            text.insert(at, text.mid(below(text.size()), length));
            break;
        case 3:
            text.truncate(at);
            break;
        case 4: // a sign that means something
            text.insert(at, "\"'`;:,.(){}@$\n/*"[below(16)]);
            break;
        default: // a number that fits nowhere
            text.insert(at, "99999999999999999999");
        }
    }
    return text;
}

} // namespace

int main(int argc, char **argv) {
    int rounds = usualRounds;
    std::vector<QByteArray> seeds{QByteArray()};
    for (int i = 1; i < argc; ++i) {
        if (qstrcmp(argv[i], "--rounds") == 0 && i + 1 < argc) {
            rounds = QByteArray(argv[++i]).toInt();
            continue;
        }
        const QDir folder(QString::fromLocal8Bit(argv[i]));
        for (const QString &name : folder.entryList(QDir::Files, QDir::Name)) {
            QFile file(folder.filePath(name));
            if (file.open(QIODevice::ReadOnly))
                seeds.push_back(file.readAll());
        }
    }
    if (seeds.size() < 2) {
        std::fputs("there is nothing to mangle: name a folder with recordings\n", stderr);
        return 1;
    }
    for (const QByteArray &seed : seeds)
        feed(seed);
    for (int round = 0; round < rounds; ++round) {
        // Written over and over: after an abort the last number is the round.
        if (round % 500 == 0)
            std::printf("from round %d on\n", round), std::fflush(stdout);
        feed(mangled(seeds, static_cast<unsigned>(round)));
    }
    std::printf("%d rounds, %zu recordings\n", rounds, seeds.size() - 1);
    return 0;
}
