// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/failure_map/wrong_element_script.h"

#include "toolchain/base/json.h"

#include <cmath>
#include <optional>

namespace warpwright {
namespace {

const char *const body = R"py(

def tensors(value):
    if isinstance(value, torch.Tensor):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else []
    return [tensor for item in items for tensor in tensors(item)]


def changed(value, change):
    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, dict):
        return {key: changed(item, change) for key, item in value.items()}
    return type(value)(changed(item, change) for item in value) if isinstance(value, (list, tuple)) else value


def seed():
    torch.manual_seed(SEED)
    random.seed(SEED)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(SEED % (1 << 32))


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


def compiled():
    """The newest build of this text."""
    own = bytes_of(WORKSPACE + "/model_new.py")
    runs = [run for run in glob.glob(BUILDS + "/*/run") if glob.glob(run + "/cuda_extension*.so") and bytes_of(run + "/model_new.py") == own]
    if not runs:
        sys.exit(f"There is no build of this text below {BUILDS}: wright check {WORKSPACE}")
    return max(runs, key=os.path.getmtime)


def made(kind, initial):
    seed()
    model = kind(**initial) if isinstance(initial, dict) else kind(*initial)
    return model.to(DEVICE).train(TRAINS)


def main():
    sys.path[:0] = [compiled(), WORKSPACE]
    os.chdir(WORKSPACE)
    import model
    import model_new

    initial = model.get_init_inputs() if hasattr(model, "get_init_inputs") else []
    reference = made(model.Model, initial)
    candidate = made(model_new.ModelNew, initial)
    candidate.load_state_dict(reference.state_dict())
    seed()
    try:
        with torch.device(DEVICE):
            inputs = model.get_inputs()
    except RuntimeError:
        seed()
        inputs = model.get_inputs()
    inputs = list(inputs.values()) if isinstance(inputs, dict) else list(inputs)
    inputs = changed(inputs, lambda tensor: tensor.to(DEVICE))
    double = changed(inputs, lambda tensor: tensor.double() if tensor.is_floating_point() else tensor.clone())
    with torch.no_grad():
        got = tensors(candidate(*changed(inputs, torch.clone)))[OUTPUT].double().cpu()
        expected = tensors(copy.deepcopy(reference).double()(*double))[OUTPUT].double().cpu()
    one, other = expected[INDEX].item(), got[INDEX].item()
    is_same = one == EXPECTED or abs(one - EXPECTED) <= 1e-6 * max(abs(one), abs(EXPECTED))
    limit = 0.5 * abs(GOT - EXPECTED) if math.isfinite(GOT - EXPECTED) else 0.01 + 0.01 * abs(one)
    is_wrong = other != other or not abs(other - one) < limit
    off = ~torch.isclose(got, expected, rtol=0.01, atol=0.01, equal_nan=True)
    print(f"{list(INDEX)}: expected {one!r}, got {other!r}; in the check {EXPECTED!r} and {GOT!r}")
    print("the inputs of the check" if is_same else "other inputs or weights than in the check")
    print(f"{int(off.sum())} of {off.numel()} elements differ by more than 0.01 + 1 %")
    print("wrong again" if is_wrong else "not wrong here")
    return 1 if is_wrong else 0


sys.exit(main())
)py";

/// A literal of Python; JSON's texts are such.
QString quoted(const QString &text) {
    return QString::fromUtf8(dumpJson(Json(text.toStdString())));
}

QString floatText(double value) {
    return std::isnan(value) ? QStringLiteral("float(\"nan\")")
           : std::isinf(value)
               ? QStringLiteral("float(\"%1inf\")").arg(value < 0 ? QStringLiteral("-") : QString())
               : QString::number(value, 'g', 17);
}

const OrderedJson *roundOf(const OrderedJson &verify, int number) {
    const auto rounds = verify.is_object() ? verify.find("rounds") : verify.end();
    if (!verify.is_object() || rounds == verify.end() || !rounds->is_array())
        return nullptr;
    for (const OrderedJson &round : *rounds)
        if (round.is_object() && round.contains("index") && round["index"].is_number_integer() &&
            round["index"].get<int>() == number)
            return &round;
    return nullptr;
}

/// The place of a result among those of the round.
std::optional<int> placeOf(const OrderedJson &round, const QString &name) {
    const auto outputs = round.find("outputs");
    if (outputs == round.end() || !outputs->is_array())
        return std::nullopt;
    for (std::size_t i = 0; i < outputs->size(); ++i)
        if (stringIn((*outputs)[i], "name") == name)
            return static_cast<int>(i);
    return std::nullopt;
}

QString deviceOf(const Evaluation &evaluation) {
    if (stringIn(evaluation.device, "kind") != QLatin1String("cuda"))
        return QStringLiteral("cpu");
    const auto index = evaluation.device.find("index");
    const bool isKnown = index != evaluation.device.end() && index->is_number_integer();
    return QStringLiteral("cuda:%1").arg(isKnown ? index->get<int>() : 0);
}

} // namespace

Result<QString> wrongElementScript(const Evaluation &evaluation, const WrongElement &element,
                                   const QString &workspace, const QString &state, bool trains) {
    const auto cannot = [&element](const QString &why) {
        return Result<QString>::error(
            QStringLiteral("Cannot write a program for \"%1%2\": %3. Check the text again.")
                .arg(element.output, indexText(element.index), why));
    };
    const OrderedJson *round = roundOf(evaluation.verify, element.round);
    if (round == nullptr || !round->contains("seed") || !(*round)["seed"].is_number_integer())
        return cannot(
            QStringLiteral("the check does not tell the seed of round %1's inputs").arg(element.round));
    const std::optional<int> output = placeOf(*round, element.output);
    if (!output)
        return cannot(QStringLiteral("round %1 has no result of this name").arg(element.round));
    QStringList index;
    for (const qint64 one : element.index)
        index << QString::number(one);
    const QString tuple = index.size() == 1 ? QStringLiteral("(%1,)").arg(index.front())
                                            : QStringLiteral("(%1)").arg(index.join(QStringLiteral(", ")));
    // Of other people's words only numbers and quoted texts come in.
    const QString head = QStringLiteral(
        "# A wrong element of a check by Warpwright, once more: PYTHON this.py, with the torch of the "
        "check and its text compiled.\n"
        "# Inputs are those of the round's seed. Weights are of that seed, too: the judge's own are "
        "secret, so that numbers may differ.\n"
        "import copy\nimport glob\nimport math\nimport os\nimport random\nimport sys\n\nimport torch\n\n");
    const QString facts =
        QStringLiteral("WORKSPACE = %1\nBUILDS = %2\nDEVICE = torch.device(%3)\nTRAINS = %4\nSEED = %5  "
                       "# of round %6\nOUTPUT = %7\nINDEX = %8\nEXPECTED = %9\n")
            .arg(quoted(workspace), quoted(state + QStringLiteral("/build")), quoted(deviceOf(evaluation)),
                 trains ? QStringLiteral("True") : QStringLiteral("False"),
                 QString::number((*round)["seed"].get<qint64>()), QString::number(element.round),
                 QString::number(*output), tuple, floatText(element.expected));
    return Result<QString>::ok(head + facts + QStringLiteral("GOT = %1\n").arg(floatText(element.got)) +
                               QString::fromLatin1(body));
}

} // namespace warpwright
