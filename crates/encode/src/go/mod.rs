//! Go as a network sees it, on boards of every size.
//!
//! All encoders number the points as the board does and add the pass as the one move without a point. They differ in how
//! much of what a player sees at once they tell the network: only the stones ([`GoStones`]), liberties, ko, the last moves,
//! ladders and what is safe for ever ([`GoPlanes`]), or all that KataGo tells its own ([`GoV7`]).

mod ladders;
mod safety;
#[cfg(test)]
mod tests;

use crate::shape::Planes;
use crate::{Encoder, EncoderId, Input, Policy, Shape, Turned};
use ladders::for_each_ladder;
use safety::for_each_safe;
use tengen_core::{Line, Position, Side, Symmetry};
use tengen_games::go::{Go, Illegal, Move, Point, Rules, Scoring};

/// Two planes: the own stones and the other's.
#[derive(Clone, Copy, Debug)]
pub struct GoStones;

/// Seventeen planes: the board, the stones of either side, chains with one, two and three liberties; where ko or superko
/// forbids to play, where there would be no liberty; the last five moves; chains caught in a ladder and the moves that catch;
/// the points that are safe for ever, either side's.
///
/// Six numbers: the points beside the board, their parity, the size, whether a pass would end the game, whether territory
/// counts, and whether suicide is allowed.
#[derive(Clone, Copy, Debug)]
pub struct GoPlanes;

/// The 22 planes and 19 numbers of KataGo's seventh version of inputs. What Tengen's rules do not have stays zero: the phases of the encore
/// (planes 7, 8, 20 and 21, numbers 12 and 13), a tax on all groups, unequal searches, the button (numbers 11 and 15 to 17).
///
/// CITE: D. J. Wu, KataGo, `fillRowV7`: what each plane and number means.
#[derive(Clone, Copy, Debug)]
pub struct GoV7;

/// How many of the last moves are shown.
const HISTORY: usize = 5;

/// The planes of [`GoPlanes`]; the first six are the same in [`GoV7`].
mod plane {
    pub const BOARD: usize = 0;
    pub const OWN: usize = 1;
    pub const OTHER: usize = 2;
    /// One, two and three liberties.
    pub const LIBERTIES: usize = 3;
    pub const KO: usize = 6;
    pub const SUICIDE: usize = 7;
    pub const LAST: usize = 8;
    pub const CAUGHT: usize = LAST + super::HISTORY;
    pub const CATCHES: usize = CAUGHT + 1;
    pub const SAFE: usize = CATCHES + 1;
    pub const COUNT: usize = SAFE + 2;
}

/// The planes that [`GoV7`] has in other places.
mod v7 {
    pub const LAST: usize = 9;
    pub const CAUGHT: usize = LAST + super::HISTORY;
    pub const CAUGHT_BEFORE: usize = CAUGHT + 1;
    pub const CATCHES: usize = CAUGHT_BEFORE + 2;
    pub const SAFE: usize = CATCHES + 1;
}

fn shape<const CELLS: usize>(position: &Go<CELLS>, planes: usize, globals: usize) -> Shape {
    let size = position.size();
    Shape { planes, height: size, width: size, globals, policy: Policy { maps: 1, extra: 1 } }
}

fn index<const CELLS: usize>(position: &Go<CELLS>, mv: Move) -> usize {
    match mv {
        Move::At(point) => position.board().index(point),
        Move::Pass => position.size() * position.size(),
    }
}

fn turned<const CELLS: usize>(shape: &Shape, position: &Go<CELLS>, which: usize) -> Turned {
    let size = position.size();
    let turn = |at| {
        let point = Point::new(size, at % size, at / size);
        index(position, position.transformed_move(point.map_or(Move::Pass, Move::At), which))
    };
    Turned::of_board(shape, turn, |map| map)
}

/// A line, and the planes it is drawn on.
struct Drawing<'a, 'o, const CELLS: usize> {
    line: &'a Line<Go<CELLS>>,
    planes: Planes<'o>,
}

impl<const CELLS: usize> Drawing<'_, '_, CELLS> {
    fn stones(&mut self, own: usize, other: usize) {
        let position = self.line.position();
        for (at, point) in position.board().points().enumerate() {
            if let Some(side) = position.board().colour(point) {
                self.planes.mark(if side == position.to_move() { own } else { other }, at);
            }
        }
    }

