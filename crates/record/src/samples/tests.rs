use super::*;
use proptest::prelude::*;

fn header() -> SetHeader {
    let (game, encoder) = ("tictactoe".to_owned(), "tictactoe-1".to_owned());
    SetHeader { game, encoder, planes: 2, height: 3, width: 3, globals: 2, policy: 11 }
}

/// Numbers as they come: zeros and ones mostly, but anything may stand there.
fn numbers(length: usize) -> impl Strategy<Value = Vec<f32>> {
    let vector = |number| prop::collection::vec(number, length);
    prop_oneof![
        prop_oneof![Just(0.0f32), Just(-0.0), Just(0.25), Just(0.1), Just(1e-30)].prop_map(move |n| vec![n; length]),
        vector(prop_oneof![Just(0.0f32), Just(1.0)].boxed()),
        vector((-128i8..=127).prop_map(|n| f32::from(n) / 100.0).boxed()),
        vector((-2000i16..2000).prop_map(|n| f32::from(n) / 1024.0).boxed()),
        vector(prop_oneof![Just(-0.0f32), Just(1.0), -2.0f32..2.0, prop::num::f32::NORMAL].boxed()),
    ]
}

fn samples() -> impl Strategy<Value = Sample> {
    let policy = prop::collection::btree_map(0u16..11, 0.0f32..1.0, 0..11);
    let value = prop::option::of([0.0f32..1.0, 0.0f32..1.0, 0.0f32..1.0]);
    let owners = prop_oneof![Just(Vec::new()).boxed(), numbers(9).boxed()];
    let rest = (prop::option::of(-30.0f32..30.0), owners, prop::option::of(0u16..11));
    let weight = prop_oneof![Just(1.0f32), 0.0f32..100.0];
    (0u64..6, numbers(18), numbers(2), policy, value, rest, weight).prop_map(
        |(game, planes, globals, policy, value, (score, owners, reply), weight)| {
            let policy = policy.into_iter().collect();
            Sample { game, planes, globals, policy, value, score, owners, reply, weight }
        },
    )
}

/// All bits of a sample, for −0 equals 0.
fn bits(sample: &Sample) -> Vec<u32> {
    let shares = sample.policy.iter().map(|(_, share)| share);
    let numbers = sample.planes.iter().chain(&sample.globals).chain(shares).chain(sample.value.iter().flatten());
    let numbers = numbers.chain(&sample.score).chain(&sample.owners).chain([&sample.weight]);
    numbers.map(|number| number.to_bits()).collect()
}

proptest! {
    // Each case brings its files to the disk, which takes its time.
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn what_is_written_is_read(samples in prop::collection::vec(samples(), 0..20), cuts in 1usize..20) {
        let dir = tempfile::tempdir().expect("a place for files");
        let mut writer = SampleWriter::create(dir.path(), &header()).expect("room");
        for (number, sample) in samples.iter().enumerate() {
            writer.push(sample).expect("a sample");
            if number % cuts == 0 {
                writer.cut().expect("room");
            }
        }
        prop_assert_eq!(writer.finish().expect("room"), samples.len() as u64);
        let set = SampleSet::open(dir.path()).expect("a set");
        prop_assert_eq!(set.header(), &header());
        prop_assert_eq!(set.len(), samples.len() as u64);
        let read: Vec<Sample> = (0..set.shards()).flat_map(|shard| set.read(shard).expect("a shard")).collect();
        prop_assert_eq!(&read, &samples);
        prop_assert!(read.iter().map(bits).eq(samples.iter().map(bits)));
    }
}

proptest! {
    #[test]
    fn no_bytes_do_harm(mut bytes in prop::collection::vec(any::<u8>(), 0..300), block in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = read_shard(&header(), &bytes);
        // Nor do they behind a head with right sums.
        prop_assume!(read_shard(&header(), &bytes).is_err());
        bytes = forged(3, block.len() as u32, &zstd::bulk::compress(&block, 1).expect("memory"));
        let _ = read_shard(&header(), &bytes);
    }
}

/// A shard of that block with whatever numbers in its head, and all sums right.
fn forged(samples: u32, packed: u32, block: &[u8]) -> Vec<u8> {
    let mut head = MAGIC.to_vec();
    for number in [VERSION, samples, packed, block.len() as u32, header().sum(), crc32fast::hash(block)] {
        head.extend(number.to_le_bytes());
    }
    head.extend(crc32fast::hash(&head).to_le_bytes());
    [&head, block].concat()
}

/// A sample of a game.
fn sample(game: u64) -> Sample {
    let planes = (0..18).map(|point| f32::from(u8::from(point % 5 == game as usize % 5))).collect();
    let policy = vec![(3, 0.75), (10, 0.25)];
    Sample { game, planes, globals: vec![0.5, -1.0], policy, weight: 1.0, ..Sample::default() }
}

