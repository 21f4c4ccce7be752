/** 64 kB: the largest unit that is read. */
const LARGEST = 65_536;

/** Texts that parsers have to look back over, or take apart and put together, again and again. */
const MARKDOWN = [
  ...['_a*', '*a_', '*a ', 'a* ', '*a* ', '**a', 'a**', '***a', '**a*', '*a**', 'a*b', '*_', '_*a', '*[', '[*', '_a_ '],
  ...[
    'a\n=\n',
    'a\n-\n',
    'a\n--\n',
    'a\n===\n\n',
    '[a]: b\n=\n',
    '[a]: b\nc\n=\n',
    '# a\n',
    '# *a*\n',
    '***\n',
    '---\n',
  ],
  ...['[a', '[a](b', '[a](b) ', '![a](b) ', '[a][b] ', '[[a]](', '[a](<b', '](', '[]', '[!['],
  ...['[a]: b\n', '[a]: b\n\n', '[a]:\n', '[a]\n\n[a]: b\n', '- [a]: b\n', '[^a]: b\n', '[a\n]: b\n'],
  ...[
    '> a\n',
    '>a\n> b\n\n',
    '> a\nb\n',
    '>\n',
    '- a\n',
    '- a\nb\n',
    '- a\n- b\n\n',
    '1. a\n',
    '* a\n  * b\n',
    '+ a\n\n',
  ],
  ...['- > a\n', '* * a\n', '- - -\n', '> ', '- ', '>- ', '    - a\n', '\ta\n', '- a\n   - b\n'],
  ...['`a', '``a`', '` `` ``` ', '`\n', '```\n', '```a\n', '~~~\n', '`['],
  ...['<a', '<a b="c ', '<a\nb>', '<!--', '<![CDATA[', '<?a', '</a>', '<div>\n\n', '<http://a> ', '<['],
  ...['&amp;', '&#', '\\', '\\*', '\\[', 'a\\\n', 'a  \n', 'a\n', 'a\n\n', '\n', ' ', '\t', '\u00a0', '|a|b|\n|-|-|\n'],
  ...['a', 'a ', 'é', '文', '文a', '👩', '!', '#', '=', '_', '"a', 'instruction:a/b/v1 ', '`instruction:a/b/v1`\n'],
];

const YAML = [
  ...[
    'a: b\n',
    '[',
    '[a,',
    '[]',
    '{',
    '{a: ',
    '{}',
    '- a\n',
    '- - a\n',
    '? a\n',
    '? ',
    '[a, b]\n',
    'a: b: c\n',
    'a:\n',
  ],
  ...['&a ', '*a ', '- &a b\n- *a\n', 'a: *a\n', '<<: *a\n', 'a: &b [*b]\n', '"', '"\\', "'", '!', '!!a ', '%YAML\n'],
  ...['---\n', '--- a\n', '...\n', '|\n', '>\n a\n', '# a\n', ': ', '}', ']', '@', '\n', '  a\n', ' a: b\n', '\t'],
];

export interface HostileText {
  readonly title: string;
  readonly text: string;
}

/** Bodies of units, each as large as is read and made of one thing that parsers fear. */
export function hostileBodies(): HostileText[] {
  return [...MARKDOWN.map(repeated), ...GROWN];
}

/** Front matter and configuration of the same kind. */
export function hostileYaml(): HostileText[] {
  return [...YAML.map(repeated), ...GROWN_YAML];
}

/** A text of the largest size, of one piece. */
export function repeated(piece: string): HostileText {
  const bytes = Buffer.byteLength(piece);
  return { title: `${JSON.stringify(piece)} again and again`, text: piece.repeat(Math.floor((LARGEST - 200) / bytes)) };
}

/** Lines that a counter makes different, until the text is large enough. */
function grown(title: string, line: (i: number) => string, before = ''): HostileText {
  const lines = [before];
  for (let i = 0, size = before.length; size < LARGEST - 1000; i++) {
    const next = line(i);
    lines.push(next);
    size += Buffer.byteLength(next);
  }
  return { title, text: lines.join('') };
}

