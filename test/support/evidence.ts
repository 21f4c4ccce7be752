import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Evidence } from '../../compiler/schema/bundle/evidence.ts';
import { normaliseText, splitFrontMatter } from '../../compiler/sources/front-matter.ts';
import { sha256 } from '../../compiler/trust/canonical.ts';
import type { Signer } from '../../compiler/trust/dsse.ts';
import { evidencePayload, signEvidence, unitsDigest } from '../../compiler/trust/evidence.ts';
import { compileRepository, type TestTrust } from './compiled.ts';
import { agentYaml, smallDeployment, type Repository } from './repository.ts';
import { person, staff, type Person } from './staff.ts';

export const CTO_ID = '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9';
export const AGENT = 'instructions/agents/cto/agent.yaml';
export const LEGACY = 'docs/old.md';

/** When the agent's life begins in these tests, in seconds since 1970; days are told from there. */
export const BIRTH = 1_760_000_000;
export const DAY = 24 * 60 * 60;

export const MISSING = ['error migration_evidence_missing'];
export const SKIPPED = ['error migration_stage_skipped'];

const [ann, bob, eve] = [person('ann'), person('bob'), person('eve')];

/** Two administrators, a stranger, and the trust root that knows them. */
export const CAST = { ann, bob, eve, trust: staff([ann, bob]) };

export type Mode = 'file' | 'coexistence' | 'stigmem';

/** A day after birth as the instant that evidence writes. */
export function dayAt(day: number): string {
  return new Date((BIRTH + day * DAY) * 1000).toISOString();
}

/** `agent.yaml` and the unit `wrap-up` as a mode has them, written and not committed. */
export function inMode(repo: Repository, mode: Mode, more = ''): Repository {
  const path = mode === 'stigmem' ? '' : `path: ${LEGACY}\n`;
  const body = mode === 'file' ? '' : '\nLeave a note.\n';
  return repo
    .write(AGENT, agentYaml(CTO_ID, `migration_mode: ${mode}\n${more}`))
    .write('instructions/agents/cto/wrap-up.md', `---\ndescription: How to leave work\n${path}---\n${body}`);
}

/** An agent that is born in a mode, beside the file that it read before. */
export function born(mode: Mode, more = ''): Repository {
  const repo = inMode(smallDeployment(), mode, more).write(LEGACY, 'As of old: leave a note.\n');
  repo.commit('born', BIRTH);
  return repo;
}

/** The agent's own units as they lie in the working tree, as evidence names them. */
function unitsOf(repo: Repository, to: Mode): string {
  const folder = join(repo.path, 'instructions/agents/cto');
  const files = readdirSync(folder).filter((name) => name.endsWith('.md'));
  const texts = files.map((name) => {
    const { content } = splitFrontMatter(normaliseText(readFileSync(join(folder, name))) ?? '');
    return [name.slice(0, -'.md'.length), to === 'stigmem' ? sha256(content) : null] as const;
  });
  return unitsDigest(new Map(texts));
}

/** Evidence of a week in coexistence in which nothing was amiss, changed as asked. */
export function evidenceOf(over: Partial<Evidence> = {}): Evidence {
  return {
    deployment: 'acme',
    garden: 'cto',
    agent_id: CTO_ID,
    from: 'coexistence',
    to: 'stigmem',
    since: dayAt(1),
    until: dayAt(8),
    figures: { heartbeats: 5, recalls: 20, events: 20, used: 19, missed: 1, tokens: { lazy: 10, eager: 100 } },
    revisions: [],
    bundle_revision: `1-${'0'.repeat(64)}`,
    audit_heads: [{ writer: 'w_1', n: 40, hash: 'a'.repeat(64) }],
    ...over,
  };
}

/** Files evidence by these signers. @param units as they have to be; those of the working tree by default */
export function file(
  repo: Repository,
  evidence: Evidence,
  signers: readonly Signer[],
  units = unitsOf(repo, evidence.to),
): Repository {
  const manifest = { uri: 'instruction:acme/agent/cto/manifest/v1', digest: 'b'.repeat(64) };
  const envelope = signEvidence(evidencePayload(evidence, { manifest, units }), signers);
  return repo.write('instructions/approvals/cto-migration.json', envelope);
}

/** Faults of a compile about the stages, and any that stops it. */
export async function told(repo: Repository, under: TestTrust = CAST.trust): Promise<string[]> {
  const { faults } = await compileRepository(repo.path, { trust: under });
  const own = faults.filter((it) => it.severity === 'error' || it.rule.startsWith('migration_'));
  return own.map((it) => `${it.severity} ${it.rule}`);
}

/** The moves of an agent, one a day from its birth on, each committed. */
export function course(first: Mode, ...then: readonly Mode[]): Repository {
  const repo = born(first);
  then.forEach((mode, i) => inMode(repo, mode).commit(mode, BIRTH + (i + 1) * DAY));
  return repo;
}

/** A promotion on the ninth day, on this evidence. */
export function promoted(
  over: Partial<Evidence> = {},
  by: readonly Person[] = [CAST.ann],
  units?: string,
  more = '',
): Repository {
  const repo = born('coexistence', more);
  const signers = by.map((it) => it.signer);
  file(repo, evidenceOf(over), signers, units).commit('evidence', BIRTH + 8 * DAY + 60);
  inMode(repo, 'stigmem', more).commit('promote', BIRTH + 9 * DAY);
  return repo;
}
