import { z } from 'zod';
import { Name } from '../uri.ts';

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

/** Every file that is read of a model, by its path inside the model's folder. */
export const MODEL_FILES = [
  'config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'onnx/model_quantized.onnx',
] as const;

/** Models that are named by a word: the one that comes with the compiler, and none at all. */
const MODEL_WORDS = ['builtin', 'none'] as const;

const ModelName = z
  .string()
  .max(200)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)?$/,
    'name a model of the hub, or a folder of the models root',
  );

const FileDigest = z.string().regex(/^[0-9a-f]{64}$/, 'pin the sha256 of the file: 64 lower-case hex digits');

/**
 * A sentence encoder, and how its texts are prepared. With `revision` and `files` it is a model of the hub,
 * pinned to a commit and to the sha256 of each file; without them, a folder below the models root.
 */
export const ModelChoice = z
  .strictObject({
    name: ModelName.refine(
      (name) => !MODEL_WORDS.some((word) => word === name),
      'write “model: builtin” or “model: none”',
    ),
    revision: z
      .string()
      .regex(/^[0-9a-f]{40}$/, 'pin a commit: 40 lower-case hex digits, never a branch')
      .optional(),
    files: z
      .strictObject({
        'config.json': FileDigest,
        'tokenizer.json': FileDigest,
        'tokenizer_config.json': FileDigest,
        'onnx/model_quantized.onnx': FileDigest,
      } satisfies Record<ModelFile, z.ZodString>)
      .optional(),
    pooling: z.enum(['mean', 'cls']).default('mean'),
    query_prefix: z.string().max(100).default(''),
    passage_prefix: z.string().max(100).default(''),
    /** A best score below this is flagged; how high a model scores what it does not mean is its own. */
    low_confidence: z.number().min(0).max(1).default(0.1),
  })
  .refine(({ revision, files }) => revision === undefined || files !== undefined, {
    path: ['revision'],
    message: 'a model of the hub is pinned by revision and files together: files is missing',
  })
  .refine(({ revision, files }) => files === undefined || revision !== undefined, {
    path: ['files'],
    message: 'a model of the hub is pinned by revision and files together: revision is missing',
  });

/** What a deployment asks of its probes (§21.5.4). */
const ProbeGate = z.strictObject({
  /** Depth to which a unit counts as found. */
  k: z.int().min(1).max(50).default(3),
  /** How many probes of an agent may be lost against the previous bundle. */
  max_lost: z.int().min(0).max(1000).default(0),
  /** Probe-coverage@k that an agent with probes has to reach. */
  least_coverage: z.number().min(0).max(1).default(0),
});

/** What becomes of a manifest that is larger than an agent may be given (§21.2.1). */
const ManifestPolicy = z.strictObject({
  /** Whether triggers and the ends of descriptions are left out, with a warning; else the compile is refused. */
  trim: z.boolean().default(true),
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
  /** Whether a text reaches agents only once a known key signed its commit, or an administrator approved it. */
  require_verified: z.boolean().default(false),
  probes: ProbeGate.default({ k: 3, max_lost: 0, least_coverage: 0 }),
  manifest: ManifestPolicy.default({ trim: true }),
  model: z.union([z.enum(MODEL_WORDS), ModelChoice], 'say builtin, none, or a model with its name').default('builtin'),
});

export type Org = z.infer<typeof Org>;
export type ModelFile = (typeof MODEL_FILES)[number];
export type ModelChoice = z.infer<typeof ModelChoice>;

/** A model that is loaded. */
export type NamedModel = 'builtin' | ModelChoice;

/** What is pinned of a model of the hub. */
export interface HubModel {
  readonly name: string;
  readonly revision: string;
  readonly files: Readonly<Record<ModelFile, string>>;
}

/** What a bundle pins of its encoder; a server refuses to answer with another one. */
export const ModelPin = z.strictObject({
  ...ModelChoice.shape,
  /** `builtin` is the model that comes with the compiler. */
  name: ModelName,
  digest: z.string(),
  tokenizer_digest: z.string(),
  dims: z.int().positive(),
  runtime: z.string(),
});

export type ModelPin = z.infer<typeof ModelPin>;
