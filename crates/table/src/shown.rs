//! What a network is shown of a game, with the type of the game erased: for learning, which knows shapes and symmetries only, and for
//! whoever makes samples of positions at a [`Table`](crate::Table).

use crate::SetupError;
use crate::game::Game;
use crate::registry::{Visitor, with_game};
use crate::table::Seat;
use std::sync::Arc;
use tengen_core::{Side, Turn};
use tengen_encode::{Encoded, Encoder, Shape, Turned};
use tengen_record::Setup;
use tengen_record::samples::SetHeader;
use tengen_search::params::unknown;

/// One way to show the positions of one game on its board.
pub trait Shown: Send + Sync {
    /// The id of the game.
    fn game(&self) -> &str;

    /// The encoder's name in files.
    fn id(&self) -> &'static str;

    /// How much is shown, and how long the policy is.
    fn shape(&self) -> Shape;

    /// What each symmetry of the game does to what is shown and to a policy. The first changes nothing.
    fn turned(&self) -> Vec<Turned>;

    /// What a set of such samples says of itself.
    fn header(&self) -> SetHeader {
        let shape = self.shape();
        SetHeader {
            game: self.game().to_owned(),
            encoder: self.id().to_owned(),
            planes: shape.planes,
            height: shape.height,
            width: shape.width,
            globals: shape.globals,
            policy: shape.policy_size(),
        }
    }
}

/// All ways to show a game, the default first; empty if there is none yet.
pub fn encoders(game: &str) -> Result<Vec<Arc<dyn Shown>>, SetupError> {
    struct All<'a>(&'a str);
    impl Visitor for All<'_> {
        type Out = Vec<Arc<dyn Shown>>;
        fn visit<P: Game>(self, start: P) -> Self::Out {
            let shown = |encoder| -> Arc<dyn Shown> {
                Arc::new(OnBoard { game: self.0.to_owned(), start: start.clone(), encoder })
            };
            P::encoders().into_iter().map(shown).collect()
        }
    }
    with_game(game, &Setup::standard(), All(game))
}

/// One way to show a game: the one of that name, or the default.
pub fn encoder(game: &str, name: Option<&str>) -> Result<Arc<dyn Shown>, SetupError> {
    let all = encoders(game)?;
    let found = match name {
        None => all.first(),
        Some(name) => all.iter().find(|shown| shown.id() == name),
    };
    found.cloned().ok_or_else(|| match name {
        Some(name) if !all.is_empty() => {
            SetupError::unknown(unknown("encoder", name, all.iter().map(|shown| shown.id())))
        }
        _ => SetupError::new(format!("no network can be shown {game} yet: there is no encoder for it")),
    })
}

struct OnBoard<P: Game> {
    game: String,
    start: P,
    encoder: Arc<dyn Encoder<P>>,
}

impl<P: Game> Shown for OnBoard<P> {
    fn game(&self) -> &str {
        &self.game
    }

    fn id(&self) -> &'static str {
        self.encoder.id().as_str()
    }

    fn shape(&self) -> Shape {
        self.encoder.shape(&self.start)
    }

    fn turned(&self) -> Vec<Turned> {
        (0..P::SYMMETRIES).map(|which| self.encoder.turned(&self.start, which)).collect()
    }
}

/// A position as an encoder shows it to the side that decides.
#[derive(Clone, PartialEq, Debug)]
pub struct Sight {
    /// The side that decides.
    pub side: Side,
    /// What it sees.
    pub encoded: Encoded,
    /// Every legal move with its place in the policy.
    pub moves: Vec<(String, u16)>,
}

impl Sight {
    /// The place of a move in the policy, if it is legal.
    pub fn place(&self, mv: &str) -> Option<u16> {
        self.moves.iter().find(|(text, _)| text == mv).map(|&(_, place)| place)
    }
}

/// What a table shows to a network.
pub trait Show {
    /// The position as the encoder of that name shows it; `None` if the game has no such encoder, or there is nothing to decide.
    fn show(&self, encoder: &str) -> Option<Sight>;
}

impl<P: Game> Show for Seat<P> {
    fn show(&self, encoder: &str) -> Option<Sight> {
        let encoder = P::encoders().into_iter().find(|known| known.id().as_str() == encoder)?;
        let mut moves = Vec::new();
        let Turn::Decision(side) = self.line.turn(&mut moves) else {
            return None;
        };
        let position = self.line.position();
        let place = |mv| u16::try_from(encoder.index(position, mv)).ok().map(|place| (position.write_move(mv), place));
        // No policy is longer than sixteen bits count: samples rely on it, and a test asks every encoder.
        let moves = moves.into_iter().map(place).collect::<Option<_>>()?;
        Some(Sight { side, encoded: Encoded::of(&*encoder, &self.line), moves })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::GAMES;
    use crate::{Table, open};
    use tengen_core::Rng;

    #[test]
    fn every_game_says_what_it_shows() {
        for game in GAMES {
            let all = encoders(game.id).expect("a game of the list");
            assert!(!all.is_empty(), "{} has no encoder", game.id);
            for shown in &all {
                let header = shown.header();
                assert_eq!((header.game.as_str(), header.encoder.as_str()), (game.id, shown.id()));
                assert!(header.policy <= 1 << 16, "{}: {header:?}", shown.id());
                let turned = shown.turned();
                assert_eq!(turned[0], Turned::identity(&shown.shape()), "{}", shown.id());
                assert!(turned.iter().all(|turned| turned.policy().len() == header.policy));
                assert_eq!(all.iter().filter(|other| other.id() == shown.id()).count(), 1, "one name, one encoder");
            }
        }
    }

    /// A random game of every game: all positions are shown, and every legal move has a place of its own.
    #[test]
    fn tables_show_their_positions() {
        for game in GAMES {
            let shown = encoder(game.id, None).expect("it has one");
            let mut table: Box<dyn Table> = open(game.id, &Setup::standard()).expect("it opens");
            let mut rng = Rng::with_seed(4);
            for _ in 0..40 {
                let Some(sight) = table.show(shown.id()) else {
                    if table.roll(&mut rng).is_some() {
                        continue;
                    }
                    break;
                };
                let view = table.view();
                assert_eq!(sight.side, view.to_move);
                assert!(sight.moves.iter().map(|(text, _)| text).eq(&view.legal), "{}", game.id);
                let mut places: Vec<u16> = sight.moves.iter().map(|&(_, place)| place).collect();
                places.sort_unstable();
                places.dedup();
                assert_eq!(places.len(), sight.moves.len(), "{}", game.id);
                assert!(places.iter().all(|&place| usize::from(place) < shown.header().policy));
                assert_eq!(sight.encoded.planes.len(), shown.header().plane_numbers());
                let (text, place) = &sight.moves[rng.usize(..sight.moves.len())];
                assert_eq!(sight.place(text), Some(*place));
                table.play(text).expect("it is legal");
            }
            assert_eq!(table.show("no such encoder"), None);
        }
    }

    #[test]
    fn encoders_are_asked_for_by_name() {
        assert_eq!(encoder("go13", None).expect("the default").header().width, 13);
        assert_eq!(encoder("go9", Some("go-v7")).map(|shown| shown.shape().planes), Ok(22));
        let complaint = encoder("othello", Some("othelo-1")).err().expect("a slip").to_string();
        assert!(complaint.contains("othello-1"), "{complaint}");
        assert!(encoder("ludo", None).is_err());
    }
}
