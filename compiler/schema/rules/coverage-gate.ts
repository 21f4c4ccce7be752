import { explain } from './explanation.ts';

export const GATE = explain('gate', {
  approval_invalid: [
    'A file in `approvals/` is not a valid approval: it cannot be read, or no administrator of the trust root signed it',
    'An approval counts only with a valid signature',
    'Create it again with `vade approve`, or delete it',
  ],
  approvals_unchecked: [
    'A development compile cannot check the files in `approvals/`, because the sources have no trust root',
    'An approval counts, and a withdrawal is in force, only with the signature of an administrator whom a trust root names',
    'Nothing; or compile with `--trust <root>`',
  ],
  approval_lapsed: [
    'An approval has expired, or its text, value, unit or deployment is not the present one',
    'An approval covers one exact content (DESIGN §7)',
    'Ask for a new approval, or delete it',
  ],
  approver_on_branch: [
    'An administrator approves a change of a branch, and has commits on the same branch',
    'Squashing and rebasing can hide the authors of a text, and nobody may approve their own text (DESIGN §7)',
    'Check that the administrator wrote none of the text, or ask an administrator without commits on the branch to approve it',
  ],
  boot_stub_large: [
    'A boot stub has more than 450 tokens',
    'Adapters need room to add their own (§21.1.2)',
    'Shorten boot.md',
  ],
  boot_stub_too_large: [
    'A boot stub has more than 500 tokens',
    'It is loaded at every heartbeat, and 500 is the limit (§21.1.2)',
    'Shorten boot.md',
  ],
  bypass_approval_required: [
    'The compile asks to skip the coverage gate, and too few administrators approved it',
    'It takes one administrator for a manifest without guaranteed units, and two distinct ones with any (§21.8.3 S7)',
    'Run the `vade approve` command of the diagnostic, or make the gate pass',
  ],
  coverage_failure: [
    'A unit is not among the first three for 80 % of the paraphrases of its own triggers',
    'If the author’s own words do not find the unit, the words of an agent will not (§21.8.3)',
    'Rewrite the triggers; the diagnostic names the paraphrases that failed and the units that outranked it',
  ],
  coverage_misplaced: [
    'The text of a sibling answers some triggers of a unit much better than the unit’s own text, and without these triggers too few paraphrases count as found',
    'An agent that uses the words of these triggers needs the sibling, and would get the wrong unit',
    'Move the triggers that the diagnostic names to the sibling, or cover their subject in the unit’s description and text',
  ],
  coverage_not_evaluated: [
    'Most triggers of an agent are in another language than English, which is not declared or not approved; or no paraphrase can be made of a trigger, such as one of marks alone',
    'Nothing shows that such a trigger finds its unit. It counts in no figure',
    'Declare the handbook’s language (`language:` in agent.yaml or org.yaml) and have administrators approve it (vade approve --kind other_language); write a trigger of words; or approve the bypass that the diagnostic names',
  ],
  coverage_other_language: [
    'Some triggers look like another language than English; or the handbook declares another language, whose triggers the coverage gate does not check',
    'The gate makes paraphrases only in English, so nothing but a probe shows that such a trigger finds its unit. Evidence is another script, two function words of one other language, or letters with marks: never an unknown word',
    'Write the trigger in English; or declare the language of the handbook, write a probe for each unit (vade brief probes), and have administrators approve the language before a bundle is signed',
  ],
  coverage_own_text: [
    'The texts of twenty other units answer paraphrases of some triggers better than the unit’s own text, and without these too few paraphrases count as found',
    'Only the exact words of the trigger find the unit; the same request in other words does not find it',
    'Cover the subject of the triggers in the description and the text, or write triggers about the subject of the unit',
  ],
  coverage_repetition: [
    'Some triggers only repeat words of the unit’s content, and too few paraphrases of the other triggers find the unit',
    'The content finds the unit without these triggers, so they prove nothing. An agent that needs the unit does not know its words yet',
    'Name the situation that needs the unit, in the words of a person who has not read it',
  ],
  coverage_skipped: [
    'The coverage gate was skipped, with approval',
    'The manifest has to be certified again within seven days (§21.8.3 S10)',
    'Make the gate pass before then',
  ],
  findability_low: [
    'Words other than its triggers hardly find a unit. The compile asks the paraphrases of each trigger as if the unit did not have that trigger, and other units rank near or above it. A unit that two or more probes find is not reported',
    'The result predicts how often the questions of agents find the unit. Half of the reported units are found well enough in practice, so this is a warning',
    'Add triggers in other everyday words, have a coding agent write phrases (vade brief phrases), and describe how the unit differs from the units that the diagnostic names',
  ],
  graph_inexact: [
    'A search of the garden’s graph would find less than 99 % of the best units',
    'The graph is in the bundle with its measured recall, and recall scans all vectors instead, which is exact and slower',
    'Nothing: the answers are the same',
  ],
  graph_not_reproducible: [
    'This build of hnswlib-node makes graphs that differ from the pinned ones',
    'It draws random levels with its C++ standard library, so the same commit would give other bytes than in CI',
    'Compile on Linux with GCC’s standard library; `--dev` leaves the graphs out with a warning, and recall scans all vectors',
  ],
  graph_unavailable: [
    'The index of a garden’s vectors could not be built, because hnswlib-node is not installed',
    'Every garden with vectors has this index in its bundle, and the same commit gives the same bytes on every machine',
    'Install a C++ compiler, make and Python 3, then run `npm rebuild hnswlib-node`; a server and a compile with `--dev` need none of this',
  ],
  guarantee_approval_required: [
    'A guaranteed unit has no approval',
    'Every recall returns it, so an administrator must approve it (§21.3.3)',
    'Run the `vade approve` command of the diagnostic, or remove guarantee_load',
  ],
  manifest_too_large: [
    'The units that the manifest has to list do not fit into 1000 tokens: guaranteed ones, preloaded ones, the heartbeat contract, and all that a publication names',
    'It is loaded at every heartbeat, and 1000 is the limit (§21.2.1); units that it need not list are left out without an error, and recall finds them',
    'Shorten descriptions, remove `required_by_task_types` or `guarantee_load` from some units, or set `listed: false` on them; name fewer in a publication',
  ],
  migration_evidence_missing: [
    'An agent moves to the next stage of its migration without valid evidence',
    'An undetected miss costs more than a week of observation (§21.6.2); administrators of the trust root sign the evidence before the move, it lies within the stage that the agent leaves, is at most 30 days old at the move, and describes the present units',
    'Undo the move, run the `vade shadow --attest` command of the diagnostic, commit the evidence, and then move',
  ],
  migration_stage_skipped: [
    'An agent moves from `file` directly to `stigmem`',
    'Its units were never compared with the files that they replace (§21.6.2)',
    'Set `migration_mode: coexistence` first',
  ],
  phrase_capture: [
    'A phrase finds its unit where another unit is needed. Either, without phrases, the other unit answers the phrase clearly better, alone or together with other phrases of its unit; or the phrase takes the first place for a trigger or a probe of the other unit. It is an error, or a warning if an administrator allows it',
    'An author of phrases could rank a unit above any other, and nobody would see it in the text of either unit',
    'Reword the phrase so that it fits only its unit, or delete it; or have an administrator who did not write it run the `vade approve` command of the diagnostic',
  ],
  probe_coverage_low: [
    'An agent’s probes find fewer of their required units than `probes.least_coverage` of org.yaml requires; a warning below `probes.wanted_coverage`',
    'Probes are real questions of agents (§21.5.4), and they predict best how often such questions find a unit',
    'Write phrases for the units that the diagnostics name, with the meaning of the probes in other words: run the `vade brief` command of the diagnostic',
  ],
  probe_fails: [
    'A probe fails, and org.yaml does not say how many may fail: it has neither `probes.wanted_coverage` nor `probes.least_coverage`',
    'A question that does not find its unit is the miss that an agent will have (§21.5.4)',
    'Write phrases for the unit that the probe requires, with the meaning of the probe in other words: run the `vade brief` command of the diagnostic. Or set the required share in org.yaml',
  ],
  probe_lost: [
    'A probe passed in the previous bundle and fails now',
    'A change of one unit can hide another, and only probes detect it (§21.5.4)',
    'Rewrite the triggers that compete: the diagnostic names the units that rank above; or raise `probes.max_lost` in org.yaml',
  ],
  position_approval_required: [
    'A prepended unit has no approval for its position',
    'The first text in an answer has the most weight (§21.3.3 S6)',
    'Run the `vade approve` command of the diagnostic, or remove force_position',
  ],
  quarantine_needed: [
    'A unit that its agent requires is quarantined',
    'Without its heartbeat contract or a guaranteed unit an agent must not run (§21.1.5 S2)',
    'Fix the other diagnostic of the unit',
  ],
  quarantined: [
    'A unit is quarantined: withdrawn, unsafe, or with neither a verified signature nor an approval',
    'It is in no index, manifest, preload or export (DESIGN §7)',
    'Follow the help of the diagnostic; the unit returns with its next version',
  ],
  rename_undeclared: [
    'A unit has the text of one that the same commit removed, and no `renamed_from`',
    'Its versions begin again at 1, and nothing leads from the former name to the new one',
    'Add `renamed_from` with the former name, if it is the same unit',
  ],
  task_types_approval_required: [
    'A unit is required by more than two wake reasons, and has no approval for it',
    'Every heartbeat with one of these reasons pays for the preload (§21.1.5)',
    'Run the `vade approve` command of the diagnostic, or name fewer reasons',
  ],
  withdrawal_invalid: [
    'A withdrawal cannot be read, or too few of its signers were administrators when it was committed, or are now',
    'A person who can remove an instruction has power over the agent too',
    'Create it again with `vade withdraw`, or delete it',
  ],
});
