// Messages of the venues' private streams that come twice, out of order or not at all, and streams that end.

import { VENUES } from '../../../src/core/domain/market.ts';
import { WORDS } from '../../soak/fault-plan.ts';
import type { Row } from '../row.ts';

const group = 'the venues’ private streams';

function row(words: string, kind: string): Row {
  return {
    group,
    fault: `of the messages about orders and fills a third ${words}`,
    mustStrike: kind,
    async strike({ stage: { paper } }) {
      for (const venue of VENUES)
        for (const operation of [WORDS[venue].orderMessage, WORDS[venue].fillMessage])
          await paper.control('POST', '/faults', {
            venue,
            operation,
            fault: { kind },
            probability: 0.33,
            countMax: 10,
          });
    },
  };
}

export const STREAM_ROWS: readonly Row[] = [
  row('never come', 'drop'),
  row('come twice', 'duplicate'),
  row('come after the next', 'swap'),
  row('end the stream', 'disconnect'),
  {
    group,
    fault: 'all streams cut, market data too, three times',
    async strike(scene) {
      let cut = 0;
      for (const orders of [10, 25, 40]) {
        await scene.begun(orders);
        for (const venue of VENUES) {
          const path = `/venues/${venue}/disconnect`;
          cut += (await scene.stage.paper.control<{ readonly streams: number }>('POST', path, {})).streams;
        }
      }
      scene.notes.push(`${cut} streams`);
    },
  },
  {
    group,
    fault: 'settlement of matches fails at venue A',
    mustStrike: 'settlement-fails',
    strike: ({ stage: { paper } }) =>
      paper.control('POST', '/faults', { venue: 'venue_a', fault: { kind: 'settlement-fails' }, countMax: 3 }),
  },
  {
    group,
    fault: 'settlement of matches is tried again at venue A',
    mustStrike: 'settlement-retries',
    strike: ({ stage: { paper } }) =>
      paper.control('POST', '/faults', { venue: 'venue_a', fault: { kind: 'settlement-retries' }, countMax: 3 }),
  },
];
