//! Reads the market data that crossbook shares with other processes of its host (CROSSBOOK_SHM, docs/SHARED-MEMORY.md): std, and `mmap` of the
//! C library. Prices are in ticks of $0.0001, sizes in millionths of a share, times in Unix milliseconds.

#![allow(dead_code)] // A program uses what it needs.

use std::fs::File;
use std::io::{Error, ErrorKind, Result};
use std::os::unix::io::AsRawFd;
use std::sync::atomic::{fence, AtomicU32, AtomicU64, Ordering::Acquire};
use std::time::{SystemTime, UNIX_EPOCH};

pub const LEVELS: usize = 10;
const LAYOUT_VERSION: u32 = 1;
const STALE_MS: i64 = 1_000;
const ATTEMPTS: usize = 1_000;

extern "C" {
    fn mmap(address: *mut u8, bytes: usize, protection: i32, flags: i32, file: i32, offset: i64) -> *mut u8;
    fn munmap(address: *mut u8, bytes: usize) -> i32;
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Venue {
    A = 0,
    B = 1,
}

/// A market's place in the file, as `find` returned it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Market {
    pub symbol: u32,
    pub stamp: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    Resyncing,
    Live,
    Stale,
    Halted,
    Closed,
}

fn state_of(code: u8) -> State {
    match code {
        1 => State::Live,
        2 => State::Stale,
        3 => State::Halted,
        4 => State::Closed,
        _ => State::Resyncing,
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    pub price: i32,
    pub size: u64,
}

#[derive(Clone, Debug)]
pub struct Book {
    pub state: State,
    pub epoch: u64,
    pub seq: u64,
    pub venue_time: u64,
    pub received_at: u64,
    /// 0: none.
    pub last_trade: i32,
    pub checksum: u32,
    /// Best first, up to ten.
    pub bids: Vec<Level>,
    pub asks: Vec<Level>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    Bid,
    Ask,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A level has this size now; 0: it is gone. `batch`: epoch, seq and checksum, at the last change of a batch.
    Change { side: Side, price: i32, size: u64, batch: Option<(u64, u64, u32)> },
    /// A new epoch: read the book.
    Reset,
    State(State),
    /// `taker`: None where the venue did not say.
    Trade { price: i32, size: u64, taker: Option<Side>, trade_id: String, venue_time: u64 },
    /// Trades before it may be missing.
    TradesMissed,
    Listed,
    Unlisted,
}

/// What `Ring::next` found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    Record(Market, Event),
    /// Nothing is written yet.
    Empty,
    /// Records were overwritten before they were read. The ring goes on behind the newest; the books have what was missed.
    Lapped,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// Every attempt met a write: try again.
    Busy,
    /// The market left its place: find it again.
    Gone,
}

pub struct SharedFile {
    base: *mut u8,
    bytes: usize,
    symbols_offset: usize,
    books_offset: usize,
    ring_offset: usize,
    ring_slots: u64,
}

// The memory is only read; versions and sequences show each write of the gateway.
unsafe impl Send for SharedFile {}
unsafe impl Sync for SharedFile {}

impl Drop for SharedFile {
    fn drop(&mut self) {
        unsafe { munmap(self.base, self.bytes) };
    }
}

impl SharedFile {
    pub fn open(path: &str) -> Result<SharedFile> {
        let file = File::open(path)?;
        let bytes = file.metadata()?.len() as usize;
        let refused = || Error::new(ErrorKind::InvalidData, "no shared file of this layout");
        if bytes < 4096 {
            return Err(refused());
        }
        // PROT_READ, MAP_SHARED.
        let base = unsafe { mmap(std::ptr::null_mut(), bytes, 1, 1, file.as_raw_fd(), 0) };
        if base as isize == -1 {
            return Err(Error::last_os_error());
        }
        let mut shared = SharedFile { base, bytes, symbols_offset: 0, books_offset: 0, ring_offset: 0, ring_slots: 0 };
        if &shared.copy::<8>(0) != b"XBOOKSHM" || shared.u32(8) != LAYOUT_VERSION {
            return Err(refused());
        }
        shared.symbols_offset = shared.u64(32) as usize;
        shared.books_offset = shared.u64(48) as usize;
        shared.ring_offset = shared.u64(64) as usize;
        shared.ring_slots = shared.u32(76) as u64;
        Ok(shared)
    }

