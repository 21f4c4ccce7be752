import type { CapsuleCall } from '../../../compiler/schema/audit/capsule-call.ts';
import { VadeError } from '../../../compiler/schema/errors.ts';
import { canonicalJson, sha256 } from '../../../compiler/trust/canonical.ts';
import { callerUri, gardenOf } from '../../auth/authorize.ts';
import type { Call } from '../call.ts';
import type { PathNames } from '../operation.ts';
import { valueOf, type Result } from '../result.ts';
import { agentIdIn, ownerOf } from './capsule-calls.ts';

/** What is audited of an input: its body, or its query where it has none, and the subject that its path names. */
interface AuditedInput {
  readonly body?: unknown;
  readonly query?: unknown;
  readonly path?: PathNames;
}

/** What an operation answers to a parsed input. */
type Run<I> = (call: Call, input: I) => Result | Promise<Result>;

/**
 * The same operation with a row in the audit, which survives the process before the answer leaves. A row that is lost
 * never blocks an answer: it is reported as every lost row is.
 *
 * @param operation its id
 */
export function audited<I extends AuditedInput>(operation: string, run: Run<I>): Run<I> {
  return async (call, input) => {
    const asked = { request: input.body ?? input.query ?? {}, subject: subjectOf(input) };
    try {
      const result = await run(call, input);
      await record(call, operation, asked, { answer: valueOf(result), refusal: null });
      return result;
    } catch (error) {
      const refusal = error instanceof VadeError ? error.code : 'internal';
      await record(call, operation, asked, { answer: null, refusal });
      throw error;
    }
  };
}

/** A row for an administrator's look at an agent's capsules. */
export function noteReport(call: Call, operation: string, query: object, answer: object): Promise<void> {
  const asked = { request: query, subject: subjectOf({ query }) };
  return record(call, operation, asked, { answer, refusal: null, owner: agentIdIn(call, gardenOf(call)) });
}

/** What one call is about: the subject of its body or query, or what the last part of its path names. */
function subjectOf({ body, query, path = {} }: AuditedInput): readonly [kind: string, id: string] | null {
  const { subject_kind, subject_id } = (body ?? query ?? {}) as Partial<
    Record<'subject_kind' | 'subject_id', string | null>
  >;
  if (typeof subject_id === 'string') return [subject_kind ?? '', subject_id];
  const [[name, id] = []] = Object.entries(path).filter(([it]) => it !== 'agent_id');
  return name === undefined || id === undefined ? null : [name.replace(/_id$/, ''), id];
}

type Outcome = Pick<CapsuleCall, 'refusal'> & {
  readonly answer: unknown;
  /** Default: the store that the caller acts on. */
  readonly owner?: string;
};

async function record(
  call: Call,
  operation: string,
  { request, subject }: { readonly request: unknown; readonly subject: ReturnType<typeof subjectOf> },
  { answer, refusal, owner = ownerOf(call) }: Outcome,
): Promise<void> {
  const { services } = call;
  try {
    await services.audit.note({
      id: `capcall_${services.newId()}`,
      agent_id: owner,
      asked_by: callerUri(call),
      operation,
      subject_digest: subject && digestOf([owner, ...subject]),
      request_digest: digestOf(request),
      answer_digest: answer === null ? null : digestOf(answer),
      refusal,
      commit: (answer as { readonly latest_commit?: string | null } | null)?.latest_commit ?? null,
      created_at: services.now(),
    });
  } catch (error) {
    services.onAuditFailure(error);
  }
}

function digestOf(value: unknown): string {
  // what JSON leaves out, such as an absent member, is in no digest
  return sha256(canonicalJson(JSON.parse(JSON.stringify(value)) as unknown));
}
