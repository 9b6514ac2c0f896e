//! A network in one file: safetensors, whose header also holds the description, where the network comes from, and a checksum.
//!
//! Lists of weights are called as in PyTorch and have its shapes, so that other programs can read them. Numbers are kept in 32 bits or
//! in 16.

use crate::description::{Description, Flaw};
use crate::model::{self, Model};
use half::f16;
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// Where a network comes from: what was done, when, with which figures. Keys and texts are for people.
pub type Card = BTreeMap<String, String>;

/// How exactly numbers are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Digits {
    /// In 32 bits, as they are.
    All,
    /// In 16 bits: half the size, three digits.
    Half,
}

/// Which kind of file this is, and which version of it.
const FORMAT: &str = "tengen-net 1";
/// Keys of the header.
const KEYS: [&str; 4] = ["format", "description", "card", "sha256"];

/// A network as bytes of a file.
pub fn write(model: &Model, card: &Card, digits: Digits) -> Result<Vec<u8>, Flaw> {
    let bytes = |list: &Vec<f32>| -> Vec<u8> {
        match digits {
            Digits::All => list.iter().flat_map(|number| number.to_le_bytes()).collect(),
            Digits::Half => list.iter().flat_map(|&number| f16::from_f32(number).to_le_bytes()).collect(),
        }
    };
    let kind = if digits == Digits::All { Dtype::F32 } else { Dtype::F16 };
    let lists: Vec<Vec<u8>> = model.weights.iter().map(bytes).collect();
    let mut views = Vec::new();
    for (parameter, list) in model.parameters().iter().zip(&lists) {
        let view = TensorView::new(kind, parameter.shape.clone(), list);
        views.push((parameter.name.clone(), view.map_err(|error| Flaw::new(format!("{}: {error}", parameter.name)))?));
    }
    let description = model.description().write();
    let card = toml::to_string(card).map_err(|error| Flaw::new(format!("the card: {error}")))?;
    let sum = checksum(&description, &card, views.iter().map(|(name, view)| (name.as_str(), view.data())));
    let texts = [FORMAT.to_owned(), description, card, sum];
    let header: HashMap<String, String> = KEYS.iter().map(|key| (*key).to_owned()).zip(texts).collect();
    safetensors::serialize(views, Some(header))
        .map_err(|error| Flaw::new(format!("the network cannot be written: {error}")))
}

/// A network that was read.
#[derive(Clone, PartialEq, Debug)]
pub struct Read {
    /// The network.
    pub model: Model,
    /// Where it comes from.
    pub card: Card,
    /// What its description, its card and its weights add up to.
    pub sha256: String,
}

/// Reads the bytes of a file. What is damaged or is no network of this kind is refused.
pub fn read(bytes: &[u8]) -> Result<Read, Flaw> {
    let no_network = |why: String| Flaw::new(format!("this is no network: {why}"));
    let (_, header) = SafeTensors::read_metadata(bytes).map_err(|error| no_network(error.to_string()))?;
    let tensors = SafeTensors::deserialize(bytes).map_err(|error| no_network(error.to_string()))?;
    let said = header.metadata().as_ref();
    let text = |key: &str| {
        let found = said.and_then(|said| said.get(key)).map(String::as_str);
        found.ok_or_else(|| {
            no_network(format!("its header has no {key}; networks of other programs must be converted first"))
        })
    };
    let [format, description, card, sum] = KEYS.map(text);
    if format.clone()? != FORMAT {
        return Err(Flaw::new(format!(
            "the network is written in the format {:?}, and only {FORMAT:?} can be read",
            format?
        )));
    }
    let (description_text, card_text, sum) = (description?, card?, sum?);
    let description = Description::read(description_text)?;
    let mut weights = Vec::new();
    let mut views = Vec::new();
    for parameter in &model::parameters(&description)? {
        let name = &parameter.name;
        let tensor = tensors.tensor(name).map_err(|_| Flaw::new(format!("the network has no {name}")))?;
        if tensor.shape() != parameter.shape {
            return Err(Flaw::new(format!("{name} is {:?} in the network, not {:?}", tensor.shape(), parameter.shape)));
        }
        weights.push(match tensor.dtype() {
            Dtype::F16 => tensor.data().as_chunks().0.iter().map(|&bytes| f16::from_le_bytes(bytes).to_f32()).collect(),
            Dtype::F32 => {
                tensor.data().as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect::<Vec<f32>>()
            }
            other => return Err(Flaw::new(format!("{name} holds numbers of the kind {other:?}"))),
        });
        views.push((name.clone(), tensor.data()));
    }
    let found = checksum(description_text, card_text, views.iter().map(|(name, data)| (name.as_str(), *data)));
    if found != sum {
        return Err(Flaw::new("the network is damaged: its checksum does not fit"));
    }
    let card = toml::from_str(card_text).map_err(|error| Flaw::new(format!("the card of the network: {error}")))?;
    Ok(Read { model: Model::with_weights(description, weights)?, card, sha256: sum.to_owned() })
}

