// Made from crates/server/src/message: change that, then run `make protocol`.

/**
 * How far `First` is ahead: one of the two is given.
 */
export type Ahead = { 
/**
 * In points, pawns or discs.
 */
points: number | null, 
/**
 * The game is decided and ends in so many plies: positive when `First` wins.
 */
endIn: number | null, };

/**
 * What the machine thinks of a node so far.
 */
export type Analysis = { 
/**
 * The node.
 */
node: number, 
/**
 * The value for `First`.
 */
value: number, 
/**
 * How far `First` is ahead.
 */
lead: Ahead | null, 
/**
 * Positions looked at.
 */
nodes: number, 
/**
 * Plies looked ahead.
 */
depth: number, 
/**
 * For how long.
 */
seconds: number, 
/**
 * Whether it has stopped thinking.
 */
done: boolean, 
/**
 * The best first.
 */
candidates: Array<Candidate>, 
/**
 * To whom each cell will belong, aligned with `drawn.cells`: +1 `First`, −1 `Second`; empty where it is not estimated.
 */
ownership: Array<number>, 
/**
 * Influence of the stones, likewise.
 */
influence: Array<number>, 
/**
 * Perfect play, where it is known.
 */
exact: Exact | null, };

/**
 * A part of the board.
 */
export type Area = "topLeft" | "top" | "topRight" | "left" | "centre" | "right" | "bottomLeft" | "bottom" | "bottomRight";

/**
 * The kind of board.
 */
export type Board = "chequered" | "squares" | "points" | "columns" | "track" | "bare";

/**
 * Why a game ended.
 */
export type By = "resign" | "time" | "score" | "checkmate" | "stalemate" | "repetition" | "fiftyMoves" | "material" | "agreement" | "line" | "full" | "capture" | "goal" | "abandoned" | "rules";

/**
 * A move that the machine looked at.
 */
export type Candidate = { 
/**
 * The move.
 */
move: Move, 
/**
 * How much thought went into it.
 */
visits: number, 
/**
 * Its value for `First`.
 */
value: number, 
/**
 * How far `First` is ahead after it.
 */
lead: Ahead | null, 
/**
 * How good it looked before any search, from 0 to 1.
 */
prior: number | null, 
/**
 * The line it expects, beginning with the move.
 */
pv: Array<Move>, };

/**
 * One place on the board.
 */
export type Cell = { 
/**
 * Its name in move text: `e4`, `D16`, `24`.
 */
name: string, 
/**
 * What stands there.
 */
piece: Piece | null, 
/**
 * How many: more than one only on a `Track`.
 */
count: number, };

/**
 * One side's chair.
 */
export type Chair = { 
/**
 * Who sits there.
 */
sitter: Sitter, 
/**
 * A person's name as given; empty if none was.
 */
name: string, 
/**
 * The machine's level.
 */
level: Level | null, 
/**
 * Whether somebody with the key is connected; the machine always is.
 */
present: boolean, };

/**
 * What chance may bring.
 */
export type Chance = { 
/**
 * The roll.
 */
move: string, 
/**
 * How likely it is.
 */
chance: number, };

/**
 * Something said at a table.
 */
export type ChatLine = { 
/**
 * Who said it.
 */
from: You, 
/**
 * His name, if he has one.
 */
name: string, 
/**
 * What.
 */
text: string, 
/**
 * When, in milliseconds since 1970.
 */
at: number, };

/**
 * How time is dealt out.
 */
export type ClockRule = { "kind": "absolute", 
/**
 * Milliseconds.
 */
mainMs: number, } | { "kind": "fischer", 
/**
 * Milliseconds.
 */
mainMs: number, 
/**
 * Milliseconds after every move.
 */
incrementMs: number, } | { "kind": "byoyomi", 
/**
 * Milliseconds.
 */
mainMs: number, 
/**
 * How many periods.
 */
periods: number, 
/**
 * Milliseconds each.
 */
periodMs: number, };

/**
 * Both clocks as they stand at the moment the message is sent.
 */
export type Clocks = { 
/**
 * How time is dealt out.
 */
rule: ClockRule, 
/**
 * What `First` and `Second` have left.
 */
left: [TimeLeft, TimeLeft], 
/**
 * Whose clock runs; nobody's before both have made their first move, while the board is counted, and at the end.
 */
running: Side | null, };

