//! Signs requests to crossbook (docs/SIGNING.md). std has no Ed25519: libsodium does it, through its C interface.

use std::os::raw::{c_int, c_uchar, c_ulonglong};

#[link(name = "sodium")]
extern "C" {
    fn sodium_init() -> c_int;
    fn crypto_sign_seed_keypair(public: *mut c_uchar, secret: *mut c_uchar, seed: *const c_uchar) -> c_int;
    fn crypto_sign_detached(
        signature: *mut c_uchar,
        length: *mut c_ulonglong,
        message: *const c_uchar,
        message_length: c_ulonglong,
        secret: *const c_uchar,
    ) -> c_int;
    fn crypto_hash_sha256(hash: *mut c_uchar, message: *const c_uchar, length: c_ulonglong) -> c_int;
}

/// A signing key. The private half never leaves it.
pub struct Signer {
    key_id: String,
    secret: [u8; 64],
}

/// What is signed, exactly as it is sent. Texts that the request does not have are empty.
pub struct Request<'a> {
    /// Upper case.
    pub method: &'a str,
    /// Path and query.
    pub target: &'a str,
    pub body: &'a str,
    pub idempotency_key: &'a str,
    /// Unix milliseconds as decimal text.
    pub not_after: &'a str,
    /// Unix seconds by the gateway's clock.
    pub timestamp_s: u64,
}

impl Signer {
    /// `seed_hex`: the 32-byte Ed25519 seed in hex. None for what is no key.
    pub fn new(key_id: &str, seed_hex: &str) -> Option<Signer> {
        if seed_hex.len() != 64 || !seed_hex.bytes().all(|it| it.is_ascii_hexdigit()) {
            return None;
        }
        let seed: Vec<u8> = (0..32).filter_map(|at| u8::from_str_radix(&seed_hex[2 * at..2 * at + 2], 16).ok()).collect();
        let (mut public, mut secret) = ([0u8; 32], [0u8; 64]);
        // SAFETY: the buffers have the lengths that libsodium documents.
        let is_made = unsafe {
            sodium_init() >= 0 && crypto_sign_seed_keypair(public.as_mut_ptr(), secret.as_mut_ptr(), seed.as_ptr()) == 0
        };
        is_made.then(|| Signer { key_id: key_id.to_string(), secret })
    }

    /// Of `keyId` and `seedHex` in a key file, such as data/demo/key.json. None if it cannot be read or has no key.
    pub fn read(path: &str) -> Option<Signer> {
        let json = std::fs::read_to_string(path).ok()?;
        let text = |name: &str| json.split_once(&format!("\"{}\"", name))?.1.split('"').nth(1);
        Signer::new(text("keyId")?, text("seedHex")?)
    }

    /// The signing headers, by name.
    pub fn headers(&self, request: &Request) -> Vec<(&'static str, String)> {
        let timestamp = request.timestamp_s.to_string();
        let sha256 = hex(&sha256(request.body.as_bytes()));
        let lines = [request.method, request.target, &timestamp, &sha256, request.idempotency_key, request.not_after];
        let signature = base64(&self.sign(lines.join("\n").as_bytes()));
        let mut headers = vec![
            ("SVC-Key-Id", self.key_id.clone()),
            ("SVC-Timestamp", timestamp),
            ("SVC-Content-Sha256", sha256),
            ("SVC-Signature", signature),
        ];
        for (name, value) in [("Idempotency-Key", request.idempotency_key), ("SVC-Not-After-Millis", request.not_after)] {
            if !value.is_empty() {
                headers.push((name, value.to_string()));
            }
        }
        headers
    }

    fn sign(&self, message: &[u8]) -> [u8; 64] {
        let mut signature = [0u8; 64];
        // SAFETY: the signature has 64 bytes; a null length is allowed.
        unsafe {
            crypto_sign_detached(
                signature.as_mut_ptr(),
                std::ptr::null_mut(),
                message.as_ptr(),
                message.len() as c_ulonglong,
                self.secret.as_ptr(),
            );
        }
        signature
    }
}

fn sha256(message: &[u8]) -> [u8; 32] {
    let mut hash = [0u8; 32];
    // SAFETY: the hash has 32 bytes.
    unsafe { crypto_hash_sha256(hash.as_mut_ptr(), message.as_ptr(), message.len() as c_ulonglong) };
    hash
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{:02x}", byte)).collect()
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for part in bytes.chunks(3) {
        let number = part.iter().fold(0u32, |sum, byte| sum << 8 | u32::from(*byte)) << (8 * (3 - part.len()));
        for at in 0..4 {
            let digit = DIGITS[(number >> (18 - 6 * at) & 63) as usize];
            text.push(if at <= part.len() { char::from(digit) } else { '=' });
        }
    }
    text
}
