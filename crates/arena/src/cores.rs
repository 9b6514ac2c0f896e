//! Cores that a game has to itself: who is moved about by the system finds its caches cold, and others in its place.

/// Keeps this thread, and whatever it starts from now on, on the cores of the game with this place. There are `each` for every game, counted off
/// from those this program may use. Says whether that is so now.
#[cfg(target_os = "linux")]
pub(crate) fn stay(place: usize, each: usize) -> bool {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let Ok(allowed) = sched_getaffinity(None) else { return false };
    let allowed = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core));
    let mut mine = CpuSet::new();
    allowed.skip(place * each).take(each).for_each(|core| mine.set(core));
    mine.count() as usize == each && sched_setaffinity(None, &mine).is_ok()
}

/// Other systems have no such wish, or another one.
#[cfg(not(target_os = "linux"))]
pub(crate) fn stay(_place: usize, _each: usize) -> bool {
    false
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use rustix::thread::sched_getaffinity;

    #[test]
    fn games_have_different_cores() {
        let before = sched_getaffinity(None).expect("the system knows");
        let place = |place| {
            let stays = move || stay(place, 1).then(|| sched_getaffinity(None).expect("the system knows"));
            std::thread::spawn(stays).join().expect("no panic")
        };
        let first = place(0).expect("there is a core");
        assert_eq!(first.count(), 1);
        assert_eq!(place(0), Some(first), "the same place has the same core");
        assert_ne!(place(1), Some(first));
        assert_eq!(place(before.count() as usize), None, "there are no more");
        assert_eq!(sched_getaffinity(None).expect("the system knows"), before, "others are not concerned");
    }
}
