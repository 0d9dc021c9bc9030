// Routes of the control port (docs/PAPER.md, Control): venues and their markets, accounts, and faults. Thread of the paper exchanges.

import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../core/domain/durations.ts';
import { VENUES, type Venue, venueNamed } from '../../core/domain/market.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import { limits } from '../../limits.ts';
import { checksumAddress, readAddress } from '../../venues/venue-a/address.ts';
import { EOA, POLY_1271, type SignatureType } from '../../venues/venue-a/typed-data.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import type { FaultKind, FaultRule, PlannedFault, PlannedRule } from '../faults/faults.ts';
import { FAULT_VENUES } from '../faults/faults.ts';
import { RESTRICTIONS } from '../venue-a/rest/access.ts';
import { USAGE_TIERS, type UsageTier } from '../venue-b/rest/access.ts';
import { SHARD_MAX } from '../venue-b/rest/funds.ts';
import {
  answer,
  bodyOf,
  type ControlCall,
  type ControlParts,
  type ControlRoute,
  creating,
  type NamedVenue,
  nothing,
  onVenue,
  route,
  type VenueControl,
  venueOf,
} from './control-route.ts';
import {
  createVenueAKey,
  createVenueBKey,
  publicKeyPemOf,
  VENUE_B_KEY_TYPES,
  venueAAddressOf,
} from './demo-accounts.ts';
import {
  anyValue,
  dollars,
  flag,
  OPENING_BALANCE,
  type Outcome,
  objectOf,
  oneOf,
  optional,
  probability,
  type Reader,
  recordOf,
  refused,
  text,
  textAs,
  variantOf,
  wholeNumber,
} from './json-readers.ts';
import { VenueAControl } from './venue-a-control.ts';
import { VenueBControl } from './venue-b-control.ts';

const name = text(1, limits.paperFaultTextCharactersMax);
const readPause = objectOf({ mode: optional(name, null) });
const readClock = objectOf({ skewMs: wholeNumber(-limits.paperFaultMs, limits.paperFaultMs) });
const readStale = objectOf({ staleMs: wholeNumber(0, limits.paperStaleMsMax) });
const readSettlement = objectOf({ delayMs: optional(wholeNumber(0, limits.paperFaultMs), null) });
const readDisconnect = objectOf({ key: optional(text(0, limits.paperFaultTextCharactersMax), null) });

export const VENUE_ROUTES: readonly ControlRoute[] = [
  route('get', '/', ({ parts }) => ok(stateOfAll(parts))),
  route('get', '/venues/:venue', call => answer(venueOf(call), ({ venue }) => stateOf(call.parts, venue))),
  changing('post', '/pause', readPause, ({ mode }, { control }) => control.pause(mode)),
  changing('post', '/resume', nothing, (_body, { control }) => ok(control.resume())),
  changing('put', '/clock', readClock, ({ skewMs }, { venue }, { plan }) => ok(plan.setSkewMs(venue, skewMs))),
  changing('put', '/reads', readStale, ({ staleMs }, { venue }, { plan }) => ok(plan.setStaleMs(venue, staleMs))),
  changing('put', '/reads/:key', readStale, ({ staleMs }, { venue }, { plan }, key) =>
    setStaleMsOfKey(plan, venue, key, staleMs),
  ),
  changing('delete', '/reads/:key', nothing, (_body, { venue }, { plan }, key) =>
    setStaleMsOfKey(plan, venue, key, null),
  ),
  changing('put', '/settlement', readSettlement, ({ delayMs }, { venue }, { plan }) =>
    ok(plan.setSettlementDelayMs(venue, delayMs)),
  ),
  route('post', '/venues/:venue/disconnect', call =>
    onVenue(call, readDisconnect, ({ control }, { key }) => ok({ streams: control.disconnect(key) })),
  ),
  route('delete', '/conditions', call =>
    answer(bodyOf(call, nothing), () => {
      call.parts.plan.resetConditions();
      return stateOfAll(call.parts);
    }),
  ),
];

/** Makes a route that performs an operation on a venue. It answers with the new state of the venue. */
function changing<Body>(
  method: ControlRoute['method'],
  path: string,
  reader: Reader<Body>,
  change: (body: Body, named: NamedVenue, parts: ControlParts, key: unknown) => Outcome<void>,
): ControlRoute {
  return route(method, `/venues/:venue${path}`, call =>
    onVenue(call, reader, (named, body) => {
      const { parts, parameters } = call;
      return answer(change(body, named, parts, parameters[1]), () => stateOf(parts, named.venue));
    }),
  );
}

