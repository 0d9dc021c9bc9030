// Carries out the commands that an operator sends on the control socket. Main thread.

import { fullActorId, type KeyRecords } from '../../core/domain/identity.ts';
import type { LossTerms } from '../../core/domain/loss-limit.ts';
import { type MicroDollars, parseMicroShares } from '../../core/domain/numbers.ts';
import { EVERY_POD, type LossLimitOperation, type StopScope } from '../../core/domain/operation.ts';
import { fail, ok, type Result, unreachable } from '../../core/domain/result.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { KeyStore } from '../../core/store/key-store.ts';
import { StoreError } from '../../core/store/store-error.ts';
import type { ControlAnswer } from '../../core/wire/control.ts';
import { isRecorded } from '../../core/wire/replies.ts';
import type { StatusReport } from '../../core/wire/reports.ts';
import { venueLatencies } from '../pod/latencies.ts';
import type { Trading } from '../trading/trading.ts';
import { type AnswerControl, openControlSocket } from './control-socket.ts';

interface ControlParts {
  readonly trading: Pick<Trading, 'engine' | 'stops' | 'pods'>;
  readonly keyStore: Pick<KeyStore, 'read'>;
  readonly status: () => StatusReport;
  readonly metrics: Metrics;
  /** Starts or stops the recorder, and resolves with its new state. Null means that the gateway has no recorder. */
  readonly recorder: { command(op: 'start' | 'stop'): Promise<RecorderStanding> } | null;
}

interface RecorderStanding {
  readonly isRecording: boolean;
  /** The reason why the recorder does not record. Null means that it records, or was stopped. */
  readonly fault: string | null;
}

/** The caller of operations for the operator. The operator owns the control socket, and has no signing key. */
const OPERATOR = { podId: EVERY_POD, actorId: EVERY_POD, keyId: 'control socket' } as const;

/** Answers requests on the control socket until the returned function is called. */
export function openControl(parts: ControlParts, dataDir: string, log: Log): Promise<() => void> {
  return openControlSocket(dataDir, deskOf(parts), log);
}

function deskOf(parts: ControlParts): AnswerControl {
  return async request => {
    switch (request.op) {
      case 'status':
        return { type: 'done', isRecorded: true, report: parts.status() };
      case 'latencies':
        return { type: 'done', isRecorded: true, report: venueLatencies(parts.metrics) };
      case 'record-start':
      case 'record-stop':
        return commandRecorder(parts, request.op === 'record-start' ? 'start' : 'stop');
      case 'stop':
      case 'resume':
        return stopOrResume(parts, request.op, request.name);
      case 'loss-set': {
        const lossMax = parseMicroShares(request.lossMax) as MicroDollars | null;
        if (lossMax === null)
          return { type: 'usage', message: '--max: must be a decimal below 9007199254.740992, of at most 6 decimals' };
        return performLossOperation(parts, 'set', request.name, { lossMax, cancels: request.cancels });
      }
      case 'loss-reset':
        return performLossOperation(parts, 'reset', request.name);
      case 'loss-end':
        return performLossOperation(parts, 'end', request.name);
      case 'loss-list':
        return performLossOperation(parts, 'list', EVERY_POD);
      default:
        return unreachable(request);
    }
  };
}

async function commandRecorder({ recorder }: ControlParts, op: 'start' | 'stop'): Promise<ControlAnswer> {
  if (recorder === null) {
    return {
      type: 'unavailable',
      message: 'this gateway records nothing: it was started without CROSSBOOK_RECORD_DIR',
    };
  }
  const { isRecording, fault } = await recorder.command(op);
  if (op === 'start' && !isRecording) return { type: 'unavailable', message: `nothing is recorded: ${fault}` };
  return { type: 'done', isRecorded: true, report: { isRecording } };
}

async function stopOrResume(
  { trading, keyStore }: ControlParts,
  name: 'stop' | 'resume',
  who: string,
): Promise<ControlAnswer> {
  const scope = trading.stops.includes(who) ? ok(who) : scopeOf(who, nameableScopes(keyStore, trading));
  if (!scope.ok) return { type: 'usage', message: scope.error };
  const operation = { name, caller: OPERATOR, scope: scope.value } as const;
  const reply = await trading.engine.ask(operation);
  const value = JSON.parse(reply.body);
  if (reply.status !== 200) return { type: 'unavailable', message: value.error.message };
  return { type: 'done', isRecorded: isRecorded(reply), report: { scope: scope.value, ...value } };
}

async function performLossOperation(
  { trading, keyStore }: ControlParts,
  ask: LossLimitOperation['ask'],
  who: string,
  terms: LossTerms | null = null,
): Promise<ControlAnswer> {
  const scope = scopeOf(who, nameableScopes(keyStore, trading));
  if (!scope.ok) return { type: 'usage', message: scope.error };
  if (ask !== 'list' && scope.value === EVERY_POD)
    return { type: 'usage', message: 'a loss limit needs the name of one actor or one pod' };
  const operation: LossLimitOperation = { name: 'loss-limit', caller: OPERATOR, scope: scope.value, ask, terms };
  const reply = await trading.engine.ask(operation);
  const value = JSON.parse(reply.body);
  if (reply.status === 200) return { type: 'done', isRecorded: true, report: value };
  return { type: reply.status === 404 ? 'usage' : 'unavailable', message: value.error.message };
}

type NameableScopes = Pick<KeyRecords, 'actors'> & { readonly podIds: readonly string[] };

/**
 * The pods and actors that a command can name. While the key store cannot be read, the trading pods remain: each of them, and all pods, can
 * still be stopped.
 */
function nameableScopes(keyStore: ControlParts['keyStore'], { pods }: ControlParts['trading']): NameableScopes {
  const trading = pods.map(({ podId }) => podId);
  try {
    const { pods, actors } = keyStore.read();
    return { podIds: [...trading, ...pods.map(({ podId }) => podId)], actors };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { podIds: trading, actors: [] };
  }
}

/** The scope that a name stands for: all pods, the pod of that name, or the only actor with that name or full id. */
function scopeOf(name: string, { podIds, actors }: NameableScopes): Result<StopScope, string> {
  if (name === EVERY_POD || podIds.includes(name)) return ok(name);
  const found = actors.filter(actor => name === actor.actorId || name === fullActorId(actor)).map(fullActorId);
  const [scope] = found;
  if (scope === undefined) return fail(`there is no pod and no actor ${name}`);
  return found.length === 1 ? ok(scope) : fail(`${name} is an actor of several pods: ${found.join(', ')}`);
}
