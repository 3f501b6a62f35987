//! Criterion benchmarks of every operation: the reference, and the kernel on each level.
#![allow(missing_docs, reason = "criterion's macros make public items")]

use bitcore::Level;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

fn operations(criterion: &mut Criterion) {
    for mut operation in benches::all() {
        let mut group = criterion.benchmark_group(operation.name);
        group.throughput(Throughput::Elements(operation.reference.units as u64));
        group.bench_function(BenchmarkId::from_parameter("reference"), |bencher| {
            bencher.iter(|| (operation.reference.call)());
        });
        for level in Level::all() {
            group.bench_function(BenchmarkId::from_parameter(level), |bencher| {
                bencher.iter(|| operation.run(level));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, operations);
criterion_main!(benches);
