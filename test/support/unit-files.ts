/** An `agent.yaml`. */
export function agentYaml(agentId: string, more = ''): string {
  return `agent_id: ${agentId}\nrole: CTO\nheartbeat_contract: heartbeat\n${more}`;
}

/** A unit file with a description, intents and whatever front matter lines come after them. */
export function unitFile(description: string, intents: readonly string[] = [], more = '', body?: string): string {
  const list = intents.map((it) => `    - ${it}\n`).join('');
  const triggers = intents.length > 0 ? `load_triggers:\n  intents:\n${list}` : '';
  return `---\ndescription: ${description}\n${triggers}${more}---\n\n# ${description}\n\n${body ?? `Do it: ${description}.`}\n`;
}

/** Files below `instructions/` of the smallest deployment that compiles: `acme` with an agent, `cto`, and two units. */
export const SMALL_DEPLOYMENT: Readonly<Record<string, string>> = {
  'org.yaml': 'deployment: acme\ncompiler: 0.1.0\n',
  'agents/cto/agent.yaml': agentYaml('8e0ed057-bcd8-4f8f-92ee-c046c55b64e9'),
  'agents/cto/heartbeat.md': unitFile('What to do on every heartbeat', ['start a heartbeat']),
  'agents/cto/wrap-up.md': unitFile('How to leave work', ['done for today', 'hand over']),
};
