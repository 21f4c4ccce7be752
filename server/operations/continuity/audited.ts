import type { ContinuityCall } from '../../../compiler/schema/audit/continuity-call.ts';
import { VadeError, type ErrorCode } from '../../../compiler/schema/errors.ts';
import { orNull } from '../../../compiler/schema/or-null.ts';
import { canonicalJson, sha256 } from '../../../compiler/trust/canonical.ts';
import { callerUri } from '../../auth/authorize.ts';
import type { Call } from '../call.ts';
import type { Operation, SentInput } from '../operation.ts';
import { valueOf } from '../result.ts';
import { agentIdIn, ownerOf } from './capsule-calls.ts';

/**
 * Parts of an input that are audited: its body, or its query where it has none, and the subject that its path names.
 */
type AuditedInput = Partial<SentInput>;

/**
 * Operations with a row in the audit for each of their calls, which survives the process before the answer leaves:
 * answered, refused by its verb, and refused before it ran (a limit, a key without the right, an input that no schema
 * takes). A row that is lost never blocks an answer: it is reported as every lost row is.
 *
 * @param operations by their ids
 */
export function auditedTable<T extends Readonly<Record<string, Operation>>>(operations: T): T {
  const noted = Object.entries(operations).map(([id, it]) => [id, { ...it, ...audited(id, it) }]);
  return Object.fromEntries(noted) as T;
}

function audited(id: string, operation: Operation): Required<Pick<Operation, 'run' | 'refused'>> {
  const note = (call: Call, asked: AuditedInput, outcome: AuditedAnswer) =>
    record(call, id, { asked, owner: orNull(() => ownerOf(call)) ?? nameOf(call) }, outcome);
  return {
    run: async (call, input) => {
      try {
        const result = await operation.run(call, input);
        await note(call, input, { answer: valueOf(result), refusal: null });
        return result;
      } catch (error) {
        await note(call, input, { answer: null, refusal: codeOf(error) });
        throw error;
      }
    },
    refused: (call, sent, error) => note(call, sent, { answer: null, refusal: codeOf(error) }),
  };
}

function codeOf(error: unknown): ErrorCode {
  return error instanceof VadeError ? error.code : 'internal';
}

/**
 * The name of the caller, where nobody has a store: the row is about the caller, and not about the requested subject.
 */
function nameOf({ identity: { holder, id }, snapshot }: Call): string {
  if (holder.kind !== 'agent') return id;
  const garden = snapshot.gardens.find(holder.agent);
  return (garden === null ? null : orNull(() => agentIdIn({ snapshot }, garden))) ?? holder.agent;
}

/** The subject of one call: that of its body or query, or the one that the last part of its path names. */
function subjectOf({ body, query, path = {} }: AuditedInput): readonly [kind: string, id: string] | null {
  const { subject_kind: kind, subject_id: id } = (body ?? query ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof id === 'string') return [typeof kind === 'string' ? kind : '', id];
  const [[name, named] = []] = Object.entries<string | undefined>(path).filter(([it]) => it !== 'agent_id');
  return name === undefined || named === undefined ? null : [name.replace(/_id$/, ''), named];
}

type AuditedAnswer = Pick<ContinuityCall, 'refusal'> & { readonly answer: unknown };

async function record(
  call: Call,
  operation: string,
  { asked, owner }: { readonly asked: AuditedInput; readonly owner: string },
  { answer, refusal }: AuditedAnswer,
): Promise<void> {
  const { services, identity } = call;
  services.count.storeCall(operation, refusal);
  const subject = subjectOf(asked);
  try {
    await services.audit.note({
      id: `capcall_${services.newId()}`,
      agent_id: owner,
      asked_by: identity.holder.kind === 'reader' ? identity.id : callerUri(call),
      operation,
      subject_digest: subject && digestOf([owner, ...subject]),
      request_digest: digestOf(asked.body ?? asked.query ?? {}),
      answer_digest: answer === null ? null : digestOf(answer),
      refusal,
      commit: (answer as { readonly latest_commit?: string | null } | null)?.latest_commit ?? null,
      created_at: services.now(),
    });
  } catch (error) {
    services.onAuditFailure(error);
    services.count.warned('audit_write_failed');
  }
}

/** The digest of any value, also one that JSON cannot have: each call has its row, whatever its input. */
function digestOf(value: unknown): string {
  // members that JSON leaves out, such as absent ones, are in no digest; bytes that could not be read are one text
  const text = JSON.stringify(Buffer.isBuffer(value) ? sha256(value) : value);
  return sha256(orNull(() => canonicalJson(JSON.parse(text) as unknown)) ?? text);
}
