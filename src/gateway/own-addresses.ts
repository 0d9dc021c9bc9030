// The addresses that a gateway's settings name. Pure.

import type { Config } from '../config.ts';
import type { WantedAddress } from '../core/net/free-addresses.ts';

/** All addresses at which the gateway answers callers and monitors. */
export function ownAddresses({
  host,
  port,
  unixSocketPath,
  tls,
  metricsAddress,
  tradeDoor,
}: Config): readonly WantedAddress[] {
  const ofTls = tls === null ? {} : { tls };
  const ofPath = (path: string | null) => (path === null ? {} : { unixSocketPath: path });
  const wanted: WantedAddress[] = [{ host, port, ...ofPath(unixSocketPath), ...ofTls }];
  if (metricsAddress !== null) wanted.push({ ...metricsAddress, faults: { address: 'metricsAddress' } });
  if (tradeDoor !== null) {
    const faults = { address: 'tradeAddress', unixSocketPath: 'tradeSocketPath' } as const;
    const address = tradeDoor.address ?? { host, port: null };
    wanted.push({ ...address, ...ofPath(tradeDoor.unixSocketPath), ...ofTls, faults });
  }
  return wanted;
}
