import { agentYaml, unitFile } from '../../support/unit-files.ts';
import { front, WRAP_UP, type Place, type Row } from './row.ts';

const ID = '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9';
const OTHER = '3b0b71f4-55d3-4f3e-8c0b-6a4c0c3f3a11';
const AGENT = 'agents/cto/agent.yaml';
const config = (more: string) => agentYaml(ID, more);

const row = (
  title: string,
  file: string,
  written: string,
  rule: Place['rule'],
  line: number,
  column: number,
  more: Pick<Row, 'besides' | 'also'> = {},
): Row => ({ title, file, written, rule, line, column, ...more });

const phrases = (...units: string[]) =>
  `by: ann\nunits:\n  heartbeat: {phrases: []}\n${units.map((it) => `  ${it}: {phrases: []}\n`).join('')}`;

const guaranteed = (name: string) =>
  [`agents/cto/${name}.md`, unitFile(`Rule ${name}`, [], 'guarantee_load: true\n')] as const;
const SIX = ['a', 'b', 'c', 'd', 'e'].map(guaranteed);
const capped = (file: string): readonly Place[] => [
  { file, rule: 'guarantee_approval_required', line: 3, column: 1 },
  { file, rule: 'guarantee_cap_exceeded', line: 3, column: 1 },
];

