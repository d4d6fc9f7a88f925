# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles and links the playbook's candidates for a GPU, as the judge does, without the judge."""

import hashlib
import os
import pathlib
import subprocess
import sysconfig

TEMPLATE = pathlib.Path(__file__).resolve().parents[2] / "resources/templates/workspace"


def library_folders():
    """Where headers and libraries of CUDA and cuDNN lie: the toolkit's first, for nvcc is the toolkit's."""
    import shutil
    import torch
    nvidia = pathlib.Path(torch.__file__).parent.parent / "nvidia"
    toolkit = pathlib.Path(shutil.which("nvcc")).resolve().parent.parent
    return ([toolkit / "include", *nvidia.glob("*/include")],
            [str(path) for path in (*nvidia.glob("*/lib"), toolkit / "lib64")])


class Builder:
    def __init__(self, folder):
        import torch
        root = pathlib.Path(torch.__file__).parent
        major, minor = torch.cuda.get_device_capability() if torch.cuda.is_available() else (9, 0)
        headers, self.folders = library_folders()
        include = [flag for path in (root / "include", root / "include/torch/csrc/api/include",
                                     sysconfig.get_paths()["include"], *headers) for flag in ("-isystem", str(path))]
        self.cxx = ["g++", "-std=c++17", "-O2", "-fPIC", "-DTORCH_EXTENSION_NAME=cuda_extension",
                    "-DTORCH_API_INCLUDE_EXTENSION_H", *include]
        suffix = "a" if major == 9 else ""
        self.nvcc = ["nvcc", "-std=c++17", "-O3", "-lineinfo", "-Xcompiler", "-fPIC",
                     f"-gencode=arch=compute_{major}{minor}{suffix},code=sm_{major}{minor}{suffix}", *include]
        self.torch_libraries = str(root / "lib")
        self.objects = folder / "objects"
        self.objects.mkdir(exist_ok=True)

    def object(self, source):
        digest = hashlib.sha256(source.read_bytes()).hexdigest()[:24]
        target = self.objects / f"{digest}.o"
        if not target.exists():
            made = target.with_suffix(f".{os.getpid()}.{id(source)}")
            command = self.nvcc if source.suffix == ".cu" else [*self.cxx, "-I", str(TEMPLATE)]
            done = subprocess.run([*command, "-c", str(source), "-o", str(made)], capture_output=True, text=True)
            if done.returncode:
                return None, done.stderr[:1500]
            made.rename(target)
        return target, ""

    def link(self, folder, objects):
        libraries = []
        for name in ("cudart", "cublas", "cublasLt", "cudnn"):
            for place in self.folders:
                found = sorted(pathlib.Path(place).glob(f"lib{name}.so*"))
                if found:
                    libraries.append(str(found[0]))
                    break
        return subprocess.run(["g++", "-shared", *map(str, objects), "-o", str(folder / "cuda_extension.so"),
                               f"-L{self.torch_libraries}", "-lc10", "-ltorch", "-ltorch_cpu", "-ltorch_python",
                               "-ltorch_cuda", "-lc10_cuda", "-Wl,--as-needed", *libraries,
                               *[f"-Wl,-rpath,{path}" for path in (self.torch_libraries, *self.folders)]],
                              capture_output=True, text=True)
