import { coverageJudge } from '../../compiler/app/coverage-judge.ts';
import { openPrevious } from '../../compiler/app/previous-bundle.ts';
import { compile, type CompileInput, type Compiled } from '../../compiler/compile.ts';
import type { Gate } from '../../compiler/gardens/threads/coverage-judge.ts';
import { writeBundle } from '../../compiler/io/bundle/write-bundle.ts';
import { openSources } from '../../compiler/io/git/open-sources.ts';
import { loadEncoder } from '../../compiler/io/models/encoder.ts';
import { countTokens } from '../../compiler/io/models/tokens.ts';
import { hnswLibrary } from '../../compiler/recall/ann/hnsw.ts';
import { GENERATOR } from '../../compiler/schema/bundle/generator-version.ts';
import type { Sources } from '../../compiler/schema/source/sources.ts';
import { TRUST_ROOT_TYPE } from '../../compiler/schema/source/trust-root.ts';
import { withSkills } from '../../compiler/sources/skills/with-skills.ts';
import { canonicalBytes } from '../../compiler/trust/canonical.ts';
import { signEnvelope, signerFromPem, type Signer } from '../../compiler/trust/dsse.ts';
import { foundRoot, newSigningKey, type SignedRoot } from '../../compiler/trust/root-chain.ts';
import { countCompile } from './costs/count.ts';
import { tempFolder } from './folder.ts';
import { unitCoverage } from './unit-coverage.ts';

/** A signer with a trust root that believes it. */
export interface TestTrust {
  readonly signer: Signer;
  readonly root: SignedRoot;
  readonly pem: string;
}

/** Holds a seat in every trust root of these tests that is for production, and no key that signs. */
export const JANE = 'acme/human/jane';

/** Makes a trust root; a development one tells missing approvals as warnings. */
export function testTrust(options: { development?: true; deployment?: string } = {}): TestTrust {
  const pem = newSigningKey();
  const signer = signerFromPem(pem);
  const { deployment = 'acme', development } = options;
  const of = { deployment, admins: [], ...(development && { development }) };
  const found = foundRoot({ root: signer, bundle: signer }, of);
  if (development) return { pem, signer, root: found };
  const root = { ...found.root, admins: [JANE] };
  return { pem, signer, root: { root, envelope: signEnvelope(TRUST_ROOT_TYPE, canonicalBytes(root), [signer]) } };
}

export interface CompileOptions {
  readonly trust?: TestTrust;
  readonly ref?: string;
  readonly folder?: string;
  readonly lenient?: boolean;
  /** Folder of an earlier bundle. */
  readonly previous?: string;
  readonly now?: Date;
  readonly over?: Partial<CompileInput>;
}

/** A judge for tests that are not about coverage: every unit is found by whatever it is called. */
const allFound: Gate['judge'] = (_garden, units) =>
  Promise.resolve({
    units: units.map(({ name, intents }) => {
      return unitCoverage(name, { judged_by: intents.length > 0 ? 'intents' : 'nothing' });
    }),
    diversity: { words: 1, syntax: 1 },
  });

/** The gate as the command line has it. */
export function realGate(): Promise<Gate> {
  return Promise.resolve({ generator: GENERATOR, judge: coverageJudge(null), skip: false });
}

/** Compiles a repository in this process; nothing is written. */
export async function compileRepository(repo: string, options: CompileOptions = {}): Promise<Compiled> {
  const { ref = 'HEAD', folder = 'instructions', lenient = false } = options;
  return compileSources(await withSkills(await openSources({ repo, folder, ref, lenient }), countTokens), options);
}

/** Compiles sources that were opened before; nothing is written. */
export function compileSources(
  sources: Sources,
  options: Omit<CompileOptions, 'ref' | 'folder' | 'lenient'> = {},
): Promise<Compiled> {
  const { trust = testTrust({ development: true }), now = new Date() } = options;
  countCompile();
  return compile({
    sources,
    compiler: '0.1.0',
    pinned: trust.root,
    signers: [trust.signer],
    previous: options.previous === undefined ? null : openPrevious(options.previous, trust.root, now),
    countTokens,
    loadEncoder: (choice) => loadEncoder('models', choice),
    graphs: { library: hnswLibrary },
    gate: { generator: GENERATOR, judge: allFound, skip: false },
    allowQuarantine: false,
    progress: () => undefined,
    ...options.over,
  });
}

/** Compiles a repository and writes the bundle into a fresh folder, or the one given. */
export async function compileToFolder(repo: string, options: CompileOptions & { out?: string } = {}) {
  const trust = options.trust ?? testTrust({ development: true });
  const compiled = await compileRepository(repo, { ...options, trust });
  if (!compiled.bundle) throw new Error(JSON.stringify(compiled.faults, null, 2));
  const out = options.out ?? tempFolder();
  writeBundle(out, compiled.bundle, options.previous ?? null);
  return { out, trust, compiled, bundle: compiled.bundle };
}
