#!/usr/bin/env python3
"""Learns the Go engine's network from games that `lab teach` has made and `lab show` has turned into planes.

    pip install torch numpy safetensors
    python3 lab/pupil.py large nets/go.safetensors --minutes 30

Shard 0 of the directory is for examination only. Boards are turned and mirrored at random; a batch holds boards of one size. Learning takes
the time that it is given: the rate rises, then falls to nothing at the end. A checkpoint (`OUT.pt`) is written every few minutes; the same command goes on
from it. Batch norms are folded into the convolutions in the file that is written.
"""

import argparse
import os
import time

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from torch import nn

PLANES, HEAD, WORTH, KOMI, LEAD_UNIT = 24, 32, 9, 7.5, 20


class Shard:
    """Positions of one board size, on disk as `lab teach` and `lab show` wrote them."""

    def __init__(self, name):
        self.size = int(open(f"{name}.size").read())
        points = self.size**2
        black = np.fromfile(f"{name}.black", np.uint8)
        count = len(black)
        read = lambda what, kind, width: np.fromfile(f"{name}.{what}", kind, count * width).reshape(count, width)
        self.planes = read("planes", np.uint8, 3 * points).reshape(count, points, 3)
        self.policy = read("policy", "<f2", points + 1)
        self.owner = read("owner", np.int8, points)
        # The lead on the board: without komi.
        self.lead = read("lead", "<f4", 1)[:, 0] + KOMI * (2.0 * black - 1)
        self.count = count

    def batch(self, chosen, turn):
        """Planes, the teacher's shares, owners and leads of some positions, all turned in one of eight ways."""
        n, size = len(chosen), self.size
        bits = np.unpackbits(self.planes[chosen], axis=2, bitorder="little")
        x = torch.from_numpy(bits).reshape(n, size, size, PLANES).permute(0, 3, 1, 2)
        policy = torch.from_numpy(self.policy[chosen].astype(np.float32))
        points = policy[:, :-1].reshape(n, size, size)
        owner = torch.from_numpy(self.owner[chosen].astype(np.float32) / 100).reshape(n, size, size)

        def turned(board):
            if turn & 1:
                board = board.flip(-1)
            if turn & 2:
                board = board.flip(-2)
            if turn & 4:
                board = board.transpose(-1, -2)
            return board

        x = turned(x).float().contiguous(memory_format=torch.channels_last)
        policy = torch.cat([turned(points).flatten(1), policy[:, -1:]], 1)
        return x, policy, turned(owner).flatten(1), torch.from_numpy(self.lead[chosen].astype(np.float32))


def pool(x):
    return torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)


