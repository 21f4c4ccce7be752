import { explain } from './explanation.ts';

export const GARDEN = explain('garden', {
  agent_folder_invalid: [
    'The name of a folder below `agents/` is not a valid agent name',
    'The name is part of every URI (§21.4.1)',
    'Name it with [a-z0-9-], and none of the reserved names',
  ],
  agent_id_duplicate: [
    'Two agents have the same `agent_id`, or the id of one is the name of the other',
    'An id opens exactly one garden (§21.4.4)',
    'Give each agent a UUID of its own',
  ],
  agent_missing: [
    'A folder below `agents/` has no agent.yaml',
    'Without it no agent can receive its units',
    'Add one with agent_id, role and heartbeat_contract',
  ],
  confidential_exposed: [
    'A guaranteed or preloaded unit is confidential: an error if it is guaranteed, a warning if it is preloaded or if only a topic, such as a salary, suggests it',
    'Anyone who can make the agent talk can read it, and so can hostile text in a ticket (§21.1.5 S3, §21.3.3 S5)',
    'Remove the confidential part, or let the unit come only with a recall that matches it',
  ],
  guarantee_cap_exceeded: [
    'More than five units of an agent are guaranteed',
    'They come with every recall (§21.3.3 S4)',
    'Use guarantee_load only for units that an agent must never miss',
  ],
  heartbeat_contract_unknown: [
    'heartbeat_contract names no unit',
    'It is the first unit that the boot stub refers to (§21.1.1)',
    'Name one of the agent’s units or a shared one',
  ],
  lineage_cycle: [
    '`renamed_from` leads from a unit back to itself',
    'The history of a unit in such a cycle has no beginning',
    'Keep the `renamed_from` that gives the former name, and remove the others',
  ],
  link_broken: [
    'A link leads to no unit, or into another garden',
    'An agent that follows it gets nothing, because it cannot read other gardens (§21.4.5)',
    'Link to a unit of this agent, or to a shared one',
  ],
  manifest_entry_invalid: [
    'A unit has neither a body nor a path, or both although only one is allowed',
    'A manifest entry has exactly one of fact_uri and path (§21.2.2)',
    'Write the instruction, or set migration_mode in agent.yaml',
  ],
  name_duplicate: [
    'Two units have the same name or alias',
    'A hint or a link could mean either of them (§21.2.2)',
    'Choose another name',
  ],
  name_invalid: [
    'The name of a file is not a valid unit name',
    'The name is part of its URI (§21.4.1)',
    'Name the file with [a-z0-9-] and .md',
  ],
  name_reserved: [
    'A unit or an alias has a reserved name',
    'It would collide with a path or URI that has a fixed meaning',
    'Choose another name',
  ],
  path_invalid: [
    'A `path` leaves the repository or leads into the sources',
    'A unit may bring only the file that it replaces into its garden (§21.6.1)',
    'Write it relative to the repository, without `..`',
  ],
  path_missing: [
    'A `path` names no file of the compiled tree',
    'The garden contains the bytes of that file: without them there is nothing to serve',
    'Commit the file, or correct the path',
  ],
  phrase_unit_unknown: [
    'A phrase file names an agent or a unit that does not exist, or a unit of another garden',
    'Phrases find only units of the garden that their file is for, and shared units are judged in every garden',
    'Name a unit of the agent; phrases of shared units belong in `phrases/shared.yaml`',
  ],
  probe_copied: [
    'A trigger or phrase of a unit says nearly the same words as a probe that requires the unit',
    'A probe predicts how questions of agents find the unit only if its author did not write the words for it; such a probe counts in no figure',
    'Write probes first, and triggers and phrases without looking at them; or replace the probe by one in other words',
  ],
  probe_unit_unknown: [
    'A probe names a unit or an agent that does not exist',
    'The probe would always fail, or test nothing',
    'Name a unit that the agent can recall',
  ],
  profile_unknown: [
    'An adapter profile is unknown',
    'Unknown profiles are delivered as generic (§21.1.3)',
    'Use a known profile, or accept generic',
  ],
  related_unknown: [
    '`related` names no other unit',
    'A relation to a missing unit cannot help recall',
    'Use the name of a unit of this agent or of a shared one',
  ],
  shared_unknown: [
    'agent.yaml lists a shared unit that does not exist',
    'The manifest would list a unit that cannot be loaded',
    'Use the name of a file in `shared/`',
  ],
  task_type_unknown: [
    'A unit is required by a wake reason that org.yaml does not define',
    'It would never be preloaded (§21.1.5)',
    'Use a wake reason of org.yaml',
  ],
});
