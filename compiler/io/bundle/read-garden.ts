import type { ZodType } from 'zod';
import { Coverage } from '../../schema/bundle/coverage.ts';
import type { FactVersion } from '../../schema/bundle/fact.ts';
import { Manifest } from '../../schema/bundle/manifest.ts';
import { QuarantineFile } from '../../schema/bundle/quarantine.ts';
import { refuse } from '../../schema/refusals.ts';
import { PhraseFile } from '../../schema/source/phrases.ts';
import { ProbeReport } from '../../schema/source/probe.ts';
import { isWithdrawn } from '../../trust/withdrawal.ts';
import { readFacts, readHistory, type OpenBundle, type ProvenEnvelope } from './open-bundle.ts';

/** Verified files of a bundle, by garden and path. */
export interface ProvenFiles {
  readonly envelope: (garden: string) => ProvenEnvelope | null;
  /** Null if the garden has no such file. */
  readonly file: (garden: string, path: string) => Buffer | null;
}

/** The verified files of an open bundle. */
export function filesOf(bundle: OpenBundle): ProvenFiles {
  return {
    envelope: bundle.envelope,
    file: (garden, path) => {
      const proven = bundle.envelope(garden);
      return proven?.statement.subject.some((it) => it.name === path) ? bundle.readFile(proven, path) : null;
    },
  };
}

/**
 * The content of a garden's files, without its index.
 *
 * @param withdrawn facts that were withdrawn, as `series digest`; their text is left out
 * @throws bundle_unverified
 */
export function readReading({ envelope, file }: ProvenFiles, garden: string, withdrawn: ReadonlySet<string>) {
  const proven = envelope(garden);
  const facts = file(garden, 'facts.json');
  if (!proven || !facts) throw refuse('file_missing', `garden ${garden} has no facts`);
  const history = file(garden, 'history.json');
  const read = <T>(path: string, schema: ZodType<T>): T | null => {
    const bytes = file(garden, path);
    return bytes && schema.parse(JSON.parse(bytes.toString('utf8')));
  };
  const withhold = <T extends FactVersion>(fact: T): T =>
    isWithdrawn(withdrawn, fact) ? { ...fact, content: '', withheld: 'withdrawn' } : fact;
  return {
    name: garden,
    digest: proven.digest,
    predicate: proven.statement.predicate,
    facts: readFacts(facts).map(withhold),
    history: (history ? readHistory(history) : []).map(withhold),
    coverage: read('coverage.json', Coverage),
    probes: read('probes.json', ProbeReport),
    phrases: read('phrases.json', PhraseFile)?.units ?? [],
    manifest: read('manifest.json', Manifest),
    held: read('quarantine.json', QuarantineFile)?.held ?? [],
  };
}
