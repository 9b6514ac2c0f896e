#!/usr/bin/env python3
"""Answers `lab teach` and `lab grade`: what a network of KataGo thinks of positions, move by move.

    pip install onnx onnxruntime numpy
    pip download --no-deps katrain==1.9.3 && unzip 'KaTrain-1.9.3-*.whl' 'katrain/models/*'
    lab teach 19 … "python3 lab/teacher.py katrain/models/g170e-b15c192-s1672170752-d466197061.bin.gz"

Reads requests from stdin and writes answers to stdout, all numbers little endian:
    u32 size, u32 count, then count times 22 planes of size x size (f32) and 19 further inputs (f32)
    count times size x size + 1 logits (f32), the last one for a pass, then the chance to win and the lead in points of the side to move,
    then for each point whose it will be, from -1 to 1 for the side to move
The network file is of version 8 or below: convolutions, batch norms and global pooling, with ReLU.
"""

import gzip
import os
import struct
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper


class Weights:
    """The words and arrays of a network file, one after the other."""

    def __init__(self, path):
        with gzip.open(path) as file:
            self.bytes = file.read()
        self.at = 0

    def word(self):
        while self.bytes[self.at : self.at + 1].isspace():
            self.at += 1
        start = self.at
        while not self.bytes[self.at : self.at + 1].isspace():
            self.at += 1
        return self.bytes[start : self.at].decode()

    def number(self):
        return int(self.word())

    def array(self, *shape):
        count = int(np.prod(shape))
        start = self.bytes.index(b"@BIN@", self.at) + 5
        if self.bytes[self.at : start - 5].strip():
            raise ValueError("an array was expected in the network file")
        self.at = start + 4 * count
        return np.frombuffer(self.bytes, "<f4", count, start).reshape(shape)