/**
 * What can go wrong, as a page wants to know it; `text` beside it says it in English.
 */
export type Code = "illegal" | "ko" | "suicide" | "occupied" | "notYourTurn" | "over" | "badText" | "badMessage" | "unknownTable" | "unknown" | "forbidden" | "notNow" | "tooMany" | "tooLarge" | "fairPlay" | "disagrees" | "declined" | "changed" | "failed";

/**
 * The count of a Go game as it stands.
 */
export type Counting = { 
/**
 * Cells with dead stones.
 */
dead: Array<string>, 
/**
 * Whose each cell is, aligned with `drawn.cells`.
 */
owners: Array<Side | null>, 
/**
 * The points of `First` and `Second`, komi included.
 */
points: [number, number], 
/**
 * The number of this count at the table: another one whenever other stones are dead.
 */
number: number, 
/**
 * Who has accepted this count.
 */
accepted: [boolean, boolean], 
/**
 * Whether the machine has proposed the dead groups yet: it takes a moment.
 */
judged: boolean, };

/**
 * A position ready to be drawn.
 */
export type Drawn = { 
/**
 * The kind of board.
 */
board: Board, 
/**
 * Cells in a row.
 */
width: number, 
/**
 * Rows; `width * height` cells, except on a `Track`.
 */
height: number, 
/**
 * The cells as `First` sees them, row by row from the top left.
 */
cells: Array<Cell>, 
/**
 * Pieces in hand, each with its number, for either side.
 */
hands: [Array<[Piece, number]>, Array<[Piece, number]>], 
/**
 * The dice on the table.
 */
dice: Array<number>, 
/**
 * Everything else.
 */
facts: Array<Fact>, };

/**
 * `POST /api/edit`: change one thing about a position. Answer: the `View` of the position changed, or why it cannot be.
 */
export type Edit = { 
/**
 * The game's id.
 */
game: string, 
/**
 * The position so far; the start if none is given.
 */
position?: string, 
/**
 * Cells to fill or to empty, in order.
 */
put?: Array<Put>, 
/**
 * Empty the board first.
 */
clear?: boolean, 
/**
 * Whose turn it is to be.
 */
toMove?: Side, };

/**
 * What a page hears.
 */
export type Event = { "type": "done", 
/**
 * The request.
 */
re: number, } | { "type": "refused", 
/**
 * The request; 0 if it could not be read.
 */
re: number, 
/**
 * Why, for the page.
 */
code: Code, 
/**
 * Why, in English.
 */
text: string, } | { "type": "joined", 
/**
 * Who one is.
 */
you: You, 
/**
 * All that changes.
 */
live: Live, 
/**
 * The tree, parents before children.
 */
tree: Array<Node>, 
/**
 * What has been said.
 */
chat: Array<ChatLine>, } | { "type": "update", 
/**
 * All that changes.
 */
live: Live, 
/**
 * Nodes, new or in the place of the old.
 */
nodes: Array<Node>, } | { "type": "tree", 
/**
 * All that changes.
 */
live: Live, 
/**
 * The whole tree.
 */
tree: Array<Node>, } | { "type": "time", 
/**
 * As they stand.
 */
clocks: Clocks, } | { "type": "looked", 
/**
 * The request.
 */
re: number, 
/**
 * Which.
 */
node: number, 
/**
 * The board there.
 */
view: View, } | { "type": "chat", 
/**
 * What.
 */
line: ChatLine, } | { "type": "hint", 
/**
 * The request.
 */
re: number, 
/**
 * The node it is about.
 */
node: number, 
/**
 * The move it would play, with the line it expects.
 */
candidate: Candidate, } | { "type": "analysis", 
/**
 * What.
 */
analysis: Analysis, } | { "type": "review", 
/**
 * Moves judged.
 */
done: number, 
/**
 * Moves there are.
 */
of: number, 
/**
 * Nodes that have been judged since the last word.
 */
nodes: Array<Node>, 
/**
 * Whether it has ended, at the end of the line or before.
 */
finished: boolean, } | { "type": "run", 
/**
 * All of it.
 */
run: Run, };

/**
 * What perfect play makes of a position.
 */
