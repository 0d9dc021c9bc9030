// Found by restoring into the data directory of a fresh installation. It was made as a home, with the files of /etc/skel. So was the new volume
// of a container, which gets the image's content. Neither was empty, and a restore refused both.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it.each(['deploy/Containerfile', 'docs/OPERATIONS.md'])(
  '%s makes the data directory empty, for its owner alone',
  path => {
    const text = readFileSync(path, 'utf8');
    const commands = text.split('\n').filter(line => line.includes('useradd '));
    expect(commands).toHaveLength(1);
    expect(commands[0]).not.toMatch(/ (--create-home|-m) /);
    expect(text).toMatch(/install (-d|--directory) (-m|--mode) 0700 .* \/var\/lib\/crossbook$/m);
  },
);
