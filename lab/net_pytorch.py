"""What PyTorch makes of networks that Tengen describes: outputs and gradients of small ones, for the tests of crates/net.

    python lab/net_pytorch.py > crates/net/tests/pytorch.json
    python lab/net_pytorch.py check NET.safetensors NET.onnx      # a file of `tengen net export` by onnxruntime and by PyTorch

Needs torch (CPU is enough), and for `check` numpy, onnxruntime and safetensors. Weights and inputs of the small networks follow from a
formula that the tests know, too, so that only what comes out is kept.
"""

import json
import sys
import tomllib

import torch
import torch.nn.functional as F

EPSILON = 1e-5


def numbers(start, count):
    """Numbers between -0.5 and 0.5 that look like chance."""
    return [((start * 7919 + i * 104729) % 10007) / 10007 - 0.5 for i in range(count)]


class Net:
    """A description, run as it says. `get(name, shape, kind)` gives the weights."""

    def __init__(self, description, get, learning):
        self.d, self.get, self.learning = description, get, learning

    def __call__(self, planes, globals_):
        self.globals = globals_
        trunk = self.layers("trunk", planes, self.d["trunk"])
        said = {}
        for head in self.d["heads"]:
            name = head["name"]
            out = self.layers(f"heads.{name}", trunk, head["layers"]).flatten(1)
            if head.get("extra"):
                out = torch.cat([out, self.layers(f"heads.{name}.extra", trunk, head["extra"]).flatten(1)], 1)
            said[name] = out
        return said

    def layers(self, path, x, layers):
        number = 0
        for layer in layers:
            for _ in range(layer.get("repeat", 1)):
                x = self.layer(f"{path}.{number}", x, layer)
                number += 1
        return x

    def conv(self, path, x, filters, side, bias):
        if x.dim() == 2:
            x = x[:, :, None, None]
        weight = self.get(f"{path}weight", [filters, x.shape[1], side, side], "matrix")
        return F.conv2d(x, weight, self.get(f"{path}bias", [filters], "bias") if bias else None, padding=side // 2)

    def dense(self, path, x, neurons, bias):
        x = x.flatten(1)
        weight = self.get(f"{path}weight", [neurons, x.shape[1]], "matrix")
        return F.linear(x, weight, self.get(f"{path}bias", [neurons], "bias") if bias else None)

    def pool(self, x, all_):
        x = x.flatten(2) if x.dim() == 4 else x[:, :, None]
        mean = x.mean(2)
        if not all_:
            return mean
        return torch.cat([mean, mean * ((x.shape[2] ** 0.5 - 14) / 10), x.amax(2)], 1)

    def spread(self, x, y):
        return x + (y[:, :, None, None] if x.dim() == 4 else y)

    def layer(self, path, x, layer):
        bias = layer.get("bias", not layer.get("norm", False))
        if "conv" in layer:
            x = self.conv(path + ".", x, layer["conv"], layer.get("kernel", 3), bias)
        elif "dense" in layer:
            x = self.dense(path + ".", x, layer["dense"], bias)
        elif "residual" in layer:
            x = x + self.layers(path, x, layer["residual"])
        elif "squeeze" in layer:
            y = F.relu(self.dense(path + ".squeeze.", self.pool(x, False), layer["squeeze"], True))
            gate = torch.sigmoid(self.dense(path + ".excite.", y, x.shape[1], True))
            x = x * (gate[:, :, None, None] if x.dim() == 4 else gate)
        elif "pooled" in layer:
            y = self.pool(self.layers(path + ".pooled", x, layer["pooled"]), True)
            x = self.spread(x, self.dense(path + ".pool.", y, x.shape[1], False))
        elif layer.get("globals"):
            x = self.spread(x, self.dense(path + ".globals.", self.globals, x.shape[1], False))
        elif layer.get("pool") or layer.get("mean"):
            x = self.pool(x, layer.get("pool", False))
        elif layer.get("attend"):
            said = self.conv(path + ".attend.", x, 1, 1, True).flatten(1)
            x = (x.flatten(2) * torch.softmax(said, 1)[:, None, :]).sum(2)
        elif "maxpool" in layer:
            x = F.max_pool2d(x, layer["maxpool"])
        elif "join" in layer:
            x = torch.cat([x.flatten(1), self.layers(path + ".join", self.globals, layer["join"])], 1)
        if layer.get("norm"):
            channels = [x.shape[1]]
            scale, shift = self.get(path + ".norm.weight", channels, "scale"), self.get(path + ".norm.bias", channels, "bias")
            mean, var = self.get(path + ".norm.running_mean", channels, "mean"), self.get(path + ".norm.running_var", channels, "variance")
            x = F.batch_norm(x, mean, var, scale, shift, training=self.learning, eps=EPSILON)
        act = layer.get("act", "none")
        bends = {"none": lambda x: x, "relu": F.relu, "mish": F.mish, "tanh": torch.tanh, "sigmoid": torch.sigmoid}
        return bends[act](x)


CASES = {
    "convolution of 3": "trunk = [{ conv = 5 }]",
    "convolution of 5, no bias": "trunk = [{ conv = 3, kernel = 5, bias = false }]",
    "convolution of 1": "trunk = [{ conv = 18, kernel = 1 }]",
    "norm": "trunk = [{ conv = 4, norm = true }]",
    "norm first": "trunk = [{ norm = true, act = 'relu' }, { conv = 4 }]",
    "relu": "trunk = [{ conv = 4, act = 'relu' }]",
    "mish": "trunk = [{ conv = 4, norm = true, act = 'mish' }]",
    "tanh": "trunk = [{ conv = 4, act = 'tanh' }]",
    "sigmoid": "trunk = [{ conv = 4, norm = true, act = 'sigmoid' }]",
    "residual": "trunk = [{ conv = 4 }, { residual = [{ conv = 4, norm = true, act = 'relu' }, { conv = 4, norm = true }], act = 'relu' }]",
    "squeeze": "trunk = [{ conv = 6 }, { squeeze = 3 }]",
    "pooled": "trunk = [{ conv = 4 }, { pooled = [{ conv = 3, act = 'relu' }] }]",
    "globals": "trunk = [{ conv = 4 }, { globals = true, act = 'mish' }]",
    "pool": "trunk = [{ conv = 4 }, { pool = true }]",
    "mean": "trunk = [{ conv = 4 }, { mean = true }, { dense = 3, norm = true, act = 'tanh' }]",
    "attend": "trunk = [{ conv = 4 }, { attend = true }]",
    "maxpool": "trunk = [{ conv = 4 }, { maxpool = 2 }, { conv = 3 }]",
    "join": "trunk = [{ conv = 4, kernel = 1 }, { join = [{ dense = 5, act = 'relu' }] }, { dense = 3 }]",
    "dense": "trunk = [{ dense = 7, act = 'mish' }, { dense = 2 }]",
    "extra": "trunk = [{ conv = 4 }]\nheads = [{ name = 'out', layers = [{ conv = 1, kernel = 1 }], extra = [{ pool = true }, { dense = 1 }] }]",
}
SAMPLES, PLANES, BOARD, GLOBALS = 3, 2, (5, 4), 3


def case(text):
    text = f"input = {{ planes = {PLANES}, board = [{BOARD[0]}, {BOARD[1]}], globals = {GLOBALS} }}\n{text}"
    if "heads" not in text:
        text += "\nheads = [{ name = 'out', layers = [{ conv = 2, kernel = 1 }] }]"
    description, weights = tomllib.loads(text), {}

    def get(name, shape, kind):
        count = torch.Size(shape).numel()
        list_ = torch.tensor(numbers(len(weights) + 1, count), dtype=torch.float64)
        if kind in ("scale", "variance"):
            list_ = list_ + 1
        weights[name] = list_.reshape(shape).requires_grad_(kind not in ("mean", "variance"))
        return weights[name]

    planes = torch.tensor(numbers(1001, SAMPLES * PLANES * BOARD[0] * BOARD[1]), dtype=torch.float64).reshape(SAMPLES, PLANES, *BOARD)
    globals_ = torch.tensor(numbers(1002, SAMPLES * GLOBALS), dtype=torch.float64).reshape(SAMPLES, GLOBALS)
    out = Net(description, get, True)(planes, globals_)["out"]
    asked = torch.tensor(numbers(1003, out.numel()), dtype=torch.float64).reshape(out.shape)
    (out * asked).sum().backward()
    short = lambda tensor: [round(number, 7) for number in tensor.flatten().tolist()]
    gradients = {name: short(weight.grad) for name, weight in weights.items() if weight.requires_grad}
    return {"description": text, "out": short(out), "gradients": gradients}


def check(net, onnx):
    import numpy
    import onnxruntime
    from safetensors import safe_open

    file = safe_open(net, "pt")
    description = tomllib.loads(file.metadata()["description"])
    session = onnxruntime.InferenceSession(onnx)
    torch.manual_seed(1)
    inputs = {}
    for value in session.get_inputs():
        inputs[value.name] = torch.rand([8] + value.shape[1:])
    said = session.run(None, {name: value.numpy() for name, value in inputs.items()})
    get = lambda name, shape, kind: file.get_tensor(name).float().reshape(shape)
    other = Net(description, get, False)(inputs["planes"], inputs.get("globals"))
    for value, numbers_ in zip(session.get_outputs(), said):
        expected = other[value.name].detach().numpy()
        far = numpy.abs(numbers_ - expected).max() / max(1, numpy.abs(expected).max())
        print(f"{value.name}: {numbers_.shape}, at most {far:.2e} of the greatest apart")
        assert far < 1e-4, value.name


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "check":
        check(*sys.argv[2:])
    else:
        print(json.dumps({name: case(text) for name, text in CASES.items()}, separators=(",", ":")))
