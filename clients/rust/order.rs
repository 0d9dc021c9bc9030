//! Places an order at venue B, reads it and cancels it, over plain HTTP on the same host. README.md says how to run it.

mod crossbook;

use crossbook::{Request, Signer};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const PATIENCE: Duration = Duration::from_secs(10);

struct Answer {
    status: u16,
    server_time_s: Option<i64>,
    body: String,
}

enum Outcome {
    Answered(Answer),
    /// The gateway did not get the request.
    Unsent(String),
    /// It may have got it.
    Lost(String),
}

struct Client {
    port: u16,
    signer: Signer,
    /// The gateway's clock less ours, from SVC-Server-Time of every answer.
    offset_s: i64,
}

impl Client {
    /// One signed request. Corrects a wrong clock once.
    fn call(&mut self, method: &str, target: &str, body: &str, idempotency_key: &str) -> Outcome {
        for may_correct in [true, false] {
            let timestamp_s = now_s() + self.offset_s;
            let request =
                Request { method, target, body, idempotency_key, not_after: "", timestamp_s: timestamp_s as u64 };
            let outcome = send(self.port, &self.signer, &request);
            if let Outcome::Answered(Answer { status, server_time_s: Some(server_s), .. }) = outcome {
                self.offset_s = server_s - now_s();
                if may_correct && status == 401 && (server_s - timestamp_s).abs() > 30 {
                    continue;
                }
            }
            return outcome;
        }
        unreachable!("the second attempt is the last")
    }
}

fn send(port: u16, signer: &Signer, request: &Request) -> Outcome {
    let mut connection = match TcpStream::connect(("127.0.0.1", port)) {
        Ok(connection) => connection,
        Err(error) => return Outcome::Unsent(error.to_string()),
    };
    let mut text = format!("{} {} HTTP/1.1\r\nHost: 127.0.0.1\r\n", request.method, request.target);
    for (name, value) in signer.headers(request) {
        text += &format!("{}: {}\r\n", name, value);
    }
    if !request.body.is_empty() {
        text += "Content-Type: application/json\r\n";
    }
    text += &format!("Content-Length: {}\r\n\r\n{}", request.body.len(), request.body);
    match exchange(&mut connection, &text) {
        Ok(answer) => Outcome::Answered(answer),
        Err(error) => Outcome::Lost(error.to_string()),
    }
}

/// Reads until the body is as long as the head says: the gateway keeps the connection.
fn exchange(connection: &mut TcpStream, text: &str) -> std::io::Result<Answer> {
    connection.set_read_timeout(Some(PATIENCE))?;
    connection.write_all(text.as_bytes())?;
    let (mut bytes, mut part) = (Vec::new(), [0u8; 4096]);
    loop {
        let count = connection.read(&mut part)?;
        if count == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        bytes.extend_from_slice(&part[..count]);
        let read = String::from_utf8_lossy(&bytes);
        let (head, body) = match read.split_once("\r\n\r\n") {
            Some(parts) => parts,
            None => continue,
        };
        let length = header(head, "content-length").and_then(|it| it.parse::<usize>().ok());
        if length.map_or(true, |length| body.len() < length) {
            continue;
        }
        let status = head.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or(0);
        let server_time_s = header(head, "svc-server-time").and_then(|it| it.parse::<i64>().ok()).map(|it| it / 1000);
        return Ok(Answer { status, server_time_s, body: body.to_string() });
    }
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().filter_map(|line| line.split_once(':')).find(|it| it.0.eq_ignore_ascii_case(name)).map(|it| it.1.trim())
}

/// The text of a field in our own answers, which escape nothing in ids and statuses.
fn field<'a>(json: &'a str, name: &str) -> &'a str {
    let quoted = format!("\"{}\":\"", name);
    json.split_once(&quoted).and_then(|it| it.1.split('"').next()).unwrap_or("")
}

fn now_s() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs() as i64)
}

/// Places it. The same key asks again while the outcome is unknown, and makes no second order.
fn place(client: &mut Client, body: &str, idempotency_key: &str) -> Result<Answer, String> {
    let mut doubt = None;
    for _ in 0..5 {
        match client.call("POST", "/v1/venue-b/orders", body, idempotency_key) {
            Outcome::Answered(answer) if matches!(answer.status, 502 | 504) => doubt = Some(answer.body),
            // What a repetition is refused for, such as a 503, says nothing of the first.
            Outcome::Answered(answer) if doubt.is_none() || matches!(answer.status, 201 | 400 | 404 | 422) => {
                return if answer.status == 201 { Ok(answer) } else { Err(format!("no order: {}", answer.body)) };
            }
            Outcome::Unsent(error) if doubt.is_none() => return Err(format!("no order: {}", error)),
            Outcome::Lost(error) => doubt = Some(error),
            _ => {}
        }
        std::thread::sleep(Duration::from_secs(1));
    }
    Err(format!("the order may be at the venue: {}", doubt.unwrap_or_default()))
}

fn shown(outcome: Outcome) -> Result<String, String> {
    match outcome {
        Outcome::Answered(answer) if answer.status == 200 => Ok(field(&answer.body, "status").to_string()),
        Outcome::Answered(answer) => Err(answer.body),
        Outcome::Unsent(error) | Outcome::Lost(error) => Err(error),
    }
}

fn run() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    // `order sign …` prints the headers of one request, for scripts and for the published vectors.
    if let [word, key_id, seed_hex, method, target, body, idempotency_key, not_after, timestamp] = &words[..] {
        if word == "sign" {
            let signer = Signer::new(key_id, seed_hex).ok_or("the seed must be 32 bytes in hex")?;
            let timestamp_s = timestamp.parse().map_err(|_| "the timestamp must be whole seconds")?;
            for (name, value) in
                signer.headers(&Request { method, target, body, idempotency_key, not_after, timestamp_s })
            {
                println!("{}: {}", name, value);
            }
            return Ok(());
        }
    }
    let (port, key_file, ticker) = match &words[..] {
        [port, key_file, ticker] => (port, key_file, ticker),
        _ => return Err("usage: order PORT KEY_FILE TICKER".to_string()),
    };
    let signer = Signer::read(key_file).ok_or("no key can be read from KEY_FILE")?;
    let port = port.parse().map_err(|_| "the port must be a number")?;
    let mut client = Client { port, signer, offset_s: 0 };
    let order =
        format!(r#"{{"ticker":"{}","side":"YES","action":"BUY","count":1,"priceCents":1}}"#, ticker);
    let key = format!("rust-{}-{}", now_s(), std::process::id());
    let placed = place(&mut client, &order, &key)?;
    println!("placed {}", field(&placed.body, "status"));
    let target = format!("/v1/venue-b/orders/{}", field(&placed.body, "orderId"));
    println!("read {}", shown(client.call("GET", &target, "", ""))?);
    println!("cancelled {}", shown(client.call("DELETE", &target, "", ""))?);
    Ok(())
}

fn main() {
    if let Err(message) = run() {
        eprintln!("{}", message);
        std::process::exit(1);
    }
}
