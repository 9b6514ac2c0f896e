#!/usr/bin/env python3
"""Monte-Carlo tree search simulations a second, Tengen beside OpenSpiel's C++ MCTSBot, measured in turns.

    pip install open_spiel
    cargo build --release && lab/openspiel.py

Both search from the start position with one random playout a leaf and no solver. Each figure is the best of the rounds.
"""

import argparse
import json
import subprocess
import time

import pyspiel

# Our figure, the game there, how many simulations to make there, and what the ratio should be.
GAMES = [
    ("tictactoe", "tic_tac_toe", 20_000, 3),
    ("connect4", "connect_four", 30_000, 10),
    ("go9", "go(board_size=9,komi=7.5)", 2_500, 10),
    ("othello", "othello", 1_500, 10),
    ("chess", "chess", 150, 10),
    ("backgammon", "backgammon", 200, 10),
]


def ours(program, name, seconds):
    command = [program, "bench", f"search/mcts-{name}", "--json", "--seconds", str(seconds)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    figures = [json.loads(line) for line in lines if line.startswith("{")]
    return next(figure["rate"] for figure in figures if figure["name"] == f"search/mcts-{name}")


def theirs(game, simulations, seed):
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(game, evaluator, 0.7, simulations, 1000, False, seed, False)
    start = time.perf_counter()
    bot.mcts_search(state)
    return simulations / (time.perf_counter() - start)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tengen", default="target/release/tengen")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print(f"{'game':<12} {'Tengen':>12} {'OpenSpiel':>12}   ratio   wanted")
    for name, theirs_name, simulations, wanted in GAMES:
        game = pyspiel.load_game(theirs_name)
        best = [0.0, 0.0]
        for round in range(options.rounds):
            best[0] = max(best[0], ours(options.tengen, name, 0.5))
            best[1] = max(best[1], theirs(game, simulations, round))
        print(f"{name:<12} {best[0]:>12,.0f} {best[1]:>12,.0f} {best[0] / best[1]:>7.1f} {wanted:>8}", flush=True)


if __name__ == "__main__":
    main()
