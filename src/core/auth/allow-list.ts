// The addresses that may use a signing key (contract §2): single addresses, CIDR ranges, and `unix` for the Unix domain
// socket. Used at registration and by the keyring.

import { BlockList, isIP } from 'node:net';
import { fail, ok, type Result } from '../domain/result.ts';

/** `InboundRequest.remoteAddress` of a caller on the Unix domain socket. */
const UNIX_SOCKET = 'unix';
const BITS = { ipv4: 32, ipv6: 128 } as const;

/** One entry of an allow-list. A single address is a range of full length. */
type AddressRange =
  | { readonly family: 'unix' }
  | { readonly family: keyof typeof BITS; readonly address: string; readonly prefixBits: number };

/** Reads an entry such as `192.0.2.7`, `2001:db8::/32` or `unix`; the error names the rule. */
export function parseAddress(text: string): Result<AddressRange, string> {
  if (text === UNIX_SOCKET) return ok({ family: UNIX_SOCKET });
  const [address = '', prefix, ...rest] = text.split('/');
  const family = familyOf(address);
  if (family === null || rest.length > 0) {
    return fail('must be an IPv4 or IPv6 address, a CIDR range such as 192.0.2.0/24, or unix');
  }
  if (prefix === undefined) return ok({ family, address, prefixBits: BITS[family] });
  if (!/^(0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > BITS[family]) {
    return fail(`the prefix length must be an integer from 0 to ${BITS[family]}`);
  }
  return ok({ family, address, prefixBits: Number(prefix) });
}

/**
 * Whether an address is on the list; an empty list admits all. A malformed entry, which registration refuses, admits none.
 */
export function createAllowList(entries: readonly string[]): (remoteAddress: string) => boolean {
  if (entries.length === 0) return () => true;
  const list = new BlockList();
  let admitsUnix = false;
  for (const entry of entries) {
    const range = parseAddress(entry);
    if (!range.ok) continue;
    if (range.value.family === 'unix') admitsUnix = true;
    else list.addSubnet(range.value.address, range.value.prefixBits, range.value.family);
  }
  return remoteAddress => {
    if (remoteAddress === UNIX_SOCKET) return admitsUnix;
    const family = familyOf(remoteAddress);
    return family !== null && list.check(remoteAddress, family);
  };
}

/** Null if the text is no address. A zone (`fe80::1%eth0`) has a meaning on one host only. */
function familyOf(address: string): keyof typeof BITS | null {
  const version = address.includes('%') ? 0 : isIP(address);
  return version === 0 ? null : version === 4 ? 'ipv4' : 'ipv6';
}
