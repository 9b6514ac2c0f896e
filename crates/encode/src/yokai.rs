//! Yokai no Mori as a network sees it. The second side sees the board turned by half a circle, so that forward is up for both.

use crate::shape::bits;
use crate::{Encoder, EncoderId, Input, Policy, Shape, Turned};
use tengen_core::{Line, Position, Side};
use tengen_games::yokai::{Kind, Move, Rules, Yokai};

/// A plane for every kind of piece and every kind in hand, first the own ones, then the other's; what is in hand fills
/// its plane with its share of all pieces of the kind.
///
/// A move is the square where it ends on one of the maps: eight for the ways a piece steps, clockwise from forward, three for what can be
/// dropped, and where promotion is a choice eight more for the ways with promotion.
#[derive(Clone, Copy, Debug)]
pub struct YokaiPlanes;

/// A single board of numbers in canonical form: each own piece by its rank, from 1 for the Kodama, the other's with a minus, and
/// behind the board what is in hand, by numbers. A move is one of 130 actions on 3x4 and one of 358 on 5x6: every step from
/// every square, then every drop from either reserve, though only the own one is ever dropped from.
///
/// The board lies on its side, a line for each of its columns, then one line for both reserves on 5x6 and one for each on 3x4. Unlike the
/// published form, the second side's board is turned round: without that, the same number would step up for one side and down for the other.
///
/// CITE: the canonical board of a report on AlphaZero for Yokai no Mori, after Nair, Thakoor & Jhunjhunwala's for Othello.
#[derive(Clone, Copy, Debug)]
pub struct YokaiBoard;

/// The codes of the kinds that can be in hand.
const IN_HAND: [usize; 3] = [1, 2, 4];
/// Ways to step.
const WAYS: usize = 8;

/// A square as the side to move sees it: row by row from its own first row.
#[inline]
fn seen<R: Rules>(square: usize, side: Side) -> usize {
    match side {
        Side::First => square,
        Side::Second => R::WIDTH * R::HEIGHT - 1 - square,
    }
}

/// The point of a square that is seen so.
#[inline]
fn point<R: Rules>(seen: usize) -> usize {
    (R::HEIGHT - 1 - seen / R::WIDTH) * R::WIDTH + seen % R::WIDTH
}

/// The same square with left and right exchanged; it does not matter from which row they are counted.
fn mirrored<R: Rules>(square: usize) -> usize {
    square / R::WIDTH * R::WIDTH + R::WIDTH - 1 - square % R::WIDTH
}

fn mirrored_way(way: usize) -> usize {
    (WAYS - way) % WAYS
}

/// A move as its side sees it.
enum Seen {
    Step { from: usize, way: usize, to: usize, promotes_by_choice: bool },
    Drop { kind: Kind, to: usize },
}

impl Seen {
    fn of<R: Rules>(position: &Yokai<R>, mv: Move) -> Self {
        let side = position.to_move();
        let to = seen::<R>(Yokai::<R>::target(mv), side);
        let (Some(from), None) = (Yokai::<R>::origin(mv), Yokai::<R>::dropped(mv)) else {
            // A move that comes from nowhere drops something.
            return Seen::Drop { kind: Yokai::<R>::dropped(mv).unwrap_or(Kind::Kodama), to };
        };
        let from = seen::<R>(from, side);
        let up = (to / R::WIDTH).cmp(&(from / R::WIDTH)) as i8;
        let right = (to % R::WIDTH).cmp(&(from % R::WIDTH)) as i8;
        let way = STEPS.iter().position(|&step| step == (right, up)).unwrap_or(0);
        Seen::Step { from, way, to, promotes_by_choice: R::SHOGI && position.promotes(mv) }
    }
}

/// How far each way goes right and up: clockwise from forward.
const STEPS: [(i8, i8); WAYS] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

impl<R: Rules> Encoder<Yokai<R>> for YokaiPlanes {
    fn id(&self) -> EncoderId {
        EncoderId("yokai-1")
    }

    fn shape(&self, _: &Yokai<R>) -> Shape {
        let kinds = R::KINDS.iter().flatten().count();
        let maps = WAYS + IN_HAND.len() + if R::SHOGI { WAYS } else { 0 };
        Shape {
            planes: 2 * (kinds + IN_HAND.len()),
            height: R::HEIGHT,
            width: R::WIDTH,
            globals: 0,
            policy: Policy { maps, extra: 0 },
        }
    }

