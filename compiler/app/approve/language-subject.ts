import { VadeError } from '../../schema/errors.ts';
import { ENGLISH, languageOf } from '../../schema/source/language.ts';
import type { Unit } from '../../schema/source/unit.ts';
import { SHARED } from '../../schema/uri.ts';
import { languageClaim } from '../../trust/approval.ts';
import { WHOLE, type FoundSubject } from './found-subject.ts';
import type { OpenSite } from './open-site.ts';

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
