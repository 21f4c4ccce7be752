import type { CapsuleCall } from '../../../compiler/schema/audit/capsule-call.ts';
import { VadeError } from '../../../compiler/schema/errors.ts';
import { canonicalJson, sha256 } from '../../../compiler/trust/canonical.ts';
import { callerUri, gardenOf } from '../../auth/authorize.ts';
import type { Call } from '../call.ts';
import { valueOf, type Result } from '../result.ts';
import { agentIdIn, ownerOf } from './capsule-calls.ts';

/** What an operation answers to a parsed body. */
type Run<B> = (call: Call, input: { readonly body: B }) => Result | Promise<Result>;

/**
 * The same operation with a row in the audit, which survives the process before the answer leaves. A row that is lost
 * never blocks an answer: it is reported as every lost row is.
 *
 * @param operation its id
 */
export function audited<B extends object>(operation: string, run: Run<B>): Run<B> {
  return async (call, input) => {
    try {
      const result = await run(call, input);
      await record(call, operation, input.body, { answer: valueOf(result), refusal: null });
      return result;
    } catch (error) {
      const refusal = error instanceof VadeError ? error.code : 'internal';
      await record(call, operation, input.body, { answer: null, refusal });
      throw error;
    }
  };
}

/** A row for an administrator's look at an agent's capsules. */
export function noteReport(call: Call, operation: string, query: object, answer: object): Promise<void> {
  return record(call, operation, query, { answer, refusal: null, owner: agentIdIn(call, gardenOf(call)) });
}

type Outcome = Pick<CapsuleCall, 'refusal'> & {
  readonly answer: unknown;
  /** Default: the store that the caller acts on. */
  readonly owner?: string;
};

async function record(
  call: Call,
  operation: string,
  body: object,
  { answer, refusal, owner = ownerOf(call) }: Outcome,
): Promise<void> {
  const { services } = call;
  const { subject_kind, subject_id } = body as Partial<Record<'subject_kind' | 'subject_id', string>>;
  try {
    await services.audit.note({
      id: `capcall_${services.newId()}`,
      agent_id: owner,
      asked_by: callerUri(call),
      operation,
      subject_digest: subject_id === undefined ? null : digestOf([owner, subject_kind ?? '', subject_id]),
      request_digest: digestOf(body),
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
