import { createHash } from 'node:crypto';
import { z } from 'zod';
import { replaceFile } from '../../compiler/io/files/durable.ts';
import { readIfThere } from '../../compiler/io/files/file.ts';
import { MAX_FILE_BYTES } from '../../compiler/schema/bundle/bundle.ts';
import type { Subject } from '../../compiler/schema/bundle/garden.ts';
import { VadeError } from '../../compiler/schema/errors.ts';
import { orNull } from '../../compiler/schema/or-null.ts';
import { Digest } from '../../compiler/schema/primitives.ts';
import { byText, sha256 } from '../../compiler/trust/canonical.ts';
import { assertUnmutated, changedFacts, factsOf } from '../../compiler/trust/unmutated-facts.ts';

/** Per fact: the first half of its URI's sha256, then the sha256 of a text that it was published with. */
const KEY = 16;
const ENTRY = KEY + 32;

/** The facts that a garden has published, with those that are missing from it now. */
export interface PublishedGarden {
  /** Digest of the statement that was compared last. */
  readonly digest: string;
  readonly facts: Buffer;
}

/** By `deployment/garden`; a removed garden stays, for its return. */
export type PublishedFacts = Map<string, PublishedGarden>;

/** The statement of a garden. */
interface Stated {
  readonly deployment: string;
  readonly garden: string;
  readonly digest: string;
  readonly subjects: readonly Subject[];
}

export const placeOf = ({ deployment, garden }: Pick<Stated, 'deployment' | 'garden'>) => `${deployment}/${garden}`;

/**
 * DESIGN §6.2: a published fact never changes its digest. Adds the facts of a garden to those that it has published.
 *
 * @param withdrawn as `withdrawnKey`
 * @throws fact_mutated; then nothing is added
 */
export function publishFacts(published: PublishedFacts, stated: Stated, withdrawn: ReadonlySet<string>): void {
  const place = placeOf(stated);
  const before = published.get(place);
  if (before?.digest === stated.digest) return;
  const texts = textsOf(before?.facts ?? Buffer.alloc(0));
  const known = (uri: string) => texts.get(keyOf(uri)) ?? [];
  assertUnmutated(changedFacts(known, stated.subjects, withdrawn));
  const added = factsOf(stated.subjects).filter(({ name, digest }) => !known(name).includes(digest.sha256));
  const entries = added.map(({ name, digest }) => Buffer.from(keyOf(name) + digest.sha256, 'hex'));
  published.set(place, { digest: stated.digest, facts: Buffer.concat([before?.facts ?? Buffer.alloc(0), ...entries]) });
}

const keyOf = (uri: string) =>
  createHash('sha256')
    .update(uri)
    .digest('hex')
    .slice(0, 2 * KEY);

/** Digests of the texts of each fact. */
function textsOf(facts: Buffer): ReadonlyMap<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const entry of entriesOf(facts)) {
    const key = entry.slice(0, 2 * KEY);
    texts.set(key, [...(texts.get(key) ?? []), entry.slice(2 * KEY)]);
  }
  return texts;
}

/** The second line of the record; the first is the sha256 of all that follows it, and the facts come last. */
const Header = z.strictObject({
  format: z.literal(1),
  /** Place, digest, and number of entries. */
  gardens: z.array(z.tuple([z.string(), Digest, z.int().nonnegative()])),
});

/**
 * Reads the record of published facts.
 *
 * @returns null without a record
 * @throws Error if it is damaged
 */
export function readPublished(path: string): PublishedFacts | null {
  const bytes = readIfThere(path, MAX_FILE_BYTES);
  return bytes && parsePublished(bytes);
}

function parsePublished(bytes: Buffer): PublishedFacts {
  const first = bytes.indexOf('\n') + 1;
  const second = bytes.indexOf('\n', first) + 1;
  if (bytes.toString('latin1', 0, first) !== `${sha256(bytes.subarray(first))}\n`) throw new Error('its sum differs');
  const { gardens } = Header.parse(JSON.parse(bytes.toString('utf8', first, second)));
  let at = second;
  return new Map(
    gardens.map(([place, digest, count]) => {
      const facts = bytes.subarray(at, (at += count * ENTRY));
      return [place, { digest, facts }];
    }),
  );
}

/**
 * Replaces the record, durably, unless it says the same. What another process added to it stays.
 *
 * @throws output_failed
 */
export function writePublished(path: string, published: PublishedFacts): void {
  const before = orNull(() => readIfThere(path, MAX_FILE_BYTES));
  const bytes = recordOf(joined(published, orNull(() => before && parsePublished(before)) ?? new Map()));
  if (before?.equals(bytes)) return;
  if (bytes.length > MAX_FILE_BYTES)
    throw new VadeError('output_failed', `${path} would be too large to be read again`);
  replaceFile(path, bytes, { links: 'follow' });
}

function joined(own: PublishedFacts, others: PublishedFacts): PublishedFacts {
  const all = new Map([...others, ...own]);
  for (const [place, { facts }] of others) {
    const mine = own.get(place);
    if (mine === undefined || mine.facts.equals(facts)) continue;
    const known = new Set(entriesOf(mine.facts));
    const more = entriesOf(facts).filter((it) => !known.has(it));
    all.set(place, { ...mine, facts: Buffer.concat([mine.facts, Buffer.from(more.join(''), 'hex')]) });
  }
  return all;
}

/** In hexadecimal. */
function entriesOf(facts: Buffer): string[] {
  return Array.from({ length: facts.length / ENTRY }, (_, n) => facts.toString('hex', n * ENTRY, (n + 1) * ENTRY));
}

function recordOf(published: PublishedFacts): Buffer {
  const places = [...published].sort(([a], [b]) => byText(a, b));
  const gardens = places.map(([place, { digest, facts }]) => [place, digest, facts.length / ENTRY]);
  const header = Buffer.from(`${JSON.stringify({ format: 1, gardens })}\n`);
  const content = Buffer.concat([header, ...places.map(([, { facts }]) => facts)]);
  return Buffer.concat([Buffer.from(`${sha256(content)}\n`), content]);
}