fn write(dir: &Path, games: impl IntoIterator<Item = u64>) {
    let mut writer = SampleWriter::create(dir, &header()).expect("room");
    for game in games {
        writer.push(&sample(game)).expect("a sample");
    }
    writer.finish().expect("room");
}

#[test]
fn shards_end_with_their_last_game_and_what_is_open_is_lost() {
    let dir = tempfile::tempdir().expect("a place for files");
    let mut writer = SampleWriter::create(dir.path(), &header()).expect("room");
    for number in 0..10_000u64 {
        writer.push(&sample(number / 30)).expect("a sample");
    }
    // The writer is let go as `kill -9` would: the third shard was open, and a piece of another file may lie there.
    drop(writer);
    fs::write(dir.path().join("00002.part"), b"half a shard").expect("room");
    let set = SampleSet::open(dir.path()).expect("a set");
    let counts: Vec<usize> = (0..set.shards()).map(|shard| set.samples(shard)).collect();
    assert_eq!(counts, [4110, 4110], "the next number that is no less than 4096 and a multiple of 30");
    let last = set.read(1).expect("a shard").last().map(|sample| sample.game);
    assert_eq!(last, Some(4110 * 2 / 30 - 1));

    let mut writer = SampleWriter::resume(dir.path(), &header()).expect("the same set");
    writer.push(&sample(999)).expect("a sample");
    assert_eq!(writer.finish().expect("room"), 1);
    let set = SampleSet::open(dir.path()).expect("a set");
    assert_eq!((set.shards(), set.len()), (3, 2 * 4110 + 1));
    assert_eq!(set.read(2).expect("a shard"), [sample(999)]);

    let other = SetHeader { encoder: "other".to_owned(), ..header() };
    let complaint = SampleWriter::resume(dir.path(), &other).err().expect("it is another set").to_string();
    assert!(complaint.contains("another game, board or encoder"), "{complaint}");
    let complaint = SampleWriter::create(dir.path(), &header()).err().expect("there is one already").to_string();
    assert!(complaint.contains("there is a set of samples already"), "{complaint}");
}

#[test]
fn a_game_longer_than_two_shards_is_spread() {
    let dir = tempfile::tempdir().expect("a place for files");
    write(dir.path(), std::iter::repeat_n(7, 10_000));
    let set = SampleSet::open(dir.path()).expect("a set");
    assert_eq!((0..set.shards()).map(|shard| set.samples(shard)).collect::<Vec<_>>(), [8192, 1808]);
}

#[test]
fn large_samples_make_small_shards() {
    let large = SetHeader { planes: 100, height: 25, width: 25, ..header() };
    assert!((100..200).contains(&large.capacity()), "{}", large.capacity());
    assert_eq!(header().capacity(), MOST_SAMPLES);
}

#[test]
fn a_damaged_shard_is_named_and_costs_itself_only() {
    let dir = tempfile::tempdir().expect("a place for files");
    let mut writer = SampleWriter::create(dir.path(), &header()).expect("room");
    for game in 0..3 {
        (0..40).for_each(|_| writer.push(&sample(game)).expect("a sample"));
        writer.cut().expect("room");
    }
    drop(writer);
    let path = dir.path().join("00001.samples");
    let whole = fs::read(&path).expect("it is there");
    let complaint = |bytes: &[u8], wanted: &str| {
        fs::write(&path, bytes).expect("room");
        let set = SampleSet::open(dir.path()).expect("the other shards are whole");
        assert_eq!((set.read(0).expect("whole").len(), set.read(2).expect("whole").len()), (40, 40));
        let complaint = set.read(1).expect_err("damage is seen");
        assert_eq!(complaint.path(), path);
        assert!(complaint.to_string().contains(wanted), "{complaint}");
        set.len()
    };
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 16;
        // What is seen without reading is not counted.
        assert_eq!(complaint(&damaged, "this "), if at < HEAD { 80 } else { 120 }, "byte {at}");
    }
    for length in 0..whole.len() {
        assert_eq!(complaint(&whole[..length], "short"), 80);
    }
    complaint(&[&whole[..], b"x"].concat(), "long");
    complaint(b"PNG, or whatever else people have on their disks", "no shard of samples");
    complaint(&[], "short");
    // Sums are right here, and sizes are not.
    let block = zstd::bulk::compress(&[0; 1000], 1).expect("memory");
    complaint(&forged(u32::MAX, 1000, &block), "damaged");
    complaint(&forged(0, 1000, &block), "damaged");
    complaint(&forged(3, u32::MAX, &block), "damaged");
    complaint(&forged(80, 999, &block), "damaged");
    complaint(&forged(80, 1000, &block), "something follows the last sample");
    complaint(&forged(300, 1000, &block), "cut short");
    let odd = |bytes: &[u8]| forged(1, bytes.len() as u32, &zstd::bulk::compress(bytes, 1).expect("memory"));
    complaint(&odd(&[255; 60]), "no name");
    complaint(&odd(&[&[0; 9][..], &[9; 50]].concat()), "way 9");
    let nan = [&[0; 9][..], &[1], &f32::NAN.to_le_bytes(), &[0; 2]].concat();
    complaint(&odd(&nan), "NaN is no number");
    // A shard of a set of other planes.
    let other = tempfile::tempdir().expect("a place for files");
    let mut writer = SampleWriter::create(other.path(), &SetHeader { planes: 0, ..header() }).expect("room");
    writer.push(&Sample { planes: Vec::new(), ..sample(1) }).expect("a sample");
    writer.finish().expect("room");
    complaint(&fs::read(other.path().join("00000.samples")).expect("it is there"), "another set");
    fs::write(&path, &whole).expect("room");
    assert_eq!(SampleSet::open(dir.path()).expect("whole again").read(1).expect("whole").len(), 40);
}

