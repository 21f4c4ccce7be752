import type { Subject } from '../schema/bundle/garden.ts';
import { VadeError } from '../schema/errors.ts';
import { parseUri, SHARED } from '../schema/uri.ts';
import { withdrawnKey } from './withdrawal.ts';

/** A published fact that has another text now. */
export interface ChangedFact {
  readonly fact_uri: string;
  /** Digest of the text that was published. */
  readonly published: string;
  /** Digest of the text that it has now. */
  readonly digest: string;
  /** The source of the text; absent where only statements are compared. */
  readonly file?: string;
}

/**
 * DESIGN §6.2: facts that were published with another text. A fact that is missing has not changed. Nor does it matter
 * if administrators have withdrawn either text: no agent gets that one.
 *
 * @param published every digest that a fact was published with; none for a new fact
 * @param withdrawn as `withdrawnKey`
 */
export function changedFacts(
  published: (fact: string) => readonly string[],
  now: readonly Subject[],
  withdrawn: ReadonlySet<string>,
): ChangedFact[] {
  const isWithdrawn = (fact_uri: string, digest: string) => withdrawn.has(withdrawnKey({ fact_uri, digest }));
  return factsOf(now).flatMap(({ name, digest: { sha256: digest } }) => {
    const known = published(name);
    if (known.length === 0 || known.includes(digest) || isWithdrawn(name, digest)) return [];
    const [before] = known.filter((it) => !isWithdrawn(name, it));
    return before === undefined ? [] : [{ fact_uri: name, published: before, digest }];
  });
}

/** The same for the facts of two statements about one garden. */
export function changedBetween(
  before: readonly Subject[],
  now: readonly Subject[],
  withdrawn: ReadonlySet<string>,
): ChangedFact[] {
  const digests = new Map(before.map((it) => [it.name, [it.digest.sha256]]));
  return changedFacts((fact) => digests.get(fact) ?? [], now, withdrawn);
}

/** The maximum of changed facts that an error names. */
const MAX_NAMED = 20;

/** @throws fact_mutated if any fact has changed */
export function assertUnmutated(changed: readonly ChangedFact[]): void {
  const [first] = changed;
  if (first === undefined) return;
  const { fact_uri, file } = first;
  const more = changed.length > 1 ? `; ${changed.length} published facts have changed` : '';
  const message = `${fact_uri}${file === undefined ? '' : ` (${file})`} was published with another text${more}`;
  throw new VadeError('fact_mutated', message, {
    fact_uri,
    facts: changed.slice(0, MAX_NAMED),
    suggestion: `restore the history that was published, for example by a merge into the published commit; ${wayOut(changed)}`,
  });
}

/** The way to make a wanted rewrite valid for the compiler and every server. */
function wayOut(changed: readonly ChangedFact[]): string {
  const commands = changed.slice(0, MAX_NAMED).flatMap(withdrawal);
  const [command] = commands;
  if (command === undefined) return 'or compile with --previous none if the new text is wanted';
  const others = commands.length > 1 ? `, and the same for the other facts: ${commands.slice(1).join('; ')}` : '';
  return `if the new text is wanted, withdraw the earlier one, commit the order, and compile again: ${command}${others}`;
}

/** The command that withdraws the published text of a unit; none for atoms and roles. */
function withdrawal({ fact_uri, published }: ChangedFact): string[] {
  const uri = parseUri(fact_uri);
  if (uri === null) return [];
  const { agent, unit, version } = uri;
  const fact = `--agent ${agent ?? SHARED} --unit ${unit} --fact-version ${version} --digest ${published}`;
  return [`vade withdraw ${fact} --reason "<why>" --key <key of an administrator> --trust <trust root> --repo . --yes`];
}

/** The facts among the subjects of a statement; a manifest depends on the compiler's version and is no fact. */
export function factsOf(subjects: readonly Subject[]): Subject[] {
  return subjects.filter(isFact);
}

function isFact({ name }: Subject): boolean {
  if (name.startsWith('capability:') || name.startsWith('role:')) return true;
  return name.startsWith('instruction:') && !name.includes('/manifest/');
}
