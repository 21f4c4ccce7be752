import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditTokens } from '../../../server/auth/audit-token.ts';
import { tempFolder } from '../../support/folder.ts';
import { rowOf, rows } from '../audit-file.ts';
import { compiledPeers, CTO_ID, type CompiledPeers } from '../deployment.ts';
import { running, type Running, type Who, statusAndCode } from '../running.ts';

const DAY = 24 * 60 * 60 * 1000;
let at = Date.now();
let peers: CompiledPeers;
let server: Running;

beforeAll(async () => {
  peers = await compiledPeers();
  server = await running({ ...peers, now: () => at });
});

const tokenOf = async (from = server, who: Who = 'cto') =>
  String((await from.recall(who, who, { intent: 'hand over' })).json()['audit_token']);
const close = (json: object, who: Who = 'cto', to = server) => to.ask(who, 'POST', '/v1/instruction/audit', { json });
const INVALID = [400, 'audit_token_invalid'];
const entry = (token: string) => rowOf(server.audit, 'instruction_audit', token);

describe('§21.5.2 closing a recall', () => {
  test('closing a recall returns 204 without content, and is recorded', async () => {
    const token = await tokenOf();
    const answer = await close({ audit_token: token, used_chunks: ['wrap-up'], missed_chunks: ['on-call'] });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await entry(token)).toMatchObject({
      used_chunks: '["wrap-up"]',
      missed_chunks: '["on-call"]',
      audit_closed: at,
    });
  });

  test('closing a recall again returns 204 and changes nothing', async () => {
    const token = await tokenOf();
    await close({ audit_token: token, used_chunks: ['wrap-up'] });
    const first = await entry(token);
    at += 1000;
    expect((await close({ audit_token: token, used_chunks: [], missed_chunks: ['x'] })).status).toBe(204);
    expect(await entry(token)).toEqual(first);
  });

  test('twenty concurrent closings of a recall are recorded as one', async () => {
    const token = await tokenOf();
    const body = { audit_token: token, used_chunks: ['wrap-up'] };
    const answers = await Promise.all(Array.from({ length: 20 }, () => close(body)));
    expect(answers.map((it) => it.status)).toEqual(Array<number>(20).fill(204));
    expect((await rows(server.audit, 'closings')).filter((it) => it['audit_token'] === token)).toHaveLength(1);
  });

  test('a closing without lists is recorded with empty lists', async () => {
    const token = await tokenOf();
    expect((await close({ audit_token: token })).status).toBe(204);
    expect(await entry(token)).toMatchObject({ used_chunks: '[]', missed_chunks: '[]', audit_closed: at });
  });

  test('closing a recall leaves other recalls open', async () => {
    const [one, other] = [await tokenOf(), await tokenOf()];
    await close({ audit_token: one });
    expect((await entry(other))['audit_closed']).toBeNull();
  });

  test('a closing with unknown fields or malformed lists is request_invalid', async () => {
    const audit_token = await tokenOf();
    for (const more of [{ used_chunks: 'wrap-up' }, { used_chunks: [1] }, { rating: 5 }, { missed_chunks: null }]) {
      expect(statusAndCode(await close({ audit_token, ...more }))).toEqual([400, 'request_invalid']);
    }
    expect((await entry(audit_token))['audit_closed']).toBeNull();
  });
});

describe('DESIGN §6.8 who may close', () => {
  test.each(['nonsense', 'audi_', `audi_${'0'.repeat(26)}_${'A'.repeat(22)}`, 'audi_01J...', '__proto__'])(
    'the malformed token “%s” is audit_token_invalid',
    async (audit_token) => {
      expect(statusAndCode(await close({ audit_token }))).toEqual(INVALID);
    },
  );

  test('the token of another agent is audit_token_invalid, open or closed', async () => {
    const token = await tokenOf();
    expect(statusAndCode(await close({ audit_token: token }, 'cto2'))).toEqual(INVALID);
    await close({ audit_token: token });
    expect(statusAndCode(await close({ audit_token: token }, 'ct'))).toEqual(INVALID);
  });

  test('an agent whose key names it by id can close its recall', async () => {
    expect((await close({ audit_token: await tokenOf() }, 'ctoById')).status).toBe(204);
  });

  test('an administrator cannot close a recall of an agent', async () => {
    const token = await tokenOf();
    expect(statusAndCode(await close({ audit_token: token }, 'admin'))).toEqual([403, 'instruction_scope_denied']);
    expect((await entry(token))['audit_closed']).toBeNull();
  });
});

describe('§21.5.2 after 24 hours', () => {
  test('an open token is audit_token_expired after 24 hours, and valid until then', async () => {
    const [inTime, late] = [await tokenOf(), await tokenOf()];
    at += DAY;
    expect((await close({ audit_token: inTime })).status).toBe(204);
    at += 1;
    expect(statusAndCode(await close({ audit_token: late }))).toEqual([400, 'audit_token_expired']);
    expect((await entry(late))['audit_closed']).toBeNull();
  });

  test('closing a closed recall still returns 204 after 24 hours (DESIGN §6.8)', async () => {
    const token = await tokenOf();
    await close({ audit_token: token, used_chunks: ['wrap-up'] });
    const first = await entry(token);
    at += 2 * DAY;
    expect((await close({ audit_token: token })).status).toBe(204);
    expect(await entry(token)).toEqual(first);
  });

  test('the token of another agent is audit_token_invalid after 24 hours, not expired', async () => {
    const token = await tokenOf();
    at += 2 * DAY;
    expect(statusAndCode(await close({ audit_token: token }, 'cto2'))).toEqual(INVALID);
  });
});

describe('a token verified by another instance', () => {
  test('without VADE_AUDIT_KEY a private key file beside the audit keeps tokens valid after a restart', async () => {
    const audit = join(tempFolder(), 'audit.db');
    const before = await running({ ...peers, audit });
    const token = await tokenOf(before);
    await before.close();
    const after = await running({ ...peers, audit });
    expect((await close({ audit_token: token }, 'cto', after)).status).toBe(204);
    expect(statSync(`${audit}.key`).mode & 0o777).toBe(0o600);
  });

  test('a token signed with an empty key is not valid, even if the key file is empty', async () => {
    const audit = join(tempFolder(), 'audit.db');
    writeFileSync(`${audit}.key`, '');
    const forged = auditTokens([Buffer.alloc(0)]).issue(CTO_ID, Date.now());
    const started = await running({ ...peers, audit }).catch(() => null);
    const answer = started && (await close({ audit_token: forged }, 'cto', started));
    expect(answer === null || answer.code === 'audit_token_invalid').toBe(true);
  });
});
