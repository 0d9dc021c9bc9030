//! As reader.c.

#[path = "../../../clients/rust/shared_file.rs"]
mod shared_file;

use shared_file::{Event, Next, Ring, SharedFile, Side, Venue};
use std::collections::HashMap;

fn main() {
    let path = std::env::args().nth(1).expect("a path");
    let markets: Vec<String> = std::env::args().skip(2).collect();
    let file = SharedFile::open(&path).expect("a shared file");
    let mut ring = file.ring();
    let mut last = HashMap::new();
    let mut changes = Some(String::new());
    let (mut torn, mut lapped) = (0, 0);
    eprintln!("reading");
    while file.is_live() {
        for name in &markets {
            read_ring(&mut ring, &mut changes, &mut lapped);
            let (market, book) = match file.find(Venue::B, name).map(|it| (it, file.book(it))) {
                Some((market, Ok(book))) => (market, book),
                _ => continue,
            };
            if last.insert(name, (market.stamp, book.epoch, book.seq)) == Some((market.stamp, book.epoch, book.seq)) {
                continue;
            }
            if book.computed_checksum() != book.checksum {
                torn += 1;
            }
            println!("name {} {name}", market.stamp);
            println!("book {} {} {} {}", market.stamp, book.epoch, book.seq, book.checksum);
        }
    }
    println!("torn {torn}\nlapped {lapped}");
}

fn read_ring(ring: &mut Ring<'_>, changes: &mut Option<String>, lapped: &mut u32) {
    loop {
        match ring.next() {
            Next::Empty => return,
            Next::Lapped => {
                *lapped += 1;
                *changes = None;
            }
            Next::Record(market, Event::Change { side, price, size, batch }) => {
                let code = if side == Side::Bid { 0 } else { 1 };
                if let Some(text) = changes {
                    text.push_str(&format!("{code}:{price}:{size}|"));
                }
                if let Some((epoch, seq, checksum)) = batch {
                    if let Some(text) = changes.replace(String::new()) {
                        let crc = shared_file::crc32(text.as_bytes());
                        println!("batch {} {epoch} {seq} {checksum} {crc}", market.stamp);
                    }
                }
            }
            Next::Record(..) => {}
        }
    }
}