export type Exact = { 
/**
 * Of the position itself.
 */
here: ExactValue, 
/**
 * Of each legal move, by its text.
 */
moves: { [key in string]: ExactValue }, };

/**
 * What perfect play makes of a position or a move.
 */
export type ExactValue = { 
/**
 * Who wins; nothing where dice decide.
 */
winner: Winner | null, 
/**
 * In how many plies, where that is what is played for.
 */
plies: number | null, 
/**
 * By how many points `First` wins, where that is what is played for.
 */
points: number | null, 
/**
 * The probability that `First` wins, where dice decide.
 */
chance: number | null, };

/**
 * `POST /api/explain`: a search, step by step. Answer: the trace that `/explain.js` shows.
 */
export type Explain = { 
/**
 * The game's id.
 */
game: string, 
/**
 * Where it begins.
 */
setup?: Setup, 
/**
 * The moves since.
 */
moves?: Array<string>, 
/**
 * `minimax`, `negamax`, `alphabeta`, `expectimax`, `expectiminimax` or `mcts`.
 */
algorithm: string, 
/**
 * Plies to look ahead; as deep as fits a page if none are given.
 */
depth?: number, 
/**
 * Simulations of mcts.
 */
visits?: number, 
/**
 * What the random choices of mcts follow from.
 */
seed?: number, };

/**
 * Something worth knowing that is not on the board: captured stones, a score, the turn total of Pig.
 */
export type Fact = { 
/**
 * Whose, if it belongs to a side.
 */
side: Side | null, 
/**
 * What: `captures`, `score`, `checks`.
 */
name: string, 
/**
 * How much.
 */
value: string, };

/**
 * Stones that a side lost together.
 */
export type Fall = { 
/**
 * Whose they were.
 */
side: Side, 
/**
 * How many.
 */
stones: number, 
/**
 * Where.
 */
area: Area, 
/**
 * The number of the move that took them; none if they are on the board, dead.
 */
taken: number | null, };

/**
 * One picture of a game played before the eyes of a visitor.
 */
export type Frame = { 
/**
 * What to draw.
 */
drawn: Drawn, 
/**
 * The move that led here.
 */
last: Move | null, };

/**
 * A game.
 */
export type GameInfo = { 
/**
 * What requests call it: `go9`.
 */
id: string, 
/**
 * What people call it.
 */
title: Words, 
/**
 * What it is about, in one line.
 */
about: Words, 
/**
 * Games that belong on one card: `go`, `chess`, `yokai`, `othello`, …
 */
family: string, 
/**
 * What tells it from the others of its family: `9x9`, `Atomic`; empty if it is alone.
 */
variant: string, 
/**
 * What the sides are called.
 */
sides: [Words, Words], 
/**
 * What may be chosen.
 */
options: GameOptions, 
/**
 * Whether a side may pass when it could move.
 */
passes: boolean, 
/**
 * Whether players may agree on a draw.
 */
draws: boolean, 
/**
 * Whether dice are rolled.
 */
dice: boolean, 
/**
 * Whether dead groups are agreed on at the end.
 */
counting: boolean, 
/**
 * Whether exact values can be asked for.
 */
solved: boolean, 
/**
 * From beginner to strongest.
 */
levels: Array<Level>, };

/**
 * A choice before the game.
 */
export type GameOptions = { 
/**
 * The rule sets, the usual one first; empty if there is nothing to choose.
 */
rules: Array<string>, 
/**
 * The usual komi of each rule set, in the same order; empty unless the game has komi.
 */
komi: Array<number>, 
/**
 * The most handicap stones on usual points; 0 if the game has none.
 */
handicap: number, 
/**
 * Whether the start position is drawn by lot (`setup.seed`).
 */
shuffled: boolean, };

/**
 * How a game ended.
 */
export type GameResult = { 
/**
 * Who won.
 */
winner: Winner, 
/**
 * Why.
 */
by: By, 
/**
 * By how many points, where they are counted.
 */
points: number | null, };

/**
 * `POST /api/import`: a file or text to be opened in a sandbox. Answer: `Opened`.
 */
export type Import = { 
/**
 * SGF, PGN, FEN, a position's text or moves in a row.
 */
text: string, 
/**
 * The game, where the text does not say.
 */
game?: string, };

