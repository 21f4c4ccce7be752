import { phraseAuthors, phraseFileDigest } from '../../gardens/phrases/phrase-authors.ts';
import { VadeError } from '../../schema/errors.ts';
import { SHARED } from '../../schema/uri.ts';
import { captureClaim } from '../../trust/approval.ts';
import type { FoundSubject } from './found-subject.ts';
import type { OpenSite } from './open-site.ts';

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
