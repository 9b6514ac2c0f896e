//! What files need to know about chess: SAN and UCI are two names of a move, and only the rules can translate.
//!
//! The rules are `shakmaty`'s, for chess and all variants; moves inside Tengen are UCI, castling in Chess960 being the king taking his rook.

use crate::{FileError, Setup};
use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::uci::UciMove;
use shakmaty::variant::{Variant, VariantPosition};
use shakmaty::{CastlingMode, EnPassantMode, Move, Position, PositionError, PositionErrorKinds, Square};
use tengen_core::refuse;

/// The games, each with the name of its variant in a file.
const GAMES: &[(&str, &str, Variant)] = &[
    ("chess", "Standard", Variant::Chess),
    ("chess960", "Chess960", Variant::Chess),
    ("crazyhouse", "Crazyhouse", Variant::Crazyhouse),
    ("threecheck", "Three-check", Variant::ThreeCheck),
    ("koth", "King of the Hill", Variant::KingOfTheHill),
    ("atomic", "Atomic", Variant::Atomic),
    ("racingkings", "Racing Kings", Variant::RacingKings),
    ("antichess", "Antichess", Variant::Antichess),
    ("horde", "Horde", Variant::Horde),
];

/// A way to play chess.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rules {
    /// The id of the game.
    pub game: &'static str,
    /// What a file's tag `Variant` says.
    pub name: &'static str,
    variant: Variant,
}

impl Rules {
    /// Chess as everybody plays it.
    pub const CHESS: Rules = Rules { game: "chess", name: "Standard", variant: Variant::Chess };

    /// The rules that a FEN alone tells: hands are of crazyhouse, checks of three-check, and castling from other squares than usual is
    /// Chess960.
    pub fn of_fen(fen: &str) -> Rules {
        let Ok(fen) = Fen::from_ascii(fen.trim().as_bytes()) else { return Rules::CHESS };
        let setup = fen.into_setup();
        let is_invalid = |mode| {
            let position = VariantPosition::from_setup(Variant::Chess, setup.clone(), mode);
            position.is_err_and(|error| error.kinds().contains(PositionErrorKinds::INVALID_CASTLING_RIGHTS))
        };
        let game = if setup.pockets.is_some() {
            "crazyhouse"
        } else if setup.remaining_checks.is_some() {
            "threecheck"
        } else if is_invalid(CastlingMode::Standard) && !is_invalid(CastlingMode::Chess960) {
            "chess960"
        } else {
            "chess"
        };
        Rules::of_game(game).unwrap_or(Rules::CHESS)
    }

    /// The rules of a game by its id.
    pub fn of_game(game: &str) -> Option<Rules> {
        GAMES.iter().find(|(id, ..)| *id == game).map(|&(game, name, variant)| Rules { game, name, variant })
    }

    /// The rules by the name of a variant, as the many programs have it.
    pub fn of_variant(name: &str) -> Option<Rules> {
        let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
        let game = match plain.as_str() {
            "" | "standard" | "chess" | "normal" | "fromposition" | "classical" => "chess",
            "chess960" | "fischerandom" | "fischerrandom" | "fischerandomchess" | "frc" | "freestyle" | "960"
            | "wildfr" => "chess960",
            "crazyhouse" | "zh" => "crazyhouse",
            "threecheck" | "3check" | "3checks" => "threecheck",
            "kingofthehill" | "koth" | "hill" => "koth",
            "atomic" | "atomicchess" => "atomic",
            "racingkings" | "racing" => "racingkings",
            "antichess" | "giveaway" | "losers" => "antichess",
            "horde" => "horde",
            _ => return None,
        };
        Rules::of_game(game)
    }

    fn castling(self) -> CastlingMode {
        if self.game == "chess960" { CastlingMode::Chess960 } else { CastlingMode::Standard }
    }

