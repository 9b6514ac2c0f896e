//! Ready files: descriptions of networks and jobs of learning, which are inside the program.

use include_dir::{Dir, include_dir};
use std::path::Path;

static PRESETS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../presets");

/// The text of a file, or of the ready one of that name: `rna1` of the kind `net` is `presets/net-rna1.toml`.
pub fn text(kind: &str, name: &Path) -> Result<String, String> {
    match std::fs::read_to_string(name) {
        Ok(text) => Ok(text),
        Err(error) => ready(kind, name).map(str::to_owned).ok_or_else(|| {
            let shown = name.display();
            if name.extension().is_some() || name.components().count() > 1 {
                return format!("{shown}: {error}");
            }
            format!("{shown} is no file, and no ready {kind} has that name; there are {}", names(kind).join(", "))
        }),
    }
}

fn ready(kind: &str, name: &Path) -> Option<&'static str> {
    let name = name.to_str()?;
    let name = name.strip_suffix(".toml").unwrap_or(name);
    let file = PRESETS.get_file(format!("{kind}-{name}.toml")).or_else(|| PRESETS.get_file(format!("{name}.toml")))?;
    file.contents_utf8()
}

/// The names of all ready files of a kind.
pub fn names(kind: &str) -> Vec<&'static str> {
    let name = |file: &'static include_dir::File<'static>| {
        file.path().to_str()?.strip_suffix(".toml")?.strip_prefix(kind)?.strip_prefix('-')
    };
    PRESETS.files().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_net::description::Description;
    use tengen_net::model;

    #[test]
    fn every_ready_network_can_be_built_with_as_many_weights_as_is_known_of_it() {
        let known = [("rna1", 850_051), ("rna2", 1_114_826), ("rna3", 1_573_001), ("rna4", 3_616_751)];
        assert!(names("net").len() >= 11, "{:?}", names("net"));
        for name in names("net") {
            let text = text("net", Path::new(name)).unwrap();
            let description = Description::read(&text).unwrap_or_else(|flaw| panic!("{name}: {flaw}"));
            let parameters = model::parameters(&description).unwrap_or_else(|flaw| panic!("{name}: {flaw}"));
            let learnt: usize = parameters.iter().filter(|list| list.kind.is_learnt()).map(|list| list.count()).sum();
            if let Some((_, count)) = known.iter().find(|(known, _)| *known == name) {
                assert_eq!(learnt, *count, "{name}");
            }
        }
    }

    #[test]
    fn every_ready_network_is_shown_what_its_encoder_shows() {
        for name in names("net") {
            let description = Description::read(&text("net", Path::new(name)).unwrap()).unwrap();
            let shown = tengen_table::encoder(&description.game, Some(&description.encoder));
            let header = shown.unwrap_or_else(|error| panic!("{name}: {error}")).header();
            let input = description.input;
            assert_eq!((input.planes, input.globals), (header.planes, header.globals), "{name}");
            let board = (header.height, header.width);
            assert!(input.board.is_none_or(|only| only == board), "{name}: {:?}, not {board:?}", input.board);
            let graph =
                tengen_net::graph::Graph::new(&description, board).unwrap_or_else(|flaw| panic!("{name}: {flaw}"));
            for output in graph.outputs.iter().filter(|output| output.name == "policy") {
                assert_eq!(output.count, header.policy, "{name}");
            }
        }
    }

    #[test]
    fn every_ready_job_can_be_read_and_names_a_ready_network() {
        for name in names("train") {
            let job = tengen_train::job::Job::read(&text("train", Path::new(name)).unwrap());
            let job = job.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(text("net", &job.network).is_ok(), "{name}");
        }
    }

    #[test]
    fn what_is_not_there_is_told_what_there_is() {
        let error = text("net", Path::new("rna9")).unwrap_err();
        assert!(error.contains("rna1") && error.contains("no ready net"), "{error}");
        let error = text("net", Path::new("no/such.toml")).unwrap_err();
        assert!(error.contains("no/such.toml"), "{error}");
    }
}
