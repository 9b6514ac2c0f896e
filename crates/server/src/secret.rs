//! Ids and keys that nobody guesses, and dice that nobody foresees.

use tengen_core::Rng;

const LETTERS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// So many random letters and digits, six bits each but for a crumb.
fn random_text(length: usize) -> String {
    let mut text = String::with_capacity(length);
    while text.len() < length {
        let mut bytes = [0; 32];
        // Without randomness from the system there are no secrets, and so no server.
        getrandom::fill(&mut bytes).expect("the system has randomness");
        // Values beyond the last full round would make some letters likelier.
        let even = bytes.iter().filter(|&&byte| byte < 248).map(|&byte| char::from(LETTERS[usize::from(byte) % 62]));
        text.extend(even.take(length - text.len()));
    }
    text
}

/// An id for a table: 71 bits.
pub fn id() -> String {
    random_text(12)
}

/// A key for a seat: 131 bits.
pub fn key() -> String {
    random_text(22)
}

/// Whether a text could be an id.
pub fn is_well_formed(id: &str) -> bool {
    id.len() == 12 && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Dice that nobody foresees.
pub fn rng() -> Rng {
    let mut seed = [0; 8];
    getrandom::fill(&mut seed).expect("the system has randomness");
    Rng::with_seed(u64::from_le_bytes(seed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_well_formed_and_differ() {
        let ids: std::collections::HashSet<String> = (0..1000).map(|_| id()).collect();
        assert_eq!(ids.len(), 1000);
        assert!(ids.iter().all(|id| is_well_formed(id)));
        assert!(!is_well_formed("../../passwd") && !is_well_formed(&key()));
    }
}
