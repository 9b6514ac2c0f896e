//! scratch
use std::io::{BufRead, Write};
use tengen_core::*;
use tengen_games::yokai::*;
const N: usize = 68;
const KINDS: [Kind; 6] = [Kind::Kodama, Kind::Samurai, Kind::Oni, Kind::SuperOni, Kind::Kirin, Kind::Koropokkuru];
const HELD: [Kind; 3] = [Kind::Kodama, Kind::Oni, Kind::Kirin];
fn neighbours(k: Squares) -> Squares {
    let left: Squares = (0..6).fold(0, |s, r| s | 1 << (r * 5));
    let right = left << 4;
    let board = (1 << 30) - 1;
    let wide = k | (k & !left) >> 1 | (k & !right) << 1;
    (wide | wide << 5 | wide >> 5) & board & !k
}
fn side(p: &Yokai56, s: Side, f: &mut [i8], sign: i8) {
    let o = s.other();
    for (i, &k) in KINDS.iter().enumerate() {
        let mut set = p.pieces_of(s, k);
        while set != 0 {
            let sq = set.trailing_zeros() as usize;
            set &= set - 1;
            let row = if s == Side::First { sq / 5 } else { 5 - sq / 5 };
            f[i * 6 + row] += sign;
            if i == 5 {
                f[36 + [0, 1, 2, 1, 0][sq % 5]] += sign;
            }
        }
    }
    let mut total = 0;
    for (i, &k) in HELD.iter().enumerate() {
        let n = p.hand(s, k) as i8;
        total += n;
        if n > 0 {
            f[39 + i] += sign;
            f[42 + i] += sign * (n - 1);
        }
    }
    let king = p.pieces_of(o, Kind::Koropokkuru);
    let zone = neighbours(king);
    let own = p.pieces(s) & !p.pieces_of(s, Kind::Koropokkuru);
    let att = p.attacked_by(s, own);
    let def = p.attacked_by(o, p.pieces(o) & !king);
    let n = (zone & att).count_ones().min(6);
    let h = (zone & att & !def).count_ones().min(6);
    let fl = (zone & !p.pieces(o) & !att).count_ones().min(5);
    f[45 + n as usize] += sign;
    f[52 + h as usize] += sign;
    f[59 + fl as usize] += sign;
    f[65] += sign * (total.min(5)) * h as i8;
    f[66] += sign * (att & !p.pieces(s)).count_ones() as i8;
}
fn main() {
    let mut out = std::io::BufWriter::new(std::fs::File::create("/tmp/feat.bin").unwrap());
    for a in std::env::args().skip(1) {
        for l in std::io::BufReader::new(std::fs::File::open(a).unwrap()).lines() {
            let l = l.unwrap();
            let (t, r) = l.split_once(';').unwrap();
            let Ok(p) = Yokai56::read(t) else { continue };
            let r: f32 = r.parse().unwrap();
            let mut f = [0i8; N + 1];
            side(&p, Side::First, &mut f, 1);
            side(&p, Side::Second, &mut f, -1);
            f[67] = if p.to_move() == Side::First { 1 } else { -1 };
            f[N] = (r * 2.0) as i8;
            let b: Vec<u8> = f.iter().map(|&x| x as u8).collect();
            out.write_all(&b).unwrap();
        }
    }
}
