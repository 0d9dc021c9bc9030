// Whether a request of a browser names this machine, and no foreign name. A site that lets its own name point to this address (DNS
// rebinding) would have its scripts take the page for a part of itself. With TLS the certificate stops it. Pure.

import { isIP } from 'node:net';

/** `host`: the text of the header. True for IP addresses and `localhost`, with or without a port. */
export function isKnownHost(host: string): boolean {
  const [, name = ''] = /^(.*?)(?::\d{1,5})?$/.exec(host.toLowerCase()) ?? [];
  const [, bracketed] = /^\[(.*)\]$/.exec(name) ?? [];
  if (bracketed !== undefined) return isIP(bracketed) === 6;
  return isIP(name) === 4 || name === 'localhost';
}
