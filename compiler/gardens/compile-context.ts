import type { Attribute, Register } from '../history/attribution.ts';
import type { GardenHistory } from '../history/unit-versions.ts';
import type { GraphMaker } from '../recall/index/search-index.ts';
import type { Encoder } from '../recall/signals/semantic.ts';
import type { CountTokens } from '../schema/count-tokens.ts';
import type { KeptResults } from '../schema/kept-results.ts';
import type { ModelPin, Org } from '../schema/source/org.ts';
import type { Commit, Sources, TreeFile } from '../schema/source/sources.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import type { Site } from '../sources/classify-files.ts';
import type { Signer } from '../trust/dsse.ts';
import type { AdministratorDecisions } from './approvals/read-decisions.ts';
import type { Previous } from './previous-bundle.ts';
import type { BuildThreads } from './threads/build-threads.ts';
import type { Gate } from './threads/coverage-judge.ts';

/** The source files of the compiled commit. */
export interface SourceFiles {
  readonly sources: Sources;
  readonly site: Site;
  /** Files outside the sources that units in migration name. */
  readonly legacy: readonly TreeFile[];
  /** The agents in migration whose units name a path. */
  readonly legacyOwners: ReadonlyMap<string, ReadonlySet<string>>;
  readonly read: (file: TreeFile) => Buffer;
  /** A blob's bytes; undefined for one that is too large to be read. */
  readonly blob: (id: string) => Buffer | undefined;
}

/** The history up to that commit, and the authors of its changes. */
export interface SourceHistory {
  readonly commits: readonly Commit[];
  /** Places of commits on the first-parent chain. */
  readonly places: ReadonlyMap<string, number>;
  /** Unit histories by garden. */
  readonly histories: ReadonlyMap<string, GardenHistory>;
  /** Maps names in commits to entities. */
  readonly register: Register;
  /** Returns the authors of a change. */
  readonly attribute: Attribute;
}

/** The decisions of administrators, and how strictly they are required. */
export interface TrustDecisions {
  /** The current trust root. */
  readonly root: TrustRoot;
  /** sha256 over the trust roots that apply to this commit. */
  readonly trustDigest: string;
  readonly administratorDecisions: AdministratorDecisions;
  readonly development: boolean;
  /** Whether a text that breaks a rule of class security is quarantined; otherwise it stops the compile. */
  readonly allowQuarantine: boolean;
}

/** The ports and keys with which gardens are built, judged and signed. */
export interface BuildTools {
  readonly compiler: string;
  readonly countTokens: CountTokens;
  readonly model: { readonly encoder: Encoder; readonly pin: ModelPin } | null;
  readonly graphs: GraphMaker;
  readonly gate: Gate;
  /** Starts threads for a compile of many gardens; without any, all work is done here. */
  readonly startThreads?: () => BuildThreads | undefined;
  /** The threads of this compile. */
  readonly threads?: BuildThreads;
  readonly signers: readonly Signer[];
  /** Results of earlier compiles for development; none for a compile whose bundle others trust. */
  readonly kept?: KeptResults | null;
}

/** The inputs of every garden of a compile; each step declares the part that it needs. */
export interface CompileContext extends SourceFiles, SourceHistory, TrustDecisions, BuildTools {
  readonly org: Org;
  readonly previous: Previous | null;
}
