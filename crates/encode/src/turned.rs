//! What a symmetry of the game does to a position that has been encoded: learning turns samples with it, and needs no
//! game for that.

use crate::Shape;

/// Numbers in another order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Permutation {
    /// Where the number at each place comes from.
    sources: Box<[u32]>,
    /// Where the number at each place goes to.
    targets: Box<[u32]>,
}

impl Permutation {
    /// The permutation of this many numbers that sends the number at each place where `target` says.
    ///
    /// # Panics
    ///
    /// If two numbers go to one place, or one goes beyond the last.
    pub fn new(length: usize, target: impl Fn(usize) -> usize) -> Self {
        let targets: Box<[u32]> = (0..length).map(|place| target(place) as u32).collect();
        let mut sources = vec![u32::MAX; length].into_boxed_slice();
        for (place, &target) in (0..).zip(&targets) {
            let source = &mut sources[target as usize];
            assert_eq!(*source, u32::MAX, "{source} and {place} both go to {target}");
            *source = place;
        }
        Permutation { sources, targets }
    }

    /// How many numbers it is for.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether it is for no numbers at all.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Where the number at this place goes to.
    #[inline]
    pub fn target(&self, place: usize) -> usize {
        self.targets[place] as usize
    }

    /// Where the number at this place comes from.
    #[inline]
    pub fn source(&self, place: usize) -> usize {
        self.sources[place] as usize
    }

    /// Writes the numbers in their new order.
    #[inline]
    pub fn apply<T: Copy>(&self, from: &[T], to: &mut [T]) {
        debug_assert_eq!((from.len(), to.len()), (self.len(), self.len()));
        for (to, &source) in to.iter_mut().zip(&self.sources) {
            *to = from[source as usize];
        }
    }
}

/// What one symmetry does to planes and policies. The numbers for the whole board stay as they are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turned {
    points: Permutation,
    policy: Permutation,
}

impl Turned {
    /// Nothing changes.
    pub fn identity(shape: &Shape) -> Self {
        Turned::new(shape, |point| point, |index| index)
    }

    /// From where each point and each place of the policy go to.
    pub fn new(shape: &Shape, point: impl Fn(usize) -> usize, index: impl Fn(usize) -> usize) -> Self {
        Turned { points: Permutation::new(shape.points(), point), policy: Permutation::new(shape.policy_size(), index) }
    }

    /// From where each point and each map of the policy go to; moves without a point stay.
    pub fn of_board(shape: &Shape, point: impl Fn(usize) -> usize, map: impl Fn(usize) -> usize) -> Self {
        let points = Permutation::new(shape.points(), point);
        let on_maps = shape.policy.maps * shape.points();
        let policy = Permutation::new(shape.policy_size(), |index| {
            if index >= on_maps {
                return index;
            }
            map(index / shape.points()) * shape.points() + points.target(index % shape.points())
        });
        Turned { points, policy }
    }

    /// Where the points go.
    pub fn points(&self) -> &Permutation {
        &self.points
    }

    /// Where the places of the policy go.
    pub fn policy(&self) -> &Permutation {
        &self.policy
    }

    /// Turns any number of planes, those of an input or of what a network is to say of points.
    pub fn turn_planes<T: Copy>(&self, from: &[T], to: &mut [T]) {
        debug_assert_eq!(from.len(), to.len());
        if !self.points.is_empty() {
            let size = self.points.len();
            from.chunks_exact(size).zip(to.chunks_exact_mut(size)).for_each(|(from, to)| self.points.apply(from, to));
        }
    }

    /// Turns a policy, one number a place.
    pub fn turn_policy<T: Copy>(&self, from: &[T], to: &mut [T]) {
        self.policy.apply(from, to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Policy;

    #[test]
    fn planes_and_policies_are_turned_alike() {
        let shape = Shape { planes: 2, height: 2, width: 3, globals: 0, policy: Policy { maps: 2, extra: 1 } };
        // Left and right change places, and so do the maps.
        let mirrored = Turned::of_board(&shape, |point| point / 3 * 3 + 2 - point % 3, |map| 1 - map);
        let mut planes = [' '; 12];
        mirrored.turn_planes(&"abcdefghijkl".chars().collect::<Vec<_>>(), &mut planes);
        assert_eq!(planes.iter().collect::<String>(), "cbafedihglkj");
        let mut policy = [' '; 13];
        mirrored.turn_policy(&"abcdefghijklP".chars().collect::<Vec<_>>(), &mut policy);
        assert_eq!(policy.iter().collect::<String>(), "ihglkjcbafedP");
        assert_eq!((mirrored.policy().target(0), mirrored.policy().source(8), mirrored.points().target(3)), (8, 0, 5));
        assert_eq!(mirrored.policy().target(12), 12);
    }

    #[test]
    #[should_panic(expected = "both go to 1")]
    fn two_numbers_in_one_place_are_no_permutation() {
        Permutation::new(3, |_| 1);
    }
}
