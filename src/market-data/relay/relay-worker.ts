// The publisher's thread: follows the tapes of both venues onto core NATS (docs/RELAY.md), and passes readers' requests on to the main
// thread. The thread looks at the tapes by itself, so that no feed has to wake it.

import { randomUUID } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { wordsOf } from '../../core/domain/error-words.ts';
import { marketAddress, perVenue, VENUES } from '../../core/domain/market.ts';
import { assert } from '../../core/domain/result.ts';
import { SharedFigures } from '../../core/metrics/shared-figures.ts';
import { NatsLink, type NatsMessage } from '../../core/nats/connection.ts';
import { sleepThread } from '../../core/runtime/clock.ts';
import { createLog } from '../../core/runtime/log.ts';
import { keepPulse, watchMainThread } from '../../core/runtime/pulse.ts';
import { protobufCodec } from '../../core/wire/protobuf.ts';
import { BookPublisher, Outlet } from './book-publisher.ts';
import {
  decodeTermsRequest,
  encodeTermsReply,
  endSubject,
  PULSE_MS,
  pulseSubject,
  REPEAT_MS,
  requestSubject,
  termsSubject,
} from './protocol.ts';
import { type FromRelay, RELAY_COUNTS, type RelayThreadData, type ToRelay } from './relay-messages.ts';

/**
 * The sleep between two looks at the tapes, which the system extends to between 0.1 and 0.15 ms. `IDLE_MS` applies while no market is
 * published.
 */
const LOOK_MS = 0.05;
const IDLE_MS = 10;
/** The interval at which due heartbeats are sent, and the server is asked how far it has read. */
const BEAT_MS = 100;
/** The most questions that wait for the main thread, 100 bytes each. */
const QUESTIONS_MAX = 10_000;

const port = parentPort;
assert(port !== null, 'the publisher’s worker is started as a thread');
const { arena, counters, nats, logLevel } = workerData as RelayThreadData;
const log = createLog('relay', { level: logLevel });
const publisher = randomUUID();
const say = (message: FromRelay): void => port.postMessage(message);
const outlet = new Outlet({
  counters: new SharedFigures(RELAY_COUNTS, counters),
  onOpen: () => {
    for (const venue of VENUES) publishers[venue].renewAll();
  },
  log,
});
const publishers = perVenue(
  venue =>
    new BookPublisher({
      venue,
      arena,
      publisher,
      send: (subject, message) => outlet.send(subject, message),
      elapsed: () => performance.now(),
    }),
);
const nothing = new Uint8Array();
/** The subject of the reader's answer, by the number of the question to the main thread. */
const replies = new Map<number, string>();
let questions = 0;
let link: NatsLink | null = null;
let isClosing = false;
let connecting: NodeJS.Timeout | undefined;
let turn: NodeJS.Immediate | undefined;
let idle: NodeJS.Timeout | undefined;

keepPulse();
watchMainThread();
port.on('message', handle);
const beats = setInterval(beat, BEAT_MS);
const pulses = setInterval(() => outlet.send(pulseSubject(publisher), nothing), PULSE_MS);
connect();
work();

function handle(message: ToRelay): void {
  if (message === 'close') void close();
  else if (message.op === 'list') publishers[message.venue].list(message.address, message.binding);
  else if (message.op === 'unlist') publishers[message.venue].unlist(message.address);
  else if (message.op === 'terms') answer(message.id, encodeTermsReply(message.reading));
  else {
    const acknowledgement = { type: 'subscribed', id: 'lease', channel: 'book', ...message.outcome } as const;
    answer(message.id, protobufCodec.encode(acknowledgement));
  }
}

function connect(): void {
  NatsLink.connect(nats, 'crossbook publisher').then(
    made => {
      if (isClosing) {
        void made.close();
        return;
      }
      link = made;
      made.subscribe(requestSubject(publisher), request);
      made.subscribe(termsSubject(publisher), requestTerms);
      outlet.attach(made);
      log.info('publishes books', { publisher });
    },
    (error: unknown) => {
      if (isClosing) return;
      log.warn('NATS cannot be reached', { error: wordsOf(error) });
      connecting = setTimeout(connect, REPEAT_MS);
    },
  );
}

/** Handles a reader's request for markets, which takes a lease, or for a whole book. Any other request gets no answer. */
function request({ data, reply }: NatsMessage): void {
  const read = protobufCodec.decode(data);
  if (!read.ok) {
    log.warn('request cannot be read', { why: read.error.message });
    return;
  }
  const { value: message } = read;
  if (message.op === 'snapshot') {
    const { market } = message.market;
    publishers[market.venue].renew(marketAddress(market));
  } else if (message.op === 'subscribe' && message.channel === 'book' && reply !== undefined) {
    say({ op: 'lease', id: question(reply), markets: message.markets.map(({ market }) => market) });
  }
}

function requestTerms({ data, reply }: NatsMessage): void {
  const market = decodeTermsRequest(data);
  if (market !== null && reply !== undefined) say({ op: 'terms', id: question(reply), market });
}

function question(reply: string): number {
  // If too many questions wait, the oldest gets no answer: its reader asks again.
  if (replies.size >= QUESTIONS_MAX) replies.delete(replies.keys().next().value!);
  questions += 1;
  replies.set(questions, reply);
  return questions;
}

function answer(id: number, bytes: Uint8Array): void {
  const reply = replies.get(id);
  replies.delete(id);
  if (reply !== undefined) outlet.send(reply, bytes);
}

function beat(): void {
  for (const venue of VENUES) publishers[venue].beat();
  outlet.confirm();
}

/** Follows the tapes for one turn; then the event loop runs. */
function work(): void {
  let isNews = false;
  for (const venue of VENUES) if (publishers[venue].follow()) isNews = true;
  if (VENUES.every(venue => publishers[venue].markets === 0)) {
    idle = setTimeout(work, IDLE_MS);
    return;
  }
  if (!isNews) sleepThread(LOOK_MS);
  turn = setImmediate(work);
}

/** Ends the thread. Readers hear first that the books end with this publisher. */
async function close(): Promise<void> {
  isClosing = true;
  for (const timer of [beats, pulses, connecting, idle]) clearTimeout(timer);
  clearImmediate(turn);
  for (const venue of VENUES) publishers[venue].unlistAll();
  outlet.send(endSubject(publisher), nothing);
  await link?.close();
  port?.close();
}
