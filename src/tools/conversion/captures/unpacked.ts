// Unpacks a capture (gzip) a part at a time, up to where a killed recorder has cut it off. The command line's process.

import { finished } from 'node:stream/promises';
import { createGunzip, type Gunzip } from 'node:zlib';
import { isCutOff } from '../../../paper/replay/recorder-forms.ts';

const OUTPUT_BYTES = 1024 * 1024;

/** Rejects if the source does, or is damaged. `onCut` gets the number of unpacked bytes if the source ends too early. */
export async function* unpacked(
  source: AsyncIterable<Uint8Array>,
  onCut: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: OUTPUT_BYTES });
  const parts: Uint8Array[] = [];
  let bytes = 0;
  gunzip.on('data', (part: Uint8Array) => {
    bytes += part.length;
    parts.push(part);
  });
  try {
    for await (const packed of source) {
      await fed(gunzip, packed);
      yield* parts.splice(0);
    }
    // A stream that fails forgets its rest. So all of it is taken out before the stream learns that nothing follows.
    gunzip.end();
    await finished(gunzip);
    yield* parts.splice(0);
  } catch (error) {
    if (!isCutOff(error)) throw error;
    onCut(bytes);
  } finally {
    gunzip.destroy();
  }
}

/** Resolves once all of it is unpacked. */
function fed(gunzip: Gunzip, packed: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    gunzip.once('error', reject);
    gunzip.write(packed, () => {
      gunzip.off('error', reject);
      resolve();
    });
  });
}
