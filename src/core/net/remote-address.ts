// Peer addresses as comparable text. Each address has one spelling, so that an allow-list and a rate limit agree on a caller. Listening
// thread.

const ipv4Bytes = 4;

/**
 * Returns the text of an address of 4 or 16 bytes: IPv4 dotted, IPv6 as in RFC 5952, IPv4-mapped IPv6 (RFC 4291 §2.5.5.2) as IPv4. Returns
 * the empty text if there are no bytes.
 */
export function remoteAddressText(bytes: Uint8Array): string {
  if (!isSame(bytes, latest.bytes)) latest = { bytes: bytes.slice(), text: textOf(bytes) };
  return latest.text;
}

/** The latest address: the next request often has the same. The bytes are a copy, because the memory of a request's address is not ours. */
let latest: { readonly bytes: Uint8Array; readonly text: string } = { bytes: new Uint8Array(0), text: '' };

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at === one.length && at === other.length;
}

function textOf(bytes: Uint8Array): string {
  if (bytes.length === 0) return '';
  if (bytes.length === ipv4Bytes) return dotted(bytes, 0);
  if (isIpv4Mapped(bytes)) return dotted(bytes, 12);
  const groups = Array.from({ length: 8 }, (_, index) => (bytes[2 * index]! << 8) | bytes[2 * index + 1]!);
  const hex = groups.map(group => group.toString(16));
  const [start, length] = longestZeroRun(groups);
  if (length < 2) return hex.join(':');
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}

function dotted(bytes: Uint8Array, from: number): string {
  return `${bytes[from]}.${bytes[from + 1]}.${bytes[from + 2]}.${bytes[from + 3]}`;
}

function isIpv4Mapped(bytes: Uint8Array): boolean {
  for (let index = 0; index < 10; index++) if (bytes[index] !== 0) return false;
  return bytes[10] === 0xff && bytes[11] === 0xff;
}

/** Returns the first of the longest zero runs, as [start, length]. */
function longestZeroRun(groups: readonly number[]): readonly [number, number] {
  let [bestStart, bestLength, length] = [0, 0, 0];
  for (const [index, group] of groups.entries()) {
    length = group === 0 ? length + 1 : 0;
    if (length > bestLength) [bestStart, bestLength] = [index - length + 1, length];
  }
  return [bestStart, bestLength];
}
