import type { Authors } from '../../gardens/approvals/needed.ts';
import { phraseAuthors, phraseFileDigest } from '../../gardens/phrases/phrase-authors.ts';
import { VadeError } from '../../schema/errors.ts';
import type { Approval } from '../../schema/source/approval.ts';
import { ENGLISH, languageOf } from '../../schema/source/language.ts';
import type { Unit } from '../../schema/source/unit.ts';
import { SHARED } from '../../schema/uri.ts';
import { captureClaim, languageClaim } from '../../trust/approval.ts';
import type { OpenSite } from './open-site.ts';

/** The subject of an approval, before it is signed. */
export type UnsignedSubject = Omit<Approval, 'note' | 'expires'>;

/** Members of an approval of a whole garden. */
export const WHOLE = { unit: null, delivery: null, source_digest: null };

/** The subject of an approval as the sources have it. */
export interface FoundSubject {
  readonly of: Omit<UnsignedSubject, 'deployment' | 'garden' | 'kind'>;
  readonly authors: Authors;
  /** The minimum of administrators, whatever the trust root says. */
  readonly least?: number;
}

/**
 * The coverage gate shall not judge what an agent's handbook says in its language. It covers no text, so it has no
 * authors; two administrators must approve if any unit is guaranteed.
 *
 * @param units the agent's own and the shared ones
 */
export function readLanguage({ org, agents }: OpenSite, garden: string, units: readonly Unit[]): FoundSubject {
  const agent = agents.get(garden)?.config;
  if (garden === SHARED || agent === undefined) {
    throw new VadeError('agent_not_found', 'a language is approved for one agent: name it with --agent');
  }
  const language = languageOf(org, agent);
  if (language === ENGLISH) {
    const message = `org.yaml and agent.yaml declare no language but English for ${garden}: there is nothing to approve`;
    const suggestion = 'declare its language first, such as language: zh in org.yaml, and commit that';
    throw new VadeError('argument_invalid', message, { flag: 'kind', suggestion });
  }
  const { value, digest } = languageClaim(org.deployment, garden, agent.agent_id, language);
  const least = units.some(({ delivery }) => delivery.guarantee_load) ? 2 : 1;
  return { of: { ...WHOLE, value, digest }, authors: { names: new Set(), proven: true }, least };
}

/**
 * The phrases of one unit, its own or a shared one, that `vade approve --kind phrase_capture` allows to capture in the
 * garden of an agent.
 *
 * @throws argument_invalid, fact_not_found
 */
export function readPhrases(
  at: OpenSite,
  { agent, unit = '' }: { readonly agent: string; readonly unit?: string | undefined },
): FoundSubject {
  if (agent === SHARED) {
    const message = 'phrases of shared units are approved for each agent: name one with --agent';
    throw new VadeError('argument_invalid', message, { flag: 'agent' });
  }
  const garden = [agent, SHARED].find((it) => Object.hasOwn(at.phrases.get(it)?.set.units ?? {}, unit)) ?? '';
  const phrases = at.phrases.get(garden)?.set.units[unit]?.phrases;
  const file = at.site.phrases.get(garden);
  if (!phrases || !file)
    throw new VadeError('fact_not_found', `unit ${unit} of ${agent} has no phrases at this commit`);
  const { value, digest, delivery } = captureClaim(at.org.deployment, agent, { name: unit, phrases });
  const given = (at.administratorDecisions?.approvals ?? []).filter(
    ({ approval: it }) => it.garden === agent && it.unit === unit && it.kind === 'phrase_capture',
  );
  const authors = phraseAuthors(at.past, file.path, given, at.administratorDecisions ?? { threshold: 1, unproven: 1 });
  return { of: { unit, value, digest, delivery, source_digest: phraseFileDigest(file) }, authors };
}