function setStaleMsOfKey(plan: FaultPlan, venue: Venue, named: unknown, staleMs: number | null): Outcome<void> {
  const key = name(named, 'key');
  if (!key.ok) return refused(400, key.error);
  if (plan.setStaleMsOfKey(venue, key.value, staleMs)) return ok(undefined);
  return refused(409, `key: at most ${limits.paperStaleKeysMax} have reads of their own (paperStaleKeysMax)`);
}

function stateOfAll(parts: ControlParts): object {
  const { urls, seed, timers, plan } = parts;
  const venues = Object.fromEntries(VENUES.map(venue => [venue, stateOf(parts, venue)]));
  const faults = { seed: plan.seed, rules: [...plan.rules].length, counts: Object.fromEntries(plan.journal.counts) };
  return { urls, seed, now: timers.now(), faults, venues };
}

function stateOf({ plan, timers, venueA, venueB }: ControlParts, venue: Venue): object {
  const { skewMs, staleMs, staleMsOfKey, settlementDelayMs } = plan.conditions(venue);
  return {
    ...(venue === 'venue_a' ? venueA : venueB).state(),
    clock: { skewMs, now: timers.now() + skewMs },
    reads: { staleMs, keys: Object.fromEntries(staleMsOfKey) },
    settlement: { delayMs: settlementDelayMs },
  };
}

const decimal = text(1, limits.paperFaultTextCharactersMax);
const readValue = objectOf({ value: decimal });
const readTickSize = objectOf({ tickSize: decimal });
const readClose = objectOf({ inMs: optional(wholeNumber(0, limits.paperFaultMs), 0) });

export const MARKET_ROUTES: readonly ControlRoute[] = [
  changingMarket('post', 'pause', nothing, (_body, market, venue) => venue.setPaused(market, true)),
  changingMarket('post', 'resume', nothing, (_body, market, venue) => venue.setPaused(market, false)),
  changingMarket('post', 'settle', readValue, ({ value }, market, venue) => venue.settle(market, value)),
  changingMarket('post', 'close', readClose, ({ inMs }, market, venue) =>
    venue instanceof VenueBControl
      ? venue.close(market, inMs)
      : refused(409, 'venue: only venue_b closes a market before it settles'),
  ),
  changingMarket('put', 'tick-size', readTickSize, ({ tickSize }, market, venue) =>
    venue instanceof VenueAControl
      ? venue.setTickSize(market, tickSize)
      : refused(409, 'venue: only venue_a changes the tick size of a market'),
  ),
];

/** Makes a route that performs an operation on a market. It answers with the new state of the market. */
function changingMarket<Body>(
  method: ControlRoute['method'],
  operation: string,
  reader: Reader<Body>,
  change: (body: Body, market: string, venue: VenueControl) => Outcome<void>,
): ControlRoute {
  return route(method, `/venues/:venue/markets/:market/${operation}`, call =>
    onVenue(call, reader, ({ control }, body) => {
      const market = call.parameters[1]!;
      const done = change(body, market, control);
      return done.ok ? control.market(market) : done;
    }),
  );
}

const NAME_CHARACTERS_MAX = 64;
const balance = optional(dollars('unsigned'), OPENING_BALANCE);

const readVenueBAccount = objectOf({
  name: optional(text(1, NAME_CHARACTERS_MAX), 'paper'),
  publicKeyPem: optional(textAs(publicKeyPemOf, 'must be an RSA or Ed25519 public key as PEM'), null),
  generate: optional(oneOf(VENUE_B_KEY_TYPES), null),
  tier: optional(oneOf(Object.keys(USAGE_TIERS) as UsageTier[]), 'basic'),
  balance,
});

const address = textAs(written => {
  const read = readAddress(written);
  return read === null ? null : checksumAddress(read);
}, 'must be an address, 0x and 40 hex digits');

/** Reads a private key as its address. */
const privateKey = textAs(venueAAddressOf, 'must be 64 hex digits, a private key of secp256k1');

