//! Gives back to the system what the program does not use any more.
//!
//! The C library keeps freed memory for later, the more of it the larger the blocks are that come and go, and in every thread's own part of the heap:
//! after a rush the process would keep most of what it had at its largest. So large blocks are always taken from the system and given back to it
//! at once, and what lies between smaller ones is asked back now and then, which takes some milliseconds.

use std::time::Duration;

/// How often it is looked at.
const PACE: Duration = Duration::from_secs(5);
/// Less than this is not worth the asking.
const WORTH: usize = 8 << 20;

/// Gives memory back as long as it is awaited, while there is more than there was at the least.
pub async fn give_back() {
    let mut least = resident().unwrap_or(0);
    loop {
        tokio::time::sleep(PACE).await;
        let resident = resident().unwrap_or(0);
        least = least.min(resident);
        if resident > least.saturating_add(WORTH) {
            // It walks through the whole heap: nothing for a thread that answers people.
            let _ = tokio::task::spawn_blocking(trim).await;
        }
    }
}

/// Bytes of memory that the process has, where the system says so.
fn resident() -> Option<usize> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(pages.split(' ').nth(1)?.parse::<usize>().ok()? * 4096)
}

/// Lets the C library keep less; to be called before there are many threads.
pub fn keep_little() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it may be called at any time from any thread, and concerns blocks that are not there yet. Where it is refused, all is as it was.
    unsafe {
        // That the size is set also ends its growing, and that of what a thread keeps.
        libc::mallopt(libc::M_MMAP_THRESHOLD, 1 << 20);
        // Two heaps for all threads: with one each, a rush of large imports left 24 MB behind instead of 5.
        libc::mallopt(libc::M_ARENA_MAX, 2);
    }
}

fn trim() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it may be called at any time from any thread, and changes nothing that is in use.
    unsafe {
        libc::malloc_trim(0);
    }
}