/** Faults that only show when a unit is compared with its garden, its agent and its deployment. */
export const GARDENS: readonly Row[] = [
  row('a related unit that is none', WRAP_UP, front('related: [heartbeat, heartbeet]\n'), 'related_unknown', 3, 22),
  row('a unit related to itself', WRAP_UP, front('related: [wrap-up]\n'), 'related_unknown', 3, 11),
  row(
    'a wake reason that is none',
    WRAP_UP,
    front('required_by_task_types: [isue_assigned]\n'),
    'task_type_unknown',
    3,
    26,
  ),
  row('a wake reason in capitals', WRAP_UP, front('required_by_task_types: [MANUAL]\n'), 'task_type_unknown', 3, 26),
  row(
    'three wake reasons',
    WRAP_UP,
    front('required_by_task_types: [manual, routine_fired, issue_assigned]\n'),
    'task_types_approval_required',
    3,
    1,
  ),
  row('guarantee_load', WRAP_UP, front('guarantee_load: true\n'), 'guarantee_approval_required', 3, 1),
  row('prepend', WRAP_UP, front('force_position: prepend\n'), 'position_approval_required', 3, 1),
  row('a circle of renamed units', 'agents/cto/heartbeat.md', front('renamed_from: wrap-up\n'), 'lineage_cycle', 3, 1, {
    besides: { [WRAP_UP]: front('renamed_from: heartbeat\n') },
    also: [{ rule: 'lineage_cycle', file: WRAP_UP, line: 3, column: 1 }],
  }),
  row(
    'a confidential text that comes with every recall',
    WRAP_UP,
    front('guarantee_load: true\n', 'TLP:RED\n'),
    'confidential_exposed',
    3,
    1,
    { also: [{ rule: 'guarantee_approval_required', line: 3, column: 1 }] },
  ),
  row('six guaranteed units', 'agents/cto/a.md', SIX[0]![1], 'guarantee_approval_required', 3, 1, {
    besides: { ...Object.fromEntries(SIX), 'agents/cto/f.md': guaranteed('f')[1] },
    also: [
      ...capped('agents/cto/a.md').slice(1),
      ...['b', 'c', 'd', 'e', 'f'].flatMap((name) => capped(`agents/cto/${name}.md`)),
    ],
  }),
  row('a broken link', WRAP_UP, front('', '[the plan](plan.md)\n'), 'link_broken', 4, 1),
  row(
    'a broken link below a heading',
    WRAP_UP,
    front('', '\n\n# Leaving\n\nSee [the plan](plan.md).\n'),
    'link_broken',
    8,
    5,
  ),
  row(
    'a URI that names no unit',
    WRAP_UP,
    front('', 'First\nread instruction:acme/agent/cto/plan/v1 now.\n'),
    'link_broken',
    5,
    6,
  ),
  row('a link into another garden', WRAP_UP, front('', '[there](../ceo/limits.md)\n'), 'link_broken', 4, 1, {
    besides: {
      'agents/ceo/agent.yaml': agentYaml(OTHER),
      'agents/ceo/heartbeat.md': front(),
      'agents/ceo/limits.md': front(),
    },
  }),
  row('neither body nor path', WRAP_UP, front('', '\n  \n'), 'manifest_entry_invalid', 2, 1),
  row('a path after migration', WRAP_UP, front('path: docs/old.md\n'), 'manifest_entry_invalid', 3, 1),
  row('a body and a path in mode file', WRAP_UP, front('path: docs/old.md\n'), 'manifest_entry_invalid', 3, 1, {
    besides: { [AGENT]: config('migration_mode: file\n'), '../docs/old.md': 'Old.\n' },
  }),
  ...[
    '../../etc/passwd',
    '/etc/passwd',
    'docs/../../../etc/passwd',
    './docs/old.md',
    '.git/config',
    'docs\\old.md',
    'docs//old.md',
    'file:///etc/passwd',
    ':/docs/old.md',
    'instructions/agents/ops/heartbeat.md',
  ].map((path) =>
    row(`path: ${path}`, WRAP_UP, front(`path: ${JSON.stringify(path)}\n`), 'path_invalid', 3, 1, {
      besides: { [AGENT]: config('migration_mode: coexistence\n'), '../docs/old.md': 'Old.\n' },
    }),
  ),
  row('a path to nothing', WRAP_UP, front('path: docs/old.md\n'), 'path_missing', 3, 1, {
    besides: { [AGENT]: config('migration_mode: coexistence\n') },
  }),
  row('a path to a folder', WRAP_UP, front('path: docs\n'), 'path_missing', 3, 1, {
    besides: { [AGENT]: config('migration_mode: coexistence\n'), '../docs/old.md': 'Old.\n' },
  }),
  row('an own unit called like a shared one', WRAP_UP, front(), 'name_duplicate', 2, 1, {
    besides: { 'shared/wrap-up.md': front() },
  }),
  row('an alias that is another unit', WRAP_UP, front('aliases: [leave, heartbeat]\n'), 'name_duplicate', 3, 18),
  row('an alias that is a shared one', WRAP_UP, front('aliases:\n  - leave\n'), 'name_duplicate', 4, 5, {
    besides: { 'shared/farewell.md': front('aliases: [leave]\n') },
  }),
  row('an alias that another unit has too', WRAP_UP, front('aliases: [leave]\n'), 'name_duplicate', 3, 11, {
    besides: { 'agents/cto/heartbeat.md': front('aliases: [leave]\n') },
  }),
  row(
    'two agents with one id',
    'agents/ops/agent.yaml',
    `role: Ops\n${agentYaml(ID).replace('role: CTO\n', '')}`,
    'agent_id_duplicate',
    2,
    1,
    {
      besides: { 'agents/ops/heartbeat.md': front() },
    },
  ),
  row(
    'a heartbeat contract that is no unit',
    AGENT,
    config('').replace(': heartbeat\n', ': hartbeat\n'),
    'heartbeat_contract_unknown',
    3,
    1,
  ),
  row('a shared unit that is none', AGENT, config('shared: [escalation]\n'), 'shared_unknown', 4, 10),
  row('a profile nobody knows', AGENT, config('adapter_profiles: [generic, cursor]\n'), 'profile_unknown', 4, 29),
  row('an agent_id that is no UUID', AGENT, agentYaml('cto-1'), 'value_invalid', 1, 1),
  row('an agent_id in capitals', AGENT, agentYaml(ID.toUpperCase()), 'value_invalid', 1, 1),
  row('a misspelt key of agent.yaml', AGENT, config('sensitiv: true\n'), 'key_unknown', 4, 1),
  row(
    'a misspelt key of org.yaml',
    'org.yaml',
    'deployment: acme\ncompiler: 0.1.0\nwake_reason: [x]\n',
    'key_unknown',
    3,
    1,
  ),
  row('a floating compiler', 'org.yaml', 'deployment: acme\ncompiler: latest\n', 'value_invalid', 2, 1),
  row(
    'a probe for a unit that is none',
    'probes/cto.yaml',
    'probes:\n  - intent: leave\n    required: [wrap-up, home]\n',
    'probe_fails',
    2,
    5,
    { also: [{ rule: 'probe_unit_unknown', line: 3, column: 25 }] },
  ),
  row(
    'a probe against a unit that is none',
    'probes/cto.yaml',
    'probes:\n  - intent: leave\n    required: [wrap-up]\n    forbidden:\n      - home\n',
    'probe_unit_unknown',
    5,
    9,
  ),
  row(
    'a trigger with the words of a probe',
    WRAP_UP,
    front('load_triggers:\n  intents: [done for today, leave for the night]\n'),
    'probe_copied',
    4,
    29,
    { besides: { 'probes/cto.yaml': 'probes:\n  - {intent: at night I leave, required: [wrap-up]}\n' } },
  ),
  row(
    'a misspelt key of a probe',
    'probes/cto.yaml',
    'probes:\n  - intent: leave\n    required: [wrap-up]\n    forbiden: []\n',
    'key_unknown',
    4,
    5,
  ),
  row(
    'a link to a shared unit as if it were an own one',
    WRAP_UP,
    front('', '[ask](escalation.md)\n'),
    'link_broken',
    4,
    1,
    {
      besides: { 'shared/escalation.md': front() },
    },
  ),
  row(
    'a link to an own unit as if it were shared',
    WRAP_UP,
    front('', '[ask](../../shared/heartbeat.md)\n'),
    'link_broken',
    4,
    1,
  ),
  row('probes of an agent that is none', 'probes/ceo.yaml', 'probes: []\n', 'probe_unit_unknown', 1, 1),
  row('phrases of an agent that is none', 'phrases/ceo.yaml', 'by: ann\nunits: {}\n', 'phrase_unit_unknown', 1, 1),
  row('phrases of a unit that is none', 'phrases/cto.yaml', phrases('lost'), 'phrase_unit_unknown', 4, 3),
  row(
    'phrases of an own unit as if it were shared',
    'phrases/shared.yaml',
    'by: ann\nunits:\n  wrap-up: {phrases: []}\n',
    'phrase_unit_unknown',
    3,
    3,
  ),
  row(
    'phrases of a shared unit as if it were an own one',
    'phrases/cto.yaml',
    phrases('wrap-up', 'escalation'),
    'phrase_unit_unknown',
    5,
    3,
    { besides: { 'shared/escalation.md': front() } },
  ),
  row(
    'a phrase on two lines',
    'phrases/cto.yaml',
    'by: ann\nunits: {wrap-up: {phrases: ["a\\nb"]}}\n',
    'value_invalid',
    2,
    29,
  ),
];
