#!/usr/bin/env node
// The command line: `crossbook <command> …`. Each command is a file of its own; this one only finds it.

import { watchBook } from './watch-book.ts';

const USAGE = `usage: crossbook <command>

  book <venue> <market> [--url URL] [--once]
      a live ladder of one book; <venue> is venue_a (a token id) or venue_b (a ticker);
      --url   the stream, default ws://127.0.0.1:8080/v1/orderbook
      --once  print one ladder and end
`;

const [command, ...rest] = process.argv.slice(2);
const problem = command === 'book' ? watchBook(rest, process.stdout) : `unknown command ${command ?? '(none)'}`;
if (problem !== null) {
  process.stderr.write(`crossbook: ${problem}\n${USAGE}`);
  process.exitCode = 2;
}
