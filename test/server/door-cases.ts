import type { ErrorCode } from '../../compiler/schema/errors.ts';
import { OWN_OPERATIONS, type OwnOperation } from '../../server/operations/tables/agent-caller.ts';
import type { DoorRequest, Door } from './doors.ts';

const HOUR = 60 * 60 * 1000;

/** The clock of every door; a case may move it. */
export interface Clock {
  /** Milliseconds since 1970. */
  at: number;
}

/** Which bundle answers, and which agent asks: `ghost` has a key, and no garden. */
export type World = 'peers' | 'bare' | 'broken' | 'ghost';

export interface Case {
  readonly what: string;
  /** Null for a success. */
  readonly code: ErrorCode | null;
  readonly world: World;
  /** Request; of this door, where it needs something that the door has given. */
  readonly asked: (door: Door) => DoorRequest | Promise<DoorRequest>;
}

const ok = (what: string, asked: Case['asked'] = () => ({})): Case => ({ what, code: null, world: 'peers', asked });
const refused = (code: ErrorCode, what: string, asked: Case['asked'] = () => ({}), world: World = 'peers'): Case => ({
  ...{ what, code, world, asked },
});
const missing = (code: ErrorCode): Case => refused(code, 'a bundle without documents', () => ({}), 'bare');
const damaged = (asked?: Case['asked']): Case =>
  refused('recall_backend_unavailable', 'a damaged garden', asked, 'broken');
const unknown = (asked?: Case['asked']): Case =>
  refused('agent_not_found', 'an agent without a garden', asked, 'ghost');
const foreign = (asked: DoorRequest = {}): Case =>
  refused('instruction_scope_denied', 'another agent', () => ({ ...asked, path: { ...asked.path, agent_id: 'cto2' } }));

/** With what MCP has other defaults for than HTTP (`test/server/mcp/http.test.ts`). */
const WHOLE = { intent: 'hand over', max_chunks: 3, candidates: 0 };
const INTENT = { body: WHOLE };
const said = (body: unknown) => () => ({ body });
const fact = (fact_uri: string) => () => ({ path: { fact_uri } });

const skillFile = (unit: string, file_path: string) => () => ({ path: { unit, file_path } });

/** A token of an answer that this door gave, and what is told of it. */
const closing =
  (clock: Clock, more: object = {}, later = 0): Case['asked'] =>
  async (door) => {
    const told = (await door('recallInstruction', INTENT)) as { value: { audit_token: string } };
    clock.at += later;
    return { body: { audit_token: told.value.audit_token, ...more } };
  };

/** The recall of a candidate of an answer that this door gave. */
const following =
  (clock: Clock, later = 0): Case['asked'] =>
  async (door) => {
    const { body } = (await closing(clock, {}, later)(door)) as { body: { audit_token: string } };
    return { body: { ...WHOLE, manifest_hint: ['incident'], follows: body.audit_token } };
  };