/**
 * What was judged about a move.
 */
export type Judged = { 
/**
 * The position's value for `First` after the move.
 */
value: number, 
/**
 * How far `First` is ahead after the move.
 */
lead: Ahead | null, 
/**
 * What the move cost its side, in value (0 to 2).
 */
loss: number, 
/**
 * What the move cost its side, in points or pawns.
 */
leadLoss: number | null, 
/**
 * How bad that is.
 */
kind: Quality, 
/**
 * The line the machine would have preferred; empty if the move was best.
 */
better: Array<Move>, };

/**
 * How strongly and in which way the machine plays.
 */
export type Level = { 
/**
 * What requests call it: `beginner`, `strongest`, …
 */
id: string, 
/**
 * What people call it.
 */
name: Words, 
/**
 * A line about how it plays.
 */
about: Words, 
/**
 * Measured strength in Elo, 0 being a player of random moves.
 */
rating: number | null, 
/**
 * Half the width of the 95 % interval of the rating.
 */
error: number | null, 
/**
 * The player behind it, as the command line writes it.
 */
player: string, };

/**
 * A game of the library in one line.
 */
export type LibraryGame = { 
/**
 * Its number.
 */
id: number, 
/**
 * The game's id.
 */
game: string, 
/**
 * Who played.
 */
players: [string, string], 
/**
 * Who won; nothing for a game without end.
 */
winner: Winner | null, 
/**
 * Why, in a few words.
 */
reason: string, 
/**
 * When it began.
 */
date: string, 
/**
 * The occasion.
 */
event: string, 
/**
 * How many moves.
 */
plies: number, };

/**
 * `GET /api/library?game=&player=&text=&winner=&event=&from=&to=&offset=&limit=`.
 */
export type LibraryPage = { 
/**
 * How many games there are in all.
 */
total: number, 
/**
 * Some of them, the newest first.
 */
games: Array<LibraryGame>, };

/**
 * `GET /api/library/{id}`: a game with all its moves. Its boards come from `POST /api/judge`, or open it in a sandbox.
 */
export type LibraryRecord = { 
/**
 * What the list says.
 */
info: LibraryGame, 
/**
 * How it was set up.
 */
setup: Setup, 
/**
 * The moves.
 */
moves: Array<Move>, 
/**
 * The last position.
 */
view: View, };

/**
 * `POST /api/judge`: what a position looks like after some moves; for lessons, previews and set-ups.
 */
export type Line = { 
/**
 * The game's id.
 */
game: string, 
/**
 * Where it begins.
 */
setup?: Setup, 
/**
 * The moves since, texts or labels.
 */
moves?: Array<string>, };

/**
 * Everything about a table that changes from move to move.
 */
export type Live = { 
/**
 * The table.
 */
id: string, 
/**
 * The game's id.
 */
game: string, 
/**
 * How it was set up.
 */
setup: Setup, 
/**
 * Who plays.
 */
mode: Mode, 
/**
 * The chairs of `First` and `Second`.
 */
chairs: [Chair, Chair], 
/**
 * How far the game has come.
 */
status: Status, 
/**
 * The node on the board.
 */
at: number, 
/**
 * The board.
 */
view: View, 
/**
 * The clocks.
 */
clocks: Clocks | null, 
/**
 * How it ended.
 */
result: GameResult | null, 
/**
 * The most stones that the losing side lost at once, where that tells how it went.
 */
fall: Fall | null, 
/**
 * Offers that wait for an answer.
 */
offers: Offers, 
/**
 * Dead groups and points, while they are agreed on and after.
 */
counting: Counting | null, 
/**
 * The side for which the machine is thinking.
 */
thinking: Side | null, 
/**
 * Whether an AI game against itself is halted.
 */
paused: boolean, 
/**
 * How many look on.
 */
spectators: number, 
/**
 * The table of the rematch: the key of one's old seat opens one's new one.
 */
next: string | null, 
/**
 * The game's number in the library, once it is there.
 */
library: number | null, };

/**
 * A mark on a cell in a sandbox.
 */
export type Mark = { 
/**
 * Where.
 */
cell: string, 
/**
 * What: `circle`, `square`, `triangle`, `cross`, or a label of up to three letters.
 */
shape: string, };

/**
 * How people come to a table.
 */
