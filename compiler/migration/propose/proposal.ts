import type { CountTokens } from '../../schema/count-tokens.ts';
import type { Language } from '../../schema/source/language.ts';
import type { Unit } from '../../schema/source/unit.ts';
import type { LeftOut } from '../documents/left-out.ts';
import type { Section } from '../documents/sections.ts';
import type { Entry } from './drafts.ts';
import type { Words } from './reword.ts';

export type Action = 'create' | 'update' | 'unchanged' | 'removed';

/** A proposed unit file with front matter and body, and its source. */
export interface ProposedUnit extends Entry {
  readonly file: string;
  /** Whether its front matter lets the manifest list it. */
  readonly listed: boolean;
  /** Why the manifest will not list it; null if it will. */
  readonly unlistedBecause: string | null;
  readonly text: string;
  readonly tokens: number;
  /** Null for a unit that comes from no document. */
  readonly source: { readonly path: string; readonly line: number; readonly lastLine: number } | null;
}

/** Always-on rules, and where they go. */
export interface AlwaysOn {
  /** The proposed `boot.md`; null if it stays as it is. */
  readonly boot: string | null;
  /** Sections of always-loaded documents that speak of safety or limits, where no answer has said what must hold. */
  readonly unanswered: readonly { readonly path: string; readonly line: number; readonly title: string }[];
  /** Units that their export names as guaranteed; each needs an approval. */
  readonly toGuarantee: readonly string[];
}

/** Numbers of the lines that must always hold, by section. */
export type AlwaysChoice = ReadonlyMap<Section, ReadonlySet<number>>;

/** The statements of somebody about proposed units. */
export interface Answered {
  readonly words: Words;
  /** Lines that must always hold, by unit; null if nobody has said so of any or none. */
  readonly always: ReadonlyMap<string, ReadonlySet<number>> | null;
}

/** §21.6.3: the proposal that an author reviews before anything is written. */
export interface Migration {
  readonly units: readonly ProposedUnit[];
  /** Entries of the units that have room in the manifest, without `fact_uri`: the compiler computes it. */
  readonly entries: readonly Entry[];
  /** Changes that writing the proposal would make in `agents/<agent>/`. */
  readonly changes: readonly { readonly file: string; readonly action: Action; readonly name: string }[];
  readonly notices: readonly string[];
  readonly leftOut: readonly LeftOut[];
  readonly alwaysOn: AlwaysOn;
  /** Phrases for new units: triggers of an answer that the coverage gate refuses. */
  readonly phrases: ReadonlyMap<string, PhrasesFor>;
  /** The units that an answer may name, describe and trigger. */
  readonly wordable: readonly Wordable[];
  /** Null if there is an `agent.yaml` to which no line is added, or no unit for it to name. */
  readonly agentYaml: string | null;
  /** The language that a line added to the existing `agent.yaml` declares; null if none is added. */
  readonly declares: Language | null;
}

/** Phrases for the text that a unit has; `digest` is that of the text. */
export interface PhrasesFor {
  readonly digest: string;
  readonly phrases: readonly string[];
}

/** A unit of which the words are proposed now, and may be said better. */
export interface Wordable {
  readonly name: string;
  readonly description: string;
  readonly intents: readonly string[];
  /** As its unit will have it. */
  readonly content: string;
  /** The numbers of its lines that may be rules that always hold. */
  readonly lines: ReadonlySet<number>;
}

/** The language that `org.yaml` or `agent.yaml` declares, null if none does, and that of most texts of the agent. */
export interface Spoken {
  readonly declared: Language | null;
  readonly found: Language;
}

export interface MigrationOptions {
  readonly agent: string;
  readonly countTokens: CountTokens;
  /** The text of a `boot.md` that nobody has written yet: it is added to. */
  readonly untouchedBoot?: string;
  readonly spoken?: Spoken;
  /** The agent's units from elsewhere, and the shared ones that it names: they have places in its manifest. */
  readonly others?: readonly Pick<Unit, 'name' | 'delivery' | 'content'>[];
  /** Names that the agent's units must not have, such as those of shared units. */
  readonly taken?: readonly string[];
  /**
   * Asks for words for the proposed units, once they are known.
   *
   * @param names of all other units of the agent, and those that its units must not have
   */
  readonly answer?: (wordable: readonly Wordable[], names: readonly string[]) => Promise<Answered>;
}

/** The sections of all documents, with what is left out of them. */
export interface Dissected {
  readonly sections: readonly Section[];
  readonly leftOut: readonly LeftOut[];
  readonly notices: readonly string[];
}
