//! What can be set about the engine, in one table.
//!
//! Every idea has a switch, a rate or a weight of its own, so that a match can say what it is worth. Bonuses are counted in
//! simulations: a bonus of 5 says "as if five simulations through this move had been won", a penalty "lost".

use tengen_search::{choices, params};

choices! {
    /// How the tree chooses between moves.
    pub enum Bandit {
        /// Mean, and the means of all simulations in which the move came later.
        Rave = "rave",
        /// Mean plus `c · sqrt(ln N / n)`.
        Ucb1 = "ucb1",
        /// The bonus by the variance of the results.
        Tuned = "tuned",
        /// The same with the variance's own uncertainty.
        Tuned2 = "tuned2",
    }
}

params! {
    /// How the Go engine plays.
    pub struct GoParams {
        playouts: u64 = 0, 0..=1_000_000_000, "simulations a move; 0 takes as many as the time allows, or 10 000 without one";
        ms: u64 = 0, 0..=86_400_000, "milliseconds a move; 0 sets no limit";
        threads: usize = 1, 1..=256, "threads on one tree";
        seed: u64 = 1, 0..=u64::MAX, "random seed: with one thread the same seed plays the same game";
        memory: usize = 1024, 1..=1_048_576, "megabytes of tree";
        early: bool = true, (), "whether a choice that cannot change any more is played before the time for the move is up";
        sure: f32 = 0.95, 0.5..=1.0, "with `early`: share of won simulations from which on a quarter of the time is enough; 1 never";
        reuse: bool = true, (), "whether the tree is kept from move to move";
        resign: f32 = 0.0, 0.0..=0.5, "share of won simulations below which, three moves in a row, the engine resigns; 0 never";

        bandit: Bandit = Bandit::Rave, (), "how the tree chooses";
        exploration: f32 = 0.0, 0.0..=10.0, "weight of the unknown";
        equivalence: f32 = 3000.0, 0.0..=1_000_000.0, "simulations after which rave counts as much as the move itself; 0 switches it off";
        expand: u32 = 2, 1..=1_000_000, "visits after which a leaf gets children";
        widening: f32 = 0.0, 0.0..=1000.0, "progressive widening: moves considered at the first visit; 0 takes all";
        widening_power: f32 = 0.5, 0.0..=1.0, "how fast that number grows with the visits";
        virtual_loss: u32 = 1, 0..=100, "losses counted for a simulation that is under way";
        score_weight: f32 = 0.02, 0.0..=0.5, "share of a simulation's value that its margin decides";
        reserve: f32 = 0.5, 0.0..=1.0, "large boards: share of its lead that the engine does without, so that it goes on playing for points";
        dynamic_komi: bool = true, (), "whether komi is shifted while a handicap still lies ahead";

        save_rate: u32 = 100, 0..=100, "playouts: save from atari, per cent";
        local_capture: bool = true, (), "playouts: saving includes taking the last stone when it is in atari";
        two_rate: u32 = 100, 0..=100, "playouts: chains with two liberties beside the last move, per cent";
        nakade_rate: u32 = 100, 0..=100, "playouts: vital points of holes, per cent";
        nakade_size: usize = 3, 3..=6, "playouts: the largest hole whose vital point is known";
        fill_tries: u32 = 5, 0..=100, "playouts: tries for a point with nothing around it";
        fill_from: usize = 19, 2..=25, "playouts: the smallest board on which that is tried";
        pattern_rate: u32 = 100, 0..=100, "playouts: 3x3 shapes around the last move, per cent";
        pattern_second: bool = false, (), "playouts: shapes around the move before it as well";
        learnt_rate: u32 = 0, 0..=100, "playouts: learnt shapes around the last move instead, per cent";
        elsewhere: f32 = 0.1, 0.0..=1000.0, "playouts: what an empty point elsewhere weighs against them";
        learnt_tries: u32 = 0, 0..=100, "playouts: draws of random moves by learnt weights; 0 takes all alike";
        learnt_cap: f32 = 2.0, 0.01..=1000.0, "playouts: the weight from which on such a draw always counts";
        capture_rate: u32 = 100, 0..=100, "playouts: captures anywhere, per cent";
        approach_rate: u32 = 50, 0..=100, "playouts: approach moves instead of self-atari, per cent";
        self_atari: u32 = 5, 0..=100, "playouts: stones from which on self-atari is never played";
        self_atari_bandit: bool = false, (), "playouts: that number learnt for every node and side";
        diversity: usize = 8, 0..=256, "one thread in so many leaves out the first rules of playouts; 0 none";
        mercy: f32 = 0.4, 0.0..=1.0, "playouts end when one side is so many stones ahead, as a share of the board; 0 never";

        policy: f32 = 0.25, 0.0..=100.0, "weight of the learnt policy in the choice of moves";
        policy_opening: f32 = 4.0, 0.0..=100.0, "how many times that weight it has in the opening on large boards, where simulations say little";
        policy_bonus: f32 = 0.0, 0.0..=1000.0, "bonus of a move that the learnt policy is sure of";
        policy_temperature: f32 = 1.0, 0.1..=10.0, "above 1 the learnt policy is taken as less sure";

        net: f32 = 3.0, 0.0..=100.0, "weight of the network in the choice of moves, in place of the policy's; 0 never asks it";
        net_visits: u32 = 4, 1..=1_000_000, "visits after which a node is shown to the network";
        net_value: u32 = 16, 0..=10_000, "simulations that the lead the network sees in a node counts as on the empty board, fewer as it fills; 0 leaves it out";
        net_scale: f32 = 6.0, 0.1..=1000.0, "points that make one side the likely winner in its opinion";
        net_from: usize = 14, 2..=25, "the smallest board on which that is done";

        prior_even: f32 = 10.0, 0.0..=1000.0, "simulations with an even result that every move starts with";
        prior_amaf: bool = false, (), "whether bonuses go to the rave statistics instead of the move's own";
        prior_capture: f32 = 30.0, 0.0..=1000.0, "bonus for taking several stones or saving some by it";
        prior_capture_one: f32 = 15.0, 0.0..=1000.0, "bonus for taking one stone";
        prior_save: f32 = 20.0, 0.0..=1000.0, "bonus for saving stones from atari";
        prior_ladder: f32 = 20.0, 0.0..=1000.0, "penalty for running from a ladder that works, bonus for starting one";
        prior_self_atari: f32 = 20.0, 0.0..=1000.0, "penalty for self-atari";
        prior_atari: f32 = 5.0, 0.0..=1000.0, "bonus for atari";
        prior_pattern: f32 = 10.0, 0.0..=1000.0, "bonus for the 3x3 shapes of the playouts";
        prior_distance: f32 = 20.0, 0.0..=1000.0, "bonus for playing beside the last move, less farther away";
        prior_distance_second: f32 = 8.0, 0.0..=1000.0, "the same for the move before it";
        prior_line: f32 = 6.67, 0.0..=1000.0, "bonus for the third line and penalty for the first, where nothing is near";
        shape_peep: f32 = 5.0, 0.0..=1000.0, "bonus for connecting where the last move peeps";
        shape_hane: f32 = 5.0, 0.0..=1000.0, "bonus for bending around a single stone";
        shape_connect: f32 = 5.0, 0.0..=1000.0, "bonus for joining two chains beside an opponent";
        shape_wall: f32 = 3.33, 0.0..=1000.0, "bonus for stretching along an opponent's wall";
        shape_cross_cut: f32 = 2.0, 0.0..=1000.0, "bonus for cutting crosswise";
        shape_kogeima: f32 = 1.0, 0.0..=1000.0, "bonus for a knight's move from an own stone";
        shape_kosumi: f32 = 1.0, 0.0..=1000.0, "bonus for a diagonal move from an own stone";
        shape_tobi: f32 = 1.0, 0.0..=1000.0, "bonus for a one-point jump";
        shape_kata: f32 = 1.0, 0.0..=1000.0, "bonus for a shoulder hit";
        shape_bad_kogeima: f32 = 2.5, 0.0..=1000.0, "penalty for a knight's move that is cut already";
        shape_bad_tobi: f32 = 2.5, 0.0..=1000.0, "penalty for a jump over an opponent";
        shape_empty_triangle: f32 = 5.0, 0.0..=1000.0, "penalty for an empty triangle";
        shape_full_triangle: f32 = 1.0, 0.0..=1000.0, "penalty for a triangle with an opponent in its corner";
        prior_far: f32 = 10.0, 0.0..=1000.0, "bonus for points with nothing around them, from the third line on";
        prior_opening: f32 = 40.0, 0.0..=1000.0, "large boards: bonus for empty corners, less for approaches and open sides";
        prior_pass: f32 = 20.0, 0.0..=1000.0, "penalty for passing";
    }
}

impl GoParams {
    /// Whether the learnt policy is asked at all.
    pub fn uses_policy(&self) -> bool {
        self.policy > 0.0 || self.policy_bonus > 0.0
    }
}
