"""Networks of Tengen beside PyTorch in learning and ONNX Runtime in play, on this machine, in one run.

    python lab/net_speed.py target/release/tengen [CHANNELS BLOCKS BOARD]...      # 64 6 9 unless said otherwise

Needs torch and onnxruntime. Both sides run the same residual network: a stem, blocks of two 3x3 convolutions with batch norm, a policy and a
value head. Rounds alternate; what is printed are the best of three and their ratio.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
import onnxruntime
import torch
import torch.nn as nn
import torch.nn.functional as F

BATCH, THREADS, ROUNDS = 256, 2, 3


def description(channels, blocks, board):
    conv = f'{{ conv = {channels}, norm = true'
    return f"""
input = {{ planes = 8, board = [{board}, {board}] }}
trunk = [
    {conv}, act = "relu" }},
    {{ repeat = {blocks}, residual = [{conv}, act = "relu" }}, {conv} }}], act = "relu" }},
]
[[heads]]
name = "policy"
layers = [{{ conv = 2, kernel = 1, norm = true, act = "relu" }}, {{ dense = {board * board + 1} }}]
[[heads]]
name = "value"
layers = [{{ conv = 1, kernel = 1, norm = true, act = "relu" }}, {{ dense = 64, act = "relu" }}, {{ dense = 1, act = "tanh" }}]
"""


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.first, self.second = (nn.Conv2d(c, c, 3, padding=1, bias=False) for _ in range(2))
        self.norm1, self.norm2 = nn.BatchNorm2d(c), nn.BatchNorm2d(c)

    def forward(self, x):
        return F.relu(x + self.norm2(self.second(F.relu(self.norm1(self.first(x))))))


class Net(nn.Module):
    def __init__(self, c, blocks, n):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(8, c, 3, padding=1, bias=False), nn.BatchNorm2d(c), nn.ReLU())
        self.blocks = nn.Sequential(*[Block(c) for _ in range(blocks)])
        self.policy = nn.Sequential(nn.Conv2d(c, 2, 1, bias=False), nn.BatchNorm2d(2), nn.ReLU(), nn.Flatten(), nn.Linear(2 * n * n, n * n + 1))
        self.value = nn.Sequential(nn.Conv2d(c, 1, 1, bias=False), nn.BatchNorm2d(1), nn.ReLU(), nn.Flatten(), nn.Linear(n * n, 64), nn.ReLU(), nn.Linear(64, 1), nn.Tanh())

    def forward(self, x):
        x = self.blocks(self.stem(x))
        return self.policy(x), self.value(x)


def speed(count, work, seconds=1.5):
    work()
    begun, done = time.time(), 0
    while time.time() - begun < seconds:
        work()
        done += count
    return done / (time.time() - begun)


def learning(channels, blocks, board, half):
    torch.set_num_threads(THREADS)
    model = Net(channels, blocks, board).to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(model.parameters(), 1e-4)
    planes = torch.rand(BATCH, 8, board, board).to(memory_format=torch.channels_last)
    policy, value = torch.softmax(torch.rand(BATCH, board * board + 1), 1), torch.rand(BATCH, 1)

    def step():
        optimiser.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=half):
            said, worth = model(planes)
        (F.cross_entropy(said.float(), policy) + F.mse_loss(worth.float(), value)).backward()
        optimiser.step()

    return lambda: speed(BATCH, step)


def playing(onnx, board, count):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(onnx, options)
    planes = numpy.full((count, 8, board, board), 0.5, numpy.float32)
    return lambda: speed(count, lambda: session.run(None, {"planes": planes}), 0.7)


def compare(tengen, channels, blocks, board):
    with tempfile.TemporaryDirectory() as folder:
        text, onnx = Path(folder, "net.toml"), Path(folder, "net.onnx")
        text.write_text(description(channels, blocks, board))
        subprocess.run([tengen, "net", "export", text, "--out", onnx], check=True, capture_output=True)
        peers = {f"play, batch {count}, one thread": {"ONNX Runtime fp32": playing(str(onnx), board, count)} for count in (1, 8, 64)}
        peers[f"learning, batch {BATCH}, {THREADS} threads"] = {
            "PyTorch fp32": learning(channels, blocks, board, False), "PyTorch bf16": learning(channels, blocks, board, True)}
        own, others = {}, {}
        for _ in range(ROUNDS):
            said = subprocess.run([tengen, "net", "bench", text, "--json", "--threads", str(THREADS)], check=True, capture_output=True)
            for figure in json.loads(said.stdout)["figures"]:
                own[figure["name"]] = max(own.get(figure["name"], 0), figure["positions_per_second"])
            for name, list_ in peers.items():
                for peer, measure in list_.items():
                    others[name, peer] = max(others.get((name, peer), 0), measure())
    for (name, peer), figure in others.items():
        print(f"| {channels}x{blocks} on {board}x{board} | {name} | {own[name]:.0f} | {peer} {figure:.0f} | {own[name] / figure:.2f} |", flush=True)


if __name__ == "__main__":
    sizes = [int(text) for text in sys.argv[2:]] or [64, 6, 9]
    for at in range(0, len(sizes), 3):
        compare(sys.argv[1], *sizes[at:at + 3])
