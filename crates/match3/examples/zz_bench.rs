fn main() {
    let mut p: match3::Playouts = match3::Playouts::new(64, 6, 5).unwrap();
    let t = std::time::Instant::now();
    let mut s = 0;
    for _ in 0..400 {
        s += p.run(2000).score;
    }
    println!("{} {:.2} ns", s, t.elapsed().as_secs_f64() * 1e9 / (64.0 * 2000.0 * 400.0));
}
