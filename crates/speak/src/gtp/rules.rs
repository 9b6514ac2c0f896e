//! Rule sets by the names that other programs give them.

use super::command::Refusal;
use tengen_games::go::{Rules, Scoring};

/// The rules of a name, or of a list of choices as KataGo writes it: `{"ko":"POSITIONAL","score":"AREA",…}`.
pub(super) fn read(text: &str) -> Result<Rules, Refusal> {
    let plain = text.trim().to_ascii_lowercase();
    if plain.starts_with('{') {
        let says = |words: &str| plain.split_whitespace().collect::<String>().contains(words);
        return Ok(if says("\"territory\"") {
            Rules::Japanese
        } else if says("\"suicide\":true") || says("\"multistonesuicidelegal\":true") {
            Rules::TrompTaylor
        } else if says("\"situational\"") {
            Rules::Aga
        } else {
            Rules::Chinese
        });
    }
    match plain.replace('_', "-").as_str() {
        "chinese" | "chinese-ogs" | "chinese-kgs" | "stone-scoring" | "bga" | "cgos" | "area" => Ok(Rules::Chinese),
        "japanese" | "korean" | "territory" => Ok(Rules::Japanese),
        "aga" | "aga-button" => Ok(Rules::Aga),
        "french" => Ok(Rules::French),
        "tromp-taylor" | "new-zealand" | "new zealand" | "goe" | "logical" => Ok(Rules::TrompTaylor),
        other => other.parse().map_err(|error: tengen_core::TextError| format!("unknown rules: {error}")),
    }
}

/// The rules as KataGo would write them.
pub(super) fn describe(rules: Rules) -> String {
    let ko = match rules {
        Rules::Japanese => "SIMPLE",
        _ if rules.repetition_has_sides() => "SITUATIONAL",
        _ => "POSITIONAL",
    };
    let score = match rules.scoring() {
        Scoring::Area => "AREA",
        Scoring::Territory => "TERRITORY",
    };
    let bonus = match rules.compensation(3) {
        3 => "N",
        2 => "N-1",
        _ => "0",
    };
    format!(
        r#"{{"friendlyPassOk":true,"hasButton":false,"ko":"{ko}","score":"{score}","suicide":{},"tax":"NONE","whiteHandicapBonus":"{bonus}"}}"#,
        rules.allows_suicide()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_descriptions() {
        for rules in Rules::ALL {
            assert_eq!(read(rules.name()), Ok(rules));
        }
        for rules in [Rules::Chinese, Rules::Japanese, Rules::Aga, Rules::TrompTaylor] {
            assert_eq!(read(&describe(rules)), Ok(rules));
        }
        assert_eq!(read("New_Zealand"), Ok(Rules::TrompTaylor));
        assert!(read("chess").is_err());
    }
}
