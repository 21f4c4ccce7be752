import { explain } from './explanation.ts';

export const UNIT = explain('unit', {
  conflict_markers: [
    'The file has the markers of a merge conflict that nobody has resolved: `<<<<<<<`, `=======` and `>>>>>>>`',
    'Both sides would be served as one instruction',
    'Keep what holds, and delete the markers',
  ],
  description_too_long: [
    'The description is longer than 120 characters',
    'The shorter descriptions are, the more units fit into the manifest of 1000 tokens (§21.2.2)',
    'Describe in one line what the unit covers',
  ],
  encoding_invalid: [
    'The file is not UTF-8 text',
    'A text is served only if it can be decoded without guessing',
    'Save it as UTF-8, or remove it',
  ],
  file_stray: [
    'The file is in a place that the compiler does not read',
    'Its author probably expects that agents read it',
    'Move it to the right folder, or delete it; see instructions/README.md of Vademecum',
  ],
  files_pattern_broad: [
    'A pattern of `files` has neither a name nor an ending, such as `**/*`',
    'It would mean every file, so the unit would come with every recall that names one',
    'Write a name or an ending, as in `src/**` or `**/*.tsx`, or remove `files`: a unit without it is found for any file',
  ],
  files_pattern_invalid: [
    'A pattern of `files` is not one that recall reads',
    'Hosts read brackets, negations and `**` beside other characters in different ways, and a pattern that means another file than its author thinks is worse than none',
    'Write a relative path of names with `*` and `?`, `**` for any folders, and `{a,b}`; the diagnostic says what is wrong',
  ],
  skill_left_out: [
    'A skill in place is no unit of the handbook: its text is refused, it is too large, or its name is taken',
    'Skills are written for their host, and often by others: one that cannot be a unit must not stop the others',
    'Change what the message says; the host goes on with the skill as it is',
  ],
  skills_missing: [
    'A folder of `skills` has no `SKILL.md` in the compiled tree',
    'Its author probably expects that its skills are recalled; git ignores them, or they are not committed',
    'Commit the skills, or remove the folder from `skills`; a submodule is not read',
  ],
  front_matter_invalid: [
    'The front matter is in a language other than YAML, or is never closed',
    'The compiler never evaluates code in a source, and does not guess where a text begins',
    'Write it in YAML, between two lines of `---` alone',
  ],
  front_matter_missing: [
    'The unit does not begin with front matter',
    'Without a description and triggers recall cannot find it',
    'Begin with `---`, a description and load_triggers',
  ],
  key_unknown: [
    'A key is unknown in this place',
    'If an unknown key were ignored, the rule that its author meant would silently have no effect',
    'Use the nearest known key; `--fix` corrects a typing error of one letter, of case or of a hyphen, but never into a key that gives a unit more weight or reach',
    'fix',
  ],
  lfs_pointer: [
    'The file is a Git LFS pointer',
    'The text itself is not in this history, so its versions are unknown',
    'Commit the text itself',
  ],
  markdown_too_costly: [
    'The Markdown would take too long to parse: it has thousands of list items, emphasis marks or brackets in one place',
    'The parser takes quadratic time for such text, and a pull request must not block the check',
    'Split the unit, or use simpler Markdown; the diagnostic says what is too much, and where',
  ],
  nesting_too_deep: [
    'Quotes or lists are nested too deeply',
    'A parser would take seconds for such depth, and nobody reads it',
    'Flatten them',
  ],
  toml_invalid: ['The TOML cannot be parsed', 'The compiler does not guess', 'Fix it at the reported position'],
  private_file_committed: [
    'Git tracks a private file beside the sources: of `.vade/`, `keys.json` or an audit',
    'A person with access to the repository could sign and send requests as this user; vade refuses such a file',
    'Run `git rm --cached` on it, delete it and make a new one; what was pushed is no longer secret',
  ],
  submodule: ['The sources contain a submodule', 'Its files are not part of this history', 'Commit the files here'],
  symlink: [
    'The sources contain a symbolic link',
    'It could point to any file, and to another file tomorrow',
    'Commit the file itself',
  ],
  unit_too_large: [
    'The file is larger than 64 KiB',
    'An instruction is never that large',
    'Split it into several units',
  ],
  value_invalid: [
    'A value is not valid for its key',
    'A guess at the intended value would be served as if an author had written it',
    'Correct the value; see instructions/README.md of Vademecum and `compiler/schema/json`',
  ],
  yaml_invalid: [
    'The YAML cannot be parsed, cuts a sentence off at “ #”, or contains an alias without an anchor or half a surrogate pair',
    'The compiler does not guess',
    'Fix it at the reported position',
  ],
});