    fn encode(&self, line: &Line<Yokai<R>>, out: &mut Input<'_>) {
        let position = line.position();
        let mut planes = out.clear(&self.shape(position));
        let own = position.to_move();
        let mut plane = 0;
        for side in [own, own.other()] {
            for kind in R::KINDS.into_iter().flatten() {
                let place = |square| point::<R>(seen::<R>(square, own));
                planes.mark_all(plane, position.pieces_of(side, kind).into(), place);
                plane += 1;
            }
            for (code, of) in IN_HAND.into_iter().zip(R::PIECES) {
                let count = R::KINDS[code].map_or(0, |kind| position.hand(side, kind));
                planes.fill(plane, f32::from(count) / f32::from(of));
                plane += 1;
            }
        }
    }

    fn index(&self, position: &Yokai<R>, mv: Move) -> usize {
        let shape = self.shape(position);
        match Seen::of(position, mv) {
            Seen::Step { way, to, promotes_by_choice, .. } => {
                shape.on_map(way + if promotes_by_choice { WAYS + IN_HAND.len() } else { 0 }, point::<R>(to))
            }
            Seen::Drop { kind, to } => {
                let slot = IN_HAND.iter().position(|&code| R::KINDS[code] == Some(kind)).unwrap_or(0);
                shape.on_map(WAYS + slot, point::<R>(to))
            }
        }
    }

    fn turned(&self, position: &Yokai<R>, which: usize) -> Turned {
        let shape = self.shape(position);
        if which == 0 {
            return Turned::identity(&shape);
        }
        const PROMOTING: usize = WAYS + IN_HAND.len();
        let map = |map| match map {
            0..WAYS => mirrored_way(map),
            WAYS..PROMOTING => map,
            _ => PROMOTING + mirrored_way(map - PROMOTING),
        };
        Turned::of_board(&shape, mirrored::<R>, map)
    }
}

/// The actions of one board.
struct Actions<R>(std::marker::PhantomData<R>);

impl<R: Rules> Actions<R> {
    const SQUARES: usize = R::WIDTH * R::HEIGHT;
    /// The number of each step, by square and way, and how many there are.
    const TABLE: ([[u16; WAYS]; 30], usize) = {
        let mut table = [[u16::MAX; WAYS]; 30];
        let (mut square, mut count) = (0, 0);
        while square < Self::SQUARES {
            let mut way = 0;
            while way < WAYS {
                let (right, up) = STEPS[way];
                let column = (square % R::WIDTH) as i8 + right;
                let row = (square / R::WIDTH) as i8 + up;
                if 0 <= column && column < R::WIDTH as i8 && 0 <= row && row < R::HEIGHT as i8 {
                    table[square][way] = count as u16;
                    count += 1;
                }
                way += 1;
            }
            square += 1;
        }
        (table, count)
    };
    const STEPS: usize = Self::TABLE.1;
    const STEPS_AND_DROPS: usize = Self::STEPS + 2 * IN_HAND.len() * Self::SQUARES;
    /// Where promotion is a choice, every step is there a second time.
    const COUNT: usize = Self::STEPS_AND_DROPS + if R::SHOGI { Self::STEPS } else { 0 };

    fn step(from: usize, way: usize) -> usize {
        Self::TABLE.0[from][way].into()
    }

    /// What an action becomes when left and right are exchanged.
    fn mirrored(action: usize) -> usize {
        if action >= Self::STEPS_AND_DROPS {
            return Self::STEPS_AND_DROPS + Self::mirrored(action - Self::STEPS_AND_DROPS);
        }
        if let Some(drop) = action.checked_sub(Self::STEPS) {
            let (kind, square) = (drop / Self::SQUARES, drop % Self::SQUARES);
            return Self::STEPS + kind * Self::SQUARES + mirrored::<R>(square);
        }
        let all = (0..Self::SQUARES).flat_map(|square| (0..WAYS).map(move |way| (square, way)));
        let found = all.into_iter().find(|&(square, way)| Self::step(square, way) == action);
        found.map_or(action, |(square, way)| Self::step(mirrored::<R>(square), mirrored_way(way)))
    }