/** Each operation with a success and its refusals; a new operation has no line here, and fails. */
export const casesOf = (clock: Clock): Readonly<Record<OwnOperation, readonly Case[]>> => ({
  recallInstruction: [
    ok('an intent', () => INTENT),
    ok(
      'an intent with every option',
      said({ ...WHOLE, max_chunks: 1, token_budget: 900, manifest_hint: ['x'], candidates: 4, candidates_budget: 99 }),
    ),
    ok('a candidate of the answer before', following(clock)),
    ok('an explanation', () => ({ ...INTENT, query: { explain: 'true' } })),
    refused('audit_token_invalid', 'a followed token that nobody issued', said({ ...WHOLE, follows: 'audi_forged' })),
    refused('audit_token_expired', 'a followed token of yesterday', following(clock, 25 * HOUR)),
    refused('intent_required', 'no intent', said({})),
    refused('intent_required', 'a blank intent', said({ intent: ' ' })),
    refused('request_invalid', 'a misspelled key', said({ intent: 'hand over', max_chunk: 3 })),
    refused('request_invalid', 'a wrong type and a value beyond its limit', said({ intent: 7, max_chunks: 51 })),
    refused('request_invalid', 'many unknown keys', said({ intent: 'hand over', a: 1, wake_reason: 'x', _meta: {} })),
    unknown(() => INTENT),
    foreign(INTENT),
    damaged(() => INTENT),
  ],
  heartbeat: [refused('wake_reason_unverified', 'a key without a wake reason'), unknown(), foreign()],
  closeRecall: [
    ok('the token alone', closing(clock)),
    ok('what was used and missed', closing(clock, { used_chunks: ['wrap-up'], missed_chunks: ['nothing'] })),
    ok('that nothing fitted', closing(clock, { nothing_fits: true })),
    refused('audit_token_invalid', 'a token that nobody issued', said({ audit_token: 'audi_forged' })),
    refused('audit_token_expired', 'a token of yesterday', closing(clock, {}, 25 * HOUR)),
    refused('request_invalid', 'a misspelled key', said({ audit_token: 'audi_forged', used_chunk: [] })),
    refused(
      'request_invalid',
      'used units that did not fit',
      closing(clock, { used_chunks: ['x'], nothing_fits: true }),
    ),
    refused('request_invalid', 'no token', said({})),
    unknown(said({ audit_token: 'audi_forged' })),
    damaged(said({ audit_token: 'audi_forged' })),
  ],
  getBootStub: [
    ok('the stub'),
    ok('the stub of a profile', () => ({ query: { profile: 'openai-assistants' } })),
    missing('boot_stub_not_found'),
    unknown(),
    foreign(),
    damaged(),
  ],
  getManifest: [ok('the manifest'), missing('manifest_not_found'), unknown(), foreign(), damaged()],
  listUnits: [
    ok('all units'),
    ok('one unit with its text', () => ({ query: { name: 'wrap-up', content: 'true' } })),
    refused('request_invalid', 'a limit that is no number', () => ({ query: { limit: 'x' } })),
    unknown(),
    foreign(),
    damaged(),
  ],
  getSkillFile: [
    refused('fact_not_found', 'a file of a unit that is no skill', skillFile('wrap-up', 'SKILL.md')),
    refused('fact_not_found', 'a path that leads elsewhere', skillFile('wrap-up', '../../facts.json')),
    unknown(skillFile('wrap-up', 'run.sh')),
    foreign(skillFile('budget', 'run.sh')()),
  ],
  publishManifest: [refused('instruction_scope_denied', 'an agent', said({ version: 'v2', entries: [] }))],
  getCoverage: [ok('the report'), missing('coverage_not_found'), unknown(), foreign(), damaged()],
  getFact: [
    ok('a fact in force', fact('instruction:acme/agent/cto/wrap-up/v1')),
    ok('a superseded fact', fact('instruction:acme/agent/cto/release-decision/v1')),
    ok('a shared fact', fact('instruction:acme/heartbeat/v1')),
    ok('a manifest', fact('instruction:acme/agent/cto/manifest/v2')),
    refused('fact_not_found', 'a version that is not there', fact('instruction:acme/heartbeat/v9')),
    refused('instruction_scope_denied', 'a fact of another agent', fact('instruction:acme/agent/cto2/budget/v1')),
    refused('instruction_scope_denied', 'a fact of nobody', fact('instruction:acme/agent/nobody/budget/v1')),
    refused('request_invalid', 'a URI without a version', fact('instruction:acme/heartbeat')),
    damaged(fact('instruction:acme/agent/cto/wrap-up/v1')),
  ],
});

/** Codes that no agent can bring about through a second door, and why. */
export const ONE_DOOR: Readonly<Record<OwnOperation, readonly ErrorCode[]>> = {
  recallInstruction: [],
  // only HTTP takes the tokens of a control plane, without which a heartbeat is refused first
  heartbeat: ['guaranteed_unit_unavailable', 'boot_stub_not_found', 'recall_backend_unavailable', 'request_invalid'],
  // only HTTP has callers that are no agent; a damaged audit has tests of its own (`test/server/audit/damaged.test.ts`)
  closeRecall: ['instruction_scope_denied', 'audit_unverified'],
  publishManifest: OWN_OPERATIONS.publishManifest.errors.concat('recall_backend_unavailable', 'request_invalid'),
  // only HTTP has paths that cannot be decoded
  getBootStub: ['request_invalid'],
  getManifest: ['request_invalid'],
  getCoverage: ['request_invalid'],
  // skills are an extension of MCP, with errors of its own (`test/server/mcp/skills-in-place.test.ts`)
  getSkillFile: ['request_invalid', 'recall_backend_unavailable'],
  listUnits: [],
  getFact: [],
};

/** Refusals of admission, compared by `test/server/mcp/refusals.test.ts`; `internal` is no contract. */
export const BEFORE: readonly ErrorCode[] = ['unauthenticated', 'rate_limited', 'payload_too_large', 'internal'];
