// Removes secrets from log fields: our keys and tickets, private keys of any kind, signatures. The last line of defence
// behind callers, who pass named facts only. Pure.

/** Fields whose whole value is a secret. */
const SECRET_FIELD =
  /^(signature|svc-?signature|seed|secret|passphrase|password|ticket|authorization|(x-)?api-?key|private-?key)(hex|pem|text)?$/i;
/** Fields that may hold 32 bytes in hex, which are public there. */
const PUBLIC_HEX_FIELD = /(public_?key|key_?id|hash|sha256|condition|market|token|venue_?order_?id|fill_?id)/i;

const API_KEY = /cbk_[\w-]{16,}/g;
const PEM = /-----BEGIN [A-Z ]+-----[\s\S]*?(-----END [A-Z ]+-----|$)/g;
/** A ticket in the query of a stream's address. */
const TICKET = /([?&]ticket=)[^&#\s"]+/g;
/** A seed or a private key of 32 bytes. */
const HEX_OF_32_BYTES = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/gi;

/** Shorter texts hold no secret. */
const CHARACTERS_MIN = 20;

/** `value` of a log field without what looks like a secret. The field's name decides where the form is ambiguous. */
export function redact(field: string, value: string): string {
  if (SECRET_FIELD.test(field)) return '[redacted]';
  if (value.length < CHARACTERS_MIN) return value;
  const text = value
    .replace(API_KEY, '[redacted API key]')
    .replace(PEM, '[redacted PEM]')
    .replace(TICKET, '$1[redacted]');
  return PUBLIC_HEX_FIELD.test(field) ? text : text.replace(HEX_OF_32_BYTES, '[redacted 32 bytes]');
}