    /// What the pieces in hand are, by their rank.
    fn in_hand() -> impl Iterator<Item = Kind> {
        let mut kinds = IN_HAND.map(|code| R::KINDS[code]);
        kinds.sort_unstable_by_key(|kind| kind.map(Self::rank));
        kinds.into_iter().flatten()
    }

    /// How much a kind counts for, from 1.
    fn rank(kind: Kind) -> u8 {
        match kind {
            Kind::Kodama => 1,
            Kind::Samurai => 2,
            Kind::Tanuki | Kind::Oni => 3,
            Kind::Kitsune | Kind::SuperOni => 4,
            Kind::Kirin => 5,
            Kind::Koropokkuru => R::KINDS.iter().flatten().count() as u8,
        }
    }

    /// Lines for the reserves, and where on them the other's begins. A line is as long as a column of the board.
    const RESERVE: (usize, usize) = if 2 * IN_HAND.len() <= R::HEIGHT { (1, IN_HAND.len()) } else { (2, R::HEIGHT) };
}

impl<R: Rules> Encoder<Yokai<R>> for YokaiBoard {
    fn id(&self) -> EncoderId {
        EncoderId("yokai-c")
    }

    fn shape(&self, _: &Yokai<R>) -> Shape {
        Shape {
            planes: 1,
            height: R::WIDTH + Actions::<R>::RESERVE.0,
            width: R::HEIGHT,
            globals: 0,
            policy: Policy { maps: 0, extra: Actions::<R>::COUNT },
        }
    }

    fn encode(&self, line: &Line<Yokai<R>>, out: &mut Input<'_>) {
        let position = line.position();
        let mut planes = out.clear(&self.shape(position));
        let own = position.to_move();
        let place = |square| {
            let seen = seen::<R>(square, own);
            seen % R::WIDTH * R::HEIGHT + seen / R::WIDTH
        };
        for (side, sign) in [(own, 1.0), (own.other(), -1.0)] {
            for kind in R::KINDS.into_iter().flatten() {
                for square in bits(position.pieces_of(side, kind).into()) {
                    planes.put(0, place(square), sign * f32::from(Actions::<R>::rank(kind)));
                }
            }
            let reserve = Actions::<R>::SQUARES + if side == own { 0 } else { Actions::<R>::RESERVE.1 };
            for (at, kind) in (reserve..).zip(Actions::<R>::in_hand()) {
                planes.put(0, at, position.hand(side, kind).into());
            }
        }
    }

    fn index(&self, position: &Yokai<R>, mv: Move) -> usize {
        match Seen::of(position, mv) {
            Seen::Step { from, way, promotes_by_choice, .. } => {
                let first = if promotes_by_choice { Actions::<R>::STEPS_AND_DROPS } else { 0 };
                first + Actions::<R>::step(from, way)
            }
            Seen::Drop { kind, to } => {
                let slot = Actions::<R>::in_hand().position(|known| known == kind).unwrap_or(0);
                Actions::<R>::STEPS + slot * Actions::<R>::SQUARES + to
            }
        }
    }