    /// The first six planes.
    fn board(&mut self) {
        self.planes.fill(plane::BOARD, 1.0);
        self.stones(plane::OWN, plane::OTHER);
        let board = self.line.position().board();
        for name in board.points().filter(|&point| board.chain(point) == Some(point)) {
            if let liberties @ 1..=3 = board.liberties(name).take(4).count() {
                for stone in board.chain_stones(name) {
                    self.planes.mark(plane::LIBERTIES + liberties - 1, board.index(stone));
                }
            }
        }
    }

    /// Empty points where a stone may not be put: because of ko or superko, and for want of a liberty.
    fn forbidden(&mut self, ko: usize, suicide: Option<usize>) {
        let position = self.line.position();
        for (at, point) in position.board().points().enumerate() {
            match position.check(point) {
                Ok(()) if self.line.repeats(Move::At(point)) => self.planes.mark(ko, at),
                Err(Illegal::Ko) => self.planes.mark(ko, at),
                Err(Illegal::Suicide) => suicide.into_iter().for_each(|plane| self.planes.mark(plane, at)),
                Ok(()) | Err(Illegal::Occupied | Illegal::Over) => {}
            }
        }
    }

    /// The last moves, the newest first, a plane each.
    fn history(&mut self, first: usize) {
        for (plane, &mv) in (first..).zip(self.line.moves().iter().rev().take(HISTORY)) {
            if let Move::At(point) = mv {
                self.planes.mark(plane, self.line.position().board().index(point));
            }
        }
    }

    /// Chains caught in a ladder, and where to play to catch those of the other side that still have two liberties.
    fn ladders(&mut self, caught: usize, catches: usize) {
        let position = self.line.position();
        let board = position.board();
        for_each_ladder(position, |ladder| {
            for stone in board.chain_stones(ladder.chain) {
                self.planes.mark(caught, board.index(stone));
            }
            if board.colour(ladder.chain) != Some(position.to_move()) {
                for point in ladder.catching() {
                    self.planes.mark(catches, board.index(point));
                }
            }
        });
    }

    /// Chains that were caught so many moves ago, or at the start of the line.
    fn ladders_before(&mut self, plane: usize, moves: usize) {
        let positions = self.line.positions();
        let before = &positions[positions.len().saturating_sub(moves + 1)];
        for_each_ladder(before, |ladder| {
            for stone in before.board().chain_stones(ladder.chain) {
                self.planes.mark(plane, before.board().index(stone));
            }
        });
    }

    /// The points that are safe for ever, the own ones and on the next plane the other's.
    fn safe(&mut self, first: usize) {
        let position = self.line.position();
        for (plane, side) in [(first, position.to_move()), (first + 1, position.to_move().other())] {
            for_each_safe(position, side, |point| self.planes.mark(plane, position.board().index(point)));
        }
    }
}

/// How many points the side to move has beside what the board counts: komi, handicap, and prisoners where they count. No
/// more than decides any game.
fn points_beside<const CELLS: usize>(position: &Go<CELLS>) -> f32 {
    let prisoners = match position.rules().scoring() {
        Scoring::Area => 0.0,
        Scoring::Territory => position.prisoners(Side::Second) as f32 - position.prisoners(Side::First) as f32,
    };
    let white = position.komi().points() + position.compensation() as f32 + prisoners;
    let most = (position.size() * position.size()) as f32 + 20.0;
    let own = if position.to_move() == Side::Second { white } else { -white };
    own.clamp(-most, most)
}

/// A wave that is high where half a point more turns a draw into a win, and low where it changes nothing. By area an odd board
/// can only be drawn with an odd number of points beside it, an even one with an even number.
fn parity_wave<const CELLS: usize>(position: &Go<CELLS>) -> f32 {
    if position.rules().scoring() == Scoring::Territory {
        return 0.0;
    }
    let above = (points_beside(position) - (position.size() % 2) as f32).rem_euclid(2.0);
    match above {
        ..0.5 => above,
        0.5..1.5 => 1.0 - above,
        _ => above - 2.0,
    }
}

fn flag(is: bool) -> f32 {
    if is { 1.0 } else { 0.0 }
}

