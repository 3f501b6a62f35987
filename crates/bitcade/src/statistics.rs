//! Means, rates and ratios of results, `null` in JSON and `none` in text where there is no data.

use bitcade_core::Moments;

pub(crate) fn mean(moments: &Moments) -> Option<f64> {
    (moments.count > 0).then(|| moments.mean())
}

pub(crate) fn standard_error(moments: &Moments) -> Option<f64> {
    (moments.count > 1).then(|| moments.standard_error())
}

/// The bounds of the 95 % interval.
pub(crate) fn interval(moments: &Moments) -> Option<(f64, f64)> {
    let margin = 1.96 * standard_error(moments)?;
    Some((moments.mean() - margin, moments.mean() + margin))
}

pub(crate) fn ratio(part: f64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part / whole as f64)
}

/// Rounded down; `None` without data.
pub(crate) fn per_second(count: f64, seconds: f64) -> Option<u64> {
    (count > 0.0).then(|| (count / seconds.max(1e-9)) as u64)
}

pub(crate) fn or_none(number: Option<f64>, decimals: usize) -> String {
    number.map_or_else(|| "none".to_owned(), |number| format!("{number:.decimals$}"))
}

pub(crate) fn whole_or_none(number: Option<u64>) -> String {
    number.map_or_else(|| "none".to_owned(), |number| number.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_nothing_are_none() {
        let mut scores = Moments::default();
        assert_eq!(mean(&scores), None);
        assert_eq!(standard_error(&scores), None);
        scores.add(3);
        assert_eq!(mean(&scores), Some(3.0));
        assert_eq!(standard_error(&scores), None);
        assert_eq!(interval(&scores), None);
        scores.add(5);
        assert_eq!(mean(&scores), Some(4.0));
        assert_eq!(standard_error(&scores), Some(1.0));
        let (low, high) = interval(&scores).expect("two numbers");
        assert!((low - 2.04).abs() < 1e-12 && (high - 5.96).abs() < 1e-12, "{low} {high}");
        assert_eq!(ratio(1.0, 0), None);
        assert_eq!(ratio(1.0, 2), Some(0.5));
        assert_eq!(per_second(0.0, 1.0), None);
        assert_eq!(per_second(3.0, 2.0), Some(1));
        assert_eq!(or_none(None, 2), "none".to_owned());
        assert_eq!(or_none(Some(1.0), 2), "1.00".to_owned());
        assert_eq!(whole_or_none(None), "none".to_owned());
        assert_eq!(whole_or_none(Some(7)), "7".to_owned());
    }
}
