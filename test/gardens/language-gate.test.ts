import { describe, expect, test } from 'vitest';
import type { AdministratorDecisions } from '../../compiler/gardens/approvals/read-decisions.ts';
import { certify } from '../../compiler/gardens/coverage-gate.ts';
import { SCORING } from '../../compiler/recall/rank/scoring.ts';
import type { UnitCoverage } from '../../compiler/schema/bundle/coverage.ts';
import type { Fact } from '../../compiler/schema/bundle/fact.ts';
import type { GardenPredicate } from '../../compiler/schema/bundle/garden.ts';
import type { Approval } from '../../compiler/schema/source/approval.ts';
import type { Language } from '../../compiler/schema/source/language.ts';
import type { Org } from '../../compiler/schema/source/org.ts';
import { languageClaim, openApproval, signApproval } from '../../compiler/trust/approval.ts';
import { sha256 } from '../../compiler/trust/canonical.ts';
import { assertCertified } from '../../compiler/trust/certificate.ts';
import { reasonOf } from '../support/refused.ts';
import type { Person } from '../support/staff.ts';
import { ann, AT, bob, context, decided, garden, gateOf, PLANTED, plan, root, unit } from './gated.ts';

const AGENT_ID = '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9';
const CHINESE = { paraphrases: 0, found: 0, coverage_pct: 0, not_evaluated: ['分支怎么命名'], findability: null };

/** Coverage of a unit that nobody can ask about in English. */
const chinese = (over: Partial<UnitCoverage> = {}) => ({
  units: [unit('backups', { ...CHINESE, other_language: CHINESE.not_evaluated, ...over }), unit('travel')],
  diversity: { words: 1, syntax: 1 },
});

interface Case {
  readonly by?: readonly Person[];
  readonly result?: ReturnType<typeof chinese>;
  readonly approved?: Partial<Approval>;
  readonly language?: Language;
  readonly development?: boolean;
  readonly model?: Org['model'];
  readonly change?: (fact: Fact) => Partial<Fact>;
}

async function certified({
  by = [ann],
  result = chinese(),
  approved,
  language = 'zh',
  model,
  change,
  ...over
}: Case = {}) {
  const grown = await garden(PLANTED, change);
  const claim = languageClaim('acme', 'cto', AGENT_ID, 'zh');
  const approval = { ...claim, source_digest: null, note: null, expires: null, ...approved };
  const bytes = signApproval(
    approval,
    by.map((it) => it.signer),
  );
  const approvals = by.length === 0 ? [] : [{ ...openApproval(bytes, root, AT), file: 'a.json', blob: 'b' }];
  const administratorDecisions: AdministratorDecisions = {
    ...decided(),
    approvals,
    withdrawn: new Set(),
  } as unknown as AdministratorDecisions;
  const org = { deployment: 'acme', language, model };
  const found = await certify(
    context(gateOf(result), { org, administratorDecisions, ...over }),
    plan,
    grown.unitFacts,
    grown.contents,
  );
  return { ...found, grown, bytes, rules: found.faults.map((it) => it.rule).sort() };
}

/** Why a server refuses what a compile has certified; `believed` if it does not. */
function refusedBy({ files, recertify_by, grown }: Awaited<ReturnType<typeof certified>>, language: Language = 'zh') {
  const predicate = { deployment: 'acme', garden: 'cto', agent: { agent_id: AGENT_ID }, recertify_by };
  const index = new Map([...grown.index].map(([path, bytes]) => [path, sha256(bytes)]));
  const bound = { index, model: null, generator: 'g/1', scoring: SCORING, facts: grown.facts };
  return reasonOf(() =>
    assertCertified(predicate as unknown as GardenPredicate, bound, files, { root, now: AT, language }),
  );
}

const guaranteed = (fact: Fact) => ({ delivery: { ...fact.delivery, guarantee_load: fact.name === 'travel' } });
const NOT_LET = ['coverage_not_evaluated'];
const LET = ['coverage_other_language'];

describe('§21.8.3 the coverage gate does not judge another language where administrators approved it', () => {
  test('an administrator’s approval lets its units pass without a deadline, and travels with the garden', async () => {
    const found = await certified();
    const path = `approvals/${sha256(found.bytes)}.json`;
    expect([[...found.files.keys()], found.recertify_by, found.rules]).toEqual([['coverage.json', path], null, LET]);
    const kind = 'other_language';
    expect(found.used).toEqual([{ unit: null, kind, by: [ann.entity], note: null, expires: null, files: [path] }]);
    expect(refusedBy(found)).toBe('believed');
  });

  test('an author of the texts may approve it, since it covers none', async () => {
    const found = await certified({ change: () => ({ authored_by: ann.entity }) });
    expect([found.rules, refusedBy(found)]).toEqual([LET, 'believed']);
  });

  test.each<[string, Case]>([
    ['nobody approved it', { by: [] }],
    ['another language is approved', { approved: { value: 'ja' } }],
    ['it is approved for another agent', { approved: { garden: 'ops' } }],
    ['it is approved for another deployment', { approved: { deployment: 'other' } }],
    ['it is approved for an agent that had the name before', { approved: { digest: sha256('other') } }],
    ['the approval has expired', { approved: { expires: AT } }],
    ['the handbook declares another language', { language: 'ja' }],
    ['the handbook is in English', { language: 'en' }],
    ['one approved and a unit is guaranteed', { change: guaranteed }],
    ['the text is in no language that is known to be another one', { result: chinese({ other_language: undefined }) }],
    ['another text of the unit is in none', { result: chinese({ not_evaluated: ['分支怎么命名', '10-4'] }) }],
  ])('it stops the compile if %s', async (_, given) => {
    const found = await certified(given);
    expect(found.rules).toEqual(expect.arrayContaining(NOT_LET));
    expect(found.used).toEqual([]);
  });

  test('two administrators are enough if a unit is guaranteed, at the server too', async () => {
    const found = await certified({ by: [ann, bob], change: guaranteed });
    expect([found.rules, refusedBy(found)]).toEqual([LET, 'believed']);
  });

  test('what is in English is judged as ever', async () => {
    const found = await certified({ result: chinese({ paraphrases: 5, found: 3, coverage_pct: 0.6 }) });
    expect(found.rules).toEqual(['coverage_failure', 'coverage_other_language']);
  });

  test('with a development key the approval may be missing, and the compile says so', async () => {
    const found = await certified({ by: [], development: true });
    expect([found.rules, found.used]).toEqual([LET, []]);
    expect(found.faults[0]?.help).toContain('vade approve --kind other_language --agent cto');
  });

  test('the compile says that the built-in vectors are not used, and nothing of a named model', async () => {
    const told = async (model: Org['model']) => (await certified({ model })).faults[0]?.message;
    expect(await told('builtin')).toContain('vade model pin');
    expect(await told('none')).not.toContain('vade model pin');
  });

  test('a server refuses the garden in another language, or without the approval', async () => {
    const found = await certified();
    expect(refusedBy(found, 'ja')).toBe('approval_missing');
    expect(refusedBy(found, 'en')).toBe('approval_missing');
    const files = new Map([...found.files].filter(([path]) => path === 'coverage.json'));
    expect(refusedBy({ ...found, files })).toBe('approval_missing');
  });

  test('an approval that lets nothing through any more is reported', async () => {
    expect((await certified({ language: 'ja' })).rules).toEqual(['approval_lapsed', 'coverage_not_evaluated']);
  });
});