class Norm(nn.Module):
    """A 3x3 convolution and its batch norm."""

    def __init__(self, inside, outside):
        super().__init__()
        self.conv = nn.Conv2d(inside, outside, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(outside)

    def forward(self, x):
        return self.norm(self.conv(x))

    def folded(self):
        scale = self.norm.weight / torch.sqrt(self.norm.running_var + self.norm.eps)
        weight = (self.conv.weight * scale[:, None, None, None]).permute(2, 3, 1, 0).flatten(0, 1)
        return weight, self.norm.bias - self.norm.running_mean * scale


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.first, self.second = Norm(channels, channels), Norm(channels, channels)
        self.pool = nn.Linear(2 * channels, channels)

    def forward(self, x):
        y = F.relu(self.first(x))
        y = y + self.pool(pool(y))[:, :, None, None]
        return F.relu(x + self.second(y))


class Net(nn.Module):
    def __init__(self, channels, blocks):
        super().__init__()
        self.stem = Norm(PLANES, channels)
        self.blocks = nn.ModuleList(Block(channels) for _ in range(blocks))
        self.head = nn.Conv2d(channels, HEAD, 1)
        self.point = nn.Conv2d(HEAD, 2, 1)
        self.pooled = nn.Linear(2 * HEAD, HEAD)
        self.board = nn.Linear(HEAD, 2)

    def forward(self, planes):
        x = F.relu(self.stem(planes))
        for block in self.blocks:
            x = block(x)
        x = F.relu(self.head(x))
        point = self.point(x)
        board = self.board(F.relu(self.pooled(pool(x))))
        # Moves that are not worth looking at are never asked about.
        moves = point[:, 0].float().masked_fill(planes[:, WORTH] == 0, -30).flatten(1)
        logits = torch.cat([moves, board[:, :1].float()], 1)
        return logits, point[:, 1].float().tanh().flatten(1), board[:, 1].float()

    def tensors(self):
        """What the engine reads, under its names."""
        out = {}

        def dense(name, layer):
            out[f"{name}.weight"] = layer.weight.flatten(1).T
            out[f"{name}.bias"] = layer.bias

        def conv(name, layer):
            out[f"{name}.weight"], out[f"{name}.bias"] = layer.folded()

        conv("stem", self.stem)
        for at, block in enumerate(self.blocks):
            conv(f"blocks.{at}.first", block.first)
            dense(f"blocks.{at}.pool", block.pool)
            conv(f"blocks.{at}.second", block.second)
        for name in ("head", "point", "pooled", "board"):
            dense(name, getattr(self, name))
        return {name: tensor.detach().half().contiguous() for name, tensor in out.items()}


def loss_of(net, batch):
    """The loss, and its parts: moves, owners, lead, and how often the best move is found."""
    planes, policy, owner, lead = batch
    with torch.autocast("cpu", torch.bfloat16):
        logits, owners, leads = net(planes)
    may = torch.cat([planes[:, WORTH].flatten(1), torch.ones(len(planes), 1)], 1)
    policy = policy * may
    policy = policy / policy.sum(1, keepdim=True).clamp_min(1e-6)
    moves = -(policy * logits.log_softmax(1)).sum(1).mean()
    owning = (owners - owner).square().mean()
    leading = F.smooth_l1_loss(leads, lead / LEAD_UNIT)
    found = (logits.argmax(1) == policy.argmax(1)).float().mean()
    return moves + owning + 0.3 * leading, (moves, owning, leading, found)


def examine(net, shard):
    net.eval()
    sums, count = np.zeros(4), 0
    with torch.no_grad():
        for start in range(0, shard.count, 256):
            chosen = np.arange(start, min(start + 256, shard.count))
            _, parts = loss_of(net, shard.batch(chosen, 0))
            sums += len(chosen) * np.array([part.item() for part in parts])
            count += len(chosen)
    net.train()
    moves, owning, leading, found = sums / count
    return f"moves {moves:.4f}, owners {owning:.4f}, lead {leading:.4f}, best move found {100 * found:.2f} %"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory")
    parser.add_argument("out")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--channels", type=int, default=48)
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    rng = np.random.default_rng(given.seed)
    examined = Shard(f"{given.directory}/0")
    shards, number = [], 1
    while os.path.exists(f"{given.directory}/{number}.planes"):
        shards.append(Shard(f"{given.directory}/{number}"))
        number += 1
    weights = np.array([shard.count for shard in shards], float)
    print(f"{int(weights.sum())} positions to learn from, {examined.count} to be examined with", flush=True)
    net = Net(given.channels, given.blocks).to(memory_format=torch.channels_last)
    print(f"{sum(part.numel() for part in net.parameters())} weights", flush=True)
    optimiser = torch.optim.AdamW(net.parameters(), lr=given.rate, weight_decay=1e-2)
    checkpoint, steps, spent = f"{given.out}.pt", 0, 0.0
    if os.path.exists(checkpoint):
        kept = torch.load(checkpoint)
        net.load_state_dict(kept["net"])
        optimiser.load_state_dict(kept["optimiser"])
        steps, spent = kept["steps"], kept["spent"]
    start, told, saved = time.time() - spent, time.time(), time.time()
    sums = np.zeros(4)
    since = 0
    while (spent := time.time() - start) < 60 * given.minutes:
        share = spent / (60 * given.minutes)
        rate = float(given.rate * min(1.0, share / 0.03 + 1e-3) * 0.5 * (1 + np.cos(np.pi * share)))
        for group in optimiser.param_groups:
            group["lr"] = rate
        shard = shards[rng.choice(len(shards), p=weights / weights.sum())]
        loss, parts = loss_of(net, shard.batch(rng.integers(0, shard.count, given.batch), int(rng.integers(8))))
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        steps, since = steps + 1, since + 1
        sums += [part.item() for part in parts]
        if time.time() - told > 60:
            moves, owning, leading, found = sums / since
            line = f"{spent / 60:.1f} of {given.minutes:g} min, {steps} steps ({given.batch * since / (time.time() - told):.0f} positions/s): "
            line += f"moves {moves:.4f}, owners {owning:.4f}, lead {leading:.4f}, best move found {100 * found:.2f} %"
            print(line, flush=True)
            sums, since, told = np.zeros(4), 0, time.time()
        if time.time() - saved > 300:
            kept = {"net": net.state_dict(), "optimiser": optimiser.state_dict(), "steps": steps, "spent": spent}
            # Whole or not at all: a checkpoint that was half written when the power went would be worse than the one before.
            torch.save(kept, f"{checkpoint}.new")
            os.replace(f"{checkpoint}.new", checkpoint)
            print("examined:", examine(net, examined), flush=True)
            saved = time.time()
    print("examined:", examine(net, examined), flush=True)
    save_file(net.tensors(), given.out)


if __name__ == "__main__":
    main()