    fn turned(&self, position: &Yokai<R>, which: usize) -> Turned {
        let shape = <Self as Encoder<Yokai<R>>>::shape(self, position);
        if which == 0 {
            return Turned::identity(&shape);
        }
        let point = |point: usize| match point / R::HEIGHT {
            line if line < R::WIDTH => (R::WIDTH - 1 - line) * R::HEIGHT + point % R::HEIGHT,
            _ => point,
        };
        Turned::new(&shape, point, Actions::<R>::mirrored)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Encoded;
    use crate::exam::{Exam, Used};
    use tengen_core::{Notation, Rng, Turn};
    use tengen_games::yokai::{Rules34, Rules56, RulesGoro, Yokai34, Yokai56};

    /// Sits the exam, and every plane is of use.
    fn sits<R: Rules>(encoder: &impl Encoder<Yokai<R>>, size: usize) {
        // There are as many steps as a Koropokkuru could make, and three kinds to drop.
        let promotions = if R::SHOGI { Actions::<R>::STEPS / 3 } else { 0 };
        let possible = Actions::<R>::STEPS + 3 * Actions::<R>::SQUARES + promotions;
        let start = Yokai::<R>::new();
        let used = Exam::new(encoder, start).games(40).longest(400).sit();
        assert_eq!(used.policy.len(), size);
        assert_eq!(used.planes, Used::all(&encoder.shape(&start)).planes);
        let legal = used.policy.iter().filter(|used| **used).count();
        assert!((possible * 9 / 10..=possible).contains(&legal), "{legal} of {possible} actions were legal");
    }

    #[test]
    fn all_boards_sit_the_exam() {
        sits::<Rules34>(&YokaiPlanes, 11 * 12);
        sits::<Rules56>(&YokaiPlanes, 11 * 30);
        sits::<RulesGoro>(&YokaiPlanes, 19 * 30);
        sits::<Rules34>(&YokaiBoard, 130);
        sits::<Rules56>(&YokaiBoard, 358);
        sits::<RulesGoro>(&YokaiBoard, 358 + 178);
    }

    /// The same position with the sides exchanged.
    fn exchanged<R: Rules>(position: &Yokai<R>) -> Yokai<R> {
        let text = position.write();
        let (board, rest) = text.split_once('[').expect("hands");
        let (hands, rest) = rest.split_once(']').expect("the end of the hands");
        let swap = |text: &str| -> String {
            let swapped = |c: char| if c.is_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
            text.chars().map(swapped).collect()
        };
        let row = |row: &str| {
            // A promoted piece keeps its plus before it.
            let reversed: String = row.chars().rev().collect();
            let mut chars: Vec<char> = reversed.chars().collect();
            for at in 1..chars.len() {
                if chars[at] == '+' {
                    chars.swap(at - 1, at);
                }
            }
            swap(&chars.into_iter().collect::<String>())
        };
        let rows: Vec<String> = board.split('/').rev().map(row).collect();
        let rest = rest.trim_start();
        let side = if rest.starts_with('w') { "b" } else { "w" };
        let text = format!("{}[{}] {side}{}", rows.join("/"), swap(hands), &rest[1..]);
        Yokai::read(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn both_sides_see_the_same<R: Rules>(encoder: &impl Encoder<Yokai<R>>) {
        let mut moves = Vec::new();
        for seed in 0..20 {
            let mut rng = Rng::with_seed(seed);
            let mut line = Line::new(Yokai::<R>::new());
            while line.ply() < 100 && matches!(line.turn(&mut moves), Turn::Decision(_)) {
                let position = *line.position();
                let other = exchanged(&position);
                let shown = [position, other].map(|position| Encoded::of(encoder, &Line::new(position)));
                assert_eq!(shown[0], shown[1], "{}", position.write());
                let indices = |position: &Yokai<R>| {
                    let mut moves = Vec::new();
                    position.turn(&mut moves);
                    let mut all: Vec<usize> = moves.iter().map(|&mv| encoder.index(position, mv)).collect();
                    all.sort_unstable();
                    all
                };
                assert_eq!(indices(&position), indices(&other), "{}", position.write());
                line.push(moves[rng.usize(..moves.len())]);
            }
        }
    }

    #[test]
    fn the_second_side_sees_the_board_turned_round() {
        both_sides_see_the_same::<Rules34>(&YokaiPlanes);
        both_sides_see_the_same::<Rules56>(&YokaiPlanes);
        both_sides_see_the_same::<RulesGoro>(&YokaiPlanes);
        both_sides_see_the_same::<Rules34>(&YokaiBoard);
        both_sides_see_the_same::<Rules56>(&YokaiBoard);
    }

    #[test]
    fn the_board_of_numbers() {
        let position = Yokai34::read("gle/1c1/1C1/ELG[-] w 0 1").expect("the start");
        let shown = Encoded::of(&YokaiBoard, &Line::new(position)).planes;
        // Column by column from the own side: Kitsune, Koropokkuru, Tanuki in front of Black.
        #[rustfmt::skip]
        let expected = [
            4., 0., 0., -3.,
            5., 1., -1., -5.,
            3., 0., 0., -4.,
            0., 0., 0., 0.,
            0., 0., 0., 0.,
        ];
        assert_eq!(shown, expected);
        let position = Yokai56::read("sgk1s/5/1pp2/1PPP1/5/SGKGS[Pg] b 0 1").expect("a position");
        let shown = Encoded::of(&YokaiBoard, &Line::new(position)).planes;
        // White has a Kirin in hand, Black a Kodama.
        assert_eq!(shown[30..], [0., 0., 1., 1., 0., 0.]);
        assert_eq!(shown[..6], [3., 0., 0., 0., 0., -3.]);
    }
}
