import { beforeAll, describe, expect, test } from 'vitest';
import { RecallResponse } from '../../../compiler/schema/api/recall.ts';
import { rowOf, rows } from '../audit-file.ts';
import { compiledPeers } from '../deployment.ts';
import { running, type Running } from '../running.ts';

let server: Running;

beforeAll(async () => {
  server = await running(await compiledPeers());
});

const recall = (json: object) => server.recall('cto', 'cto', { intent: 'hand over', ...json });
const FILES = ['src/secret-project/form.tsx', 'docs/größe.md'];

describe('files of a recall over HTTP', () => {
  test('the audit has the files beside the intent, and not in what the chain covers', async () => {
    const { audit_token } = RecallResponse.parse((await recall({ files: FILES })).json());
    const { body, ...row } = await rowOf(server.audit, 'recalls', audit_token);
    expect(JSON.stringify([body, row['request']])).not.toContain('secret-project');
    const [seen] = (await rows(server.audit, 'instruction_audit')).filter((it) => it['audit_token'] === audit_token);
    expect(JSON.parse(String(seen?.['files']))).toEqual(FILES);
    const listed = (await server.ask('admin', 'GET', '/v1/agents/cto/audit')).json()['entries'];
    expect(listed).toContainEqual(expect.objectContaining({ audit_token, files: FILES }));
  });

  test.each([{ files: ['/etc/passwd'] }, { files: ['../x'] }, { files: ['a\\b'] }, { files: 'a' }, { files: [1] }])(
    'a recall with %j is request_invalid',
    async (json) => {
      const answer = await recall(json);
      expect([answer.status, answer.code]).toEqual([400, 'request_invalid']);
    },
  );

  test('50 paths of 500 characters are not too large a request', async () => {
    const answer = await recall({ files: Array.from({ length: 50 }, () => 'a/'.repeat(250)) });
    expect(answer.status).toBe(200);
  });
});
