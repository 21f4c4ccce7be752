import type { Attribute } from '../../history/attribution.ts';
import type { Capture } from '../../quality/captures.ts';
import { SCALE } from '../../recall/signals/lexical.ts';
import { diagnostic, type Diagnostic } from '../../schema/diagnostics.ts';
import { canonicalNames } from '../../schema/identity.ts';
import type { UsedApproval } from '../../schema/source/approval.ts';
import type { UnitPhrases } from '../../schema/source/phrases.ts';
import type { Commit } from '../../schema/source/sources.ts';
import type { ConfiguredPhrases } from '../../sources/config.ts';
import { captureClaim, type Claim } from '../../trust/approval.ts';
import { byText } from '../../trust/canonical.ts';
import { consentTo } from '../../trust/consent.ts';
import { neededFor, type Authors } from '../approvals/needed.ts';
import type { AdministratorDecisions, FiledConsent } from '../approvals/read-decisions.ts';
import { describeApproval, use, type Approved } from '../approvals/use-filed.ts';
import { phraseAuthors } from './phrase-authors.ts';

/** The garden whose phrases are judged, and the administrators who may allow what they capture. */
export interface CaptureContext {
  readonly deployment: string;
  /** The agent. */
  readonly name: string;
  readonly phrases: { readonly own: ConfiguredPhrases | null; readonly shared: ConfiguredPhrases | null };
  readonly administratorDecisions: AdministratorDecisions;
  readonly development: boolean;
  readonly commits: readonly Commit[];
  readonly attribute: Attribute;
}

/**
 * Reports phrases that find their units where other units are needed; an administrator who did not write them may allow
 * it. Phrases of shared units are judged here too, beside the agent's own units.
 *
 * @param phrases those of the garden
 */
export function judgeCaptures(
  context: CaptureContext,
  phrases: readonly UnitPhrases[],
  captures: readonly Capture[],
): Approved {
  const used: UsedApproval[] = [];
  const files = new Map<string, Buffer>();
  const faults: Diagnostic[] = [];
  const given = context.administratorDecisions.approvals.filter(
    ({ approval: { garden, kind } }) => garden === context.name && kind === 'phrase_capture',
  );
  const capturing = phrases.filter(({ name }) => captures.some(({ unit }) => unit === name));
  for (const unit of capturing) {
    const own = given.filter(({ approval }) => approval.unit === unit.name);
    const claim = captureClaim(context.deployment, context.name, unit);
    const authors = phraseAuthors(context, fileOf(context, unit)?.file ?? '', own, context.administratorDecisions);
    const consent = consentTo(claim, own, authors.names, context.administratorDecisions.at);
    const isAllowed = consent.by.length >= neededFor(context.administratorDecisions, authors.proven);
    if (isAllowed) {
      const proof = { authors: [...authors.names].sort(byText), ...(!authors.proven && { unproven: true as const }) };
      used.push({ ...use(claim, consent.by, consent.given, files), ...proof });
    }
    const why = isAllowed ? null : whyNot(context, claim, own, authors);
    const found = captures.filter((it) => it.unit === unit.name);
    faults.push(...found.map((it) => faultOf(context, unit, it, why)));
  }
  return { used, files, faults: [...faults, ...unneeded(given, capturing)] };
}

/** The phrase file of a unit. */
function fileOf({ phrases }: CaptureContext, { name }: Pick<UnitPhrases, 'name'>): ConfiguredPhrases | null {
  return [phrases.own, phrases.shared].find((it) => it !== null && Object.hasOwn(it.set.units, name)) ?? null;
}

/** Why the approvals of these phrases do not count. */
function whyNot(
  { administratorDecisions }: CaptureContext,
  claim: Claim,
  own: readonly FiledConsent[],
  { names }: Authors,
): string {
  const authors = canonicalNames(names);
  const similar = own.map((it) => `${it.file} ${describeApproval(it, claim, authors, administratorDecisions.at)}`);
  return similar.length === 0 ? 'no administrator allowed it' : similar.join('; ');
}

/** @param why it is not allowed; null if it is */
function faultOf(context: CaptureContext, unit: UnitPhrases, capture: Capture, why: string | null): Diagnostic {
  const file = fileOf(context, unit);
  const at = file?.at(['units', unit.name, 'phrases', unit.phrases.indexOf(capture.phrase)]);
  const garden = file === context.phrases.shared ? `for ${context.name}, ` : '';
  const message = `${garden}${describeCapture(capture)}${why === null ? '; an administrator allows it' : `; ${why}`}`;
  const command = `vade approve --kind phrase_capture --agent ${context.name} --unit ${unit.name} --key <PEM>`;
  const help = `reword the phrase so that it fits only ${unit.name}, or delete it; an administrator who did not write it may allow it: ${command}`;
  const severity = why === null || context.development ? 'warning' : 'error';
  const fault = diagnostic('phrase_capture', file?.file ?? '', message, help, at, severity);
  return why === null ? fault : { ...fault, details: { command } };
}

/** The evidence of a capture, for people. */
export function describeCapture({ phrase, unit, rival, by, intent, scores }: Capture): string {
  const both = `${rival} ${shown(scores.rival)}, ${unit} ${shown(scores.unit)}`;
  if (by === 'answer') return `without phrases, ${rival} answers “${phrase}” of ${unit} clearly better: ${both}`;
  return `“${phrase}” puts ${unit} first for “${intent}”, a ${by} of ${rival}: ${both}`;
}

const shown = (score: number) => (score / SCALE).toFixed(3);

/** Approvals of phrases that capture nothing. */
function unneeded(given: readonly FiledConsent[], capturing: readonly UnitPhrases[]): Diagnostic[] {
  const names = new Set(capturing.map(({ name }) => name));
  return given
    .filter(({ approval }) => !names.has(approval.unit ?? ''))
    .map(({ file, approval }) => {
      const message = `the phrases of unit “${approval.unit ?? ''}” no longer take the place of another unit`;
      return diagnostic('approval_lapsed', file, message, 'delete it');
    });
}
