import { explain } from './explanation.ts';

export const GARDEN = explain('garden', {
  agent_folder_invalid: [
    'A folder below `agents/` cannot be the name of an agent',
    'The name is part of every URI (§21.4.1)',
    'Name it with [a-z0-9-], and none of the reserved names',
  ],
  agent_id_duplicate: [
    'Two agents have one `agent_id`, or one has the name of the other as its id',
    'An id opens exactly one garden (§21.4.4)',
    'Give each agent a UUID of its own',
  ],
  agent_missing: [
    'A folder below `agents/` has no agent.yaml',
    'Without it nobody can be given its units',
    'Add one with agent_id, role and heartbeat_contract',
  ],
  confidential_exposed: [
    'A guaranteed or preloaded unit is marked confidential: an error where it is guaranteed, a warning where it is preloaded or where only a topic such as a salary says so',
    'Whoever can make the agent talk can read it, hostile text in a ticket included (§21.1.5 S3, §21.3.3 S5)',
    'Take the confidential part out, or let the unit be recalled only when it is asked for',
  ],
  guarantee_cap_exceeded: [
    'More than five units of an agent are guaranteed',
    'They come with every recall (§21.3.3 S4)',
    'Keep guarantee_load for what must never be missed',
  ],
  heartbeat_contract_unknown: [
    'heartbeat_contract names no unit',
    'It is the first thing that the boot stub leads to (§21.1.1)',
    'Name one of the agent’s units or a shared one',
  ],
  lineage_cycle: [
    '`renamed_from` leads from a unit back to itself',
    'The history of a unit in such a circle has no beginning',
    'Keep the one that tells what the unit was before, and remove the others',
  ],
  link_broken: [
    'A link leads to no unit, or into another garden',
    'An agent that follows it gets nothing; other gardens are closed to it (§21.4.5)',
    'Link to a unit of this agent, or to a shared one',
  ],
  manifest_entry_invalid: [
    'A unit has neither a body nor a path, or both where only one is allowed',
    'A manifest’s entry has exactly one of fact_uri and path (§21.2.2)',
    'Write the instruction, or set migration_mode in agent.yaml',
  ],
  name_duplicate: [
    'Two units answer to one name or alias',
    'A hint or a link would mean either (§21.2.2)',
    'Choose another name',
  ],
  name_invalid: [
    'A file’s name cannot be the name of a unit',
    'The name is part of its URI (§21.4.1)',
    'Name the file with [a-z0-9-] and .md',
  ],
  name_reserved: [
    'A unit or an alias has a reserved name',
    'It would collide with a path or a URI of its own',
    'Choose another name',
  ],
  path_invalid: [
    'A `path` leaves the repository or leads into the sources',
    'A unit must not carry other files into its garden than the one it replaces (§21.6.1)',
    'Write it relative to the repository, without dots that climb',
  ],
  path_missing: [
    'A `path` names no file of the compiled tree',
    'Its bytes travel in the garden: without them there is nothing to serve',
    'Commit the file, or correct the path',
  ],
  probe_unit_unknown: [
    'A probe names a unit or an agent that does not exist',
    'It would fail for ever, or test nothing',
    'Name a unit that the agent can recall',
  ],
  profile_unknown: [
    'An adapter profile is not known',
    'Unknown profiles are delivered as generic (§21.1.3)',
    'Use a known profile, or live with generic',
  ],
  related_unknown: [
    '`related` names no other unit',
    'A relation to nothing lends nothing to recall',
    'Use the name of a unit of this agent or of a shared one',
  ],
  shared_unknown: [
    'agent.yaml lists a shared unit that does not exist',
    'The manifest would promise what nobody can load',
    'Use the name of a file in `shared/`',
  ],
  task_type_unknown: [
    'A unit is required by a wake reason that org.yaml does not have',
    'It would never be preloaded (§21.1.5)',
    'Use a wake reason of org.yaml',
  ],
});