const readVenueAAccount = objectOf({
  privateKey: optional(privateKey, null),
  address: optional(address, null),
  wallet: optional(address, null),
  signatureType: optional(wholeNumber(EOA, POLY_1271) as Reader<SignatureType>, EOA),
  balance,
});

const readDeposit = objectOf({
  amount: dollars('signed'),
  subaccount: optional(wholeNumber(0, limits.paperSubaccountsMax - 1), 0),
  shard: optional(wholeNumber(0, SHARD_MAX), 0),
});

const readRestriction = objectOf({ restriction: optional(oneOf(RESTRICTIONS), null) });

/** The most milliseconds of an attestation. No attestation of the venue lasts so long. */
const ATTESTED_MS_MAX = 366 * DAY_MS;
const readAttestation = objectOf({ endsInMs: optional(wholeNumber(0, ATTESTED_MS_MAX), null) });

const ACCOUNTS = '/venues/:venue/accounts';
export const ACCOUNT_ROUTES: readonly ControlRoute[] = [
  route('get', ACCOUNTS, call => answer(venueOf(call), ({ control }) => ({ accounts: control.accounts() }))),
  creating(ACCOUNTS, call => {
    const named = venueOf(call);
    if (!named.ok) return named;
    return named.value.venue === 'venue_a' ? openVenueAAccount(call) : openVenueBAccount(call);
  }),
  creating(`${ACCOUNTS}/:account/deposits`, call =>
    onVenue(call, readDeposit, ({ control }, deposit) => control.deposit(call.parameters[1]!, deposit)),
  ),
  route('put', `${ACCOUNTS}/:account/restriction`, call =>
    onVenue(call, readRestriction, ({ venue }, { restriction }) =>
      venue === 'venue_a'
        ? call.parts.venueA.restrict(call.parameters[1]!, restriction)
        : refused(409, 'venue: only venue_a shuts accounts out'),
    ),
  ),
  route('put', `${ACCOUNTS}/:account/attestation`, call =>
    onVenue(call, readAttestation, ({ venue }, { endsInMs }) =>
      venue === 'venue_b'
        ? call.parts.venueB.attest(call.parameters[1]!, endsInMs)
        : refused(409, 'venue: only venue_b asks for a location'),
    ),
  ),
];

async function openVenueBAccount(call: ControlCall): Promise<Outcome<object>> {
  const body = bodyOf(call, readVenueBAccount);
  if (!body.ok) return body;
  const { name, publicKeyPem, generate, tier } = body.value;
  if (publicKeyPem !== null && generate !== null) return refused(400, 'generate: must be absent beside publicKeyPem');
  const { publicKeyPem: pem, ...secret } =
    publicKeyPem === null ? await createVenueBKey(generate ?? 'ed25519') : { publicKeyPem };
  const [userId, keyId] = [randomUUID(), randomUUID()];
  const keys = [{ keyId, name, publicKeyPem: pem }];
  const opened = call.parts.venueB.open({ userId, tier, balance: body.value.balance, keys });
  return answer(opened, () => ({ userId, keyId, tier, ...secret }));
}

function openVenueAAccount(call: ControlCall): Outcome<object> {
  const body = bodyOf(call, readVenueAAccount);
  if (!body.ok) return body;
  const { privateKey: ofKey, address: ofSigner, wallet: itsWallet, signatureType } = body.value;
  if (ofKey !== null && ofSigner !== null) return refused(400, 'address: must be absent beside privateKey');
  const known = ofKey ?? ofSigner;
  const { address: signer, ...secret } = known === null ? createVenueAKey() : { address: known };
  const wallet = itsWallet ?? signer;
  if (signatureType === EOA && wallet !== signer) {
    return refused(400, 'wallet: must be absent with signatureType 0: its money is at the signer’s own address');
  }
  if (signatureType !== EOA && wallet === signer) {
    return refused(400, `wallet: must be another address than the signer’s with signatureType ${signatureType}`);
  }
  const { venueA } = call.parts;
  const opened = venueA.open({ address: signer, wallet, signatureType, balance: body.value.balance }, null);
  return answer(opened, credentials => {
    return { address: signer, wallet, signatureType, chainId: venueA.chainId, ...credentials, ...secret };
  });
}

const readSeed = objectOf({ seed: wholeNumber(0, 2 ** 32 - 1) });
const readEntriesMax = wholeNumber(1, limits.paperFaultJournalMax);

