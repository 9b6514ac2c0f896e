//! The figures of the search, declared once: with the feature `tune` each is a UCI option.

tengen_search::params! {
    /// How the search prunes, reduces and extends. Scores in centipawns, reductions in plies unless the name says otherwise.
    pub struct SearchParams {
        aspiration: i32 = 12, 4..=100, "half width of the first window around the last score";
        razor_depth: i32 = 3, 0..=8, "greatest depth at which hopeless positions drop into quiescence";
        razor_margin: i32 = 280, 50..=800, "how far below alpha is hopeless, a ply";
        futile_depth: i32 = 9, 0..=16, "greatest depth at which a position far above beta is taken as it is";
        futile_margin: i32 = 72, 20..=200, "how far above beta is far, a ply";
        lopsided: i32 = 800, 300..=5000, "beyond this score the question is mate, and futility is no answer to it";
        null_depth: i32 = 3, 1..=8, "least depth for passing";
        null_base: i32 = 4, 1..=8, "reduction when passing";
        null_slope: i32 = 4, 2..=10, "one ply more of it for so many plies of depth";
        null_margin: i32 = 190, 50..=600, "one ply more of it for so many centipawns above beta";
        null_verify: i32 = 12, 4..=30, "from this depth on a cut by passing is verified";
        probcut_depth: i32 = 5, 3..=12, "least depth for trying captures against a raised beta";
        probcut_margin: i32 = 170, 50..=500, "by how much it is raised";
        internal_depth: i32 = 4, 2..=12, "from this depth on a node without a table move is searched a ply less";
        late_depth: i32 = 8, 0..=16, "greatest depth at which late quiet moves are left out";
        late_base: i32 = 4, 1..=16, "how many quiet moves are looked at, plus depth squared";
        quiet_depth: i32 = 9, 0..=16, "greatest reduced depth at which quiet moves in bad positions are left out";
        quiet_margin: i32 = 95, 20..=400, "how bad is bad";
        quiet_slope: i32 = 72, 20..=300, "and how much more a ply";
        history_depth: i32 = 4, 0..=12, "greatest reduced depth at which quiet moves with a bad record are left out";
        history_margin: i32 = 4500, 500..=20_000, "how bad a record, a ply";
        exchange_depth: i32 = 9, 0..=16, "greatest depth at which moves that lose material are left out";
        exchange_quiet: i32 = 22, 5..=150, "how much a quiet move may lose, times depth squared";
        exchange_noisy: i32 = 95, 20..=300, "how much a capture may lose, a ply";
        singular_depth: i32 = 7, 4..=16, "least depth for testing whether the table move stands alone";
        singular_margin: i32 = 2, 1..=8, "how far below it the others must stay, a ply";
        singular_double: i32 = 18, 0..=100, "and how much further for two plies of extension";
        reduction_base: i32 = 70, 0..=200, "late move reduction: hundredths of a ply";
        reduction_divisor: i32 = 225, 100..=500, "ln(depth) ln(number) over so many hundredths";
        noisy_base: i32 = 20, 0..=200, "the same for captures";
        noisy_divisor: i32 = 330, 100..=600, "the same for captures";
        reduction_history: i32 = 7500, 1000..=20_000, "a record that is worth one ply of reduction";
        quiescence_margin: i32 = 180, 0..=500, "a capture is looked at if it may come so near to alpha";
        quiescence_checks: i32 = 1, 0..=1, "whether the first ply of quiescence looks at checks";
        proof_share: i32 = 32, 1..=1000, "one position in so many is spent on proving a short mate";
        bonus_slope: i32 = 160, 20..=400, "merit of a cut-off, a ply of depth";
        bonus_most: i32 = 1700, 400..=4000, "most merit of a cut-off";
    }
}
