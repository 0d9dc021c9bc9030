// A self-signed certificate for 127.0.0.1, made anew for every test run: a private key in a repository is no secret. X.509 (RFC 5280) in as
// little DER as TLS clients accept.

import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';

export interface SelfSigned {
  /** The private key as PEM. */
  readonly key: string;
  /** The certificate as PEM. Clients must take it for a certificate authority. */
  readonly cert: string;
}

export function selfSigned(): SelfSigned {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const name = sequence(set(sequence(COMMON_NAME, der(0x0c, Buffer.from('crossbook test')))));
  const validity = sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z')));
  const address = der(0x87, Buffer.of(127, 0, 0, 1));
  const extensions = der(0xa3, sequence(sequence(SUBJECT_ALT_NAME, der(0x04, sequence(address)))));
  const version3 = der(0xa0, der(0x02, Buffer.of(2)));
  const serial = der(0x02, Buffer.of(1));
  const facts = sequence(version3, serial, ECDSA_SHA256, name, validity, name, publicKey, extensions);
  const signature = Buffer.concat([Buffer.of(0), sign('sha256', facts, privateKey)]);
  const certificate = sequence(facts, ECDSA_SHA256, der(0x03, signature));
  const lines = certificate.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  // DER allows only the shortest form of a length.
  const long = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...(length < 0x80 ? [length] : long)), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function set(...parts: readonly Buffer[]): Buffer {
  return der(0x31, Buffer.concat(parts));
}

const COMMON_NAME = der(0x06, Buffer.of(0x55, 0x04, 0x03));
const SUBJECT_ALT_NAME = der(0x06, Buffer.of(0x55, 0x1d, 0x11));
const ECDSA_SHA256 = sequence(der(0x06, Buffer.of(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02)));
