//! Prints a market's best prices each time that they change, and its trades: ./books PATH venue_b TICKER [LINES]

mod shared_file;

use shared_file::{decimal, Event, Level, Market, Next, SharedFile, State, Venue};
use std::{env, process, thread, time::Duration};

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if arguments.len() < 3 {
        fail("usage: ./books PATH venue_a|venue_b MARKET [LINES]");
    }
    let file = SharedFile::open(&arguments[0]).unwrap_or_else(|error| fail(&format!("{}: {error}", arguments[0])));
    let venue = if arguments[1] == "venue_a" { Venue::A } else { Venue::B };
    let market = file
        .find(venue, &arguments[2])
        .unwrap_or_else(|| fail(&format!("the gateway has no subscription to {}", arguments[2])));
    let mut lines: usize = arguments.get(3).map_or(usize::MAX, |text| text.parse().unwrap_or(usize::MAX));
    let mut ring = file.ring();
    print_book(&file, market);
    while lines > 1 && file.is_live() {
        match ring.next() {
            // A bot that has a core of its own spins here, and looks at the heartbeat now and then.
            Next::Empty => {
                thread::sleep(Duration::from_millis(1));
                continue;
            }
            Next::Record(of, _) if of != market => continue,
            Next::Record(_, Event::Change { batch: None, .. }) => continue,
            Next::Record(_, Event::Trade { price, .. }) => println!("trade at {}", decimal(price as u64, 4)),
            Next::Record(..) | Next::Lapped => print_book(&file, market),
        }
        lines -= 1;
    }
}

fn print_book(file: &SharedFile, market: Market) {
    match file.book(market) {
        Ok(book) if book.state == State::Live => {
            let best = |levels: &[Level]| levels.first().map_or("none".to_string(), |it| decimal(it.price as u64, 4));
            println!("bid {} ask {}", best(&book.bids), best(&book.asks));
        }
        Ok(_) => println!("not live"),
        Err(why) => println!("{why:?}"),
    }
}

fn fail(message: &str) -> ! {
    eprintln!("{message}");
    process::exit(1);
}
