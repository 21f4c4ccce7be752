import { beforeAll, describe, expect, test } from 'vitest';
import type { KeyHolder } from '../../../compiler/schema/source/key-file.ts';
import type { TrustRoot } from '../../../compiler/schema/source/trust-root.ts';
import { matchKey, newKey } from '../../../compiler/trust/keys.ts';
import { authenticator } from '../../../server/auth/authenticate.ts';
import { controlPlane, type Plane } from '../../support/control-plane.ts';
import { person, staff } from '../../support/staff.ts';

const NOW = Date.parse('2026-05-04T12:00:00Z');
const ID = '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9';
const ann = person('ann');
let plane: Plane;
let root: TrustRoot;

beforeAll(async () => {
  plane = await controlPlane();
  root = staff([ann], { control_plane: plane.named }).root.root;
});

const made = (holder: KeyHolder, byte: number) => newKey(holder, 'x', '2026-01-01T00:00:00Z', Buffer.alloc(40, byte));
const KEYS = {
  byName: made({ kind: 'agent', agent: 'cto' }, 1),
  byId: made({ kind: 'agent', agent: 'cto', agent_id: ID }, 2),
  ann: made({ kind: 'admin', entity: ann.entity }, 3),
  eve: made({ kind: 'admin', entity: 'acme/human/eve' }, 4),
  scraper: made({ kind: 'reader', reads: 'metrics' }, 5),
};
const RECORDS = new Map(Object.values(KEYS).map(({ record }) => [record.id, record]));

function identify(authorization: string | undefined) {
  const keyring = { find: (key: string) => matchKey(key, RECORDS), isReadable: () => true, end: () => undefined };
  return authenticator(keyring, { trust: () => root, now: () => NOW }).identify(authorization);
}

const REFUSED = expect.objectContaining({ code: 'unauthenticated' }) as Error;

describe('§21.8 who calls', () => {
  test.each([
    ['byName', { kind: 'agent', agent: 'cto' }],
    // the same short name may belong to another agent later
    ['byId', { kind: 'agent', agent: ID }],
    ['ann', { kind: 'admin', entity: ann.entity }],
    ['scraper', { kind: 'reader', reads: 'metrics' }],
  ] as const)('is the holder of the key %s, in a header of any case', async (name, holder) => {
    const { key, record } = KEYS[name];
    const identity = { holder, id: `key:${record.id}`, heartbeat: null, at: NOW };
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) expect(await identify(`${scheme} ${key}`)).toEqual(identity);
  });

  test('is the subject of a token, with the heartbeat that it names', async () => {
    const heartbeat = { heartbeat_id: 'run_1', session_start: NOW - 5000, wake_reason: 'issue_assigned' };
    const at = { now: NOW };
    expect(await identify(`Bearer ${await plane.sign('cto', at)}`)).toEqual({
      ...{ holder: { kind: 'agent', agent: 'cto' }, id: 'jwt:cto', heartbeat, at: NOW },
    });
    expect(await identify(`Bearer ${await plane.sign(ann.entity, at)}`)).toMatchObject({
      ...{ holder: { kind: 'admin', entity: ann.entity }, id: `jwt:${ann.entity}` },
    });
  });

  test('is nobody with a key of an administrator whom the trust root does not name', async () => {
    await expect(identify(`Bearer ${KEYS.eve.key}`)).rejects.toThrow(REFUSED);
  });

  test('is nobody with a token that does not verify', async () => {
    const token = await plane.sign('cto', { now: NOW - 3_600_000 });
    await expect(identify(`Bearer ${token}`)).rejects.toThrow(REFUSED);
  });

  test('is the holder of a key after several spaces (RFC 9110: 1*SP)', async () => {
    const { key } = KEYS.byName;
    expect(await identify(`Bearer   ${key}`)).toEqual(await identify(`Bearer ${key}`));
  });

  test('is nobody with any other header, whatever it holds', async () => {
    const { key } = KEYS.byName;
    const others = [
      ...[undefined, '', 'Bearer', 'Bearer ', key, `Basic ${key}`, ` Bearer ${key}`, `Bearer ${key} `],
      ...[`Bearer ${key}, Bearer ${key}`, `Bearer ${key.slice(0, -1)}`, 'Bearer a.b.c', 'Bearer ü', `Bearer ${key}\n`],
    ];
    for (const header of others) await expect(identify(header), header).rejects.toThrow(REFUSED);
  });
});
