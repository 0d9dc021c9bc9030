// How the paper exchanges fill orders: the queue at a price, and the latencies of a bot far from the venue (docs/PAPER.md). Read from
// settings and options. Any thread.

import { readFileSync, statSync } from 'node:fs';
import { limits } from '../../limits.ts';
import { wordsOf } from '../domain/error-words.ts';
import { isObject, parseJson } from '../domain/json.ts';
import { ConfigError, readChoice } from './setting-values.ts';

/** The models of the queue: which part of the cancels at a price is assumed to be ahead of a caller's order. */
export const QUEUE_MODELS = ['proportional', 'pessimistic', 'optimistic'] as const;
export type QueueModel = (typeof QUEUE_MODELS)[number];

const WAYS = ['feed', 'order', 'cancel'] as const;

/** The latencies of each way in milliseconds. Each request draws one of them. */
export type Latency = Readonly<Record<(typeof WAYS)[number], readonly number[]>>;

export interface PaperTerms {
  readonly queue: QueueModel;
  readonly latency: Latency;
}

export const NO_LATENCY: Latency = { feed: [0], order: [0], cancel: [0] };
export const USUAL_TERMS: PaperTerms = { queue: 'proportional', latency: NO_LATENCY };

export const PAPER_VARIABLES = ['CROSSBOOK_PAPER_QUEUE', 'CROSSBOOK_PAPER_LATENCY'] as const;

/** Reads the terms from the settings. Throws a ConfigError. */
export function readPaperTerms(env: Readonly<Record<string, string | undefined>>): PaperTerms {
  const [queueName, latencyName] = PAPER_VARIABLES;
  const { [queueName]: queue, [latencyName]: latency } = env;
  return {
    queue: queue === undefined ? USUAL_TERMS.queue : readChoice(queueName, queue, QUEUE_MODELS),
    latency: latency === undefined ? NO_LATENCY : readLatency(latencyName, latency),
  };
}

/** Reads a text such as `feed=5,order=20,cancel=20`, or a file of JSON with lists. Throws a ConfigError. */
export function readLatency(name: string, text: string): Latency {
  const given = text.includes('=')
    ? Object.fromEntries(text.split(',').map(part => numberAfter(part.trim())))
    : readFile(name, text);
  const strange = Object.keys(given).find(it => !(WAYS as readonly string[]).includes(it));
  if (strange !== undefined) throw new ConfigError(`${name}: ${strange} must be one of ${WAYS.join(', ')}`);
  const samplesOf = (way: (typeof WAYS)[number]): readonly number[] => {
    const value = given[way] ?? 0;
    const samples: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (samples.length > 0 && samples.length <= limits.paperLatencySamplesMax && samples.every(isLatency))
      return samples.map(Math.ceil);
    throw new ConfigError(
      `${name}: ${way} must be milliseconds from 0 to ${limits.paperLatencyMsMax}, or up to ${limits.paperLatencySamplesMax} of them`,
    );
  };
  return { feed: samplesOf('feed'), order: samplesOf('order'), cancel: samplesOf('cancel') };
}

function numberAfter(part: string): readonly [string, number] {
  const [way = '', ms = ''] = part.split('=');
  return [way, /^\d+(\.\d+)?$/.test(ms) ? Number(ms) : Number.NaN];
}

function isLatency(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= limits.paperLatencyMsMax;
}

function readFile(name: string, path: string): Readonly<Record<string, unknown>> {
  let text: string;
  try {
    if (statSync(path).size > limits.paperLatencyFileBytesMax) throw new ConfigError(`${name}: ${path} is too large`);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw error instanceof ConfigError ? error : new ConfigError(`${name}: ${path} cannot be read: ${wordsOf(error)}`);
  }
  const value = parseJson(text);
  if (isObject(value)) return value;
  throw new ConfigError(`${name}: ${path} must hold {"feed": [milliseconds], "order": […], "cancel": […]}`);
}
