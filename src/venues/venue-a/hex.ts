// Bytes as Ethereum's hex text: `0x` and two digits a byte, read in either case, written in lower case.

/** Null unless the text is `0x` and at most so many whole bytes. */
export function readHex(text: string, bytesMax: number): Uint8Array | null {
  if (text.length > 2 + bytesMax * 2 || !/^0x(?:[0-9a-f]{2})*$/i.test(text)) return null;
  return Buffer.from(text.slice(2), 'hex');
}

export function writeHex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`;
}
