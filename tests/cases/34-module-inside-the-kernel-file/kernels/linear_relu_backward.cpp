// SPDX-License-Identifier: GPL-3.0-or-later
// Everything in one file, with its own Python module at the end.
#include <torch/extension.h>

std::tuple<torch::Tensor, torch::Tensor, torch::Tensor> backward(torch::Tensor grad, torch::Tensor x,
                                                                 torch::Tensor weight, torch::Tensor bias) {
    const int64_t batch = x.size(0), inputs = x.size(1), outputs = weight.size(0);
    auto dx = torch::empty_like(x), dw = torch::empty_like(weight), db = torch::empty_like(bias);
    auto masked = torch::empty_like(grad);
    const float *X = x.data_ptr<float>(), *W = weight.data_ptr<float>(), *G = grad.data_ptr<float>(),
                *B = bias.data_ptr<float>();
    float *M = masked.data_ptr<float>(), *DX = dx.data_ptr<float>(), *DW = dw.data_ptr<float>(),
          *DB = db.data_ptr<float>();
    for (int64_t i = 0; i < batch; ++i)
        for (int64_t o = 0; o < outputs; ++o) {
            float y = B[o];
            for (int64_t k = 0; k < inputs; ++k)
                y += X[i * inputs + k] * W[o * inputs + k];
            M[i * outputs + o] = y > 0.0f ? G[i * outputs + o] : 0.0f;
        }
    for (int64_t i = 0; i < batch; ++i)
        for (int64_t k = 0; k < inputs; ++k) {
            float s = 0.0f;
            for (int64_t o = 0; o < outputs; ++o)
                s += M[i * outputs + o] * W[o * inputs + k];
            DX[i * inputs + k] = s;
        }
    for (int64_t o = 0; o < outputs; ++o) {
        float sum = 0.0f;
        for (int64_t i = 0; i < batch; ++i)
            sum += M[i * outputs + o];
        DB[o] = sum;
        for (int64_t k = 0; k < inputs; ++k) {
            float s = 0.0f;
            for (int64_t i = 0; i < batch; ++i)
                s += M[i * outputs + o] * X[i * inputs + k];
            DW[o * inputs + k] = s;
        }
    }
    return {dx, dw, db};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("backward", &backward);
}
