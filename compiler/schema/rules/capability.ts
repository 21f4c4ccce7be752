import { explain } from './explanation.ts';

export const CAPABILITY = explain('capability', {
  atom_artefact_missing: [
    'An atom lacks its `capability.toml`, its `text.md`, or the declaration of its gate or its check',
    'An agent must know a restriction, be stopped by it and be checked for it. A missing part must be declared, not forgotten',
    'Write the missing part; if the atom has no gate or no check, declare that: `[gate]` or `[verify]` with `module = ""`',
  ],
  atom_check_unsupported: [
    'A check is declared for every tool call',
    'Checks do not run at tool calls yet, so this one would never run',
    'Write `when = "on-return"`, or make it a gate',
  ],
  atom_example_missing: [
    'An atom has a gate, but no example of what the gate stops',
    'A pattern that matches nothing is not detected',
    'Add `match` and `not_match` to `[examples]`',
  ],
  atom_example_wrong: [
    'The gate allows an example of `match`, or denies one of `not_match`',
    'The atom does not do what its author meant',
    'Correct the patterns, or the example',
  ],
  atom_module_unknown: [
    'The gate or the check is a module that is not registered',
    'Nothing would run, and the restriction would silently have no effect',
    'Name a registered module, or leave it empty',
  ],
  atom_names_other: [
    'The text of an atom names another atom',
    'A role may have one without the other: each text has to stand alone',
    'State the rule here, without the other atom’s name, or leave it out',
  ],
  atom_parameter_unknown: [
    'An atom accepts a parameter that no task can give',
    'Its restriction could never be set, and would silently have no effect',
    'Use a parameter of a task; the message lists them',
  ],
  atom_pattern_invalid: [
    'A pattern is not a regular expression that runs in linear time: it is malformed, or looks behind, ahead or back',
    'The gate runs on text that an agent chooses; a pattern that can be made slow stops the gate',
    'Write it without lookbehind, lookahead and back references',
  ],
  atom_reason_missing: [
    'The text of an atom gives no reason for its rule',
    'Agents are more likely to ignore a rule without a reason',
    'Follow the rule with its reason: “because …”',
  ],
  atom_repeats: [
    'Two atoms have nearly the same text',
    'An agent reads both, and sooner or later they will contradict each other',
    'Move the common text to a separate atom',
  ],
  atom_rule_late: [
    'The text of an atom does not begin with its rule, in the imperative',
    'A reader who stops early has to know what is forbidden',
    'Begin with “You MUST …” or “You MUST NOT …”, and give the reason after it',
  ],
  atom_text_long: [
    'The text of an atom has more than 200 words, or none',
    'A prompt contains the texts of ten atoms, and agents follow short rules better',
    'Keep the rule and its reason; move other rules to another atom',
  ],
  capability_name_confusable: [
    'Two atoms or two roles have names that look the same',
    'A reviewer reads the name of the strict one, and a role has the lax one',
    'Rename one of them',
  ],
  capability_name_mismatch: [
    'The name or category of an atom differs from its folders, or the name of a role from its file',
    'A reviewer looks for the restriction under one name, and the gate knows it under another',
    'Use the same name in both places',
  ],
  role_approval_required: [
    'A role lacks the approval of an administrator who wrote none of its atoms, or the approval is for another state of the role',
    'An atom’s author could weaken every agent that has it, so each change of a role needs approval',
    'An administrator runs the command in the message',
  ],
  role_atom_unknown: [
    'A role requires an atom that does not exist',
    'The restriction would silently have no effect',
    'Add the atom, or correct its name; `vade capability add` copies one of the library',
  ],
  role_bypass_approval_required: [
    'A role lists an atom in `bypasses` without the approval of two administrators',
    'One variable in the environment switches the gate off',
    'Two administrators run the command in the message, or remove the atom from `bypasses`',
  ],
  role_bypass_void: [
    'A role lists an atom in `bypasses` that it does not have, or that has no bypass',
    'Its author expects a bypass that does not exist',
    'Remove it from `bypasses`',
  ],
  role_extends_invalid: [
    'A role extends one that does not exist, or itself through others, or more than 16 in a row',
    'Its atoms cannot be determined',
    'Correct `extends`',
  ],
  role_git_spawnable: [
    'The role git-ops, or one that extends it, can be started',
    'The orchestrator alone owns git; an agent with this role could rewrite the history',
    'Write `spawnable = false`',
  ],
  role_relaxes_refused: [
    'A role drops an atom that is not relaxable, or that it does not inherit',
    'A strict atom must hold in every role that extends one with it',
    'Remove it from `relaxes`, or extend another role',
  ],
  role_tool_unknown: [
    'A role allows an unknown tool, or `*`',
    'The gate judges such a tool only by the paths in its input: it does not see what else the tool writes',
    'List it in `tools.reading` if it writes no file; else allow it knowingly, or remove it',
  ],
  role_whitelist_empty: [
    'A role has no list of allowed tools, or may edit files without an atom that limits which',
    'An empty list is no limit: the role may use everything',
    'List the tools, and require `scope::files-whitelist`',
  ],
});
