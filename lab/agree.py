#!/usr/bin/env python3
"""Plays random games through `tengen env` and checks every position against an independent rules library.

    pip install chess open_spiel pyffish
    lab/agree.py --games 1000            all games
    lab/agree.py --games 50 atomic go9   some

Legal moves must agree in every position, and the outcome at the end. Chess and its variants are checked by
python-chess, Yokai 3x4 and the goro-goro rules of 5x6 (`gorogoro`) by pyffish, Yokai 5x6 and backgammon's doubles by slow rules
written out below, everything else by OpenSpiel.
"""

import argparse
import json
import random
import subprocess
import sys
import time


class Tengen:
    def __init__(self, program, game):
        self.process = subprocess.Popen(
            [program, "env", game], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def ask(self, request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise AssertionError(f"{request}: {answer['error']}")
        return answer


def same(kind, ours, theirs, where):
    if sorted(ours) != sorted(theirs):
        extra, missing = set(ours) - set(theirs), set(theirs) - set(ours)
        raise AssertionError(f"{kind} differ at {where}: only ours {sorted(extra)}, only theirs {sorted(missing)}")


def chess_game(tengen, rng, name):
    import chess
    import chess.variant

    boards = {
        "chess": chess.Board, "crazyhouse": chess.variant.CrazyhouseBoard,
        "threecheck": chess.variant.ThreeCheckBoard, "koth": chess.variant.KingOfTheHillBoard,
        "atomic": chess.variant.AtomicBoard, "racingkings": chess.variant.RacingKingsBoard,
        "antichess": chess.variant.AntichessBoard, "horde": chess.variant.HordeBoard,
    }
    if name == "chess960":
        now = tengen.ask({"new": {"seed": rng.randrange(1 << 32)}})
        board = chess.Board(now["position"], chess960=True)
    else:
        now = tengen.ask({"new": {}})
        board = boards[name]()
    while now["outcome"] is None:
        legal = list(board.legal_moves)
        same("moves", now["legal"], [board.uci(move) for move in legal], now["position"])
        move = rng.choice(legal)
        text = board.uci(move)
        board.push(move)
        now = tengen.ask({"play": text})
    result = {"first": "1-0", "second": "0-1", "draw": "1/2-1/2"}[now["outcome"]]
    outcome = board.outcome(claim_draw=False)
    if outcome:
        assert outcome.result() == result, f"{now['position']}: {result} against {outcome}"
    else:
        drawn = board.is_repetition(3) or board.halfmove_clock >= 100
        assert result == "1/2-1/2" and drawn, f"{now['position']}: {result}, but python-chess goes on"


def spiel_game(tengen, rng, game, text_of, new=None):
    """A game of OpenSpiel whose actions have our texts."""
    state = game.new_initial_state()
    now = tengen.ask({"new": new or {}})
    while now["outcome"] is None and not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            ours = dict((text, chance) for text, chance in now["chance"])
            same("rolls", ours, [text_of(state, action) for action, _ in outcomes], now["position"])
            for action, chance in outcomes:
                assert abs(ours[text_of(state, action)] - chance) < 1e-6
            action = rng.choices([a for a, _ in outcomes], [p for _, p in outcomes])[0]
        else:
            actions = state.legal_actions()
            same("moves", now["legal"], [text_of(state, action) for action in actions], now["position"])
            action = rng.choice(actions)
        text = text_of(state, action)
        state.apply_action(action)
        now = tengen.ask({"play": text})
    return now, state


def finished(now, state):
    assert now["outcome"] is not None and state.is_terminal(), f"only one of us is at the end: {now['position']}"
    returns = state.returns()
    theirs = "first" if returns[0] > 0 else "second" if returns[0] < 0 else "draw"
    assert theirs == now["outcome"], f"{now['position']}: {now['outcome']} against {theirs}"


def othello_game(tengen, rng, _):
    import pyspiel

    game = pyspiel.load_game("othello")

    def text(state, action):
        name = state.action_to_string(action).split()[0]
        return "pass" if "pass" in name.lower() else name

    finished(*spiel_game(tengen, rng, game, text))


def connect4_game(tengen, rng, _):
    import pyspiel

    finished(*spiel_game(tengen, rng, pyspiel.load_game("connect_four"), lambda s, a: str(a + 1)))


def tictactoe_game(tengen, rng, _):
    import pyspiel

    text = lambda s, a: "abc"[a % 3] + "321"[a // 3]
    finished(*spiel_game(tengen, rng, pyspiel.load_game("tic_tac_toe"), text))


def pig_game(tengen, rng, _):
    import pyspiel

    def text(state, action):
        return str(action + 1) if state.is_chance_node() else ["roll", "hold"][action]

    now, state = spiel_game(tengen, rng, pyspiel.load_game("pig"), text)
    # OpenSpiel stops after a thousand moves; we do not.
    if now["outcome"] is not None:
        finished(now, state)


def go_game(tengen, rng, name):
    import pyspiel

    size = int(name[2:])
    game = pyspiel.load_game(f"go(board_size={size},komi=7.5)")

    def text(state, action):
        word = state.action_to_string(action).split()[1]
        return "pass" if word == "PASS" else word.upper()

    state = game.new_initial_state()
    now = tengen.ask({"new": {}})
    seen = set()
    while now["outcome"] is None and not state.is_terminal():
        legal = [text(state, action) for action in state.legal_actions()]
        # OpenSpiel lets a superko move be played and then ends the game; we do not let it be played.
        extra = set(legal) - set(now["legal"])
        assert not set(now["legal"]) - set(legal), f"{now['position']}: we allow {set(now['legal']) - set(legal)}"
        for move in extra:
            child = state.clone()
            child.apply_action(next(a for a in state.legal_actions() if text(state, a) == move))
            board = str(child).split("\n\n")[1]
            assert board in seen, f"{now['position']}: {move} repeats nothing"
        seen.add(str(state).split("\n\n")[1])
        # Pass now and then, or the game fills the board for ever.
        moves = [move for move in now["legal"] if move != "pass"]
        move = "pass" if not moves or rng.random() < 0.02 else rng.choice(moves)
        state.apply_action(next(a for a in state.legal_actions() if text(state, a) == move))
        now = tengen.ask({"play": move})
        if now["ply"] > 3 * size * size:
            return
    if now["outcome"] is not None and state.is_terminal():
        finished(now, state)


def yokai34_game(tengen, rng, _):
    import pyffish

    start = pyffish.start_fen("dobutsu")
    played = []
    now = tengen.ask({"new": {}})
    while now["outcome"] is None:
        theirs = pyffish.legal_moves("dobutsu", start, played)
        same("moves", now["legal"], [move.rstrip("+") for move in theirs], now["position"])
        played.append(rng.choice(theirs))
        now = tengen.ask({"play": played[-1]})
    if now["outcome"] == "draw":
        boards = [pyffish.get_fen("dobutsu", start, played[:n]).rsplit(" ", 2)[0] for n in range(len(played) + 1)]
        assert boards.count(boards[-1]) == 3, "a draw is the third repetition"
        return
    rows, side = now["position"].split("[")[0].split("/"), "first" if len(played) % 2 == 0 else "second"
    spared = "L" in rows[0] if side == "first" else "l" in rows[3]
    if spared:
        # Spared on the last row: over for us at once, for pyffish only when nothing attacks it any more.
        assert now["outcome"] == side, now["position"]
        return
    ended, value = pyffish.is_immediate_game_end("dobutsu", start, played)
    assert ended, f"{now['position']} is not over for pyffish"
    winner = side if value > 0 else {"first": "second", "second": "first"}[side]
    assert winner == now["outcome"], f"{now['position']}: {now['outcome']} against {winner}"


class Goro:
    """Yokai no Mori 5x6 written out plainly: a dictionary of squares, no cleverness."""

    GOLD = [(0, 1), (-1, 1), (1, 1), (-1, 0), (1, 0), (0, -1)]
    STEPS = {
        "P": [(0, 1)], "+P": GOLD, "S": [(0, 1), (-1, 1), (1, 1), (-1, -1), (1, -1)], "+S": GOLD, "G": GOLD,
        "K": [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y],
    }

    def __init__(self, text):
        board, side = text.split()[:2]
        rows, hand = board.rstrip("]").split("[")
        self.board, self.side = {}, 0 if side == "w" else 1
        for rank, row in zip(range(5, -1, -1), rows.split("/")):
            file, plus = 0, ""
            for letter in row:
                if letter.isdigit():
                    file += int(letter)
                elif letter == "+":
                    plus = "+"
                else:
                    self.board[file, rank] = (0 if letter.isupper() else 1, plus + letter.upper())
                    file, plus = file + 1, ""
        self.hands = [sorted(c.upper() for c in hand if (c.isupper() if side == 0 else c.islower())) for side in (0, 1)]

    def moves(self):
        me, forward = self.side, 1 if self.side == 0 else -1
        name = lambda square: "abcde"[square[0]] + str(square[1] + 1)
        found = []
        for (x, y), (owner, kind) in self.board.items():
            if owner == me:
                for dx, dy in self.STEPS[kind]:
                    to = (x + dx, y + dy * forward)
                    if 0 <= to[0] < 5 and 0 <= to[1] < 6 and self.board.get(to, (None,))[0] != me:
                        found.append(name((x, y)) + name(to))
        last = 5 if me == 0 else 0
        for kind in set(self.hands[me]):
            for x in range(5):
                for y in range(6):
                    if (x, y) in self.board:
                        continue
                    if kind == "P" and (y == last or any(self.board.get((x, r)) == (me, "P") for r in range(6))):
                        continue
                    found.append(f"{kind}@{name((x, y))}")
        return found


def yokai56_game(tengen, rng, _):
    now = tengen.ask({"new": {}})
    while now["outcome"] is None:
        goro = Goro(now["position"])
        same("moves", now["legal"], goro.moves(), now["position"])
        now = tengen.ask({"play": rng.choice(now["legal"])})
    if now["outcome"] != "draw":
        kings = now["position"].split("[")[0]
        loser = "second" if "k" not in kings else "first"
        assert loser != now["outcome"] and ("k" in kings) != ("K" in kings), now["position"]


def gorogoro_game(tengen, rng, _):
    """Yokai 5x6 by the customs of shogi, against Fairy-Stockfish."""
    import pyffish

    now = tengen.ask({"new": {"rules": "gorogoro"}})
    start, played = pyffish.start_fen("gorogoro"), []
    while now["outcome"] is None and len(played) < 300:
        # Mate by a dropped Kodama: illegal for us, legal but lost at once for pyffish.
        mates = [
            move for move in pyffish.legal_moves("gorogoro", start, played)
            if move.startswith("P@") and not pyffish.legal_moves("gorogoro", start, played + [move])
            and pyffish.game_result("gorogoro", start, played + [move]) > 0
        ]
        theirs = [move for move in pyffish.legal_moves("gorogoro", start, played) if move not in mates]
        same("moves", now["legal"], theirs, now["position"])
        played.append(rng.choice(now["legal"]))
        now = tengen.ask({"play": played[-1]})
    if now["outcome"] not in (None, "draw"):
        left = pyffish.legal_moves("gorogoro", start, played)
        assert left == [], f"{now['position']}: over, but pyffish has {left}"


class Gammon:
    """Backgammon written out plainly; both sides count their own points 24 to 1, bar 25, off 0."""

    def __init__(self, text):
        words = text.split()
        points = []
        for quarter in words[0].split("/"):
            number, i = [], 0
            while i < len(quarter):
                if quarter[i] == ".":
                    points.append((None, 0))
                    i += 1
                else:
                    j = i + 1
                    while j < len(quarter) and quarter[j].isdigit():
                        j += 1
                    points.append((quarter[i], int(quarter[i + 1:j] or 1)))
                    i = j
        first, second = [0] * 26, [0] * 26
        for number, (owner, count) in zip(range(24, 0, -1), points):
            if owner == "X":
                first[number] = count
            elif owner == "O":
                second[25 - number] = count
        first[25], second[25], first[0], second[0] = map(int, (words[2], words[3], words[5], words[6]))
        self.first_to_move = words[7] == "first"
        self.dice = None if words[8] == "-" else [int(c) for c in words[8]]
        self.sides = [tuple(first), tuple(second)]

    def results(self):
        own, other = self.sides if self.first_to_move else self.sides[::-1]
        high, low = self.dice
        orders = [[high] * 4] if high == low else [[high, low], [low, high]]
        best, found = 0, {}

        def walk(own, other, dice, used):
            nonlocal best
            moved = False
            if dice:
                die = dice[0]
                for source in [25] if own[25] else range(24, 0, -1):
                    if not own[source]:
                        continue
                    to = source - die
                    if to <= 0:
                        if any(own[7:26]) or (to < 0 and any(own[source + 1:7])):
                            continue
                        to = 0
                    elif other[25 - to] >= 2:
                        continue
                    o, t = list(own), list(other)
                    o[source] -= 1
                    o[to] += 1
                    if to and t[25 - to] == 1:
                        t[25 - to] = 0
                        t[25] += 1
                    moved = True
                    walk(tuple(o), tuple(t), dice[1:], used + [die])
            if not moved:
                found.setdefault(len(used), {}).setdefault((own, other), set()).add(tuple(used))
                best = max(best, len(used))

        for order in orders:
            walk(own, other, order, [])
        plays = found[best]
        if best == 1 and high != low and any((high,) in uses for uses in plays.values()):
            plays = {result: uses for result, uses in plays.items() if (high,) in uses}
        return set(plays)


def backgammon_game(tengen, rng, _):
    now = tengen.ask({"new": {}})
    while now["outcome"] is None:
        if now["turn"] == "chance":
            assert len(now["chance"]) == 21
            assert all(abs(p - (1 / 36 if m[0] == m[1] else 1 / 18)) < 1e-6 for m, p in now["chance"])
            now = tengen.ask({"play": rng.choices([m for m, _ in now["chance"]], [p for _, p in now["chance"]])[0]})
            continue
        before = Gammon(now["position"])
        # Every tenth position is compared play by play, the others by their number: asking for each play takes time.
        theirs = before.results()
        assert len(theirs) == len(now["legal"]), f"{now['position']}: {len(now['legal'])} plays against {len(theirs)}"
        if rng.random() < 0.1:
            ours = set()
            for play in now["legal"]:
                after = Gammon(tengen.ask({"play": play})["position"])
                ours.add(tuple(after.sides if before.first_to_move else after.sides[::-1]))
                now = tengen.ask({"undo": 1})
            assert ours == theirs, f"{now['position']}: plays differ"
        now = tengen.ask({"play": rng.choice(now["legal"])})
    off = Gammon(now["position"]).sides
    assert off[0 if now["outcome"] == "first" else 1][0] == 15


GAMES = {
    "tictactoe": tictactoe_game, "connect4": connect4_game, "othello": othello_game, "yokai34": yokai34_game,
    "yokai56": yokai56_game, "gorogoro": gorogoro_game, "go5": go_game, "go9": go_game, "pig": pig_game, "backgammon": backgammon_game,
    **{name: chess_game for name in
       "chess chess960 crazyhouse threecheck koth atomic racingkings antichess horde".split()},
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="GAME", help=f"default: all of {' '.join(GAMES)}")
    parser.add_argument("--games", type=int, default=100, help="random games of each (default 100)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tengen", default="target/release/tengen", help="the program")
    options = parser.parse_args()
    for name in options.names or GAMES:
        if name not in GAMES and not name.startswith("go"):
            sys.exit(f"no independent library here knows {name}")
        tengen, start = Tengen(options.tengen, {"gorogoro": "yokai56"}.get(name, name)), time.time()
        for number in range(options.games):
            rng = random.Random(options.seed * 1_000_003 + number)
            try:
                GAMES.get(name, go_game)(tengen, rng, name)
            except AssertionError as error:
                sys.exit(f"{name}, game {number}: {error}")
            if sys.stderr.isatty():
                print(f"\r{name} {number + 1}/{options.games}", end="", file=sys.stderr)
        print(f"{'' if not sys.stderr.isatty() else chr(13)}{name}: {options.games} games agree ({time.time() - start:.0f} s)")


if __name__ == "__main__":
    main()
