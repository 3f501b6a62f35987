//! The value of a number of a level at which an agent has a pass rate.

use super::saved::Saved;
use super::summary::report_fields;
use super::variation::Knob;
use super::{PlaytestArgs, Test, play};
use crate::io::interrupt;
use crate::io::output::{Failure, Output, remark};
use match3::level::{Level, PlaytestReport};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The largest value that is tried.
const MOST: u32 = 1 << 20;

/// Prints the two neighboring values between which the first agent's pass rate crosses `rate`.
pub(super) fn run(
    arguments: &PlaytestArgs,
    levels: &[(String, Arc<Level>)],
    rate: f64,
    knob: Knob,
    output: &mut Output,
) -> Result<(), Failure> {
    let pool = arguments.threads.pool();
    let interrupted = interrupt::install_handler();
    let agent = arguments.agents.0[0];
    for (name, level) in levels {
        let mut known: BTreeMap<u32, (Arc<Level>, PlaytestReport)> = BTreeMap::new();
        let neighbors = neighbors(knob.value(level.spec()), |value| {
            let turned = Arc::new(knob.turned(level, value).ok()?);
            let report = play(arguments, &turned, agent, &mut Saved::none(), 0, &pool);
            let [found, _, _] = report.pass_rate().unwrap_or_default();
            known.insert(value, (turned, report));
            // The easier side of the crossing, seen as if larger values were easier.
            Some((found >= rate) == knob.helps())
        });
        if interrupted() {
            remark("interrupted; these are the values so far");
        }
        let Some(neighbors) = neighbors.filter(|_| !interrupted()) else {
            remark(format_args!(
                "{name}: no {} with which {agent} passes at a rate of {rate}",
                knob.name()
            ));
            continue;
        };
        for value in neighbors {
            let Some((level, report)) = known.remove(&value) else { continue };
            let name = format!("{name} {}={value}", knob.name());
            output.lines(&report_fields(&Test { name, level, agent, report }))?;
            output.text("\n")?;
        }
    }
    Ok(())
}

/// Returns two neighbors, of which only the second one is past the crossing: `is_past` grows with
/// the value, and is `None` outside the range of values.
fn neighbors(start: u32, mut is_past: impl FnMut(u32) -> Option<bool>) -> Option<[u32; 2]> {
    let started_past = is_past(start)?;
    let (mut low, mut high) = (start, start);
    let mut step = 1;
    // Doubled steps away from the start, until the crossing is between the two.
    loop {
        let next = if started_past {
            low.saturating_sub(step).max(1)
        } else {
            high.saturating_add(step).min(MOST)
        };
        let edge = if started_past { low } else { high };
        if next == edge {
            return None;
        }
        match is_past(next) {
            None if step == 1 => return None,
            // Outside the range: smaller steps.
            None => {
                step = (step / 4).max(1);
                continue;
            }
            Some(past) if started_past => {
                if past {
                    low = next;
                    high = next;
                } else {
                    low = next;
                    break;
                }
            }
            Some(past) => {
                if past {
                    high = next;
                    break;
                }
                low = next;
                high = next;
            }
        }
        step *= 2;
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match is_past(middle) {
            Some(true) => high = middle,
            Some(false) => low = middle,
            None => return None,
        }
    }
    Some([low, high])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_neighbors_of_a_crossing() {
        for crossing in 2..=60 {
            for start in 1..=60 {
                let mut asked = 0;
                let found = neighbors(start, |value| {
                    asked += 1;
                    (1..=60).contains(&value).then_some(value >= crossing)
                });
                assert_eq!(found, Some([crossing - 1, crossing]), "from {start}");
                assert!(asked < 40, "{asked}");
            }
        }
        let never = neighbors(5, |value| (value <= 15).then_some(false));
        assert_eq!(never, None);
        assert_eq!(neighbors(5, |_| Some(true)), None);
    }
}
