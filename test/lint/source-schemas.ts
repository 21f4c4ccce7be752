import { z } from 'zod';
import { CapabilityFile } from '../../compiler/capabilities/schema/atom.ts';
import { RoleFile } from '../../compiler/capabilities/schema/role.ts';
import { Agent } from '../../compiler/schema/source/agent.ts';
import { Org } from '../../compiler/schema/source/org.ts';
import { PhraseSet } from '../../compiler/schema/source/phrases.ts';
import { ProbeSet } from '../../compiler/schema/source/probe.ts';
import { TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { Delivery } from '../../compiler/schema/source/unit.ts';
import { TaskFile } from '../../compiler/tasks/schema/task-file.ts';

const SOURCES: Readonly<Record<string, readonly [schema: z.ZodType, title: string, description: string]>> = {
  agent: [Agent, 'agent.yaml', 'One agent: agents/<agent>/agent.yaml'],
  capability: [CapabilityFile, 'capability.toml', 'One atom, as TOML: capabilities/<category>/<slug>/capability.toml'],
  org: [Org, 'org.yaml', 'The deployment: org.yaml'],
  phrases: [PhraseSet, 'phrases', 'Sentences that find units: phrases/<agent>.yaml and phrases/shared.yaml'],
  probes: [ProbeSet, 'probes', 'Intents with the units that they require: probes/<agent>.yaml'],
  role: [RoleFile, 'role', 'One role, as TOML: roles/<name>.toml'],
  task: [TaskFile, 'task.toml', 'What one agent is to do, as TOML: tasks/<id>/task.toml'],
  'trust-root': [
    TrustRoot,
    'trust root',
    'The payload of a trust root, which trust/<n>.json carries in a DSSE envelope',
  ],
  unit: [Delivery, 'unit', 'The front matter of a unit: agents/<agent>/<unit>.md and shared/<unit>.md'],
};

/**
 * JSON Schemas of all source files, as an author writes them: keys with a default may be left out. Rules that a schema
 * cannot express, such as “name each unit once”, are left to the compiler.
 */
export function sourceSchemas(): ReadonlyMap<string, object> {
  const entries = Object.entries(SOURCES).map(([name, [schema, title, description]]) => {
    const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    return [`${name}.schema.json`, { $schema: json.$schema, title, description, ...json }] as const;
  });
  return new Map(entries);
}
