// Writes the agents of a test bed into a handbook that `vade init` made, and a key for each:
//   node handbook.mjs <handbook> <agents> <keys.json> <agents.json> <folder of nginx's tables>
// agents.json is what agents.mjs reads. cells.conf maps the id of a key to its cell, if that is not the first one;
// stores.conf maps the id of each key to the machine with its agent's capsules.
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newKey } from '../../dist/compiler/trust/keys.js';
import { writeKeyFile } from '../../dist/compiler/world/key-file.js';

/** Each fifth agent is of the second cell, which has two machines; the first has four. */
const storeOf = (i) => (i % 5 === 4 ? 5 + (Math.floor(i / 5) % 2) : 1 + (i % 5));
const TOPICS = ['refund', 'release', 'incident', 'invoice', 'backup', 'deploy', 'handover', 'contract'];

const [handbook = '', agents = '', keysFile = '', agentsFile = '', tables = ''] = process.argv.slice(2);
const names = Array.from({ length: Number(agents) }, (_, i) => `agent-${String(i + 1).padStart(4, '0')}`);

function idOf(name) {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function unit(about, steps) {
  const triggers = [`asked about the ${about} today`, `before I touch the ${about}`];
  const intents = triggers.map((it) => `    - ${it}\n`).join('');
  return `---\ndescription: What to do with the ${about}\nload_triggers:\n  intents:\n${intents}---\n\n# The ${about}\n\n${steps}\n`;
}

for (const [i, name] of names.entries()) {
  const folder = join(handbook, 'instructions/agents', name);
  const topic = TOPICS[i % TOPICS.length] ?? '';
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'agent.yaml'),
    `agent_id: ${idOf(name)}\nrole: Agent ${i + 1}\nheartbeat_contract: heartbeat\n`,
  );
  writeFileSync(join(folder, 'heartbeat.md'), unit('heartbeat', 'Read what is open, and do the most urgent of it.'));
  writeFileSync(
    join(folder, 'task.md'),
    unit(topic, `Ask the owner of the ${topic}, then write down what was decided.`),
  );
}

const made = names.map((agent) => ({
  agent,
  ...newKey({ kind: 'agent', agent, agent_id: idOf(agent) }, 'bed', new Date().toISOString(), randomBytes(40)),
}));
const admin = newKey({ kind: 'admin', entity: 'bed/human/a' }, 'bed', new Date().toISOString(), randomBytes(40));
writeKeyFile(
  keysFile,
  [...made, admin].map((it) => it.record),
);
writeFileSync(
  agentsFile,
  JSON.stringify({
    admin: admin.key,
    agents: made.map(({ agent, key }, i) => ({ agent, key, about: TOPICS[i % TOPICS.length] })),
  }),
);
const table = (file, rows) => writeFileSync(join(tables, file), rows.map(([id, to]) => `${id} ${to};\n`).join(''));
const stores = made.map(({ record }, i) => [record.id, `store${storeOf(i)}`]);
table('stores.conf', stores);
table(
  'cells.conf',
  stores.filter((_, i) => storeOf(i) > 4).map(([id]) => [id, 'cell2']),
);
