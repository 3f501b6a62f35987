//! Relative links in Markdown files: the file must exist, and so must the heading that `#anchor` names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// Returns the links of a Markdown text, each with its line: `[text](target)`, `[label]: target`, and the
/// targets of HTML's `href` and `src`. Code has no links.
pub(super) fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in prose(text) {
        let inline = line.match_indices("](").map(|(at, sign)| (at + sign.len(), ')'));
        let html = ["href=\"", "src=\""].into_iter();
        let html = html.flat_map(|sign| line.match_indices(sign)).map(|(at, sign)| (at + sign.len(), '"'));
        for (start, end) in inline.chain(html) {
            if let Some(length) = line[start..].find(end) {
                found.push((number, line[start..start + length].to_owned()));
            }
        }
        if let Some((_, target)) = line.strip_prefix('[').and_then(|rest| rest.split_once("]: ")) {
            found.push((number, target.to_owned()));
        }
    }
    // A title may follow the target: `[text](target "title")`.
    let targets = found.into_iter().filter_map(|(number, target)| {
        let target = target.split_whitespace().next()?;
        Some((number, target.trim_start_matches('<').trim_end_matches('>').to_owned()))
    });
    targets.collect()
}

/// Returns the lines outside of code blocks, each with its number and without inline code.
fn prose(text: &str) -> Vec<(usize, String)> {
    let mut fence = None;
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let trimmed = line.trim_start();
        let sign = ["```", "~~~"].into_iter().find(|sign| trimmed.starts_with(sign));
        match (fence, sign) {
            (None, Some(sign)) => fence = Some(sign),
            (Some(open), Some(sign)) if open == sign => fence = None,
            (Some(_), _) => {}
            (None, None) => {
                // Every second part is between backticks.
                let parts = line.split('`').enumerate();
                let parts = parts.map(|(i, part)| if i % 2 == 0 { part } else { "code" });
                found.push((number, parts.collect()));
            }
        }
    }
    found
}

/// Returns the anchors that GitHub derives from the headings of a Markdown text, and those that HTML's `id`
/// and `name` define.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let mut repeated: BTreeMap<String, usize> = BTreeMap::new();
    let outside_code: BTreeSet<usize> = prose(text).into_iter().map(|(number, _)| number).collect();
    for (_, line) in (1..).zip(text.lines()).filter(|(number, _)| outside_code.contains(number)) {
        let heading = line.trim_start_matches('#');
        if heading.len() < line.len() && heading.starts_with(' ') {
            let anchor = anchor(heading.trim());
            let count = repeated.entry(anchor.clone()).or_default();
            anchors.insert(if *count == 0 { anchor } else { format!("{anchor}-{count}") });
            *count += 1;
        }
        for sign in ["id=\"", "name=\""] {
            let ids = line.match_indices(sign).map(|(at, sign)| &line[at + sign.len()..]);
            anchors.extend(ids.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
        }
    }
    anchors
}

/// Returns the anchor of a heading: letters in lower case, digits, `-` and `_`, with `-` for spaces, without
/// other characters.
fn anchor(heading: &str) -> String {
    let chars = heading.chars().filter(|&c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    chars.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Returns the relative links of the file `path` that lead nowhere. `read` returns the text of a file, given
/// its path from the workspace's root; an empty text for a folder; and `None` if there is neither.
pub(super) fn findings(
    path: &Path,
    text: &str,
    read: &dyn Fn(&Path) -> Option<String>,
) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (line, link) in links(text) {
        let has_scheme =
            link.split_once(':').is_some_and(|(scheme, _)| scheme.chars().all(char::is_alphanumeric));
        if has_scheme {
            continue;
        }
        let (file, anchor) =
            link.split_once('#').map_or((link.as_str(), None), |(file, anchor)| (file, Some(anchor)));
        let target = if file.is_empty() { path.to_path_buf() } else { join(path, file) };
        let Some(text) = read(&target) else {
            found.push((line, format!("the link {link}: no file {}", target.display())));
            continue;
        };
        let is_markdown = target.extension().is_some_and(|extension| extension == "md");
        if let Some(anchor) = anchor.filter(|anchor| is_markdown && !anchors(&text).contains(*anchor)) {
            found.push((line, format!("the link {link}: no heading #{anchor} in {}", target.display())));
        }
    }
    found
}

/// Returns the path from the workspace's root of `link` in the file `from`.
fn join(from: &Path, link: &str) -> PathBuf {
    let mut path = from.parent().unwrap_or(Path::new("")).to_path_buf();
    for component in Path::new(link).components() {
        match component {
            Component::ParentDir => drop(path.pop()),
            Component::Normal(name) => path.push(name),
            _ => {}
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::{anchors, findings, links};
    use std::path::Path;

    const README: &str = "# Games, and *more*\n\n## `a_b` on 2 levels\n## Games\n### Games\n```sh\n# no heading\n```\n<a id=\"here\"></a>\n";

    fn broken(text: &str) -> Vec<(usize, String)> {
        let read = |path: &Path| match path.to_str()? {
            "README.md" => Some(README.to_owned()),
            "docs/a.md" => Some(text.to_owned()),
            "src/lib.rs" | "docs" => Some(String::new()),
            _ => None,
        };
        findings(Path::new("docs/a.md"), text, &read)
    }

    #[test]
    fn every_form_of_a_link_is_read() {
        let text =
            "[a](b.md) ![c](d.png \"e\")\n[f]: <g.md>\n<img src=\"h.svg\"> `[i](j)`\n```\n[k](l)\n```\n";
        let found = links(text);
        let found: Vec<(usize, &str)> = found.iter().map(|(line, link)| (*line, link.as_str())).collect();
        assert_eq!(found, [(1, "b.md"), (1, "d.png"), (2, "g.md"), (3, "h.svg")]);
    }

    #[test]
    fn headings_have_the_anchors_of_github() {
        let found = anchors(README);
        let found: Vec<&str> = found.iter().map(String::as_str).collect();
        assert_eq!(found, ["a_b-on-2-levels", "games", "games-1", "games-and-more", "here"]);
    }

    #[test]
    fn links_that_lead_somewhere_pass() {
        let text = "# Own\n[a](../README.md) [b](../README.md#games-1) [c](#own) [d](../src/lib.rs#L7) [e](.)\n\
            [f](https://example.com/none#none) [g](mailto:a@example.com)";
        assert_eq!(broken(text), []);
    }

    #[test]
    fn links_that_lead_nowhere_are_findings() {
        let text = "[a](README.md)\n[b](../README.md#levels) [c](#own)\n\n[d]: ../none.md#none\n";
        let found = broken(text);
        let lines: Vec<usize> = found.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [1, 2, 2, 4]);
        assert_eq!(found[0].1, "the link README.md: no file docs/README.md");
        assert_eq!(found[1].1, "the link ../README.md#levels: no heading #levels in README.md");
    }
}
