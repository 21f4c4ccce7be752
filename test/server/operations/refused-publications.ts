import type { ErrorCode } from '../../../compiler/schema/errors.ts';
import { uri } from '../../cli/publishing.ts';

/** Units of the cto besides those of the smallest deployment. */
export const MORE = ['hiring', 'invoices', 'backups'];
const all = (change: (name: string) => object) =>
  ['deploy', 'heartbeat', 'wrap-up', ...MORE].map((name) => ({ name, fact_uri: uri(name), ...change(name) }));
/** The next manifest, with this change of one entry. */
export const v2 = (change: object) => ({ version: 'v2', entries: all((name) => (name === 'deploy' ? change : {})) });
/** Wake reasons that are too long to fit into a manifest together. */
export const WORDY = Array.from(
  { length: 20 },
  (_, i) => `when_something_rather_unusual_has_happened_in_department_${i}`,
);
/** Entries that the manifest has to list and cannot. */
export const TOO_LARGE = { version: 'v2', entries: all(() => ({ required_by_task_types: WORDY })) };
const STOLEN = { load_triggers: { intents: ['done for today', 'hand over', 'leave work'] } };
const WIDE = { required_by_task_types: ['manual', 'routine_fired', 'issue_assigned'] };
const many = Array.from({ length: 64 }, (_, i) => `${'word'.repeat(12)}${i}`);

/** Each refusal of §21.8.3, and of DESIGN §6.12. */
export const REFUSED: readonly (readonly [code: ErrorCode, status: number, body: unknown])[] = [
  ['manifest_version_conflict', 409, { ...v2({}), version: 'v9' }],
  ['manifest_entry_invalid', 400, v2({ path: 'docs/deploy.md' })],
  ['manifest_entry_invalid', 400, v2({ fact_uri: uri('deploy', 7) })],
  ['manifest_entry_invalid', 400, v2({ fact_uri: null })],
  ['manifest_entry_invalid', 400, { version: 'v2', entries: [{ name: '../../etc/passwd', fact_uri: 'x' }] }],
  ['manifest_entry_invalid', 400, '{"version":"v2","entries":[{"name":"__proto__","fact_uri":"x"}]}'],
  ['task_type_unknown', 400, v2({ required_by_task_types: ['moon'] })],
  ['task_types_approval_required', 400, v2(WIDE)],
  ['manifest_too_large', 400, TOO_LARGE],
  ['guarantee_cap_exceeded', 400, { version: 'v2', entries: all(() => ({ guarantee_load: true })) }],
  ['guarantee_approval_required', 400, v2({ guarantee_load: true })],
  ['position_approval_required', 400, v2({ force_position: 'prepend' })],
  ['manifest_coverage_failure', 400, v2(STOLEN)],
  ['bypass_approval_required', 400, { ...v2(STOLEN), skip_coverage_gate: true }],
  ['request_invalid', 400, '{'],
  ['request_invalid', 400, '['.repeat(60_000)],
  ['request_invalid', 400, { version: 4, entries: [] }],
  ['request_invalid', 400, { ...v2({}), more: 1 }],
  ['payload_too_large', 413, v2({ load_triggers: { keywords: [...many, 'x'.repeat(70_000)] } })],
];

/** A file that breaks the sources of a deployment, though nothing is wrong with what is published. */
export const BROKEN_SOURCES = {
  path: 'instructions/agents/ops/agent.yaml',
  text: 'role: nobody knows\n',
  refused: ['sources_invalid', 400, v2({ description: 'How to ship' })] satisfies (typeof REFUSED)[number],
} as const;
