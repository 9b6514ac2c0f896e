//! A whole game from nothing, as CONTRIBUTING.md tells it: Nim with three heaps, who takes the last stick wins.
//!
//! It is the proof that the guide is enough, and a test of the exam itself: the broken games at the end must fail it.

use tengen_core::exam::Exam;
use tengen_core::{
    Board, Cell, Drawn, Fact, Notation, Outcome, Picture, Position, Side, Symmetry, TextError, Turn, mix, refuse,
};

#[derive(Clone, Debug)]
struct Nim {
    heaps: [u8; 3],
    to_move: Side,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Take {
    heap: u8,
    sticks: u8,
}

impl Nim {
    fn new() -> Self {
        Nim { heaps: [3, 4, 5], to_move: Side::First }
    }
}

impl Position for Nim {
    type Move = Take;

    fn to_move(&self) -> Side {
        self.to_move
    }

    fn turn(&self, moves: &mut Vec<Take>) -> Turn {
        moves.clear();
        for (heap, &sticks) in (0..).zip(&self.heaps) {
            moves.extend((1..=sticks).map(|sticks| Take { heap, sticks }));
        }
        if moves.is_empty() { Turn::Over(Outcome::Win(self.to_move.other())) } else { Turn::Decision(self.to_move) }
    }

    fn play(&mut self, mv: Take) {
        self.heaps[usize::from(mv.heap)] -= mv.sticks;
        self.to_move = self.to_move.other();
    }

    fn key(&self) -> u64 {
        let [a, b, c] = self.heaps.map(u64::from);
        mix(a | b << 8 | c << 16 | (self.to_move.index() as u64) << 24)
    }

    fn code(mv: Take) -> u16 {
        u16::from(mv.heap) << 8 | u16::from(mv.sticks)
    }
}

impl Notation for Nim {
    fn write(&self) -> String {
        let [a, b, c] = self.heaps;
        format!("{a} {b} {c} {}", self.to_move.name())
    }

    fn read(text: &str) -> Result<Self, TextError> {
        let words: Vec<&str> = text.split(' ').collect();
        let [a, b, c, side] = words[..] else {
            return Err(TextError::new("three heaps and a side, like `3 4 5 first`"));
        };
        let heap = |word: &str| {
            let sticks = word.parse().ok().filter(|sticks| *sticks <= 9 && word.len() == 1);
            sticks.ok_or_else(|| TextError::new(format!("{} is not a heap of 0 to 9 sticks", refuse(word))))
        };
        let to_move = match side {
            "first" => Side::First,
            "second" => Side::Second,
            _ => return Err(TextError::new(format!("{} is neither first nor second", refuse(side)))),
        };
        Ok(Nim { heaps: [heap(a)?, heap(b)?, heap(c)?], to_move })
    }

    fn write_move(&self, mv: Take) -> String {
        format!("{}{}", char::from(b'a' + mv.heap), mv.sticks)
    }

    fn read_move(&self, text: &str) -> Result<Take, TextError> {
        let mut moves = Vec::new();
        self.turn(&mut moves);
        let found = moves.into_iter().find(|&mv| self.write_move(mv) == text);
        found
            .ok_or_else(|| TextError::new(format!("{} is not a move here: a heap and a number, like b2", refuse(text))))
    }
}

/// The heaps may be exchanged.
impl Symmetry for Nim {
    const SYMMETRIES: usize = 3;

    fn transformed(&self, which: usize) -> Self {
        let mut heaps = self.heaps;
        heaps.rotate_right(which);
        Nim { heaps, ..self.clone() }
    }

    fn transformed_move(&self, mv: Take, which: usize) -> Take {
        Take { heap: (mv.heap + which as u8) % 3, ..mv }
    }
}

impl Picture for Nim {
    const SIDES: [&'static str; 2] = ["First", "Second"];

    fn draw(&self) -> Drawn {
        let cells = ["a", "b", "c"].map(|name| Cell::new(name, None));
        let mut drawn = Drawn::new(Board::Squares, 3, 1, cells.to_vec());
        let fact = |(name, sticks): (&'static str, &u8)| Fact { side: None, name, value: sticks.to_string() };
        drawn.facts = ["a", "b", "c"].into_iter().zip(&self.heaps).map(fact).collect();
        drawn
    }

    fn touched(&self, mv: Take) -> Vec<String> {
        vec![char::from(b'a' + mv.heap).to_string()]
    }
}

#[test]
fn nim_sits_the_exam() {
    assert_eq!(Exam::new(Nim::new()).perft(&[12, 113]).sit(), 200);
}

/// Wraps Nim and breaks one promise, so that the exam must notice.
macro_rules! broken {
    ($name:ident, $complaint:literal, $($position:item)*) => {
        #[test]
        #[should_panic(expected = $complaint)]
        fn $name() {
            #[derive(Clone, Debug)]
            struct Broken(Nim);
            impl Position for Broken {
                type Move = Take;
                fn to_move(&self) -> Side { self.0.to_move() }
                fn play(&mut self, mv: Take) { self.0.play(mv) }
                $($position)*
            }
            impl Notation for Broken {
                fn write(&self) -> String { self.0.write() }
                fn read(text: &str) -> Result<Self, TextError> { Nim::read(text).map(Broken) }
                fn write_move(&self, mv: Take) -> String { self.0.write_move(mv) }
                fn read_move(&self, text: &str) -> Result<Take, TextError> { self.0.read_move(text) }
            }
            impl Symmetry for Broken {}
            impl Picture for Broken {
                const SIDES: [&'static str; 2] = Nim::SIDES;
                fn draw(&self) -> Drawn { self.0.draw() }
                fn touched(&self, mv: Take) -> Vec<String> { self.0.touched(mv) }
            }
            Exam::new(Broken(Nim::new())).games(5).sit();
        }
    };
}

broken! { two_moves_with_one_code, "two moves with one code",
    fn turn(&self, moves: &mut Vec<Take>) -> Turn { self.0.turn(moves) }
    fn key(&self) -> u64 { self.0.key() }
    fn code(mv: Take) -> u16 { mv.sticks.into() }
}

broken! { a_key_that_forgets_the_side, "belongs to another position too",
    fn turn(&self, moves: &mut Vec<Take>) -> Turn { self.0.turn(moves) }
    fn key(&self) -> u64 { mix(u64::from(self.0.heaps[0])) }
    fn code(mv: Take) -> u16 { Nim::code(mv) }
}

broken! { an_end_with_moves, "moves after the end",
    fn turn(&self, moves: &mut Vec<Take>) -> Turn {
        match self.0.turn(moves) {
            Turn::Over(outcome) => {
                moves.push(Take { heap: 0, sticks: 1 });
                Turn::Over(outcome)
            }
            turn => turn,
        }
    }
    fn key(&self) -> u64 { self.0.key() }
    fn code(mv: Take) -> u16 { Nim::code(mv) }
}

broken! { a_move_listed_twice, "a move twice",
    fn turn(&self, moves: &mut Vec<Take>) -> Turn {
        let turn = self.0.turn(moves);
        moves.extend(moves.first().copied());
        turn
    }
    fn key(&self) -> u64 { self.0.key() }
    fn code(mv: Take) -> u16 { Nim::code(mv) }
}
