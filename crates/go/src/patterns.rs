//! The 3x3 shapes that playouts answer with, as pictures and as a table of all surroundings.
//!
//! A picture shows the move in its middle: `X` a stone of the side to move, `O` one of the opponent, `.` an empty point,
//! `#` the edge, `?` anything on the board or off it, `x` anything but an own stone, `o` anything but an opponent's. It holds turned and
//! mirrored, and for both sides. CITE: Gelly, Wang, Munos & Teytaud 2006, whose families (hane, cut, edge) these are.

use crate::field::{BLACK, Colour, WHITE, opponent};
use std::sync::LazyLock;

/// The shapes, row by row.
const PICTURES: [&str; 13] = [
    // Hane around the head of a stone that has an own stone behind it on either side, or on one.
    "XOX/.../???",
    "XO./.../?.?",
    // Hane from an own wall, also where the point below is taken by nobody.
    "XO?/X../x.?",
    // A diagonal touch.
    ".O./X../...",
    // Cuts: through a crossing that is not protected, and through one that is peeped at.
    "XO?/O.o/?o?",
    "XO?/O.X/???",
    // Pushing through between two stones.
    "?X?/O.O/ooo",
    // Cutting a knight's move.
    "OX?/o.O/???",
    // On the edge: chasing, blocking a cut, blocking a connection, stretching down, cutting.
    "X.?/O.?/###",
    "OX?/X.O/###",
    "?X?/x.O/###",
    "?XO/x.x/###",
    "?OX/X.O/###",
];

/// For every number that [`Field::around`](crate::field::Field::around) may give: whether a move there is one of the
/// shapes, for Black in the lowest bit and for White in the next.
pub struct Patterns(Box<[u8]>);

impl Patterns {
    /// The table, made at the first call.
    pub fn get() -> &'static Patterns {
        static TABLE: LazyLock<Patterns> = LazyLock::new(Patterns::build);
        &TABLE
    }

    /// Whether a move of this colour is one of the shapes.
    #[inline(always)]
    pub fn fits(&self, around: u16, own: Colour) -> bool {
        self.0[usize::from(around)] & own != 0
    }

    fn build() -> Patterns {
        let mut table = vec![0; 1 << 16].into_boxed_slice();
        let pictures: Vec<[u8; 8]> = PICTURES.iter().map(|picture| outline(picture)).collect();
        for (code, entry) in table.iter_mut().enumerate() {
            let neighbours: [Colour; 8] = std::array::from_fn(|at| (code >> (2 * at)) as u8 & 3);
            for own in [BLACK, WHITE] {
                let fits = |picture: &[u8; 8]| {
                    TURNS.iter().any(|turn| (0..8).all(|at| agrees(picture[turn[at]], neighbours[at], own)))
                };
                if pictures.iter().any(fits) {
                    *entry |= own;
                }
            }
        }
        Patterns(table)
    }
}

/// The letters around the middle, in the order of a field's surroundings: N W E S NW NE SW SE.
fn outline(picture: &str) -> [u8; 8] {
    let letters: Vec<u8> = picture.bytes().filter(|&letter| letter != b'/').collect();
    [1, 3, 5, 7, 0, 2, 6, 8].map(|at| letters[at])
}

fn agrees(letter: u8, colour: Colour, own: Colour) -> bool {
    match letter {
        b'X' => colour == own,
        b'O' => colour == opponent(own),
        b'.' => colour == 0,
        b'#' => colour == 3,
        b'x' => colour != own,
        b'o' => colour != opponent(own),
        _ => true,
    }
}

/// The smallest of the eight numbers that a surrounding has when the board is turned and mirrored.
pub fn same_shape(around: u16) -> u16 {
    let turned = |turn: &[usize; 8]| (0..8).fold(0, |code, at| code | (around >> (2 * turn[at]) & 3) << (2 * at));
    TURNS.iter().map(turned).min().unwrap_or(around)
}

/// Where each neighbour comes from under the eight symmetries, in the order N W E S NW NE SW SE.
pub(crate) const TURNS: [[usize; 8]; 8] = {
    // Each step (column, row) is turned and looked up again.
    const STEPS: [(i32, i32); 8] = [(0, -1), (-1, 0), (1, 0), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)];
    let mut turns = [[0; 8]; 8];
    let mut turn = 0;
    while turn < 8 {
        let mut at = 0;
        while at < 8 {
            let (mut x, mut y) = STEPS[at];
            if turn & 1 != 0 {
                x = -x;
            }
            if turn & 2 != 0 {
                y = -y;
            }
            if turn & 4 != 0 {
                (x, y) = (y, x);
            }
            let mut from = 0;
            while STEPS[from].0 != x || STEPS[from].1 != y {
                from += 1;
            }
            turns[turn][at] = from;
            at += 1;
        }
        turn += 1;
    }
    turns
};

#[cfg(test)]
mod tests {
    use super::*;

    /// The code of a picture of stones.
    fn code(picture: &str) -> u16 {
        outline(picture).iter().enumerate().fold(0, |code, (at, letter)| {
            let colour = match letter {
                b'X' => 1,
                b'O' => 2,
                b'#' => 3,
                _ => 0,
            };
            code | colour << (2 * at)
        })
    }

    #[test]
    fn shapes_are_found_turned_and_for_both_sides() {
        let table = Patterns::get();
        for (picture, fits) in [
            ("XOX/.../...", true),
            ("..X/..O/..X", true),
            ("O.O/X.X/O.X", false),
            (".../.../...", false),
            ("XO./O../...", true),
            ("X../O../###", true),
        ] {
            assert_eq!(table.fits(code(picture), BLACK), fits, "{picture}");
            let swapped: String = picture
                .chars()
                .map(|c| match c {
                    'X' => 'O',
                    'O' => 'X',
                    c => c,
                })
                .collect();
            assert_eq!(table.fits(code(&swapped), WHITE), fits, "{swapped} for White");
        }
    }
}
