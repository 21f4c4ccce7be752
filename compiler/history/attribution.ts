import { canonicalName, renderPerson, slugOf } from '../schema/identity.ts';
import type { Authorship, Change, Person } from '../schema/source/sources.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import { EntityUri } from '../schema/uri.ts';

/** Who signed a commit (DESIGN §7), with which key, and how far that is trusted. */
export interface CommitSigner {
  readonly owner: string;
  readonly key: string;
  readonly trust: number;
}

/** What tells who is meant by the names in a commit. */
export interface Register {
  readonly deployment: string;
  /** Who signed commits, by commit, where the trust root knows the key. */
  readonly vouched: ReadonlyMap<string, CommitSigner>;
  /** Committers that are nobody, as git writes them. */
  readonly forges: ReadonlySet<string>;
  /** Administrators by their canonical names. */
  readonly known: ReadonlyMap<string, string>;
}

/** Who wrote what a step changed. */
export interface Attribution {
  /** Entity URIs, each once; first whoever wrote it last. */
  readonly writers: readonly string[];
  /** When that was, in seconds since 1970. */
  readonly authored: number;
  /** Whose signature stands for it: there is none unless every commit that wrote it is signed. */
  readonly vouch: CommitSigner | undefined;
}

/** Tells who wrote a change of a step. */
export type Attribute = (step: Authorship, change: Pick<Change, 'by' | 'before'>) => Attribution;

/**
 * Names are heard as far as both roots agree: what a commit changes about trust does not count for itself (DESIGN §7).
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

/** Nobody is known, and no commit is signed. */
export function plainRegister(deployment: string): Register {
  return registerOf(deployment, new Map(), null, null);
}

/** Tells who wrote changes, by one register; the same commits are asked about once. */
export function attributor(register: Register): Attribute {
  const told = new WeakMap<readonly Authorship[], Attribution>();
  return (step, { by = [step], before = [] }) => {
    const attribution = told.get(by) ?? attribute(register, by);
    told.set(by, attribution);
    if (before.length === 0) return attribution;
    const earlier = before.flatMap((it) => writersOfCommit(register, it));
    return { ...attribution, writers: [...new Set([...attribution.writers, ...earlier])] };
  };
}

/** Who wrote several changes of one step: everybody who wrote any of them. */
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

/** Everybody whom a commit names as its writer: its signer first, who wrote it as far as anybody knows. */
export function writersOfCommit(register: Register, { id, author, committer, coauthors = [] }: Authorship): string[] {
  const committing = committer && !register.forges.has(renderPerson(committer)) ? [committer] : [];
  const named = [author, ...committing, ...coauthors].flatMap((it) => entitiesOf(register, it));
  return [...new Set([register.vouched.get(id)?.owner ?? [], named].flat())];
}

/** Whom a name means, and the administrator whose mailbox it is: not everybody signs with the name of their URI. */
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
 * The entity URI of a commit's author (§21.4.3), by name; by address where the name has no letters. A publication's
 * commit has the URI itself for an address, for not every URI can be told from a name.
 */
export function entityOf(deployment: string, { name, email }: Person): string {
  if (email.startsWith(`${deployment}/`) && EntityUri.safeParse(email).success) return email;
  const [own = '', bot] = name.split(/ ?\[bot\]$/i);
  return `${deployment}/${bot === undefined ? 'human' : 'system'}/${slugOf(own) || slugOf(mailboxOf({ name, email })) || 'unknown'}`;
}
