import { front, WRAP_UP, type Place, type Row } from './row.ts';

const row = (title: string, written: string, rule: Place['rule'], line: number, column: number): Row => ({
  title,
  file: WRAP_UP,
  written,
  rule,
  line,
  column,
});

const aliases = (count: number) =>
  ['a0: &a0 [x, x]', ...Array.from({ length: count }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`)].join('\n');

/** What can be wrong between the two `---` of a unit. Line 1 is the opening `---`. */
export const FRONT_MATTER: readonly Row[] = [
  row('no front matter', '# Leaving\n\nLeave work.\n', 'front_matter_missing', 1, 1),
  row('an empty file', '', 'front_matter_missing', 1, 1),
  row('a horizontal rule for a beginning', '-----\n\nLeave work.\n', 'front_matter_missing', 1, 1),
  row('---js', '---js\n{ description: "x" }\n---\nLeave work.\n', 'front_matter_invalid', 1, 1),
  row('--- javascript', '--- javascript\nmodule.exports = {}\n---\nx\n', 'front_matter_invalid', 1, 1),
  row('---JS', '---JS\n{ description: "x" }\n---\nLeave work.\n', 'front_matter_invalid', 1, 1),
  row('---json', '---json\n{ "description": "x" }\n---\nLeave work.\n', 'front_matter_invalid', 1, 1),
  row('---toml', '---toml\ndescription = "x"\n---\nLeave work.\n', 'front_matter_invalid', 1, 1),
  row('empty front matter', '---\n---\nLeave work.\n', 'value_invalid', 2, 1),
  row('a list for front matter', '---\n- description\n---\nLeave work.\n', 'value_invalid', 2, 1),
  row('a scalar for front matter', '---\nLeave work\n---\nLeave work.\n', 'value_invalid', 2, 1),
  row('no description', '---\nlisted: false\n---\nLeave work.\n', 'value_invalid', 2, 1),
  row('a blank description', '---\ndescription: "  "\n---\nLeave work.\n', 'value_invalid', 2, 1),
  row('121 characters', `---\ndescription: ${'a'.repeat(121)}\n---\nx\n`, 'description_too_long', 2, 1),
  row('after a space behind ---', `--- \ndescription: ${'a'.repeat(121)}\n---\nx\n`, 'description_too_long', 2, 1),
  row('after ---yaml', `---yaml\ndescription: ${'a'.repeat(121)}\n---\nx\n`, 'description_too_long', 2, 1),
  row(
    'after CRLF',
    `---\r\nlisted: true\r\ndescription: ${'a'.repeat(121)}\r\n---\r\nx\r\n`,
    'description_too_long',
    3,
    1,
  ),
  row('after a BOM', `\ufeff---\ndescription: ${'a'.repeat(121)}\n---\nx\n`, 'description_too_long', 2, 1),
  row('a tab for indentation', front('load_triggers:\n\tintents: [x]\n'), 'yaml_invalid', 4, 1),
  row('a key given twice', front('listed: true\ndescription: again\n'), 'yaml_invalid', 4, 1),
  row('a tag of its own', front('aliases: !!js/function [x]\n'), 'yaml_invalid', 3, 10),
  row('an alias to nothing', front('aliases: *nothing\n'), 'yaml_invalid', 3, 10),
  row('a prototype for a key', front('__proto__: { guarantee_load: true }\n'), 'key_unknown', 3, 1),
  row('aliases that multiply', front(`${aliases(20)}\n`), 'yaml_invalid', 1, 1),
  row('an unknown key', front('guaranteed: true\n'), 'key_unknown', 3, 1),
  row('an unknown key below a known one', front('load_triggers:\n  intent: [x]\n'), 'key_unknown', 4, 3),
  row('a number for a key', front('1: x\n'), 'key_unknown', 3, 1),
  row('__proto__', front('__proto__:\n  guarantee_load: true\n'), 'key_unknown', 3, 1),
  row('constructor', front('constructor: { prototype: { listed: false } }\n'), 'key_unknown', 3, 1),
  row('yes for true', front('guarantee_load: yes\n'), 'value_invalid', 3, 1),
  row('a position of its own', front('force_position: middle\n'), 'value_invalid', 3, 1),
  row('a date in words', front('valid_until: tomorrow\n'), 'value_invalid', 3, 1),
  row('a date without a time zone', front('valid_until: 2027-05-04T00:00:00\n'), 'value_invalid', 3, 1),
  row('text for a list', front('aliases: go-home\n'), 'value_invalid', 3, 1),
  row('a blank intent', front('load_triggers:\n  intents:\n    - leave\n    - ""\n'), 'value_invalid', 6, 7),
  row('an alias with a capital', front('aliases: [leave, GoHome]\n'), 'value_invalid', 3, 18),
  row('a related unit by path', front('related:\n  - ../ceo/limits\n'), 'value_invalid', 4, 5),
  row('an alias that is reserved', front('aliases: [leave, manifest]\n'), 'name_reserved', 3, 18),
];
