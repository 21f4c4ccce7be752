import { z } from 'zod';
import { Digest, Instant } from '../primitives.ts';
import { EntityUri, Name } from '../uri.ts';

export const APPROVAL_TYPE = 'application/vnd.vademecum.approval+json';

/** Kinds of approvals that only an administrator may give (DESIGN §7). */
export const ApprovalKind = z.enum([
  'guarantee_load',
  'force_position',
  'task_types',
  'grant',
  'skip_coverage_gate',
  'phrase_capture',
  'other_language',
  'role',
  'bypass',
]);

/** The kinds that concern one unit. */
export const UNIT_KINDS = [
  'guarantee_load',
  'force_position',
  'task_types',
  'phrase_capture',
] as const satisfies ApprovalKind[];

/** The kinds that concern one role; their garden is `capabilities`. */
export const ROLE_KINDS = ['role', 'bypass'] as const satisfies ApprovalKind[];

const NAME = '[a-z0-9][a-z0-9-]{0,63}';

/** The command of a missing approval, as diagnostics name it: nothing in it is free text. */
export const ApprovalCommand = z
  .string()
  .max(300)
  .regex(
    new RegExp(
      `^vade approve --kind (${ApprovalKind.options.join('|')})( --(agent|unit|role) ${NAME}){1,2} --key <PEM>( --note <what the review found>)?$`,
    ),
  );

/** A signed approval of one exact content; it lapses when any of it changes. */
export const Approval = z.strictObject({
  deployment: Name,
  garden: Name,
  /** A unit or a role; null if the approval concerns a whole garden. */
  unit: Name.nullable(),
  kind: ApprovalKind,
  /**
   * The approved value, by kind:
   *
   * - `guarantee_load`: `true`
   * - `force_position`: `prepend`
   * - `task_types`: the wake reasons
   * - `grant`: the reader's name
   * - `skip_coverage_gate`: `coverage`
   * - `phrase_capture`: `phrases`
   * - `other_language`: the language
   * - `role`, `bypass`: the digest of the resolved role
   */
  value: z.string().min(1).max(4096),
  /** sha256 of the unit's own text, or of its phrases; for a garden, of all its current units by source file. */
  digest: Digest,
  /** sha256 of the legacy file that replaces the text (§21.6.1); absent if there is none. */
  legacy: Digest.optional(),
  /**
   * For `skip_coverage_gate`: sha256 of the pin of the model that the gate measured with; null without a model.
   * Approvals of other kinds have none.
   */
  model: Digest.nullable().optional(),
  /** sha256 of the canonical delivery metadata; null for a garden, and for phrases. */
  delivery: Digest.nullable(),
  /**
   * sha256 of the source file, so that later versions can find the last approved text; for phrases, of the ID that git
   * gives their file.
   */
  source_digest: Digest.nullable(),
  /** For a role: sha256 of every atom and role that it resolves from, so that later states can find their authors. */
  sources: z.array(Digest).max(1024).optional(),
  /** The result of the review; `force_position` (§21.3.3 S6) and `bypass` require one. */
  note: z.string().max(2000).nullable(),
  expires: Instant.nullable(),
});

/** A used approval, as the garden's statement names it; `file` is the path of its envelope in the garden. */
export const UsedApproval = z.strictObject({
  unit: Name.nullable(),
  kind: ApprovalKind,
  /** For a grant: the agent that may read the garden. */
  reader: Name.optional(),
  by: z.array(EntityUri).min(1),
  /** All authors of the approved text since its last approval by others. */
  authors: z.array(EntityUri).optional(),
  /** Whether a commit that wrote it is not signed with a key of the trust root. */
  unproven: z.literal(true).optional(),
  note: z.string().nullable(),
  expires: Instant.nullable(),
  files: z.array(z.string()).min(1),
});

export type Approval = z.infer<typeof Approval>;
export type ApprovalKind = z.infer<typeof ApprovalKind>;
export type UsedApproval = z.infer<typeof UsedApproval>;