#[test]
fn what_is_no_sample_is_refused_and_changes_nothing() {
    let dir = tempfile::tempdir().expect("a place for files");
    let mut writer = SampleWriter::create(dir.path(), &header()).expect("room");
    let odd = [
        (Sample { planes: vec![0.0; 17], ..sample(1) }, "17 plane numbers instead of 18"),
        (Sample { globals: Vec::new(), ..sample(1) }, "0 globals instead of 2"),
        (Sample { owners: vec![0.0; 8], ..sample(1) }, "8 owners instead of 9"),
        (Sample { policy: vec![(11, 1.0)], ..sample(1) }, "place 11 in a policy of 11"),
        (Sample { policy: vec![(1, 1.0); 12], ..sample(1) }, "12 moves in a policy of 11"),
        (Sample { reply: Some(11), ..sample(1) }, "place 11"),
        (Sample { value: Some([f32::NAN, 0.0, 0.0]), ..sample(1) }, "NaN is no number"),
        (Sample { weight: f32::INFINITY, ..sample(1) }, "inf is no number"),
    ];
    for (sample, wanted) in odd {
        let complaint = writer.push(&sample).expect_err(wanted).to_string();
        assert!(complaint.contains(wanted), "{complaint}");
    }
    writer.push(&sample(1)).expect("a sample");
    assert_eq!(writer.finish().expect("room"), 1);
    assert_eq!(SampleSet::open(dir.path()).expect("a set").read(0).expect("a shard"), [sample(1)]);
}

#[test]
fn what_is_no_set() {
    let dir = tempfile::tempdir().expect("a place for files");
    let complaint = |text: &str, wanted: &str| {
        fs::write(dir.path().join("set.toml"), text).expect("room");
        let complaint = SampleSet::open(dir.path()).err().expect(wanted).to_string();
        assert!(complaint.contains(wanted) && complaint.contains("set.toml"), "{complaint}");
    };
    let sizes = |planes: &str, height: &str| {
        format!(
            "game = \"a\"\nencoder = \"b\"\nplanes = {planes}\nheight = {height}\nwidth = 3\nglobals = 0\npolicy = 5\n"
        )
    };
    complaint("", "missing field `game`");
    complaint("game = 3", "invalid type");
    complaint(&(sizes("1", "3") + "colour = 3"), "unknown field `colour`");
    complaint(&sizes("4097", "3"), "planes is 4097, and 4096 is the most");
    complaint(&sizes("18446744073709551615", "3"), "planes");
    complaint(&sizes("4096", "1024"), "numbers, and");
    complaint(&sizes("-1", "3"), "invalid value");
    assert!(SampleSet::open(&dir.path().join("none")).is_err_and(|error| error.to_string().contains("no set.toml")));
    let header = SetHeader { planes: 1 << 40, ..header() };
    assert!(SampleWriter::create(&dir.path().join("new"), &header).is_err());
}

/// What fuzzing begins with is what it is meant to be.
#[test]
fn seeds_are_samples() {
    let header = SetHeader { globals: 1, policy: 10, ..header() };
    let seed = |bytes: &[u8]| read_block(&header, bytes[0].into(), &bytes[1..]).expect("it is a sample");
    assert_eq!(seed(include_bytes!("../../../../fuzz/seeds/samples/plain"))[0].policy, []);
    let full = &seed(include_bytes!("../../../../fuzz/seeds/samples/full"))[0];
    assert_eq!((&full.policy, full.reply, full.weight), (&vec![(3, 0.75), (9, 0.25)], Some(4), 2.0));
    assert_eq!((full.owners[3], full.owners[8], full.score), (1.0, -0.5, Some(3.5)));
}
