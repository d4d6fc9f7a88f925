# SPDX-License-Identifier: GPL-3.0-or-later
"""Says what this interpreter and the torch it would import are: one JSON object on the last line of stdout.

torch is looked at on disk and only imported when asked to ("import" as argument): importing takes seconds,
and a torch whose libraries do not load must still be named. CUDA is never touched.
"""
import importlib.util
import json
import os
import platform
import re
import site
import sys
import sysconfig


def torch_version(folder):
    """(version, cuda) as torch/version.py says."""
    names = {}
    path = os.path.join(folder, "version.py")
    with open(path, encoding="utf-8") as text:
        # Plain assignments; run here because they are typed, conditional or computed from one release to the next.
        exec(compile(text.read(), path, "exec"), names)
    return str(names.get("__version__", "")), names.get("cuda") or ""


def cxx11_abi(folder):
    """The ABI that torch's C++ libraries were built with; None: the file that tells is not there."""
    path = os.path.join(folder, "share", "cmake", "Torch", "TorchConfig.cmake")
    try:
        with open(path, encoding="utf-8") as text:
            found = re.search(r"_GLIBCXX_USE_CXX11_ABI=([01])", text.read())
    except OSError:
        return None
    # Newer releases (2.11 does) no longer write it down: there is only the new ABI.
    return found is None or found.group(1) == "1"


def nvidia_folders(torch_folder):
    """The CUDA wheels beside torch: (…/nvidia/cu13, …/nvidia/cudnn, all of them), "" where missing.

    Wheels of CUDA 13 share one folder; those of CUDA 12 have one each (nvidia/cuda_runtime, nvidia/cublas …).
    """
    nvidia = os.path.join(os.path.dirname(torch_folder), "nvidia")
    root, every = "", []
    for name in sorted(os.listdir(nvidia)) if os.path.isdir(nvidia) else []:
        folder = os.path.join(nvidia, name)
        if not any(os.path.isdir(os.path.join(folder, part)) for part in ("include", "lib")):
            continue
        every.append(folder)
        if re.fullmatch(r"cu\d+", name):
            root = folder
    cudnn = os.path.join(nvidia, "cudnn")
    return root, cudnn if cudnn in every else "", every


def watched(torch_folder, include_folder):
    """Files and folders that the answer rests on: while none of them changes, it stays. A folder stands for the names in
    it: a package that is installed, removed or exchanged is one that comes or goes."""
    paths = [os.path.join(prefix, "pyvenv.cfg") for prefix in {sys.prefix, os.path.dirname(sys.executable)}]
    # Folders for packages that are not there yet are not in sys.path; once they are, they may go before others.
    packages = [site.getusersitepackages(), *site.getsitepackages()]
    for name in ("sitecustomize", "usercustomize"):
        spec = importlib.util.find_spec(name)
        paths += [spec.origin] if spec is not None and spec.origin else []
    for folder in dict.fromkeys(os.path.abspath(path) for path in [*sys.path, *packages]):
        paths.append(folder)
        if os.path.isdir(folder):
            paths += [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".pth")]
    nvidia = os.path.join(os.path.dirname(torch_folder), "nvidia")
    paths += [os.path.join(torch_folder, *part) for part in
              ((), ("version.py",), ("lib",), ("share", "cmake", "Torch", "TorchConfig.cmake"))]
    paths += [include_folder, nvidia]
    paths += [os.path.join(nvidia, name) for name in sorted(os.listdir(nvidia))] if os.path.isdir(nvidia) else []
    return paths


def facts(imports_torch):
    answer = {
        "version": platform.python_version(),
        "includeFolder": sysconfig.get_paths()["include"],
        "extensionSuffix": sysconfig.get_config_var("EXT_SUFFIX") or "",
        "implementation": platform.python_implementation(),
    }
    spec = importlib.util.find_spec("torch")
    if spec is None or not spec.submodule_search_locations or not spec.origin:
        return answer
    folder = os.path.dirname(os.path.abspath(spec.origin))
    answer["torchFolder"] = folder
    answer["torchVersion"], answer["torchCuda"] = torch_version(folder)
    libraries = os.path.join(folder, "lib")
    answer["torchLibraries"] = sorted(n for n in os.listdir(libraries) if ".so" in n) if os.path.isdir(libraries) else []
    answer["usesCxx11Abi"] = cxx11_abi(folder)
    answer["nvidiaRoot"], answer["cudnnRoot"], answer["nvidiaFolders"] = nvidia_folders(folder)
    answer["hasTriton"] = importlib.util.find_spec("triton") is not None
    if imports_torch or answer["usesCxx11Abi"] is None:
        try:
            import torch
            answer["usesCxx11Abi"] = bool(torch.compiled_with_cxx11_abi())
            answer["torchVersion"] = str(torch.__version__)
        except BaseException as problem:  # whatever a broken installation throws is the answer
            answer["importError"] = f"{type(problem).__name__}: {problem}"
    else:  # an import rests on more than these files
        answer["watched"] = watched(folder, answer["includeFolder"])
    return answer


if __name__ == "__main__":
    print(json.dumps(facts("import" in sys.argv[1:])))
