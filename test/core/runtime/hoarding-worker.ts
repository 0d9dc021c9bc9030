// A thread whose memory only grows.

import { guardHeap } from '../../../src/core/runtime/thread-state.ts';

const kept: number[][] = [];
guardHeap(1);
setInterval(() => kept.push(new Array(16_384).fill(kept.length)), 0);