impl<const CELLS: usize> Encoder<Go<CELLS>> for GoStones {
    fn id(&self) -> EncoderId {
        EncoderId("go-a2")
    }

    fn shape(&self, position: &Go<CELLS>) -> Shape {
        shape(position, 2, 0)
    }

    fn encode(&self, line: &Line<Go<CELLS>>, out: &mut Input<'_>) {
        Drawing { line, planes: out.clear(&self.shape(line.position())) }.stones(0, 1);
    }

    fn index(&self, position: &Go<CELLS>, mv: Move) -> usize {
        index(position, mv)
    }

    fn turned(&self, position: &Go<CELLS>, which: usize) -> Turned {
        turned(&self.shape(position), position, which)
    }
}

impl<const CELLS: usize> Encoder<Go<CELLS>> for GoPlanes {
    fn id(&self) -> EncoderId {
        EncoderId("go-1")
    }

    fn history(&self) -> usize {
        HISTORY
    }

    fn shape(&self, position: &Go<CELLS>) -> Shape {
        shape(position, plane::COUNT, 6)
    }

    fn encode(&self, line: &Line<Go<CELLS>>, out: &mut Input<'_>) {
        let position = line.position();
        let mut drawing = Drawing { line, planes: out.clear(&self.shape(position)) };
        drawing.board();
        drawing.forbidden(plane::KO, Some(plane::SUICIDE));
        drawing.history(plane::LAST);
        drawing.ladders(plane::CAUGHT, plane::CATCHES);
        drawing.safe(plane::SAFE);
        out.globals.copy_from_slice(&[
            points_beside(position) / 20.0,
            parity_wave(position),
            position.size() as f32 / 19.0,
            flag(position.passes() == 1),
            flag(position.rules().scoring() == Scoring::Territory),
            flag(position.rules().allows_suicide()),
        ]);
    }

    fn index(&self, position: &Go<CELLS>, mv: Move) -> usize {
        index(position, mv)
    }

    fn turned(&self, position: &Go<CELLS>, which: usize) -> Turned {
        turned(&self.shape(position), position, which)
    }
}

impl<const CELLS: usize> Encoder<Go<CELLS>> for GoV7 {
    fn id(&self) -> EncoderId {
        EncoderId("go-v7")
    }

    fn history(&self) -> usize {
        HISTORY
    }

    fn shape(&self, position: &Go<CELLS>) -> Shape {
        shape(position, 22, 19)
    }

    fn encode(&self, line: &Line<Go<CELLS>>, out: &mut Input<'_>) {
        let position = line.position();
        let mut drawing = Drawing { line, planes: out.clear(&self.shape(position)) };
        drawing.board();
        drawing.forbidden(plane::KO, None);
        drawing.history(v7::LAST);
        drawing.ladders(v7::CAUGHT, v7::CATCHES);
        drawing.ladders_before(v7::CAUGHT_BEFORE, 1);
        drawing.ladders_before(v7::CAUGHT_BEFORE + 1, 2);
        let territory = position.rules().scoring() == Scoring::Territory;
        // By territory a safe point is not worth the same for everybody, and KataGo leaves them out.
        if !territory {
            drawing.safe(v7::SAFE);
        }

        for (number, &mv) in out.globals.iter_mut().zip(line.moves().iter().rev().take(HISTORY)) {
            *number = flag(mv == Move::Pass);
        }
        out.globals[5] = points_beside(position) / 20.0;
        (out.globals[6], out.globals[7]) = match position.rules() {
            Rules::Japanese => (0.0, 0.0),
            rules if rules.repetition_has_sides() => (1.0, -0.5),
            _ => (1.0, 0.5),
        };
        out.globals[8] = flag(position.rules().allows_suicide());
        // Where territory counts, nothing is counted for points surrounded in seki.
        (out.globals[9], out.globals[10]) = (flag(territory), flag(territory));
        out.globals[14] = flag(position.passes() == 1);
        out.globals[18] = parity_wave(position);
    }

    fn index(&self, position: &Go<CELLS>, mv: Move) -> usize {
        index(position, mv)
    }

    fn turned(&self, position: &Go<CELLS>, which: usize) -> Turned {
        turned(&self.shape(position), position, which)
    }
}
