#!/usr/bin/env python3
"""What the match runner costs: games a second between players that hardly think, and its share of a core beside engines that do.

    lab/runner.py [--tengen target/release/tengen] [--seconds 60]

The second figure is the processor time of the runner's own process, without its engines, divided by the time that passed; the first
seconds, in which openings are made, are left out. Linux only (/proc).
"""

import argparse
import json
import re
import subprocess
import time
from pathlib import Path

def cpu_seconds(pid):
    """Processor time of one process, without its children: the scheduler's own count, which is exact for short stretches."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9


def games_a_second(tengen):
    rates = []
    for _ in range(3):
        command = [tengen, "duel", "random", "minimax:depth=2", "--game", "tictactoe", "--games", "20000"]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        rates.append(float(re.search(r"([\d.]+) games/s", text).group(1)))
    return sorted(rates)[1]


def share_of_a_core(tengen, seconds):
    engine = f"uci:'{tengen}' uci [ms=13]"
    command = [tengen, "duel", engine, engine.replace("ms=13", "ms=12"), "--game", "chess", "--games", "400", "--concurrency", "1", "--affinity"]
    runner = subprocess.Popen(command + ["--out", "/dev/shm/runner.db"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(15)
        before, begun = cpu_seconds(runner.pid), time.monotonic()
        time.sleep(seconds)
        used, passed = cpu_seconds(runner.pid) - before, time.monotonic() - begun
    finally:
        runner.terminate()
        runner.wait()
    records = [tengen, "records", "--from", "/dev/shm/runner.db", "--limit", "100000", "--json"]
    listed = subprocess.run(records, capture_output=True, text=True, check=True).stdout.splitlines()
    plies = sum(json.loads(line)["plies"] for line in listed)
    return used / passed, plies / (passed + 15)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tengen", default="target/release/tengen")
    parser.add_argument("--seconds", type=float, default=60)
    arguments = parser.parse_args()
    tengen = str(Path(arguments.tengen).resolve())
    for file in Path("/dev/shm").glob("runner.db*"):
        file.unlink()
    print(f"tic-tac-toe: {games_a_second(tengen):.0f} games/s (median of three)")
    share, moves = share_of_a_core(tengen, arguments.seconds)
    print(f"runner: {100 * share:.2f} % of a core at about {moves:.0f} moves/s")


if __name__ == "__main__":
    main()
