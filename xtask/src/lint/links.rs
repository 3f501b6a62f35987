//! Relative links in Markdown files: the file must exist, and so must the heading of an `#anchor`.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// Returns a Markdown file's broken relative links, each with its line, and its HTML links.
pub(super) fn findings(path: &Path, text: &str) -> Vec<(usize, String)> {
    let events = Parser::new_ext(text, Options::all()).into_offset_iter();
    let found = events.filter_map(|(event, range)| {
        let finding = match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                format!("the link {dest_url}: {}", fault(path, text, &dest_url)?)
            }
            Event::Html(html) | Event::InlineHtml(html)
                if html.contains("href=") || html.contains("src=") =>
            {
                "write links in Markdown: HTML links are not checked".to_owned()
            }
            _ => return None,
        };
        Some((text[..range.start].matches('\n').count() + 1, finding))
    });
    found.collect()
}

fn fault(path: &Path, text: &str, link: &str) -> Option<&'static str> {
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = if file.is_empty() { path.to_path_buf() } else { join(path, file) };
    // `https:`, `mailto:`.
    if file.contains(':') {
        return None;
    } else if target != path && !target.exists() {
        return Some("no such file");
    } else if anchor.is_empty() || target.extension().is_none_or(|extension| extension != "md") {
        return None;
    }
    let other = if target == path { None } else { std::fs::read_to_string(target).ok() };
    let anchors = anchors(other.as_deref().unwrap_or(text));
    (!anchors.contains(anchor)).then_some("no such heading")
}

/// Returns the anchors that GitHub derives from a Markdown text's headings: lowercase letters,
/// digits, `-` and `_`, with `-` for spaces and all other characters removed; repeated anchors get
/// a numeric suffix.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let mut heading = None;
    let mut repeated: BTreeMap<String, usize> = BTreeMap::new();
    for event in Parser::new_ext(text, Options::all()) {
        match (event, &mut heading) {
            (Event::Start(Tag::Heading { .. }), _) => heading = Some(String::new()),
            (Event::Text(text) | Event::Code(text), Some(heading)) => heading.push_str(&text),
            (Event::End(TagEnd::Heading(_)), Some(text)) => {
                let chars =
                    text.chars().filter(|&c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
                let chars = chars.flat_map(char::to_lowercase);
                let anchor: String = chars.map(|c| if c == ' ' { '-' } else { c }).collect();
                let count = repeated.entry(anchor.clone()).or_default();
                anchors.insert(if *count == 0 { anchor } else { format!("{anchor}-{count}") });
                *count += 1;
                heading = None;
            }
            _ => {}
        }
    }
    anchors
}

/// Resolves `link` relative to the file `from`.
pub(super) fn join(from: &Path, link: &str) -> PathBuf {
    let mut path = from.with_file_name("");
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
    use super::{Path, anchors, findings};

    fn broken(text: &str) -> Vec<(usize, String)> {
        findings(&Path::new(env!("CARGO_MANIFEST_DIR")).join("a.md"), text)
    }

    #[test]
    fn headings_have_the_anchors_of_github() {
        let text = "# Games\n## `Games` and more!\n```\n# code\n```\n### A_b on 2 levels\n# Games\n#no heading";
        let found = anchors(text);
        let found: Vec<&str> = found.iter().map(String::as_str).collect();
        assert_eq!(found, ["a_b-on-2-levels", "games", "games-1", "games-and-more"]);
    }

    #[test]
    fn links_that_lead_somewhere_pass() {
        let text = "# Own 1\n[a](../README.md) [b](../README.md#license) [c](#own-1) [d](src/lint.rs#L7)\n\
            [e](../docs) [f](https://a.org/none#none) [g](mailto:a@a.org) `[i](j)`\n```\n[k](l)\n```\n";
        assert_eq!(broken(text), []);
    }

    #[test]
    fn links_that_lead_nowhere_are_findings() {
        let text = "[a](README.md)\n[b](../README.md#none) ![c](#own \"title\")\n\
            [d]\n\n[d]: ../none.md#none\n\n<img src=\"e.svg\">\n";
        let found = broken(text);
        let lines: Vec<usize> = found.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [1, 2, 2, 3, 7]);
        assert_eq!(found[0].1, "the link README.md: no such file");
        assert_eq!(found[1].1, "the link ../README.md#none: no such heading");
    }
}
