//! The network that looks at the more important nodes of a search.
//!
//! It knows far more about moves than the weights of [`weights`](crate::weights), and takes as long as several simulations: a node is shown to it
//! when it has been visited often enough, and from then on its shares take the place of theirs. It was learnt from the same
//! teacher (docs/go.md).

use crate::field::{BLACK, Cell, Field};
use crate::planes::{PLANES, fill};
use std::sync::LazyLock;
use tengen_net::{Board, Network, Opinion, Scratch};

/// How many channels it thinks in.
const CHANNELS: usize = 48;

static NETWORK: LazyLock<Network<PLANES, CHANNELS>> = LazyLock::new(|| {
    let read = Network::read(include_bytes!("../../../nets/go.safetensors"));
    // The file comes with the program, and a test reads it.
    read.expect("the network of the program")
});

/// What the network says about a node.
pub struct Advice {
    /// How likely a strong player is to make each of its moves.
    pub shares: Box<[f32]>,
    /// Black's lead on the board, in points.
    pub lead: f32,
}

/// Somebody who shows positions to the network, with the memory that this needs.
#[derive(Default)]
pub struct Adviser(Scratch<PLANES, CHANNELS>);

impl Adviser {
    /// What the network thinks of a position.
    pub fn opinion<const CELLS: usize, const WORDS: usize>(&mut self, field: &Field<CELLS, WORDS>) -> Opinion {
        let board = Board::new(field.size());
        fill(field, board, self.0.planes(board));
        NETWORK.judge(board, &mut self.0)
    }

    /// What the network says about a position and some of its moves; 0 is a pass.
    pub fn advice<const CELLS: usize, const WORDS: usize>(
        &mut self,
        field: &Field<CELLS, WORDS>,
        cells: &[u16],
    ) -> Advice {
        let opinion = self.opinion(field);
        let logit = |&cell: &u16| match cell {
            0 => opinion.pass,
            cell => {
                let (column, row) = Field::<CELLS, WORDS>::coordinates(Cell::from(cell));
                opinion.moves[row * field.size() + column]
            }
        };
        let mut shares: Box<[f32]> = cells.iter().map(logit).collect();
        let most = shares.iter().copied().fold(f32::MIN, f32::max);
        shares.iter_mut().for_each(|share| *share = (*share - most).exp());
        let total: f32 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= total);
        Advice { shares, lead: if field.to_move() == BLACK { opinion.lead } else { -opinion.lead } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_move_is_in_a_corner_and_shares_are_of_a_whole() {
        let field = Field::<421, 7>::new(19, false);
        let cells: Vec<u16> = field.empty_points().iter().copied().chain([0]).collect();
        let shares = Adviser::default().advice(&field, &cells).shares;
        assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)));
        let (best, _) = cells.iter().zip(&shares).max_by(|a, b| a.1.total_cmp(b.1)).unwrap();
        let (column, row) = Field::<421, 7>::coordinates((*best).into());
        let from_edge = |at: usize| at.min(18 - at) + 1;
        assert!([3, 4].contains(&from_edge(column)) && [3, 4].contains(&from_edge(row)), "{column} {row}");
        assert!(shares[cells.len() - 1] < 0.01, "nobody passes");
    }

    #[test]
    fn a_board_of_any_size_can_be_asked_about() {
        let mut adviser = Adviser::default();
        let small = Field::<111, 2>::new(5, false);
        let large = Field::<703, 11>::new(25, false);
        for opinion in [adviser.opinion(&large), adviser.opinion(&small), adviser.opinion(&large)] {
            let numbers = opinion.moves.iter().chain(&opinion.owners).chain([&opinion.pass, &opinion.lead]);
            assert!(numbers.into_iter().all(|number| number.is_finite()));
        }
    }
}
