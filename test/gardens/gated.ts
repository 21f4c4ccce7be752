import type { AdministratorDecisions } from '../../compiler/gardens/approvals/read-decisions.ts';
import type { Contents } from '../../compiler/gardens/contents.ts';
import { type CoverageContext } from '../../compiler/gardens/coverage-gate.ts';
import type { GardenPlan } from '../../compiler/gardens/garden-plan.ts';
import type { Gate } from '../../compiler/gardens/threads/coverage-judge.ts';
import type { UnitFacts } from '../../compiler/gardens/unit-facts.ts';
import { buildIndex } from '../../compiler/recall/index/search-index.ts';
import { SCORING } from '../../compiler/recall/rank/scoring.ts';
import { Coverage, type UnitCoverage } from '../../compiler/schema/bundle/coverage.ts';
import type { Fact } from '../../compiler/schema/bundle/fact.ts';
import { canonicalBytes, sha256 } from '../../compiler/trust/canonical.ts';
import { bindingOf } from '../../compiler/trust/certificate.ts';
import { indexed, NOW, plant, type Planted } from '../recall/garden.ts';
import { person, staff, type Person } from '../support/staff.ts';
import { unitCoverage } from '../support/unit-coverage.ts';

export const [ann, bob] = ['ann', 'bob'].map((name) => person(name)) as [Person, Person];
export const { root } = staff([ann, bob]).root;
export const AT = NOW.replace('.000', '');
export const PLANTED: Planted[] = [
  { name: 'backups', description: 'Restore data' },
  { name: 'travel', description: 'Book trains' },
];

export const unit = unitCoverage;
export const RESULT = { units: [unit('backups'), unit('travel')], diversity: { words: 1, syntax: 0.5 } };

/** A gate that gives this result, and notes what it was asked. */
export function gateOf(result = RESULT, over: Partial<Gate> = {}) {
  const asked: Parameters<Gate['judge']>[] = [];
  const judge: Gate['judge'] = (...args) => {
    asked.push(args);
    return Promise.resolve(result);
  };
  return { generator: 'g/1', skip: false, judge, ...over, asked };
}

/** Garden of these units as it is certified, the last unit first. */
export async function garden(
  planted: readonly Planted[] = PLANTED,
  change: (fact: Fact) => Partial<Fact> = () => ({}),
) {
  const facts = (await plant(planted)).facts.map((it) => ({ ...(it as Fact), ...change(it as Fact) }));
  const unitFacts = facts.map((fact): UnitFacts => {
    const lines: Readonly<Record<string, number>> = { description: 2, 'load_triggers.intents': 4 };
    const at = (key: string, index = 0) => ({ line: (lines[key] ?? 1) + index, column: 3 });
    const { name, file, delivery, content } = fact;
    return { unit: { name, file, delivery, content, at } as unknown as UnitFacts['unit'], version: fact, fact };
  });
  const { json, binary } = await buildIndex(planted.map(indexed), null);
  const index = new Map([...[...json].map(([path, it]) => [path, canonicalBytes(it)] as const), ...binary]);
  const files = new Map([...index, ['facts.json', Buffer.from('{}')]]);
  return { facts, index, unitFacts: unitFacts.reverse(), contents: { files, phrases: [] } as unknown as Contents };
}
export type Grown = Awaited<ReturnType<typeof garden>>;

export const plan = {
  name: 'cto',
  agent: { file: 'agents/cto/agent.yaml', config: { agent_id: '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9' } },
  probes: null,
  site: { units: PLANTED.map(({ name }) => ({ path: `instructions/agents/cto/${name}.md` })) },
  trace: { committed_at: AT },
} as unknown as GardenPlan;
export const decided = (over: Partial<AdministratorDecisions> = {}) => ({
  approvals: [],
  at: AT,
  threshold: 1,
  unproven: 1,
  ...over,
});
export const context = (gate: Gate, over: object = {}) =>
  ({
    org: { deployment: 'acme' },
    model: null,
    graphs: { library: () => null },
    gate,
    previous: null,
    root,
    administratorDecisions: decided(),
    development: false,
    ...over,
  }) as unknown as CoverageContext;

export const bindingFor = ({ facts, index }: Grown, model: object | null = null) =>
  bindingOf({
    index: new Map([...index].map(([path, bytes]) => [path, sha256(bytes)])),
    model,
    generator: 'g/1',
    scoring: SCORING,
    facts,
  });
export const certificateIn = (files: ReadonlyMap<string, Buffer>) =>
  Coverage.parse(JSON.parse(files.get('coverage.json')!.toString()));

const misses = ['first', 'second', 'third', 'fourth'].map((paraphrase, at) => ({
  intent: 'x',
  paraphrase: `the ${paraphrase} way`,
  rank: null,
  outranked_by: at === 0 ? ['travel', 'hiring'] : [],
}));
export const failing = (over: Partial<UnitCoverage> = {}) => ({
  ...RESULT,
  units: [unit('backups', { found: 7, coverage_pct: 0.7, misses, ...over }), unit('travel', { coverage_pct: 0.8 })],
});
export const FILE = 'instructions/agents/cto/backups.md';
