import { canonicalName, renderPerson, slugOf } from '../schema/identity.ts';
import type { Authorship, Change, Person } from '../schema/source/sources.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import { EntityUri } from '../schema/uri.ts';

/** The signer of a commit (DESIGN §7), with the key, and its source trust. */
export interface CommitSigner {
  readonly owner: string;
  readonly key: string;
  readonly trust: number;
}

/** The data that maps names in commits to entities. */
export interface Register {
  readonly deployment: string;
  /** Signers by commit, for keys that the trust root knows. */
  readonly vouched: ReadonlyMap<string, CommitSigner>;
  /** Forges, which are ignored as committers, as git writes them. */
  readonly forges: ReadonlySet<string>;
  /** Administrators by their canonical names. */
  readonly known: ReadonlyMap<string, string>;
}

/** The writers of a change of a step. */
export interface Attribution {
  /** Entity URIs, each once; the last author first. */
  readonly writers: readonly string[];
  /** When it was written, in seconds since 1970. */
  readonly authored: number;
  /** The signer; null unless every commit that wrote it is signed. */
  readonly vouch: CommitSigner | undefined;
}

/** Returns who wrote a change of a step. */
export type Attribute = (step: Authorship, change: Pick<Change, 'by' | 'before' | 'origin'>) => Attribution;

/**
 * A name counts only if both roots agree: a commit's own changes of trust do not count for it (DESIGN §7).
 *
 * @param before the root before the compiled commit
 */
export function registerOf(
  deployment: string,
  vouched: Register['vouched'],
  before: TrustRoot | null,
  current: TrustRoot | null,
): Register {
  const forges = (current?.forges ?? []).filter((forge) => before?.forges?.includes(forge) === true);
  const admins = [...(before?.admins ?? []), ...(current?.admins ?? [])];
  const known = new Map(admins.map((admin) => [canonicalName(admin), admin]));
  return { deployment, vouched, forges: new Set(forges), known };
}

/** A register without known people and without signed commits. */
export function plainRegister(deployment: string): Register {
  return registerOf(deployment, new Map(), null, null);
}

/** Returns a function that attributes changes by one register, with a cache by commit. */
export function attributor(register: Register): Attribute {
  const known = new WeakMap<Authorship | readonly Authorship[], Attribution>();
  const writers = new WeakMap<Authorship, string[]>();
  return (step, { by, before = [], origin }) => {
    // most changes are those of their step alone
    const key = by ?? step;
    const attribution = known.get(key) ?? attribute(register, by ?? [step]);
    known.set(key, attribution);
    const earlier = [...before, ...(origin ? [origin] : [])].flatMap((it) => {
      const named = writers.get(it) ?? writersOfCommit(register, it);
      writers.set(it, named);
      return named;
    });
    const vouch = origin && !register.vouched.has(origin.id) ? undefined : attribution.vouch;
    return { ...attribution, vouch, writers: [...new Set([...attribution.writers, ...earlier])] };
  };
}

/** The authors of several changes of one step: everyone who wrote any of them. */
export function together(all: readonly Attribution[]): Attribution {
  const vouches = all.flatMap(({ vouch }) => vouch ?? []);
  const [first] = vouches.length === all.length ? vouches : [];
  const trust = vouches.reduce((least, it) => Math.min(least, it.trust), 1);
  return {
    writers: [...new Set(all.flatMap(({ writers }) => writers))],
    authored: all.reduce((latest, it) => Math.max(latest, it.authored), 0),
    vouch: first && { ...first, trust },
  };
}

function attribute(register: Register, by: readonly Authorship[]): Attribution {
  const writers = [...by].reverse().flatMap((it) => writersOfCommit(register, it));
  const vouches = by.flatMap(({ id }) => register.vouched.get(id) ?? []);
  const last = vouches.length === by.length ? vouches.at(-1) : undefined;
  const trust = vouches.reduce((least, it) => Math.min(least, it.trust), 1);
  return { writers: [...new Set(writers)], authored: by.at(-1)?.authored ?? 0, vouch: last && { ...last, trust } };
}

/** All authors that a commit names: its signer first, because only the signer is proven. */
export function writersOfCommit(register: Register, { id, author, committer, coauthors = [] }: Authorship): string[] {
  const committing = committer && !register.forges.has(renderPerson(committer)) ? [committer] : [];
  const named = [author, ...committing, ...coauthors].flatMap((it) => entitiesOf(register, it));
  return [...new Set([register.vouched.get(id)?.owner ?? [], named].flat())];
}

/** The entity of a name, and the administrator with that mailbox: a commit's name may differ from the URI's name. */
function entitiesOf({ deployment, known }: Register, person: Person): string[] {
  const entity = entityOf(deployment, person);
  const namesake = known.get(canonicalName(entity));
  const mailbox = mailboxOf(person);
  const owners = [mailbox, ...mailbox.split('+')].flatMap((it) => known.get(canonicalName(it)) ?? []);
  return [namesake !== undefined && kindOf(namesake) === kindOf(entity) ? namesake : entity, ...owners];
}

const kindOf = (entity: string): string => entity.split('/')[1] ?? '';
const mailboxOf = ({ email }: Person): string => email.split('@')[0] ?? '';

/**
 * The entity URI of a commit's author (§21.4.3), by name; by address if the name has no letters. A publication's
 * commit has the URI itself as its address, because not every URI can be derived from a name.
 */
export function entityOf(deployment: string, { name, email }: Person): string {
  if (email.startsWith(`${deployment}/`) && EntityUri.safeParse(email).success) return email;
  const [own = '', bot] = name.split(/ ?\[bot\]$/i);
  return `${deployment}/${bot === undefined ? 'human' : 'system'}/${slugOf(own) || slugOf(mailboxOf({ name, email })) || 'unknown'}`;
}
