import { renderStub } from '../../gardens/manifest/boot-stub.ts';
import { PROFILES, STUB_TOKEN_TARGET } from '../../schema/bundle/boot-stub.ts';
import type { CountTokens } from '../../schema/count-tokens.ts';
import { Agent } from '../../schema/source/agent.ts';
import { decodeYaml } from '../../sources/yaml.ts';

/** As long as addresses of a real deployment become; the numbers of units and versions grow. */
const ADDRESS = (agent: string, name: string) => `instruction:a-deployment-name/agent/${agent}/${name}/v100`;

/**
 * Whether a text of `boot.md` keeps every stub of the agent within the target (§21.1.2).
 *
 * @param agentYaml of the agent, proposed or present
 */
export function bootBudget(name: string, agentYaml: string, countTokens: CountTokens): (rules: string) => boolean {
  const agent = decodeYaml(Agent, agentYaml, 'agent.yaml').value;
  if (agent === null) return () => false;
  const source = {
    agent,
    heartbeat_contract: ADDRESS(name, agent.heartbeat_contract),
    manifest_uri: ADDRESS(name, 'manifest'),
    generated_at: '',
    unlisted: 100,
  };
  const profiles = PROFILES.filter((it) => it === 'generic' || agent.adapter_profiles.includes(it));
  return (rules) =>
    profiles.every(
      (profile) => renderStub({ ...source, rules }, profile, countTokens).token_count <= STUB_TOKEN_TARGET,
    );
}