class Graph:
    """A network for one board size, put together while its file is read."""

    def __init__(self, weights, size):
        self.weights, self.size = weights, size
        self.nodes, self.constants = [], []

    def constant(self, array):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def node(self, kind, inputs, **attributes):
        name = f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    def conv(self, x):
        w = self.weights
        w.word()
        high, wide, inside, outside, dilation, other = (w.number() for _ in range(6))
        kernel = w.array(high, wide, inside, outside).transpose(3, 2, 0, 1)
        pads = [dilation * (high // 2), other * (wide // 2)] * 2
        return self.node("Conv", [x, self.constant(kernel)], pads=pads, dilations=[dilation, other])

    def norm(self, x):
        """A batch norm and the ReLU that follows it."""
        w = self.weights
        w.word()
        channels = w.number()
        epsilon = float(w.word())
        has_scale, has_bias = w.number(), w.number()
        mean, variance = w.array(channels), w.array(channels)
        scale = w.array(channels) if has_scale else np.ones(channels, np.float32)
        bias = w.array(channels) if has_bias else np.zeros(channels, np.float32)
        w.word()
        scale = scale / np.sqrt(variance + epsilon)
        bias = bias - mean * scale
        shape = (1, channels, 1, 1)
        x = self.node("Mul", [x, self.constant(scale.reshape(shape).astype(np.float32))])
        x = self.node("Add", [x, self.constant(bias.reshape(shape).astype(np.float32))])
        return self.node("Relu", [x])

    def dense(self, x):
        w = self.weights
        w.word()
        inside, outside = w.number(), w.number()
        return self.node("MatMul", [x, self.constant(w.array(inside, outside))])

    def bias(self, x):
        w = self.weights
        w.word()
        return self.node("Add", [x, self.constant(w.array(w.number()))])

    def spread(self, x):
        return self.node("Unsqueeze", [x, self.constant(np.array([2, 3]))])

    def pool(self, x):
        """Mean, mean by the size of the board, and maximum of each channel."""
        mean = self.node("ReduceMean", [x, self.constant(np.array([2, 3]))], keepdims=0)
        most = self.node("ReduceMax", [x, self.constant(np.array([2, 3]))], keepdims=0)
        scaled = self.node("Mul", [mean, self.constant(np.array((self.size - 14) * 0.1, np.float32))])
        return self.node("Concat", [mean, scaled, most], axis=1)

    def block(self, x):
        w = self.weights
        kind = w.word()
        w.word()
        y = self.norm(x)
        out = self.conv(y)
        if kind == "gpool_block":
            pooled = self.pool(self.norm(self.conv(y)))
            out = self.node("Add", [out, self.spread(self.dense(pooled))])
        elif kind != "ordinary_block":
            raise ValueError(f"blocks of the kind {kind} are not known")
        return self.node("Add", [x, self.conv(self.norm(out))])

    def value(self, x):
        """The logits of winning, losing and neither, four numbers about the score, and whose each point will be."""
        w = self.weights
        w.word()
        x = board = self.norm(self.conv(x))
        mean = self.node("ReduceMean", [x, self.constant(np.array([2, 3]))], keepdims=0)
        wide = (self.size - 14) * 0.1
        scales = [wide, wide * wide - 0.1]
        scaled = [self.node("Mul", [mean, self.constant(np.array(scale, np.float32))]) for scale in scales]
        x = self.bias(self.dense(self.node("Concat", [mean, *scaled], axis=1)))
        w.word()
        x = self.node("Relu", [x])
        outcome, score = self.bias(self.dense(x)), self.bias(self.dense(x))
        owners = self.node("Tanh", [self.node("Flatten", [self.conv(board)], axis=1)])
        return outcome, score, owners

    def network(self):
        """The logits of all points and the pass, then what `value` gives."""
        w = self.weights
        w.word()
        version = w.number()
        if version > 8:
            raise ValueError(f"network files of version {version} are not known")
        w.number(), w.number(), w.word()
        blocks = w.number()
        for _ in range(5):
            w.number()
        x = self.conv("planes")
        x = self.node("Add", [x, self.spread(self.dense("globals"))])
        for _ in range(blocks):
            x = self.block(x)
        x = self.norm(x)
        w.word()
        y = self.conv(x)
        pooled = self.pool(self.norm(self.conv(x)))
        y = self.norm(self.node("Add", [y, self.spread(self.dense(pooled))]))
        points = self.conv(y)
        flat = self.node("Flatten", [points], axis=1)
        passing = self.dense(pooled)
        return self.node("Concat", [flat, passing, *self.value(x)], axis=1)


LEAD_UNIT = 20  # points


def answers(out, size):
    """What is told of the network's output."""
    moves = size * size + 1
    outcome = out[:, moves : moves + 3]
    shares = np.exp(outcome - outcome.max(axis=1, keepdims=True))
    win = shares[:, :1] / shares.sum(axis=1, keepdims=True)
    lead = LEAD_UNIT * out[:, moves + 5 : moves + 6]
    return np.concatenate([out[:, :moves], win, lead, out[:, 1 - moves :]], axis=1)


def session(path, size):
    graph = Graph(Weights(path), size)
    out = graph.network()
    planes = helper.make_tensor_value_info("planes", TensorProto.FLOAT, ["n", 22, size, size])
    others = helper.make_tensor_value_info("globals", TensorProto.FLOAT, ["n", 19])
    answer = helper.make_tensor_value_info(out, TensorProto.FLOAT, ["n", "numbers"])
    made = helper.make_graph(graph.nodes, "teacher", [planes, others], [answer], graph.constants)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
    onnx.checker.check_model(model)
    options = onnxruntime.SessionOptions()
    # Threads beyond the processors that it may use would only wait for each other.
    options.intra_op_num_threads = len(os.sched_getaffinity(0))
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def main():
    path = sys.argv[1]
    sessions = {}
    read, write = sys.stdin.buffer, sys.stdout.buffer
    while len(head := read.read(8)) == 8:
        size, count = struct.unpack("<II", head)
        if size not in sessions:
            sessions[size] = session(path, size)
        width = 22 * size * size + 19
        data = np.frombuffer(read.read(4 * width * count), "<f4").reshape(count, width)
        planes = data[:, : width - 19].reshape(count, 22, size, size)
        (out,) = sessions[size].run(None, {"planes": planes, "globals": data[:, width - 19 :]})
        write.write(answers(out, size).astype("<f4").tobytes())
        write.flush()


if __name__ == "__main__":
    main()
