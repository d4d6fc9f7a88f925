// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/python_registrations.h"

#include "toolchain/text_file.h"
#include "toolchain/token_text.h"

#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace warpwright {
namespace {

const QString moduleMacro = QStringLiteral("PYBIND11_MODULE");
const QString binding = QStringLiteral("binding.cpp");

QString codeOf(const QString &path) {
    const auto text = readTextFile(path);
    return text.hasValue() ? QString::fromUtf8(textWithoutComments(text.value()).value_or(text.value()))
                           : QString();
}

int lineAt(const QString &code, qsizetype place) {
    return static_cast<int>(QStringView(code).left(place).count(QLatin1Char('\n'))) + 1;
}

std::vector<PythonRegistration> registrationsInCode(const QString &code) {
    static const QRegularExpression form(
        QStringLiteral(
            "^[ \\t]*(PYBIND11_MODULE|REGISTER_BINDING|REGISTER_FUNCTION|TORCH_LIBRARY(?:_FRAGMENT|"
            "_IMPL)?)\\s*\\(\\s*(\\w+)"),
        QRegularExpression::MultilineOption);
    std::vector<PythonRegistration> found;
    for (auto matches = form.globalMatch(code); matches.hasNext();) {
        const auto match = matches.next();
        found.push_back({match.captured(1), match.captured(2), lineAt(code, match.capturedStart(1))});
    }
    return found;
}

struct Module {
    QString file;
    PythonRegistration at;
};

Diagnostic conflict(const Module &module, const QString &message) {
    Diagnostic diagnostic;
    diagnostic.file = module.file;
    diagnostic.line = module.at.line;
    diagnostic.message = message;
    diagnostic.tool = QStringLiteral("wright");
    return diagnostic;
}

QString otherOf(const Module &module) {
    return QStringLiteral("this file defines the Python module that %1:%2 defines, too. ")
        .arg(module.file)
        .arg(module.at.line);
}

const QString replaceIt = QStringLiteral(
    "Replace PYBIND11_MODULE(%1, m) by a function void NAME(pybind11::module_ &m) with the same "
    "lines, and REGISTER_BINDING(NAME, NAME); from \"binding_registry.h\"");

} // namespace

std::vector<PythonRegistration> registrationsIn(const QByteArray &text) {
    return registrationsInCode(QString::fromUtf8(textWithoutComments(text).value_or(text)));
}

std::optional<PythonRegistration> bindingBesideKernel(const QString &cpp, const QString &cu) {
    const QString stem = cpp.chopped(4);
    if (QFileInfo::exists(stem + QStringLiteral("_binding.cpp")))
        return std::nullopt;
    const QString code = codeOf(cpp);
    const std::vector<PythonRegistration> own = registrationsInCode(code);
    if (!own.empty())
        return registrationsInCode(codeOf(cu)).empty() ? std::optional(own.front()) : std::nullopt;
    static const QRegularExpression cuda(
        QStringLiteral(
            "^[ \\t]*#[ \\t]*include[ \\t]*[<\"]((?:c10/cuda|ATen/cuda)/[\\w./]+|cuda_runtime(?:_api)?\\.h)"),
        QRegularExpression::MultilineOption);
    const auto include = cuda.match(code);
    if (!include.hasMatch() || code.contains(QLatin1String("WARPWRIGHT_CPU")))
        return std::nullopt;
    return PythonRegistration{QStringLiteral("#include"), include.captured(1),
                              lineAt(code, include.capturedStart(1))};
}

PythonModules pythonModulesOf(const Workspace &workspace, bool isCuda) {
    PythonModules modules;
    std::optional<Module> central;
    std::vector<Module> others;
    bool needsBinding = false;
    for (const SourceFile &source : workspace.sources) {
        if (source.kind == (isCuda ? SourceKind::Twin : SourceKind::Cuda))
            continue;
        const QString code = codeOf(workspace.pathOf(source));
        for (const PythonRegistration &at : registrationsInCode(code)) {
            if (at.macro != moduleMacro)
                needsBinding = needsBinding || at.macro.startsWith(QLatin1String("REGISTER_"));
            else if (source.name == binding)
                central = Module{source.name, at};
            else
                others.push_back({source.name, at});
        }
        needsBinding =
            needsBinding || (source.name != binding && code.contains(QLatin1String("binding_registry.h")));
    }
    const auto isImportable = [](const Module &module) {
        return module.at.name == QLatin1String("TORCH_EXTENSION_NAME") ||
               module.at.name == QLatin1String("cuda_extension");
    };
    if (central && others.size() == 1 && !needsBinding && isImportable(others.front())) {
        modules.leftOut = binding;
        return modules;
    }
    for (const Module &module : others) {
        if (central)
            modules.conflicts.push_back(conflict(module, otherOf(*central) + replaceIt.arg(module.at.name)));
        else if (&module != &others.front())
            modules.conflicts.push_back(conflict(
                module,
                otherOf(others.front()) +
                    QStringLiteral("Leave one PYBIND11_MODULE, and put the lines of the other into it")));
        else if (!isImportable(module))
            modules.conflicts.push_back(conflict(
                module, QStringLiteral("this file defines the Python module %1, and what is built here is "
                                       "imported as cuda_extension. Write TORCH_EXTENSION_NAME in place "
                                       "of %1")
                            .arg(module.at.name)));
    }
    return modules;
}

} // namespace warpwright
