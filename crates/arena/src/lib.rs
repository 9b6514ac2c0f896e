//! Duels, tournaments, ratings, tests and tuning: for any game and any players.
//!
//! [`Settings`] say what is to be played, [`check`] whether it can be, and [`run`] plays it: [`schedule`] decides who meets
//! whom, [`openings`] where games begin, a pool of workers plays, and [`Standings`] count. Results go into the game database as
//! they come, so that a match that was killed goes on exactly. [`stats`] says what results mean, [`tune`] what to try next
//! and [`tuning`] tries it, [`report`] shows it.

mod adjudicate;
mod clock;
mod cores;
pub mod date;
mod game;
mod gather;
mod live;
pub mod openings;
mod pool;
pub mod report;
mod run;
pub mod schedule;
mod settings;
mod standings;
pub mod stats;
mod text;
mod timing;
pub mod tune;
pub mod tuning;

pub use clock::{RunningClock, TimeControl};
pub use game::{Chair, Finished, Job, Late, Trouble, TroubleKind};
pub use gather::{event_data, gather};
pub use openings::{Opening, Openings};
pub use run::{Deaf, Ear, MOST_GAMES, Origin, Plan, Report, Store, check, concurrency, games_planned, run};
pub use settings::{
    Adjudication, Bounds, Conduct, DrawRule, Entrant, Format, OnCrash, OpeningSettings, ResignRule, Settings,
    SprtSettings,
};
pub use standings::Standings;
