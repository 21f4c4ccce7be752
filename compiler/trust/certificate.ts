import { Coverage, inEnglish, isMostlyOther, passes, type CoverageBinding } from '../schema/bundle/coverage.ts';
import type { Fact } from '../schema/bundle/fact.ts';
import type { GardenPredicate } from '../schema/bundle/garden.ts';
import { refuse } from '../schema/refusals.ts';
import { ENGLISH, type Language } from '../schema/source/language.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import { languageClaim, languageThreshold, lapseOf, manifestInputDigest, neededUnder, type Claim } from './approval.ts';
import { byText, canonicalJson, sha256 } from './canonical.ts';
import { approvalsIn, consentTo, isProven, writersOf } from './consent.ts';
import { readContent } from './read-payload.ts';

/** Inputs that a coverage certificate is bound to (§21.8.3): if any of them changes, the certificate is invalid. */
export interface Bound {
  /** sha256 of each file of the index, by path. */
  readonly index: ReadonlyMap<string, string>;
  readonly model: object | null;
  /** Names the generator of paraphrases and everything that its output depends on. */
  readonly generator: string;
  /** Every constant that a score depends on. */
  readonly scoring: object;
  readonly facts: readonly Fact[];
}

/** Computes the binding from the bytes themselves. */
export function bindingOf({ index, model, generator, scoring, facts }: Bound): CoverageBinding {
  const triggers = facts.map(({ name, delivery }) => [name, ...delivery.load_triggers.intents]);
  return {
    // the JSON of lists of strings is already canonical
    index: sha256(JSON.stringify([...index].sort(([a], [b]) => byText(a, b)))),
    model: modelDigest(model),
    generator: sha256(generator),
    weights: constantDigest(scoring),
    triggers: sha256(JSON.stringify(triggers.sort(([a = ''], [b = '']) => byText(a, b)))),
  };
}

/** The name of a model in certificates and approvals: sha256 of its pin, null without a model. */
function modelDigest(model: object | null): string | null {
  return model === null ? null : constantDigest(model);
}

const digestOf = (value: unknown) => sha256(canonicalJson(value));

/** Digests of values that are the same for every garden. */
const constants = new WeakMap<object, string>();

function constantDigest(value: object): string {
  const digest = constants.get(value) ?? digestOf(value);
  constants.set(value, digest);
  return digest;
}

/** Number of administrators needed for a bypass of the coverage gate (§21.8.3 S7): two if any unit is guaranteed. */
export function bypassThreshold(facts: readonly Fact[], root: TrustRoot): number {
  return Math.max(neededUnder(root, facts.every(isProven)), facts.some((it) => it.delivery.guarantee_load) ? 2 : 1);
}

/** The facts and the model that a bypass of the coverage gate lets through. */
export interface Bypassed {
  /** In force, without quarantined ones: those are not measured, and a server does not know them. */
  readonly facts: Parameters<typeof manifestInputDigest>[0];
  /** The pin of the model that recall compares with; another model finds other units. */
  readonly model: object | null;
}

/**
 * The claim that administrators approve when they bypass the coverage gate: exactly these texts, with exactly this
 * model.
 */
export function bypassClaim(deployment: string, garden: string, { facts, model }: Bypassed): Claim {
  const digest = manifestInputDigest(facts);
  const whole = { unit: null, kind: 'skip_coverage_gate', value: 'coverage', delivery: null } as const;
  return { deployment, garden, ...whole, digest, model: modelDigest(model) };
}

/** The trust that a certificate's approvals are checked against. */
export interface CertificateTrust {
  readonly root: TrustRoot;
  /** ISO 8601. */
  readonly now: string;
  /** Of the garden, as the signed bundle declares it. */
  readonly language: Language;
}

/**
 * Refuses a garden if its coverage was not measured, was measured with other inputs, or failed without an approved
 * bypass (§21.8.3, DESIGN §9).
 *
 * @param bound facts are the garden's own and the shared ones
 * @param files the garden's verified files
 * @returns the verified coverage
 * @throws bundle_unverified: format_unknown, certificate_mismatch, approval_missing
 */
export function assertCertified(
  predicate: GardenPredicate,
  bound: Bound,
  files: ReadonlyMap<string, Buffer>,
  trust: CertificateTrust,
): Coverage {
  const bytes = files.get('coverage.json');
  if (!bytes) throw refuse('certificate_mismatch', `the coverage of garden ${predicate.garden} was never measured`);
  const coverage = readContent(Coverage, bytes, `coverage.json of garden ${predicate.garden}`);
  const { binding, units } = coverage;
  const expected = bindingOf(bound);
  const other = Object.keys(expected).filter(
    (key) => binding[key as keyof CoverageBinding] !== expected[key as keyof CoverageBinding],
  );
  if (other.length > 0) {
    const message = `the coverage of garden ${predicate.garden} was measured with another ${other.join(', ')}`;
    throw refuse('certificate_mismatch', message, { differs: other });
  }
  if (units.every(passes)) return coverage;
  if (predicate.recertify_by === null && units.map(inEnglish).every(passes)) {
    if (isMostlyOther(units, bound.facts)) assertLanguage(predicate, bound.facts, files, trust);
    return coverage;
  }
  if (predicate.recertify_by === null) {
    throw refuse('certificate_mismatch', `a unit of garden ${predicate.garden} failed the coverage gate`);
  }
  assertBypassed(predicate, bound, files, trust);
  return coverage;
}

/** A garden with most triggers in another language needs the approval of administrators for it. */
function assertLanguage(
  { deployment, garden, agent }: GardenPredicate,
  facts: readonly Fact[],
  files: ReadonlyMap<string, Buffer>,
  { root, now, language }: Pick<CertificateTrust, 'root' | 'now' | 'language'>,
): void {
  if (root.development) return;
  const claim = languageClaim(deployment, garden, agent?.agent_id ?? '', language);
  const { by } = consentTo(claim, approvalsIn(files, root, now), new Set(), now);
  const needed = languageThreshold(facts, root);
  if (by.length >= needed && language !== ENGLISH) return;
  const message = `${by.length} of ${needed} administrators approved that the coverage gate does not judge garden ${garden} in “${language}”`;
  throw refuse('approval_missing', message);
}

function assertBypassed(
  { deployment, garden }: GardenPredicate,
  bound: Bound,
  files: ReadonlyMap<string, Buffer>,
  { root, now }: { readonly root: TrustRoot; readonly now: string },
): void {
  if (root.development) return;
  const approvals = approvalsIn(files, root, now);
  const authors = new Set(bound.facts.flatMap(writersOf));
  const claim = bypassClaim(deployment, garden, bound);
  const { by } = consentTo(claim, approvals, authors, now);
  const needed = bypassThreshold(bound.facts, root);
  if (by.length >= needed) return;
  const similar = approvals.filter(({ approval }) => approval.kind === claim.kind);
  const lapsed = similar.flatMap((it) => lapseOf(it, claim, now) ?? []);
  const why = lapsed.length === 0 ? '' : `; other approvals do not cover it: ${lapsed.join(', ')}`;
  const message = `${by.length} of ${needed} administrators approved that garden ${garden} bypasses the coverage gate${why}`;
  throw refuse('approval_missing', message, { lapsed });
}