const GROWN: readonly HostileText[] = [
  grown('quotes a hundred deep', () => `${'>'.repeat(99)}a\n`),
  grown('lines that run on from a deep quote', () => 'a\n', `${'>'.repeat(99)}a\n`),
  grown('lists a hundred deep', () => `${'- '.repeat(99)}a\n\n`),
  grown('quotes and lists by turns', () => `${'> - '.repeat(49)}a\n`),
  grown('ever deeper items', (i) => `${' '.repeat(2 * (i % 400))}- a\n`),
  grown('ever longer code marks', (i) => `${'`'.repeat(1 + (i % 500))} `),
  grown('ever longer runs of stars', (i) => `${'*'.repeat(1 + (i % 500))}a `),
  grown('labels that open and do not close', () => ']', '[ '.repeat(20_000)),
  grown('emphasis that opens and closes at last', () => 'a* ', '*a '.repeat(10_000)),
  grown('definitions, each of another name', (i) => `[a${i}]: b\n`),
];

const GROWN_YAML: readonly HostileText[] = [
  grown('keys, each of another name', (i) => `a${i}: b\n`),
  grown('anchors, and an alias of each', (i) => `- &a${i} b\n- *a${i}\n`),
  grown('one anchor, many aliases', () => '- *a\n', '- &a b\n'),
  grown('maps within maps', (i) => `${' '.repeat(i % 250)}a:\n`),
  grown(
    'aliases of aliases',
    (i) => (i < 30 ? `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]\n` : '# a\n'),
    'a0: &a0 [x]\n',
  ),
  grown('comments below blank lines', () => '\n \n'),
  grown('intents without end', () => '    - a\n', 'description: a\nload_triggers:\n  intents:\n'),
];

export interface HostileGarden {
  readonly title: string;
  /** Files of `instructions/agents/cto/` by name. */
  readonly files: ReadonlyMap<string, string>;
}

const UNITS = 2000;

/** Gardens of two thousand units of one kind, which rules that look at pairs have to fear. */
export function hostileGardens(): HostileGarden[] {
  return [
    gardenOf('copies of one unit', () => unit({ intents: INTENTS, body: BODY })),
    gardenOf('units that differ in one word', (i) =>
      unit({ intents: INTENTS, body: `${BODY} Then call number ${i}.` }),
    ),
    gardenOf('units of thirty-two intents', (i) =>
      unit({
        intents: Array.from({ length: 32 }, (_, n) => `do ${word(i + n)} with ${word(n)} and ${word(i * n)}`),
        body: BODY,
      }),
    ),
    gardenOf('units that name what is not there', (i) =>
      unit({ more: list('related', (n) => `gone-${i}-${n}`), body: BODY }),
    ),
    gardenOf('units that link to what is not there', (i) =>
      unit({ body: `${BODY}\n` + links((n) => `gone-${i}-${n}`) }),
    ),
    gardenOf('units of one alias', () => unit({ more: 'aliases: [other]\n', body: BODY })),
    gardenOf('units that only point to the next', (i) => unit({ body: `[on](u${i + 1}.md)\n` })),
    gardenOf('units that were the next one before', (i) => unit({ more: `renamed_from: u${i + 1}\n`, body: BODY })),
    gardenOf('units that all are guaranteed', () =>
      unit({ more: 'guarantee_load: true\n', body: `${BODY}\nTLP:RED\n` }),
    ),
    gardenOf('units of letters that look alike', (i) => unit({ body: `${BODY} pаypal${i}` })),
  ];
}

const INTENTS = ['about to delete something', 'am I allowed to do this', 'somebody wants a password'];
const BODY = Array.from(
  { length: 30 },
  (_, i) => `${i + 1}. Look at the ${word(i)} before you ${word(i + 7)} it.`,
).join('\n');

function word(i: number): string {
  return `w${(i * 7919) % 997}`;
}

function list(key: string, name: (n: number) => string): string {
  return `${key}: [${Array.from({ length: 32 }, (_, n) => name(n)).join(', ')}]\n`;
}

function links(name: (n: number) => string): string {
  return Array.from({ length: 32 }, (_, n) => `Then [go on](${name(n)}.md).\n`).join('');
}

function unit({ intents = [], more = '', body }: { intents?: readonly string[]; more?: string; body: string }): string {
  const triggers = intents.length === 0 ? '' : `load_triggers:\n  intents: ${JSON.stringify(intents)}\n`;
  return `---\ndescription: What to do\n${triggers}${more}---\n\n${body}\n`;
}

function gardenOf(title: string, text: (i: number) => string): HostileGarden {
  const agent = 'agent_id: 8e0ed057-bcd8-4f8f-92ee-c046c55b64e9\nrole: CTO\nheartbeat_contract: u0\n';
  const units = Array.from({ length: UNITS }, (_, i) => [`u${i}.md`, text(i)] as const);
  return { title, files: new Map([['agent.yaml', agent], ...units]) };
}