/// SHA-256 of everything that makes a network, each part behind its length.
fn checksum<'a>(description: &str, card: &str, lists: impl Iterator<Item = (&'a str, &'a [u8])>) -> String {
    let mut hash = Sha256::new();
    let mut part = |bytes: &[u8]| {
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    part(description.as_bytes());
    part(card.as_bytes());
    for (name, data) in lists {
        part(name.as_bytes());
        part(data);
    }
    hash.finalize().iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> Model {
        let text = r#"
            name = "small"
            game = "tictactoe"
            encoder = "tictactoe"
            input = { planes = 2 }
            trunk = [{ conv = 8, norm = true, act = "relu" }]
            heads = [{ name = "value", layers = [{ pool = true }, { dense = 1, act = "tanh" }] }]
        "#;
        Model::new(Description::read(text).unwrap(), 4).unwrap()
    }

    fn card() -> Card {
        Card::from([("made".to_owned(), "by hand, \"in\" a test".to_owned())])
    }

    #[test]
    fn what_is_written_is_read() {
        let read_back = read(&write(&model(), &card(), Digits::All).unwrap()).unwrap();
        assert_eq!((&read_back.model, &read_back.card), (&model(), &card()));
        let half = write(&model(), &card(), Digits::Half).unwrap();
        let read_half = read(&half).unwrap();
        assert_ne!(read_half.sha256, read_back.sha256);
        for (a, b) in read_half.model.weights.iter().flatten().zip(model().weights.iter().flatten()) {
            assert!((a - b).abs() <= b.abs() * 1e-3);
        }
        assert_eq!(read(&write(&read_half.model, &card(), Digits::Half).unwrap()).unwrap(), read_half);
    }

    #[test]
    fn what_is_damaged_is_refused() {
        let bytes = write(&model(), &card(), Digits::All).unwrap();
        let flaw = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
        assert!(flaw(b"").starts_with("this is no network"));
        assert!(flaw(b"nonsense, and a lot of it").starts_with("this is no network"));
        for length in [8, 100, bytes.len() / 2, bytes.len() - 1] {
            assert!(flaw(&bytes[..length]).starts_with("this is no network"), "{length} bytes");
        }
        // A single bit anywhere in the weights.
        for at in [bytes.len() - 1, bytes.len() - 40] {
            let mut broken = bytes.clone();
            broken[at] ^= 1;
            assert_eq!(flaw(&broken), "the network is damaged: its checksum does not fit");
        }
        let tensors = [("x", TensorView::new(Dtype::F32, vec![1], &[0; 4]).unwrap())];
        let foreign = safetensors::serialize(tensors, None).unwrap();
        assert!(flaw(&foreign).contains("its header has no format"), "{}", flaw(&foreign));
        let mut broken = model();
        broken.weights[0][3] = f32::NAN;
        assert_eq!(flaw(&write(&broken, &card(), Digits::All).unwrap()), "trunk.0.weight holds what is no number");
    }

    #[test]
    fn no_bytes_make_it_panic() {
        let bytes = write(&model(), &card(), Digits::All).unwrap();
        let mut rng = fastrand::Rng::with_seed(11);
        for _ in 0..2000 {
            let mut broken = bytes.clone();
            for _ in 0..rng.usize(1..4) {
                let at = rng.usize(..broken.len().min(1200));
                broken[at] = rng.u8(..);
            }
            let _ = read(&broken);
        }
    }
}
