//! How much memory there is: a table for which there is none would end the program, or another one.

/// Refuses a table of so many megabytes if fewer are free. Where the system does not tell, everything goes.
pub fn check(megabytes: usize) -> Result<(), String> {
    match free() {
        Some(free) if megabytes > free => Err(format!("there is no room for {megabytes} megabytes: {free} are free")),
        _ => Ok(()),
    }
}

/// Megabytes that a program could still have, as Linux tells it.
fn free() -> Option<usize> {
    let told = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = told.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: usize = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_there_is_is_refused() {
        assert_eq!(check(1), Ok(()));
        if free().is_some() {
            assert!(check(1 << 30).is_err_and(|error| error.contains("no room for 1073741824 megabytes")));
        }
    }
}
