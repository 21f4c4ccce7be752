import { BOOT, FIRST_AGENT, LIMITS, WRAP_UP } from '../schema/source/placeholders.ts';

/** The values of a new deployment. */
export interface Scaffold {
  readonly deployment: string;
  readonly compiler: string;
  readonly agentId: string;
  /** Whether the boot stub points to the capsules that the agent kept across resets. */
  readonly startupView?: boolean;
  /** Whether the project brings rules of its own, which are migrated. */
  readonly hasRules?: boolean;
  /** Folders of skills. */
  readonly skills?: readonly string[];
}

const ORG = ({ deployment, compiler, startupView = false }: Scaffold) => `# The deployment: the root of every URI.
deployment: ${deployment}
# The exact compiler version; upgrading it is a commit.
compiler: ${compiler}
# What works: English is found by words and by meaning, another language by words or pairs of characters alone. Name it
# here or in agent.yaml, as vade migrate does; a signed bundle then needs an approval (vade approve --kind other_language).
# language: zh
# Each compile asks every agent its probes, in probes/<agent>.yaml. One that passed before and fails now is an error; any
# other that fails is a warning. wanted_coverage: 0.8 warns only where less than .8 of the units that they require is among
# the first three, and least_coverage makes that an error.
probes: { max_lost: 0 }
${startupView ? STARTUP_VIEW : ''}`;

const STARTUP_VIEW = `# A line of the boot stub leads to what an agent kept before its context was lost.
boot_stub: { startup_view: true }
`;

const AGENT = ({ agentId, skills = [] }: Scaffold) => `agent_id: ${agentId}
role: Assistant
# The procedure that the boot stub points to. An agent that wakes by itself has a unit for its heartbeat, named here.
heartbeat_contract: wrap-up
adapter_profiles: [generic]
${skills.length === 0 ? '' : SKILLS}${skills.map((it) => `  - ${JSON.stringify(it)}\n`).join('')}`;

const SKILLS = `# Each SKILL.md below these folders is a unit where it lies; nothing in it changes.
skills:
`;

/** Paths that are never committed: bundles are built, and the rest is secret or a database. */
export const IGNORED = ['/.vade/', '/bundle/', '/keys.json', '/*.pem', '/*.db*', '/audit.*'];

/** Signed files, whose bytes git leaves as they are. A bundle is only in a repository that ignores the line above. */
export const ATTRIBUTES = ['/instructions/trust/*.json', '/instructions/approvals/*.json', '/bundle/**'].map(
  (pattern) => `${pattern} -text`,
);

/**
 * The smallest tree that compiles, by path: one agent with two units. A project that brings its own rules gets only the
 * one that every agent needs: a text that stands for theirs would be found in their place.
 */
export function scaffold(of: Scaffold): ReadonlyMap<string, string> {
  const agent = `instructions/agents/${FIRST_AGENT}`;
  return new Map([
    ['instructions/org.yaml', ORG(of)],
    [`${agent}/agent.yaml`, AGENT(of)],
    [`${agent}/wrap-up.md`, WRAP_UP],
    ...(of.hasRules
      ? []
      : ([
          [`${agent}/boot.md`, BOOT],
          [`${agent}/limits.md`, LIMITS],
        ] as const)),
  ]);
}
