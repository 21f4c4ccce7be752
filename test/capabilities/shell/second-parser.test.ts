import fc from 'fast-check';
import sh from 'mvdan-sh';
import { describe, expect, test } from 'vitest';
import { readCommand } from '../../../compiler/capabilities/shell/read-command.ts';
import { gateOn } from '../../support/gate.ts';

const { syntax } = sh;

/** Fields of the second parser's tree that are read here. */
interface Node {
  readonly Parts?: readonly Node[];
  readonly Args?: readonly Node[];
  readonly Value?: string;
  readonly Dollar?: boolean;
}

/** The text of a word that no expansion changes; null if one could. */
function literalOf({ Parts = [] }: Node): string | null {
  const texts = Parts.map((part) => {
    const kind = syntax.NodeType(part);
    if (kind === 'Lit') return /[\\*?[{~]/.test(part.Value ?? '') ? null : (part.Value ?? '');
    if (kind === 'SglQuoted') return part.Dollar === true ? null : (part.Value ?? '');
    return kind === 'DblQuoted' && !/\\/.test((part.Parts ?? [])[0]?.Value ?? '') ? literalOf(part) : null;
  });
  return texts.includes(null) ? null : texts.join('');
}

/** Programs with literal names in the tree of mvdan/sh, or null if it cannot parse the command. */
function programsOf(command: string): string[] | null {
  const found: string[] = [];
  try {
    syntax.Walk(syntax.NewParser().Parse(command, ''), (node: Node | null) => {
      const [first] = node !== null && syntax.NodeType(node) === 'CallExpr' ? (node.Args ?? []) : [];
      const name = first === undefined ? null : literalOf(first);
      if (name !== null) found.push(name.slice(name.lastIndexOf('/') + 1));
      return true;
    });
    return found;
  } catch {
    return null;
  }
}

const program = fc.constantFrom('a1', 'b2', "c'3'", '"d4"', '/bin/e5', `f"6"'x'`, 'git');
const word = fc.constantFrom(
  'x',
  '-n',
  "'a b'",
  '"$v"',
  '$v',
  '*.ts',
  '{p,q}',
  '~/z',
  "$'\\n'",
  '"\\$(x)"',
  'a=b',
  '#c',
  '!',
);
const simple = fc.tuple(program, fc.array(word, { maxLength: 3 })).map(([name, words]) => [name, ...words].join(' '));

/** Commands put together by the grammar of the shell. */
const { script } = fc.letrec<{ script: string }>((tie) => {
  const inner = tie('script');
  const two = fc.tuple(inner, inner);
  return {
    script: fc.oneof(
      { maxDepth: 5, depthIdentifier: 'shell' },
      simple,
      fc
        .tuple(two, fc.constantFrom(' && ', ' || ', '; ', ' | ', ' |& ', '\n', ' & '))
        .map(([[a, b], by]) => a + by + b),
      inner.map((it) => `(${it}\n)`),
      inner.map((it) => `{ ${it}\n}`),
      inner.map((it) => `! ( ${it}\n)`),
      inner.map((it) => `echo $(${it}\n)`),
      inner.map((it) => `echo "x $(${it}\n) y"`),
      inner.map((it) => `cat <(${it}\n)`),
      inner.map((it) => `v=$(${it}\n) q9`),
      inner.map((it) => `echo \${v:-$(${it}\n)}`),
      inner.map((it) => `cat <<E9\n$(${it}\n)\nE9\n`),
      inner.map((it) => `[[ -n $(${it}\n) ]]`),
      inner.map((it) => `(( $(${it}\n) + 1 ))`),
      two.map(([a, b]) => `if ${a}\nthen ${b}\nfi`),
      two.map(([a, b]) => `while ${a}\ndo ${b}\ndone`),
      inner.map((it) => `for i in 1 2; do ${it}\ndone`),
      two.map(([a, b]) => `case x in a) ${a}\n;; *) ${b}\n;; esac`),
      inner.map((it) => `f9() { ${it}\n}`),
      inner.map((it) => `coproc { ${it}\n}`),
      inner.map((it) => `time ( ${it}\n)`),
      inner.map((it) => `${it} > out 2>&1 < in`),
      inner.map((it) => `: >(${it}\n)`),
    ),
  };
});

describe('the reader, beside a second parser of the shell', () => {
  test('it finds every program that the other one finds, or says that it cannot read the command', () => {
    fc.assert(
      fc.property(script, (command) => {
        const { invocations, faults } = readCommand(command, { cwd: '/w', home: '/h' });
        if (faults.length > 0) return;
        const names = new Set(invocations.map((it) => it.name));
        expect((programsOf(command) ?? []).filter((it) => !names.has(it))).toEqual([]);
      }),
      { numRuns: 1500 },
    );
  });

  test('it can read most of what the other one can', () => {
    const commands = fc.sample(script, { numRuns: 500, seed: 7 }).filter((it) => programsOf(it) !== null);
    const read = commands.filter((it) => readCommand(it, { cwd: '/w', home: '/h' }).faults.length === 0);
    expect(commands.length).toBeGreaterThan(300);
    expect(read.length / commands.length).toBeGreaterThan(0.7);
  });
});

/** Ways to write git, each of which the shell reads as the same program. */
const git = fc.constantFrom(
  'git',
  "g'i't",
  '"git"',
  '\\git',
  '/usr/bin/git',
  "$'\\x67it'",
  '{git,push}',
  'command git',
  'env git',
  '$g9',
);
/** Constructs that run a command which stands in them. */
const wraps: readonly ((it: string, layer: number) => string)[] = [
  (it) => `bash -c ${quoted(it)}`,
  (it, layer) => `sh <<'E8${layer}'\n${it}\nE8${layer}\n`,
  (it) => `eval ${quoted(it)}`,
  (it) => `echo $(${it}\n)`,
  (it) => `echo ${quoted(it)} | sh`,
  (it) => `printf '%s\\n' ${quoted(it)} | bash`,
  (it) => `f8() { ${it}\n}; f8`,
  (it) => `trap ${quoted(it)} EXIT`,
  (it) => `find . -exec sh -c ${quoted(it)} \\;`,
  (it) => `xargs sh -c ${quoted(it)}`,
  (it) => `timeout 5 bash -c ${quoted(it)}`,
  (it) => `c8=${quoted(it)}; eval "$c8"`,
  (it) => `if true; then ${it}\nfi`,
  (it) => `( ${it}\n) | cat`,
  (it) => `echo ${quoted(it)} > /tmp/s8; sh /tmp/s8`,
  (it) => `sudo -u x env A=b sh -c ${quoted(it)}`,
];

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

test('git is denied in every nest of shells, quotes and wrappers', () => {
  const gate = gateOn();
  const nest = fc.array(fc.nat(wraps.length - 1), { minLength: 0, maxLength: 4 });
  fc.assert(
    fc.property(git, nest, (name, layers) => {
      const whole = layers.reduce<string>((it, layer, at) => wraps[layer]!(it, at), `g9=git; ${name} push`);
      expect(gate.bash(whole).answer.exit).toBe(2);
    }),
    { numRuns: 600 },
  );
});

test('what only prints the word is allowed in every nest', () => {
  const gate = gateOn();
  const nest = fc.array(fc.nat(wraps.length - 1), { minLength: 0, maxLength: 3 });
  fc.assert(
    fc.property(fc.constantFrom("echo 'git push'", 'rg git docs', 'ls -la'), nest, (text, layers) => {
      const whole = layers.reduce<string>((it, layer, at) => wraps[layer]!(it, at), text);
      expect(gate.bash(whole).answer.stderr).toBe('');
    }),
    { numRuns: 400 },
  );
});
