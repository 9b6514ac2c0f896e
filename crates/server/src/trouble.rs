//! Errors as a page understands them, and what the games' own words mean.

use crate::message::{Code, Trouble};
use tengen_core::Reason;
use tengen_record::database::DatabaseError;
use tengen_table::{PlayError, SetupError};

impl Trouble {
    /// Something went wrong.
    pub fn new(code: Code, text: impl Into<String>) -> Self {
        Trouble { code, text: text.into() }
    }

    /// Something went wrong that is nobody's business: the log has it, the page only hears that it happened.
    pub fn failed(what: impl std::fmt::Display) -> Self {
        tracing::error!("{what}");
        Trouble::new(Code::Failed, "the server failed; nothing has changed")
    }
}

impl From<Reason> for Code {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Unreadable => Code::BadText,
            Reason::Unknown => Code::Unknown,
            Reason::Illegal => Code::Illegal,
            Reason::Occupied => Code::Occupied,
            Reason::Ko => Code::Ko,
            Reason::Suicide => Code::Suicide,
            Reason::Over => Code::Over,
        }
    }
}

impl From<SetupError> for Trouble {
    fn from(error: SetupError) -> Self {
        Trouble::new(error.reason().into(), error.to_string())
    }
}

impl From<PlayError> for Trouble {
    /// Games refuse a move in words; a page wants to say it in its own language, by the code.
    fn from(error: PlayError) -> Self {
        let code = match &error {
            PlayError::Refused(why) => why.reason().into(),
            PlayError::Resigned => Code::Illegal,
        };
        Trouble::new(code, error.to_string())
    }
}

impl From<DatabaseError> for Trouble {
    fn from(error: DatabaseError) -> Self {
        Trouble::failed(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_record::Setup;
    use tengen_table::open;

    #[test]
    fn refused_moves_have_a_code() {
        for (game, position, mv, code) in [
            ("go5", None, "Z9", Code::BadText),
            ("go5", Some("5/5/2X2/5/5 w"), "C3", Code::Occupied),
            ("go5", Some(".X.../X..../...../...../..... w"), "A5", Code::Suicide),
            ("go5", Some("5/1XO2/XO1O1/1XO2/5 b C3 0 0 1 7.5 chinese 0"), "C3", Code::Ko),
            ("go5", Some("5/5/5/5/5 b - 2"), "A5", Code::Over),
            ("tictactoe", None, "d4", Code::BadText),
            ("tictactoe", Some("X../.../..."), "a3", Code::Occupied),
            ("connect4", Some("111111"), "1", Code::Occupied),
            ("chess", None, "e2e5", Code::Illegal),
            ("chess", None, "castle", Code::BadText),
            ("yokai34", None, "b1b4", Code::Illegal),
            ("othello", None, "a1", Code::Illegal),
        ] {
            let setup = Setup { position: position.map(str::to_owned), ..Setup::standard() };
            let mut table = open(game, &setup).expect(game);
            let trouble = Trouble::from(table.play(mv).expect_err(mv));
            assert_eq!(trouble.code, code, "{game} {mv}: {}", trouble.text);
        }
    }
}
