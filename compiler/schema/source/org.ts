import { z } from 'zod';
import { Name } from '../uri.ts';
import { Language } from './language.ts';
import { SkillFolders } from './skill-folders.ts';

/** Default wake reasons (DESIGN §5). */
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

/** The files of a model, by path inside the model's folder. */
export const MODEL_FILES = [
  'config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'onnx/model_quantized.onnx',
] as const;

/** Models with a keyword: `builtin` comes with the compiler, `none` turns the encoder off. */
const MODEL_WORDS = ['builtin', 'none'] as const;

const ModelName = z
  .string()
  .max(200)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)?$/,
    'name a model of the hub, or a folder of the models root',
  );

/**
 * Which vectors a deployment compares: those of the named model `alone`, or `with_builtin`, where the built-in table
 * and the named model count half each.
 */
export const MODEL_MODES = ['alone', 'with_builtin'] as const;

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
    /** Absent is `alone`. */
    mode: z.enum(MODEL_MODES).optional(),
  })
  .refine(({ revision, files }) => revision === undefined || files !== undefined, {
    path: ['revision'],
    message: 'a model of the hub is pinned by revision and files together: files is missing',
  })
  .refine(({ revision, files }) => files === undefined || revision !== undefined, {
    path: ['files'],
    message: 'a model of the hub is pinned by revision and files together: revision is missing',
  });

/** Requirements of a deployment for its probes (§21.5.4). */
const ProbeGate = z.strictObject({
  /** Depth to which a unit counts as found. */
  k: z.int().min(1).max(50).default(3),
  /** Maximum number of probes of an agent that may fail although they passed in the previous bundle. */
  max_lost: z.int().min(0).max(1000).default(0),
  /** The least probe-coverage@k of an agent with probes: below it, the compile fails. */
  least_coverage: z.number().min(0).max(1).default(0),
  /** Below this probe-coverage@k, the compile warns. Absent, without a least one, it warns of each probe that fails. */
  wanted_coverage: z.number().min(0).max(1).optional(),
});

/** The content of a deployment’s boot stubs beside recall. */
const BootStubPolicy = z.strictObject({
  /**
   * Whether they point to the capsules that an agent kept across resets: where its server has `--continuity`. Absent is
   * false.
   */
  startup_view: z.boolean().optional(),
});

/** `org.yaml`: the deployment, its pinned compiler, its wake reasons and its encoder. */
export const Org = z.strictObject({
  deployment: Name,
  compiler: z.string().regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/, 'pin an exact version, such as 0.1.0'),
  wake_reasons: z
    .array(z.string().regex(/^[a-z][a-z0-9_]*$/, 'use lower-case letters, digits and underscores'))
    .min(1)
    .max(64)
    .default(DEFAULT_WAKE_REASONS),
  /** Whether a text reaches agents only if a known key signed its commit, or an administrator approved it. */
  require_verified: z.boolean().default(false),
  probes: ProbeGate.default({ k: 3, max_lost: 0, least_coverage: 0 }),
  boot_stub: BootStubPolicy.optional(),
  /** The language of its texts. Absent is English. */
  language: Language.optional(),
  /** Folders of the repository whose skills are units of the shared garden, where they lie. */
  skills: SkillFolders.optional(),
  model: z
    .union([z.enum(MODEL_WORDS), ModelChoice], 'write builtin, none, or a model with its name')
    .default('builtin'),
});

export type Org = z.infer<typeof Org>;
export type ModelFile = (typeof MODEL_FILES)[number];
export type ModelChoice = z.infer<typeof ModelChoice>;

/** The name, dimensions and settings of a loaded model. */
export type NamedModel = 'builtin' | ModelChoice;

/** The pins of a model of the hub. */
export interface HubModel {
  readonly name: string;
  readonly revision: string;
  readonly files: Readonly<Record<ModelFile, string>>;
}

/** The encoder that a bundle pins; a server refuses to answer with another one. */
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
