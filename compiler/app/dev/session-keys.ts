import type { Bundle } from '../../schema/bundle/bundle.ts';
import type { KeyHolder } from '../../schema/source/key-file.ts';
import { newKey } from '../../trust/keys.ts';
import { writeKeyFile } from '../../world/key-file.ts';
import type { World } from '../../world/world.ts';

/** Keys that end with their session. */
export interface SessionKeys {
  /** Opens the page. */
  readonly admin: string;
  /** By short name; of the agents that the bundle has now. */
  readonly agents: ReadonlyMap<string, string>;
}

/** Writes a key file for one session: a key for the page, and one for each agent. @throws output_failed */
export function sessionKeys(path: string, { statement }: Bundle, world: World): SessionKeys {
  const { deployment, gardens } = statement.predicate;
  const at = `${world.now().toISOString().slice(0, 19)}Z`;
  const make = (holder: KeyHolder) => newKey(holder, 'vade dev', at, world.random(40));
  const admin = make({ kind: 'admin', entity: `${deployment}/human/developer` });
  const agents = gardens.flatMap(({ garden, agent_id }) =>
    agent_id === null ? [] : [[garden, make({ kind: 'agent', agent: garden, agent_id })] as const],
  );
  writeKeyFile(path, [admin.record, ...agents.map(([, { record }]) => record)]);
  return { admin: admin.key, agents: new Map(agents.map(([name, { key }]) => [name, key])) };
}