    /// Whether a gateway writes it now. If not, no book is live: open the path again, for a new gateway makes a new file.
    pub fn is_live(&self) -> bool {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_millis() as i64);
        self.u32(128) == 1 && (now - self.u64(192) as i64).abs() <= STALE_MS
    }

    /// None: the gateway has no subscription to it.
    pub fn find(&self, venue: Venue, address: &str) -> Option<Market> {
        (0..self.u32(320)).find_map(|symbol| {
            let entry: [u8; 192] = self.guarded(self.symbols_offset + symbol as usize * 192)?;
            let length = u32_at(&entry, 12) as usize;
            let is_it = entry[8] == venue as u8 && entry.get(16..16 + length)? == address.as_bytes();
            let stamp = u32_at(&entry, 4);
            (is_it && stamp != 0).then_some(Market { symbol, stamp })
        })
    }

    pub fn book(&self, market: Market) -> std::result::Result<Book, ReadError> {
        let at = self.books_offset + market.symbol as usize * 320;
        let bytes: [u8; 320] = self.guarded(at).ok_or(ReadError::Busy)?;
        if u32_at(&bytes, 4) != market.stamp {
            return Err(ReadError::Gone);
        }
        let side = |count: u8, sizes: usize, prices: usize| {
            (0..(count as usize).min(LEVELS))
                .map(|level| Level {
                    price: u32_at(&bytes, prices + level * 4) as i32,
                    size: u64_at(&bytes, sizes + level * 8),
                })
                .collect()
        };
        Ok(Book {
            state: state_of(bytes[8]),
            checksum: u32_at(&bytes, 12),
            epoch: u64_at(&bytes, 16),
            seq: u64_at(&bytes, 24),
            venue_time: u64_at(&bytes, 32),
            received_at: u64_at(&bytes, 40),
            last_trade: u32_at(&bytes, 48) as i32,
            bids: side(bytes[10], 64, 224),
            asks: side(bytes[11], 144, 264),
        })
    }

    /// The records that are written from now on.
    pub fn ring(&self) -> Ring<'_> {
        Ring { file: self, next: self.ring_end() }
    }

    fn ring_end(&self) -> u64 {
        self.u64(256) + 1
    }

    fn u32(&self, at: usize) -> u32 {
        unsafe { (*(self.base.add(at) as *const AtomicU32)).load(Acquire) }
    }

    fn u64(&self, at: usize) -> u64 {
        unsafe { (*(self.base.add(at) as *const AtomicU64)).load(Acquire) }
    }

    fn copy<const BYTES: usize>(&self, at: usize) -> [u8; BYTES] {
        assert!(at + BYTES <= self.bytes);
        unsafe { std::ptr::read_volatile(self.base.add(at) as *const [u8; BYTES]) }
    }

    /// Copies what the version at its start guards.
    fn guarded<const BYTES: usize>(&self, at: usize) -> Option<[u8; BYTES]> {
        (0..ATTEMPTS).find_map(|_| {
            let before = self.u32(at);
            if before & 1 == 1 {
                return None;
            }
            let bytes = self.copy(at);
            fence(Acquire);
            (self.u32(at) == before).then_some(bytes)
        })
    }
}

pub struct Ring<'file> {
    file: &'file SharedFile,
    next: u64,
}

impl Ring<'_> {
    pub fn next(&mut self) -> Next {
        let file = self.file;
        let at = file.ring_offset + ((self.next - 1) & (file.ring_slots - 1)) as usize * 128;
        let mut sequence = file.u64(at);
        if sequence != self.next {
            // The end first: if it is beyond, the slot had that record, and an older sequence now means that it is being overwritten.
            let end = file.ring_end();
            sequence = file.u64(at);
            if sequence < self.next && end <= self.next {
                return Next::Empty;
            }
        }
        if sequence == self.next {
            let bytes: [u8; 128] = file.copy(at);
            fence(Acquire);
            if file.u64(at) == sequence {
                self.next += 1;
                return Next::Record(Market { symbol: u32_at(&bytes, 8), stamp: u32_at(&bytes, 12) }, event_of(&bytes));
            }
        }
        self.next = file.ring_end();
        Next::Lapped
    }
}

fn event_of(bytes: &[u8; 128]) -> Event {
    let (code, price, size) = (bytes[17], u32_at(bytes, 20) as i32, u64_at(bytes, 24));
    match bytes[16] {
        1 => Event::Change {
            side: if code == 0 { Side::Bid } else { Side::Ask },
            price,
            size,
            batch: (bytes[19] == 1).then(|| (u64_at(bytes, 48), u64_at(bytes, 56), u32_at(bytes, 64))),
        },
        3 => Event::State(state_of(code)),
        4 => Event::Trade {
            price,
            size,
            taker: [None, Some(Side::Bid), Some(Side::Ask)].get(code as usize).copied().flatten(),
            trade_id: bytes[64..].iter().take_while(|&&byte| byte != 0).map(|&byte| byte as char).collect(),
            venue_time: u64_at(bytes, 32),
        },
        5 => Event::TradesMissed,
        6 => Event::Listed,
        7 => Event::Unlisted,
        _ => Event::Reset,
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

/// `value / 10^places` as a canonical decimal.
pub fn decimal(value: u64, places: u32) -> String {
    let unit = 10u64.pow(places);
    let text = format!("{}.{:0width$}", value / unit, value % unit, width = places as usize);
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

impl Book {
    /// What `checksum` must be: for tests, since no torn book is returned.
    pub fn computed_checksum(&self) -> u32 {
        let levels = self.bids.iter().chain(&self.asks);
        let texts: Vec<String> =
            levels.map(|it| format!("{}:{}", decimal(it.price as u64, 4), decimal(it.size, 6))).collect();
        let text = texts.join("|");
        if text.is_empty() { 0 } else { crc32(text.as_bytes()) }
    }
}

pub fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0u32, |crc, &byte| {
        (0..8).fold(crc ^ byte as u32, |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 })
    })
}
