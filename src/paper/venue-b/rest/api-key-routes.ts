// API keys that a user creates and deletes (venue-b.md §2): from a public key, or as a pair whose private half is in one
// answer only. Thread of the paper exchanges.

import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { fail, ok, type Result } from '../../../domain/result.ts';
import { limits } from '../../../limits.ts';
import { jsonReply, jsonText, type Reply } from '../../../net/listen.ts';
import type { VenueBExchange } from '../exchange.ts';
import type { Uuids } from '../uuids.ts';
import type { NewKey, VenueBAccess } from './access.ts';
import { badRequest, errorOf, errorReply, NOT_FOUND } from './errors.ts';
import { objectionTo, type Struct } from './go-body.ts';
import { hasSubaccount, subaccountIn } from './owners.ts';
import type { SignedCall, SignedRoute } from './route.ts';
import { ALL_SCOPES, isScope } from './scopes.ts';

interface ApiKeyParts {
  readonly exchange: VenueBExchange;
  readonly access: VenueBAccess;
  readonly uuids: Uuids;
}

const makePair = promisify(generateKeyPair);

const WRITES = { access: 'write', isWholeAccount: true } as const;
const name = { type: 'string', isRequired: true, charactersMax: limits.paperKeyNameCharactersMax } as const;
const CREATE_KEY: Struct = {
  name: 'CreateApiKeyRequest',
  fields: {
    name,
    public_key: { type: 'string', isRequired: true, charactersMax: limits.paperPublicKeyCharactersMax },
    scopes: { type: 'array' },
    subaccount: { type: 'int' },
  },
};
const GENERATE_KEY: Struct = {
  name: 'GenerateApiKeyRequest',
  fields: {
    name,
    key_type: { type: 'string', oneOf: ['rsa', 'ed25519'] },
    scopes: { type: 'array' },
    subaccount: { type: 'int' },
  },
};

export function apiKeyRoutes(parts: ApiKeyParts): SignedRoute[] {
  const { access } = parts;
  return [
    { method: 'get', access: 'read', isWholeAccount: true, path: '/api_keys', handle: call => list(access, call) },
    {
      ...WRITES,
      method: 'post',
      path: '/api_keys',
      takesBody: 'required',
      handle: call => {
        const terms = keyTerms(parts, call, CREATE_KEY);
        if (!terms.ok) return terms.error;
        const keyId = register(parts, terms.value, call.body.public_key as string);
        return keyId.ok ? jsonReply(201, { api_key_id: keyId.value }) : keyId.error;
      },
    },
    {
      ...WRITES,
      method: 'post',
      path: '/api_keys/generate',
      takesBody: 'required',
      handle: call => generate(parts, call),
    },
    { ...WRITES, method: 'delete', path: '/api_keys/:api_key', handle: call => remove(access, call) },
  ];
}

function list(access: VenueBAccess, { caller }: SignedCall): Reply {
  const keys = [...access.user(caller.userId).keys.values()].map(key => ({
    api_key_id: key.keyId,
    name: key.name,
    scopes: key.scopes,
    ...(key.subaccount === null ? {} : { subaccount: key.subaccount }),
  }));
  return jsonReply(200, { api_keys: keys });
}

/** The pair is generated on another thread: RSA takes a tenth of a second and more. */
async function generate(parts: ApiKeyParts, call: SignedCall): Promise<Reply> {
  const terms = keyTerms(parts, call, GENERATE_KEY);
  if (!terms.ok) return terms.error;
  const publicKeyEncoding = { type: 'spki', format: 'pem' } as const;
  const pair =
    call.body.key_type === 'ed25519'
      ? await makePair('ed25519', { publicKeyEncoding, privateKeyEncoding: { type: 'pkcs8', format: 'pem' } })
      : await makePair('rsa', {
          modulusLength: 2048,
          publicKeyEncoding,
          privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
        });
  const keyId = register(parts, terms.value, pair.publicKey);
  return keyId.ok ? jsonReply(201, { api_key_id: keyId.value, private_key: pair.privateKey }) : keyId.error;
}

type KeyTerms = Omit<NewKey, 'keyId' | 'publicKeyPem'>;

function keyTerms(
  { exchange }: ApiKeyParts,
  { body, caller: { userId }, owner }: SignedCall,
  struct: Struct,
): Result<KeyTerms, Reply> {
  const objection = objectionTo(body, struct);
  if (objection !== null) return fail(badRequest(objection));
  const scopes = (body.scopes ?? ALL_SCOPES) as readonly unknown[];
  if (!scopes.every(isScope)) return fail(errorReply(errorOf(400, 'invalid_scopes')));
  if (!hasSubaccount(exchange, userId, owner.subaccount)) return fail(errorReply(NOT_FOUND));
  return ok({ userId, scopes: [...new Set(scopes)], subaccount: subaccountIn(body), name: body.name as string });
}

function register({ access, uuids }: ApiKeyParts, terms: KeyTerms, publicKeyPem: string): Result<string, Reply> {
  const keyId = uuids.next();
  const added = access.addKey({ ...terms, keyId, publicKeyPem });
  if (added.ok) return ok(keyId);
  return fail(errorReply(errorOf(400, added.error === 'invalid-key' ? 'invalid_public_key' : 'max_api_keys_reached')));
}

function remove(access: VenueBAccess, { caller, parameters }: SignedCall): Reply {
  const keyId = parameters[0]!;
  if (!access.user(caller.userId).keys.has(keyId)) return errorReply(NOT_FOUND);
  access.removeKey(keyId);
  return jsonText(204, '');
}
