import { z } from 'zod';
import { Name } from './uri.ts';

/** Wake reasons of a deployment that names none of its own (DESIGN §5). */
export const DEFAULT_WAKE_REASONS = [
  'issue_assigned',
  'issue_commented',
  'issue_comment_mentioned',
  'issue_blockers_resolved',
  'issue_children_completed',
  'routine_fired',
  'approval_resolved',
  'manual',
];

/** The encoder a deployment names: a folder below the models root, and how its texts are prepared. */
export const ModelChoice = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)?$/, 'name a folder of the models root'),
  pooling: z.enum(['mean', 'cls']).default('mean'),
  query_prefix: z.string().max(100).default(''),
  passage_prefix: z.string().max(100).default(''),
});

/** `org.yaml`: the deployment, the compiler it is pinned to, its wake reasons and its encoder. */
export const Org = z.strictObject({
  deployment: Name,
  compiler: z.string().regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/, 'pin an exact version, such as 0.1.0'),
  wake_reasons: z
    .array(z.string().regex(/^[a-z][a-z0-9_]*$/, 'use lower-case letters, digits and underscores'))
    .min(1)
    .max(64)
    .default(DEFAULT_WAKE_REASONS),
  model: ModelChoice.optional(),
});

export type Org = z.infer<typeof Org>;
export type ModelChoice = z.infer<typeof ModelChoice>;

/** What a bundle pins of its encoder; a server refuses to answer with another one. */
export const ModelPin = z.strictObject({
  ...ModelChoice.shape,
  digest: z.string(),
  tokenizer_digest: z.string(),
  dims: z.int().positive(),
  runtime: z.string(),
});

export type ModelPin = z.infer<typeof ModelPin>;
