import { VadeError } from '../../schema/errors.ts';
import { ENGLISH, languageOf } from '../../schema/source/language.ts';
import type { Unit } from '../../schema/source/unit.ts';
import { SHARED } from '../../schema/uri.ts';
import { languageClaim } from '../../trust/approval.ts';
import { WHOLE, type FoundSubject } from './found-subject.ts';
import type { OpenSite } from './open-site.ts';

/**
 * The coverage gate shall not judge what an agent's handbook says in its language. It covers no text, so it has no authors;
 * two administrators must approve if any unit is guaranteed.
 *
 * @param units the agent's own and the shared ones
 */
export function readLanguage({ org, agents }: OpenSite, garden: string, units: readonly Unit[]): FoundSubject {
  const agent = agents.get(garden)?.config;
  if (garden === SHARED || agent === undefined) {
    throw new VadeError('agent_not_found', 'a language is that of an agent: name one with --agent');
  }
  const language = languageOf(org, agent);
  if (language === ENGLISH) {
    const message = `${garden} is in English, as far as org.yaml and its agent.yaml say: there is nothing to approve`;
    const suggestion = 'declare its language first, such as language: zh in org.yaml, and commit that';
    throw new VadeError('argument_invalid', message, { flag: 'kind', suggestion });
  }
  const { value, digest } = languageClaim(org.deployment, garden, agent.agent_id, language);
  const least = units.some(({ delivery }) => delivery.guarantee_load) ? 2 : 1;
  return { of: { ...WHOLE, value, digest }, authors: { names: new Set(), proven: true }, least };
}