export type Mode = "ai" | "here" | "link" | "sandbox" | "watch";

/**
 * A move as a page needs it.
 */
export type Move = { 
/**
 * What to send to play it.
 */
move: string, 
/**
 * What people write: SAN in chess, else the same text.
 */
label: string, 
/**
 * The cells it touches, by name, the last one where it ends; none for a pass or a roll. A drop begins with the piece's letter
 * and an `@` in `move`.
 */
touched: Array<string>, };

/**
 * `POST /api/tables`: a new table.
 */
export type NewTable = { 
/**
 * The game's id.
 */
game: string, 
/**
 * Who plays.
 */
mode: Mode, 
/**
 * Choices before the game.
 */
setup?: Setup, 
/**
 * Moves to begin with.
 */
moves?: Array<string>, 
/**
 * Begin with another game instead of `setup` and `moves`.
 */
from?: Source, 
/**
 * The side that the starter plays (`ai` and `link`).
 */
side?: Wanted, 
/**
 * The machine's level (`ai`), or the levels of `First` and `Second` (`watch`).
 */
levels?: Array<string>, 
/**
 * Clocks.
 */
clock?: ClockRule, 
/**
 * What the starter is called, or in `here` both.
 */
names?: Array<string>, };

/**
 * A position in the tree of a table; node 0 is the start.
 */
export type Node = { 
/**
 * Its number, which never changes.
 */
id: number, 
/**
 * Where it hangs; only node 0 has none. The first child of a node is its main line.
 */
parent: number | null, 
/**
 * The move that leads here; none for node 0.
 */
played: Move | null, 
/**
 * Who played it; none for node 0 and for chance.
 */
side: Side | null, 
/**
 * How long it took, in milliseconds.
 */
ms: number | null, 
/**
 * What somebody wrote.
 */
comment: string, 
/**
 * Marks on the board.
 */
marks: Array<Mark>, 
/**
 * What a review found.
 */
judged: Judged | null, };

/**
 * Which offer.
 */
export type Offer = "draw" | "undo" | "rematch";

/**
 * Offers that wait for an answer, each with the side that made it.
 */
export type Offers = { 
/**
 * A draw.
 */
draw: Side | null, 
/**
 * Taking a move back.
 */
undo: Side | null, 
/**
 * Another game.
 */
rematch: Side | null, };

/**
 * The answer: where the table is and how to sit down. A page is `/t/{id}`, with `#{key}` behind it for a seat.
 */
export type Opened = { 
/**
 * The table's id, which lets anyone look on.
 */
id: string, 
/**
 * The starter's key.
 */
key: string, 
/**
 * Who the starter is.
 */
you: You, 
/**
 * The other seat's key, to be sent to whom one wants to play with (`link`).
 */
otherKey: string | null, };

/**
 * One kind of piece of one side.
 */
export type Piece = { 
/**
 * Whose it is.
 */
side: Side, 
/**
 * What it is: `stone`, `disc`, `king`, `kodama`, …
 */
shape: string, 
/**
 * One or two letters for a text board.
 */
letters: string, };

/**
 * Put a piece on a cell, or take what is there away.
 */
export type Put = { 
/**
 * The cell.
 */
cell: string, 
/**
 * The piece: its letters and its side as `drawn` has them; nothing to empty the cell.
 */
piece: PutPiece | null, };

/**
 * A piece to be put.
 */
export type PutPiece = { 
/**
 * Whose.
 */
side: Side, 
/**
 * Its shape, as `drawn` names it: `king`, `stone`, `kodama`.
 */
shape: string, };

/**
 * How good a move was.
 */
export type Quality = "best" | "good" | "inaccuracy" | "mistake" | "blunder";

/**
 * What a page sends: a wish with a number, which the answer repeats as `re`.
 */
