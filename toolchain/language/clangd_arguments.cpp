// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/language/clangd_arguments.h"

#include <QFileInfo>

#include <algorithm>
#include <array>

namespace warpwright {
namespace {

bool beginsWithOneOf(const QString &argument, std::initializer_list<const char *> beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(), [&argument](const char *beginning) {
        return argument.startsWith(QLatin1String(beginning));
    });
}

/// Options whose value is the next argument, which clang takes as they are.
bool isTakenWithValue(const QString &argument) {
    static const std::array names{"-isystem", "-I",      "-D",         "-U",
                                  "-include", "-iquote", "-idirafter", "-imacros"};
    return std::any_of(names.begin(), names.end(),
                       [&argument](const char *name) { return argument == QLatin1String(name); });
}

/// g++'s options that change what a text means; all others change code or warnings that a check shows anyway.
bool changesMeaning(const QString &argument) {
    return beginsWithOneOf(argument, {"-D",
                                      "-U",
                                      "-I",
                                      "-isystem",
                                      "-iquote",
                                      "-idirafter",
                                      "-std=",
                                      "-fopenmp",
                                      "-march=",
                                      "-mavx",
                                      "-msse",
                                      "-mfma",
                                      "-mf16c",
                                      "-ffast-math",
                                      "-fexceptions",
                                      "-fno-exceptions",
                                      "-fno-rtti",
                                      "-frtti",
                                      "-fpermissive",
                                      "-funsigned-char",
                                      "-fsigned-char",
                                      "-Wall",
                                      "-Wextra",
                                      "-Wno-",
                                      "-pthread",
                                      "-fPIC"});
}

/// nvcc's long names of what has a short one in clang.
QString shortName(const QString &argument) {
    static const std::array<std::pair<const char *, const char *>, 6> names{{{"--include-path", "-I"},
                                                                             {"--system-include", "-isystem"},
                                                                             {"--define-macro", "-D"},
                                                                             {"--undefine-macro", "-U"},
                                                                             {"--pre-include", "-include"},
                                                                             {"-Xcudafe", "-Xcudafe"}}};
    for (const auto &[name, meant] : names)
        if (argument == QLatin1String(name))
            return QString::fromLatin1(meant);
    return argument;
}

/// nvcc's options with a value in the next argument that clang has no use for.
bool isDroppedWithValue(const QString &argument) {
    static const std::array names{"-Xptxas",
                                  "--ptxas-options",
                                  "-Xnvlink",
                                  "--nvlink-options",
                                  "-Xlinker",
                                  "-Xarchive",
                                  "-Xfatbin",
                                  "-Xcudafe",
                                  "-ccbin",
                                  "--compiler-bindir",
                                  "-gencode",
                                  "--generate-code",
                                  "-arch",
                                  "--gpu-architecture",
                                  "-code",
                                  "--gpu-code",
                                  "-maxrregcount",
                                  "--maxrregcount",
                                  "-diag-suppress",
                                  "--diag-suppress",
                                  "-t",
                                  "--threads",
                                  "-o",
                                  "-L",
                                  "-l",
                                  "-cudart",
                                  "--cudart",
                                  "-split-compile",
                                  "--split-compile",
                                  "-x"};
    return std::any_of(names.begin(), names.end(),
                       [&argument](const char *name) { return argument == QLatin1String(name); });
}

void addOfHost(QStringList &taken, const QStringList &options) {
    for (const QString &option : options)
        if (changesMeaning(option) && !option.startsWith(QLatin1String("-march=")))
            taken << option;
}

} // namespace

QStringList clangArgumentsOfCxx(const QStringList &arguments) {
    QStringList taken;
    for (qsizetype at = 0; at < arguments.size(); ++at) {
        if (isTakenWithValue(arguments[at]) && at + 1 < arguments.size()) {
            taken << arguments[at] << arguments[at + 1];
            ++at;
        } else if (changesMeaning(arguments[at])) {
            taken << arguments[at];
        }
    }
    return taken;
}

QStringList clangArgumentsOfNvcc(const QStringList &arguments, const CudaToolkit &cuda,
                                 const QString &architecture, const QString &nvccWords) {
    QStringList taken{QStringLiteral("-x"), QStringLiteral("cuda"),
                      QStringLiteral("--cuda-path=") + cuda.root,
                      QStringLiteral("--cuda-gpu-arch=") + architecture,
                      // A newer toolkit than clang knows is taken for the newest that it does.
                      QStringLiteral("-Wno-unknown-cuda-version"),
                      // Kernels are laid out for nvcc: what clang thinks of their pragmas is no help.
                      QStringLiteral("-Wno-pass-failed"), QStringLiteral("-Wno-unknown-pragmas")};
    bool hasStandard = false;
    for (qsizetype at = 0; at < arguments.size(); ++at) {
        const QString argument = shortName(arguments[at]);
        const bool hasNext = at + 1 < arguments.size();
        if (isTakenWithValue(argument) && hasNext) {
            taken << argument << arguments[++at];
        } else if ((argument == QLatin1String("-Xcompiler") ||
                    argument == QLatin1String("--compiler-options")) &&
                   hasNext) {
            addOfHost(taken, arguments[++at].split(QLatin1Char(','), Qt::SkipEmptyParts));
        } else if (beginsWithOneOf(argument, {"-Xcompiler=", "--compiler-options="})) {
            addOfHost(taken,
                      argument.section(QLatin1Char('='), 1).split(QLatin1Char(','), Qt::SkipEmptyParts));
        } else if (isDroppedWithValue(argument) && hasNext) {
            ++at;
        } else if (beginsWithOneOf(argument, {"-std=", "--std="})) {
            hasStandard = true;
            taken << QStringLiteral("-std=") + argument.section(QLatin1Char('='), 1);
        } else if (beginsWithOneOf(argument, {"--use_fast_math", "-use_fast_math"})) {
            taken << QStringLiteral("-D__FAST_MATH__");
        } else if (beginsWithOneOf(argument, {"-D", "-U", "-I"})) {
            taken << argument;
        }
    }
    if (!hasStandard)
        taken << QStringLiteral("-std=c++17");
    // nvcc finds this by itself, clang does not know it.
    if (const QString cccl = cuda.includeFolder + QStringLiteral("/cccl"); QFileInfo(cccl).isDir())
        taken << QStringLiteral("-isystem") << cccl;
    if (!nvccWords.isEmpty())
        taken << QStringLiteral("-include") << nvccWords;
    return taken;
}

} // namespace warpwright
