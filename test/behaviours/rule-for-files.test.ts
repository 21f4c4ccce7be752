import { beforeAll, describe, expect, test } from 'vitest';
import type { RecallResponse } from '../../compiler/schema/api/recall.ts';
import type { AuditPage } from '../../compiler/schema/audit/page.ts';
import type { ReplayReport } from '../../compiler/schema/report/replay-report.ts';
import { audited, ctoUnit, type Audited } from '../cli/audited.ts';
import { settled } from '../server/audit-file.ts';
import { CTO_ID } from '../server/deployment.ts';
import { LATEST_META, latestHeaders, pagesIn, postMcp, textIn, toolCall } from '../server/mcp/asking.ts';
import { vade } from '../support/cli.ts';
import { tempFolder } from '../support/folder.ts';

const FORMS = { intent: 'production is down', max_chunks: 2, files: ['src/forms/login.tsx', 'README.md'] };
const BY_FILES = { name: 'forms', pattern: 'src/**/*.tsx', file: 'src/forms/login.tsx' };

let place: Audited;

beforeAll(async () => {
  place = await audited((repo) => {
    ctoUnit(repo, 'forms', 'How fields are laid out', ['lay out fields'], 'files: ["src/**/*.tsx"]\n');
    ctoUnit(repo, 'outage', 'How to tell customers of an outage', ['tell customers that production is down']);
  });
});

const recalled = async (json: object, query = '') => {
  const path = `/v1/agents/${CTO_ID}/recall-instruction${query}`;
  return (await place.server.ask('cto', 'POST', path, { json })).json() as unknown as RecallResponse;
};
const namesOf = (answer: Pick<RecallResponse, 'chunks'>) => answer.chunks.map(({ name }) => name);
const newest = async () => {
  await settled(place.server.audit);
  const page = (await place.server.ask('admin', 'GET', `/v1/agents/${CTO_ID}/audit?limit=1`)).json();
  return (page as unknown as AuditPage).entries[0];
};
const audit = (...args: string[]) => vade(['audit', ...args, '--audit', place.server.audit], tempFolder());
const replayed = async () => (await place.run(['replay'], '--bundle', place.bundle)).envelope().data;

describe('a unit that is about files, from its front matter to a replay', () => {
  test('a recall over HTTP that names a file of its kind gets it in the last place, and explains whose place that was', async () => {
    const [first, second] = namesOf(await recalled({ ...FORMS, files: undefined }));
    const answer = await recalled(FORMS, '?explain=true');
    expect(namesOf(answer)).toEqual([first, 'forms']);
    expect([answer.by_files, answer.explain?.displaced]).toEqual([BY_FILES, second]);
    expect((await recalled({ ...FORMS, files: ['README.md'] })).by_files).toBeUndefined();
  });

  test('a recall over MCP gets the same unit for the same files', async () => {
    const headers = latestHeaders('tools/call', 'recall_instruction');
    const call = toolCall('recall_instruction', FORMS, { _meta: LATEST_META });
    const [told] = (await postMcp(place.server, 'cto', call, { headers })).messages();
    const text = textIn(told?.result);
    expect(pagesIn(text)).toEqual(namesOf(await recalled(FORMS)));
    expect(text).toContain(`\n## forms v1 (for ${BY_FILES.file})\n`);
  });

  test('vade recall --files gets it too, with its reason, and its row has the file', async () => {
    const asked = ['--agent', 'cto', '--intent', FORMS.intent, '--max-chunks', '2', '--files', FORMS.files[0] ?? ''];
    const local = (...more: string[]) => place.run(['recall', '--bundle', place.bundle], ...asked, ...more);
    const { data } = (await local('--explain')).envelope() as unknown as { data: RecallResponse };
    expect([data.by_files, data.explain?.displaced]).toEqual([BY_FILES, expect.any(String)]);
    expect((await local('--format', 'text')).stdout).toContain('forms is returned for a file: src/**/*.tsx matches');
    expect(await newest()).toMatchObject({ intent: FORMS.intent, files: [BY_FILES.file] });
  });

  test('the audit keeps the files with the intent and what they displaced, a replay asks with them, and an erasure takes both', async () => {
    const answer = await recalled(FORMS);
    const row = await newest();
    expect(row).toMatchObject({ intent: FORMS.intent, files: FORMS.files });
    const { proof, total } = (await replayed()) as unknown as ReplayReport;
    expect([proof.differing, total.identical]).toEqual([0, proof.replayed]);
    expect(proof.replayed).toBeGreaterThan(2);
    const erased = await audit('erase', '--token', answer.audit_token ?? '', '--yes');
    expect(erased.envelope().data).toEqual({ effect: 'updated', intents: 1 });
    expect(await newest()).toMatchObject({ intent: '', files: [] });
    expect((await audit('verify')).code).toBe(0);
    const left = (await replayed()) as unknown as ReplayReport;
    expect([left.proof.differing, left.proof.replayed]).toEqual([0, proof.replayed - 1]);
  });
});