export type Request = { 
/**
 * The number.
 */
re: number, } & ({ "do": "join", 
/**
 * The table.
 */
table: string, 
/**
 * The key to a seat.
 */
key?: string, 
/**
 * What one is called.
 */
name?: string, } | { "do": "leave" } | { "do": "play", 
/**
 * The move's text, or a label.
 */
move: string, 
/**
 * The node it answers. At one screen it must be said, since both sides may move there; elsewhere it is the one on the board if
 * nothing is said.
 */
node?: number, } | { "do": "roll", 
/**
 * The node it answers, as for a move.
 */
node?: number, } | { "do": "undo" } | { "do": "resign" } | { "do": "offer", 
/**
 * Which.
 */
offer: Offer, } | { "do": "answer", 
/**
 * Which.
 */
offer: Offer, 
/**
 * Yes or no.
 */
accept: boolean, } | { "do": "swap" } | { "do": "rematch" } | { "do": "hint" } | { "do": "moveNow" } | { "do": "pause", 
/**
 * Halt?
 */
on: boolean, } | { "do": "look", 
/**
 * Which.
 */
node: number, } | { "do": "chat", 
/**
 * What.
 */
text: string, } | { "do": "toggle", 
/**
 * A cell with one of them.
 */
cell: string, } | { "do": "accept", 
/**
 * The `number` in `counting`.
 */
count: number, } | { "do": "resume" } | { "do": "goto", 
/**
 * Which.
 */
node: number, } | { "do": "delete", 
/**
 * Which.
 */
node: number, } | { "do": "promote", 
/**
 * Which.
 */
node: number, } | { "do": "comment", 
/**
 * Which.
 */
node: number, 
/**
 * What.
 */
text: string, } | { "do": "marks", 
/**
 * Which.
 */
node: number, 
/**
 * All marks there are to be.
 */
marks: Array<Mark>, } | { "do": "analyse", 
/**
 * Which; the one on the board if none is named.
 */
node?: number, 
/**
 * For how long at most, in seconds (up to 60).
 */
seconds?: number, } | { "do": "quiet" } | { "do": "review", 
/**
 * A node on the line.
 */
node?: number, } | { "do": "stopReview" } | { "do": "watch", 
/**
 * Its id; nothing to stop following.
 */
run: string | null, });

/**
 * All about a run.
 */
export type Run = { 
/**
 * The list's line.
 */
info: RunInfo, 
/**
 * The players, the strongest first (duels and tournaments).
 */
standings: Array<Standing>, 
/**
 * Wins, draws and losses of the row's player against the column's, in the order of `standings`.
 */
cross: Array<Array<[number, number, number] | null>>, 
/**
 * What the test says, in a few words: `LLR 1.3 (−2.94, 2.94) [0, 5]`.
 */
verdict: string, 
/**
 * Games being played, or the last ones.
 */
games: Array<RunGame>, 
/**
 * Curves.
 */
series: Array<Series>, 
/**
 * Settings worth knowing, by name.
 */
settings: { [key in string]: string }, };

/**
 * A game of a run.
 */
export type RunGame = { 
/**
 * Its number in the run.
 */
number: number, 
/**
 * Who plays.
 */
players: [string, string], 
/**
 * The position as far as it has come.
 */
view: View | null, 
/**
 * Its moves so far.
 */
moves: Array<string>, 
/**
 * Its number in the library once it is over.
 */
library: number | null, };

/**
 * A run in one line.
 */
export type RunInfo = { 
/**
 * What requests call it.
 */
id: string, 
/**
 * What kind.
 */
kind: RunKind, 
/**
 * What people call it.
 */
title: string, 
/**
 * The game's id.
 */
game: string, 
/**
 * When it began.
 */
started: string, 
/**
 * Whether it is still going on.
 */
running: boolean, 
/**
 * How much is done.
 */
done: number, 
/**
 * Of how much; 0 if nobody knows.
 */
of: number, 
/**
 * Seconds that it will still take.
 */
eta: number | null, };

/**
 * What kind of run.
 */
export type RunKind = "duel" | "tournament" | "training" | "tuning";

/**
 * A curve.
 */
export type Series = { 
/**
 * What it shows: `policy loss`.
 */
name: string, 
/**
 * Curves with the same word belong into one drawing: `loss`, `elo`, `speed`.
 */
group: string, 
/**
 * What is counted to the right: `step`, `game`, `iteration`.
 */
along: string, 
/**
 * Where, how much, and half the width of the 95 % interval where it is known.
 */
points: Array<[number, number, number | null]>, };

/**
 * The same as the server's set-up of a game, for the page.
 */