    /// The position of a FEN; castling rights and en passant squares that the board does not bear out are dropped.
    pub fn position(self, fen: &str) -> Result<Chessboard, FileError> {
        let wrong = |why: String| FileError::new(format!("{} is no position of {}: {why}", refuse(fen), self.game));
        let setup = Fen::from_ascii(fen.trim().as_bytes()).map_err(|error| wrong(error.to_string()))?.into_setup();
        let position = VariantPosition::from_setup(self.variant, setup, self.castling())
            .or_else(PositionError::ignore_invalid_castling_rights)
            .or_else(PositionError::ignore_invalid_ep_square)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .map_err(|error| wrong(error.to_string()))?;
        Ok(Chessboard { rules: self, position })
    }

    /// The start position.
    pub fn start(self) -> Chessboard {
        Chessboard { rules: self, position: VariantPosition::new(self.variant) }
    }

    /// The position that a game begins with.
    pub fn begin(self, setup: &Setup) -> Result<Chessboard, FileError> {
        match (&setup.position, setup.seed) {
            (Some(fen), _) => self.position(fen),
            (None, Some(_)) if self.game == "chess960" => {
                Err(FileError::new("the record has a seed instead of its start position: write the position into it"))
            }
            (None, _) => Ok(self.start()),
        }
    }
}

/// A position of chess or a variant, along which the moves of a file are read and written.
#[derive(Clone, Debug)]
pub(crate) struct Chessboard {
    rules: Rules,
    position: VariantPosition,
}

impl Chessboard {
    /// The game it belongs to.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// FEN.
    pub fn fen(&self) -> String {
        Fen::from_position(&self.position, EnPassantMode::Legal).to_string()
    }

    /// The set-up of a game that begins here: nothing special at the usual start.
    pub fn setup(&self) -> Setup {
        let fen = self.fen();
        if fen == self.rules.start().fen() { Setup::standard() } else { Setup::at(fen) }
    }

    /// Whether White is to move.
    pub fn is_white(&self) -> bool {
        self.position.turn().is_white()
    }

    /// The number of the move.
    pub fn number(&self) -> u32 {
        self.position.fullmoves().get()
    }

    /// The legal move of a SAN, if there is exactly one. Where both squares are named, `x` may be missing.
    pub fn san(&self, san: San) -> Option<Move> {
        let by_squares = || match san {
            San::Normal { file: Some(file), rank: Some(rank), to, promotion, .. } => {
                let from = Square::from_coords(file, rank);
                UciMove::Normal { from, to, promotion }.to_move(&self.position).ok()
            }
            _ => None,
        };
        san.to_move(&self.position).ok().or_else(by_squares).filter(|_| self.is_open())
    }

    /// The legal move that a text names, in UCI with castling written either way, or in SAN.
    pub fn named(&self, text: &str) -> Option<Move> {
        let bare = text.trim().trim_end_matches(['+', '#', '!', '?']);
        match bare.parse::<UciMove>() {
            Ok(uci) => uci.to_move(&self.position).ok().filter(|_| self.is_open()),
            Err(_) => self.san(San::from_ascii(bare.replace('0', "O").as_bytes()).ok()?),
        }
    }

    /// Whether the game goes on by the variant's own rules.
    fn is_open(&self) -> bool {
        !self.position.is_variant_end()
    }

    /// UCI.
    pub fn uci(&self, mv: Move) -> String {
        UciMove::from_move(mv, self.rules.castling()).to_string()
    }

    /// SAN with its mark of check or mate; then the move is played.
    pub fn write_and_play(&mut self, mv: Move) -> String {
        let mut text = San::from_move(&self.position, mv).to_string();
        self.play(mv);
        // Whether somebody is mated is asked in check only: then there are few moves, whatever is in hand.
        if self.position.is_variant_end() && self.position.variant_outcome().winner().is_some() {
            text.push('#');
        } else if self.position.is_check() {
            text.push(if self.position.legal_moves().is_empty() { '#' } else { '+' });
        }
        text
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.position.play_unchecked(mv);
    }
}
