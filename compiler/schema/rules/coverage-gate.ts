import { explain } from './explanation.ts';

export const GATE = explain('gate', {
  approval_invalid: [
    'A file in `approvals/` is no approval: it cannot be read, or no administrator of the trust root signed it',
    'What nobody vouches for counts for nothing',
    'Make it again with `vade approve`, or delete it',
  ],
  approval_lapsed: [
    'An approval is for another text, value, unit or deployment than there is now, or has expired',
    'A yes is a yes to one exact content (DESIGN §7)',
    'Have it approved again, or delete it',
  ],
  approver_on_branch: [
    'An administrator who approves what a branch brings has commits on that branch',
    'Squashing and rebasing can hide who wrote what, and nobody approves their own text (DESIGN §7)',
    'See that none of the text is theirs, or have it approved by an administrator without commits on the branch',
  ],
  boot_stub_large: [
    'A boot stub has more than 450 tokens',
    'Adapters need room to add their own (§21.1.2)',
    'Shorten boot.md',
  ],
  boot_stub_too_large: [
    'A boot stub has more than 500 tokens',
    'It is loaded on every waking, and 500 is the limit (§21.1.2)',
    'Shorten boot.md',
  ],
  bypass_approval_required: [
    'The coverage gate is to be skipped, and too few administrators said yes',
    'One for a manifest without guaranteed units, two distinct ones with any (§21.8.3 S7)',
    'Run the `vade approve` that the fault names, or let the gate pass',
  ],
  coverage_failure: [
    'A unit is not found by enough paraphrases of its own triggers',
    'What its author’s own words do not bring, an agent’s words will not (§21.8.3)',
    'Rewrite the triggers; the fault names the paraphrases that failed and what outranked them',
  ],
  coverage_skipped: [
    'The coverage gate was skipped, with approval',
    'The manifest has to be certified again within seven days (§21.8.3 S10)',
    'Let the gate pass before then',
  ],
  graph_unavailable: [
    'The graph for approximate search could not be built',
    'Search goes on without it, exact and slower',
    'Install hnswlib-node, or leave it: answers are the same',
  ],
  guarantee_approval_required: [
    'A guaranteed unit has no approval',
    'It comes with every recall, so an administrator has to have said yes (§21.3.3)',
    'Run the `vade approve` that the fault names, or remove guarantee_load',
  ],
  manifest_too_large: [
    'The manifest has more than 1000 tokens, with everything left out that may be: `manifest: {trim: false}` in org.yaml, and every publication, allow no more than `token_estimate`',
    'It is loaded on every waking, and 1000 is the limit (§21.2.1)',
    'Set `listed: false` on the units that the fault names, or merge some; recall finds what is not listed',
  ],
  manifest_trimmed: [
    'The manifest fits only without some members of some entries; the fault names each unit and member that is not shown',
    'Agents see less of what there is (§21.2.1); the index keeps everything',
    'Shorten triggers and descriptions, or unlist units; `manifest: {trim: false}` in org.yaml makes it an error',
  ],
  migration_evidence_missing: [
    'An agent moves on to the next stage of its migration, and no valid evidence says that it may',
    'An undetected miss costs more than a week of looking (§21.6.2); the evidence is signed by administrators of the trust root before the move, lies within the stage that the agent leaves, is at most 30 days old when it moves, and speaks of the units as they are',
    'Go back, run the `vade shadow --attest` that the fault names, commit the evidence, and then move',
  ],
  migration_stage_skipped: [
    'An agent moves from `file` to `stigmem` at once',
    'Its units were never seen beside the files that they replace (§21.6.2)',
    'Set `migration_mode: coexistence` first',
  ],
  probe_coverage_low: [
    'An agent’s probes bring fewer of their required units than `probes.least_coverage` of org.yaml asks for',
    'Probes are the questions that agents really have (§21.5.4)',
    'Rewrite the triggers of the units that do not come; `vade probe` names them',
  ],
  probe_lost: [
    'A probe passed in the previous bundle, and does not pass any more',
    'A change of one unit can hide another; only probes see it (§21.5.4)',
    'Rewrite the triggers that compete, or raise `probes.max_lost` of org.yaml',
  ],
  position_approval_required: [
    'A unit that is prepended has no approval of its own for that',
    'What stands first weighs most (§21.3.3 S6)',
    'Run the `vade approve` that the fault names, or remove force_position',
  ],
  quarantine_needed: [
    'A unit that its agent cannot do without is held back',
    'Without its heartbeat contract or a guaranteed unit an agent must not run (§21.1.5 S2)',
    'Mend what the other fault of the unit tells',
  ],
  quarantined: [
    'A unit is held back: withdrawn, unsafe, or with nobody to vouch for it',
    'It is in no index, manifest, preload or export (DESIGN §7)',
    'Do what the fault says; the unit comes back with its next version',
  ],
  task_types_approval_required: [
    'A unit is required by more than two wake reasons, and has no approval for it',
    'Preloading costs every waking of these reasons (§21.1.5)',
    'Run the `vade approve` that the fault names, or name fewer reasons',
  ],
  withdrawal_invalid: [
    'A withdrawal cannot be read, or too few signed it who were administrators when it was committed, or are now',
    'Whoever can take an instruction away has power over the agent too',
    'Make it again with `vade withdraw`, or delete it',
  ],
});