export const FAULT_ROUTES: readonly ControlRoute[] = [
  route('get', '/faults', ({ parts: { plan } }) =>
    ok({ seed: plan.seed, rules: [...plan.rules].map(rule => written(plan, rule)) }),
  ),
  creating('/faults', call => {
    const { plan } = call.parts;
    const rule = bodyOf(call, readFaultRule);
    if (!rule.ok) return rule;
    const added = plan.add(rule.value);
    return added.ok ? ok(written(plan, added.value)) : refused(409, added.error);
  }),
  route('delete', '/faults', call => answer(bodyOf(call, nothing), () => ({ removed: call.parts.plan.clear() }))),
  route('delete', '/faults/:id', ({ parts: { plan }, parameters }) => {
    const rule = /^\d{1,15}$/.test(parameters[0]!) ? plan.rule(Number(parameters[0])) : null;
    if (rule === null) return refused(404, 'id: must be that of a rule');
    const before = written(plan, rule);
    plan.remove(rule.id);
    return ok(before);
  }),
  route('put', '/faults/seed', call =>
    answer(bodyOf(call, readSeed), ({ seed }) => {
      call.parts.plan.seed = seed;
      return { seed };
    }),
  ),
  route('get', '/faults/journal', ({ parts: { plan }, query }) => {
    const entriesMax = readEntriesMax(Number(query.get('limit') ?? limits.paperFaultJournalMax), 'limit');
    if (!entriesMax.ok) return refused(400, entriesMax.error);
    const entries = [...plan.journal.newestFirst()].slice(0, entriesMax.value);
    return ok({ counts: Object.fromEntries(plan.journal.counts), entries });
  }),
];

function written(plan: FaultPlan, planned: PlannedRule): object {
  const { id, rule, draws, hits } = planned;
  return { id, ...rule, asked: draws, struck: hits, isSpent: plan.isSpent(planned) };
}

const isApplied = flag;
const delay = optional(wholeNumber(0, limits.paperFaultMs), 0);

const planned = variantOf<PlannedFault>({
  lost: { isApplied },
  hung: { isApplied, hangMs: wholeNumber(1, limits.paperFaultMs) },
  status: { status: wholeNumber(400, 599), isApplied },
  'rate-limited': {},
  rows: {
    where: optional(recordOf(text(0, limits.paperFaultTextCharactersMax), limits.paperFaultFieldsMax), {}),
    set: recordOf(anyValue, limits.paperFaultFieldsMax),
    isMore: optional(flag, false),
  },
  delay: { beforeMs: delay, afterMs: delay },
  drop: {},
  duplicate: {},
  swap: {},
  disconnect: {},
  'settlement-fails': {},
  'settlement-retries': {},
  'transaction-fails': { usesNonce: optional(flag, false) },
});

const faultVenue = textAs(name => venueNamed(name, FAULT_VENUES) ?? null, `must be one of ${FAULT_VENUES.join(', ')}`);

const readFields = objectOf<FaultRule>({
  venue: optional(faultVenue, null),
  key: optional(text(0, limits.paperFaultTextCharactersMax), null),
  operation: optional(text(1, limits.paperFaultTextCharactersMax), null),
  fault: planned,
  probability: optional(probability, 1),
  countMax: optional(wholeNumber(1, Number.MAX_SAFE_INTEGER), null),
  lastsMs: optional(wholeNumber(1, limits.paperFaultMs), null),
});

/** Reads a fault rule. An error names the field and the rule that it breaks. */
export function readFaultRule(json: unknown): Result<FaultRule, string> {
  const rule = readFields(json, '');
  return rule.ok && isOfSettlement(rule.value.fault.kind) ? ofVenueOnly(rule.value) : rule;
}

/** Refuses a key in a rule for settlements. A settlement belongs to no request, so such a rule would hit other keys, too. */
function ofVenueOnly(rule: FaultRule): Result<FaultRule, string> {
  const named = (['key', 'operation'] as const).find(field => rule[field] !== null);
  if (named !== undefined) return fail(`${named}: must be absent of a fault of settlement`);
  return { ok: true, value: rule };
}

function isOfSettlement(kind: FaultKind): boolean {
  return kind === 'settlement-fails' || kind === 'settlement-retries' || kind === 'transaction-fails';
}
