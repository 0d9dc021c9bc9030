// The hosts that this process may only read. While a list is set, a request to a listed host leaves if it is a GET of a listed path. A
// request to another address of loopback leaves, too, and so does an alarm to the operator's own address. All other requests are refused
// before a byte is written. Workers inherit the list as they start, so no thread can forget it. Any thread.

import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import type { OutboundRequest } from './outbound.ts';

export interface ReadOnlyHosts {
  readonly gets: readonly ReadablePaths[];
  /** The whole URLs of the streams that may be opened. */
  readonly streams: readonly string[];
  /** The whole URL to which alarms go. It is the operator's own, and no listed host. Null or absent means that no alarm leaves. */
  readonly alarms?: string | null;
}

export interface ReadablePaths {
  /** The address that the paths follow, such as `https://host/trade-api/v2`. */
  readonly url: string;
  /** The first segments of the paths that may be read. Null means that every path may be read. */
  readonly roots: readonly string[] | null;
}

/** Returns why a request may not leave. Null means that it may leave. */
export type OutboundGate = (request: Pick<OutboundRequest, 'method' | 'target'>) => string | null;

const NAME = 'crossbook read-only hosts';

/** Sets the list, for this thread and for workers that start later. Null means that nothing is restricted. */
export function restrictTo(hosts: ReadOnlyHosts | null): void {
  setEnvironmentData(NAME, hosts ?? undefined);
}

/** Returns the gate of an origin. Null means that all requests to the origin may leave. */
export function gateOf(origin: string): OutboundGate | null {
  const hosts = currentHosts();
  if (hosts === null) return null;
  const to = new URL(origin);
  const readable = hosts.gets.filter(({ url }) => new URL(url).origin === to.origin);
  if (readable.length === 0) {
    if (isLoopback(to.hostname) && !isStreamHost(hosts, to)) return null;
    return ({ method, target }) => (isAlarm(hosts, to, method, target) ? null : refusal(to.host));
  }
  return ({ method, target }) =>
    method === 'GET' && readable.some(it => isBelow(it, target)) ? null : refusal(`${method} ${to.host}`);
}

/** Returns why a stream may not be opened. Null means that it may be opened. */
export function streamRefusal(url: string): string | null {
  const hosts = currentHosts();
  if (hosts === null || hosts.streams.includes(url)) return null;
  const to = new URL(url);
  const isListed = isStreamHost(hosts, to) || hosts.gets.some(it => new URL(it.url).host === to.host);
  return isLoopback(to.hostname) && !isListed ? null : refusal(to.host);
}

/** Whether a host, as a setting or a URL writes it, is a loopback address. */
export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host) || /^127(\.\d+){3}$/.test(host);
}

function currentHosts(): ReadOnlyHosts | null {
  return (getEnvironmentData(NAME) as unknown as ReadOnlyHosts | undefined) ?? null;
}

function isStreamHost({ streams }: ReadOnlyHosts, { host }: URL): boolean {
  return streams.some(it => new URL(it).host === host);
}

/** Whether the request is an alarm: only a POST of the whole URL is. A POST to Telegram has the query in its body. */
function isAlarm({ alarms = null, streams }: ReadOnlyHosts, to: URL, method: string, target: string): boolean {
  const url = alarms === null ? null : new URL(alarms);
  if (url === null || method !== 'POST' || url.origin !== to.origin || streams.some(it => new URL(it).host === to.host))
    return false;
  return target === url.pathname || target === `${url.pathname}${url.search}`;
}

/** The form of a path with plain segments only. A server might resolve dots, doubled slashes and escapes to another path. */
const PLAIN_PATH = /^(\/(?!\.{1,2}(\/|$))[\w.,:~-]+)+$/;

function isBelow({ url, roots }: ReadablePaths, target: string): boolean {
  const base = new URL(url).pathname.replace(/\/$/, '');
  const [path = ''] = target.split('?', 1);
  if (!PLAIN_PATH.test(path) || !path.startsWith(`${base}/`)) return false;
  return roots === null || roots.includes(path.slice(base.length).split('/', 2)[1]!);
}

function refusal(what: string): string {
  return `${what}: with CROSSBOOK_SOURCE=live-paper real venues are only read`;
}
