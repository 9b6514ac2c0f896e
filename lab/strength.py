#!/usr/bin/env python3
"""Writes docs/strength.md from the matches of lab/2026-11-16-matches.md and whatever else `tengen rate --markdown` has written here.

    lab/strength.py
"""

import math
import re
from pathlib import Path

LAB = Path(__file__).resolve().parent
PAGE = LAB.parent / "docs" / "strength.md"

HEAD = """# Strength

Every match whose games count, a table for each game: points of the first player with the 95 % interval (Wilson). The links lead to the whole match: pairs, Elo, seed, revision,
and the command that repeats it. Written by `lab/strength.py`.

Measure your own with `tengen duel`; [arena.md](arena.md) says how.
"""


def interval(points, games):
    """Wilson's interval of a share, in per cent."""
    z = 1.959964
    share, n = points / games, games
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return 100 * max(0.0, centre - half), 100 * min(1.0, centre + half)


def number(text):
    return float(text.replace("½", ".5")) if text != "½" else 0.5


def matches(page):
    for section in re.split(r"^## ", page.read_text(), flags=re.M)[1:]:
        name = section.split("\n", 1)[0].strip()
        players = re.search(r"^\*\*(.+?)\*\* against \*\*(.+?)\*\*$", section, flags=re.M)
        fields = dict(re.findall(r"^\| ([^|]+?) \| ([^|]+?) \|$", section, flags=re.M))
        score = re.match(r"([\d½.]+) of (\d+)", fields.get("score", ""))
        if players and score and "game" in fields:
            yield fields["game"], {
                "name": name,
                "link": f"../lab/{page.name}#{name.lower()}",
                "players": [player.replace("\\", "") for player in players.groups()],
                "points": score.group(1),
                "games": int(score.group(2)),
                "revision": re.sub(r"^[\d.]+ \((\w+).*", r"\1", fields.get("revision", "")),
            }


def main():
    games = {}
    for page in sorted(LAB.glob("*-matches.md")):
        for game, match in matches(page):
            games.setdefault(game, []).append(match)
    text = [HEAD]
    for game in sorted(games):
        text += [f"\n## {game}\n", "| player | against | points | 95 % | match |", "|---|---|---:|---|---|"]
        for match in games[game]:
            points = number(match["points"])
            low, high = interval(points, match["games"])
            first, second = match["players"]
            share = f"{match['points']} of {match['games']}, {100 * points / match['games']:.1f} %"
            text.append(f"| `{first}` | `{second}` | {share} | {low:.1f} to {high:.1f} % | [{match['name']}]({match['link']}) |")
    PAGE.write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