export type Setup = { 
/**
 * Begin from this position instead of the start. A position of Go says its own rules, komi and handicap.
 */
position?: string, 
/**
 * The rule set (Go, Yokai 5x6).
 */
rules?: string, 
/**
 * Points for the second side (Go).
 */
komi?: number, 
/**
 * Handicap stones: how many on the usual points, or where exactly (Go).
 */
handicap?: number | string[], 
/**
 * Decides the start position of Chess960.
 */
seed?: number, };

/**
 * The two players. The first to move in the start position is `First` (except in Go with handicap, where
 * Black is `First` and White moves).
 */
export type Side = "first" | "second";

/**
 * Who sits on a chair.
 */
export type Sitter = "person" | "ai";

/**
 * `POST /api/solved`: make the table that a game's exact values are looked up in, in the background. Answer: `Solved`.
 */
export type Solve = { 
/**
 * The game's id.
 */
game: string, };

/**
 * `GET /api/solved?game=`: whether a game's exact values can be had.
 */
export type Solved = { 
/**
 * How far its table is.
 */
state: SolvedState, 
/**
 * How much of the making is done, from 0 to 1.
 */
share: number, 
/**
 * Whether this server makes it when asked to; strangers may not ask.
 */
mayMake: boolean, 
/**
 * What to type to make it without the server.
 */
command: string, };

/**
 * How far the table of a solved game is.
 */
export type SolvedState = "ready" | "missing" | "making" | "failed";

/**
 * A game that another one begins with.
 */
export type Source = { "type": "table", 
/**
 * The table.
 */
table: string, 
/**
 * The last node wanted; without one, all variations come along.
 */
node?: number, } | { "type": "library", 
/**
 * Its number.
 */
game: number, 
/**
 * How many plies.
 */
ply?: number, };

/**
 * One player's line in a table of results.
 */
export type Standing = { 
/**
 * The player.
 */
name: string, 
/**
 * Its rating in Elo; nothing while there are too few games.
 */
rating: number | null, 
/**
 * Half the width of the 95 % interval.
 */
error: number | null, 
/**
 * Games won.
 */
wins: number, 
/**
 * Games drawn.
 */
draws: number, 
/**
 * Games lost.
 */
losses: number, };

/**
 * How far a table has come.
 */
export type Status = "waiting" | "playing" | "counting" | "over";

/**
 * What one side has left.
 */
export type TimeLeft = { 
/**
 * Milliseconds left *now* of the main time, or of the period if `periods` is counted already.
 */
ms: number, 
/**
 * Byo-yomi periods left, the running one included.
 */
periods: number, 
/**
 * Whether the main time is used up and a period runs.
 */
inPeriod: boolean, };

/**
 * Something went wrong.
 */
export type Trouble = { 
/**
 * What, for the page.
 */
code: Code, 
/**
 * What, in English.
 */
text: string, };

/**
 * One position, the same everywhere: play, analysis, lessons, library, watching.
 */
export type View = { 
/**
 * The position as text.
 */
position: string, 
/**
 * Moves played so far.
 */
ply: number, 
/**
 * Whose turn it is.
 */
turn: Whose, 
/**
 * The side that decides or rolls.
 */
toMove: Side, 
/**
 * What to draw.
 */
drawn: Drawn, 
/**
 * What the sides are called in English: `["Black", "White"]`.
 */
sides: [string, string], 
/**
 * The legal moves; empty at a chance event and at the end.
 */
legal: Array<Move>, 
/**
 * What chance may bring; empty unless it is chance's turn.
 */
chances: Array<Chance>, 
/**
 * The move that led here.
 */
last: Move | null, 
/**
 * The cell of a king in check.
 */
check: string | null, 
/**
 * How the rules end the game here, if they do. In Go all stones are taken as alive: a table goes on to counting.
 */
result: GameResult | null, };

/**
 * Which side one wants.
 */
export type Wanted = "first" | "second" | "random";

/**
 * Whose turn it is.
 */
export type Whose = "first" | "second" | "chance" | "over";

/**
 * Who won.
 */
export type Winner = "first" | "second" | "draw";

/**
 * A text in the languages of the page.
 */
export type Words = { 
/**
 * English.
 */
en: string, 
/**
 * French.
 */
fr: string, };

/**
 * Who a connection is at a table.
 */
export type You = "first" | "second" | "both" | "spectator";
