import { lintText } from '../lint/lint-text.ts';
import type { FactVersion } from '../schema/bundle/fact.ts';
import type { QuarantinedFact, QuarantineReason } from '../schema/bundle/quarantine.ts';
import { diagnostic, SECURITY_RULES, type Diagnostic } from '../schema/diagnostics.ts';
import { isWithdrawn } from '../trust/withdrawal.ts';
import type { Decisions } from './approvals/decisions.ts';
import type { CompileContext } from './compile-context.ts';
import type { UnitFacts } from './unit-facts.ts';

/** What a garden's texts are screened by. */
export type ScreeningRules = Pick<CompileContext, 'org' | 'decisions' | 'allowQuarantine'>;

/** A garden's facts, with those taken out that must not reach an agent. */
export interface Screened {
  readonly unitFacts: readonly UnitFacts[];
  readonly history: readonly FactVersion[];
  readonly held: readonly QuarantinedFact[];
  readonly faults: readonly Diagnostic[];
}

/**
 * Quarantine (DESIGN §7): a fact that was withdrawn, whose text fails a lint of class security, or that nobody
 * vouches for where the deployment asks for it, is in no index, manifest or preload. Of its text nothing stays in the
 * bundle; its digest does, so that the version cannot come back as another.
 *
 * @param textOf a unit's whole source, by its file
 */
export async function screen(
  context: ScreeningRules,
  unitFacts: readonly UnitFacts[],
  history: readonly FactVersion[],
  textOf: (file: string) => string,
): Promise<Screened> {
  const kept: UnitFacts[] = [];
  const held: QuarantinedFact[] = [];
  const faults: Diagnostic[] = [];
  const past: FactVersion[] = [];
  for (const version of history) past.push(await screenPast(context, version));
  for (const it of unitFacts) {
    const { reason, found } = await judgeVersion(context, it.fact, textOf(it.unit.file));
    if (reason === null) {
      kept.push(it);
      continue;
    }
    const { name, uri, digest } = it.fact;
    held.push({ name, uri, digest, file: it.unit.file, reason, rules: [...new Set(found.map(({ rule }) => rule))] });
    past.push(withhold(it.version, reason));
    // what an administrator withdrew is known; of anything else a compile is told, as lint tells it
    const isKnown = reason === 'withdrawn' || context.allowQuarantine;
    faults.push(...(isKnown ? found.map((one) => ({ ...one, severity: 'warning' as const })) : found));
    faults.push(toFault(it, reason));
  }
  past.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version - b.version));
  return { unitFacts: kept, history: past, held, faults };
}

/** What a version is judged by. */
type Rules = Pick<CompileContext, 'org'> & { readonly decisions: Pick<Decisions, 'withdrawn'> };

/**
 * Why the version in force is held back, null where it is not, with what the lint found in it.
 *
 * @param text its whole source
 */
export async function judgeVersion(
  rules: Rules,
  fact: FactVersion,
  text: string,
): Promise<{ reason: QuarantineReason | null; found: readonly Diagnostic[] }> {
  const found = (await lintText(fact.file, text)).filter(({ rule }) => SECURITY_RULES.has(rule));
  return { reason: reasonFor(rules, fact, found.length > 0), found };
}

/** Old versions are served by their URI: they are held to the same. */
async function screenPast({ decisions }: Rules, version: FactVersion): Promise<FactVersion> {
  if (isWithdrawn(decisions.withdrawn, version)) return withhold(version, 'withdrawn');
  const found = await lintText(version.file, version.content);
  return found.some(({ rule }) => SECURITY_RULES.has(rule)) ? withhold(version, 'security') : version;
}

function reasonFor(rules: Rules, fact: FactVersion, unsafe: boolean): QuarantineReason | null {
  if (isWithdrawn(rules.decisions.withdrawn, fact)) return 'withdrawn';
  if (unsafe) return 'security';
  return rules.org.require_verified && !fact.verified ? 'unverified' : null;
}

function withhold(version: FactVersion, withheld: QuarantineReason): FactVersion {
  return { ...version, content: '', withheld };
}

const WAYS_OUT: Readonly<Record<QuarantineReason, string>> = {
  withdrawn: 'change the text: its next version is free',
  security: 'correct what vade lint found in it; --allow-quarantine compiles the others without it',
  unverified: 'sign the commit with a key of the trust root, or have an administrator approve the text',
};

function toFault({ unit }: UnitFacts, reason: QuarantineReason): Diagnostic {
  return diagnostic('quarantined', unit.file, `the unit is held back: ${reason}`, WAYS_OUT[reason]);
}

/** What cannot be done without (§21.1.5 S2): the heartbeat contract, and units that are guaranteed. */
export function checkNeeded(held: readonly QuarantinedFact[], needed: ReadonlySet<string>): Diagnostic[] {
  return held
    .filter(({ name }) => needed.has(name))
    .map(({ name, file, reason }) =>
      diagnostic(
        'quarantine_needed',
        file,
        `“${name}” is held back (${reason}), and its agent must have it`,
        WAYS_OUT[reason],
      ),
    );
}
