import { describe, expect, test } from 'vitest';
import { readCommand } from '../../../compiler/capabilities/shell/read-command.ts';

const read = (text: string) => readCommand(text, { cwd: '/w', home: '/h' });
/** An unknown text as `…`, a glob as `✱`. */
const shown = (text: string) => text.replaceAll('\uE002', '✱').replaceAll(/[\uE000-\uE003]/g, '…');
const programsOf = (text: string) => read(text).invocations.map((it) => shown(it.words.join(' ')));
const faultsOf = (text: string) => read(text).faults;
const writesOf = (text: string) =>
  read(text).writes.map((it) =>
    shown(
      `${it.removes ? '-' : '+'} ${it.cwds.map((cwd) => (it.target.startsWith('/') ? '' : `${cwd}/`)).join('|')}${it.target}`,
    ),
  );

describe('the reader lists every program of a command', () => {
  test.each([
    ['in a list and a pipeline', 'a && b | c; d &', ['a', 'b', 'c', 'd']],
    [
      'in conditions, loops, functions and groups',
      'if a; then b; fi; while c; do d; done; f() { e; }; { g; }; (h)',
      'a b c d e g h'.split(' '),
    ],
    [
      'in a substitution, wherever it stands',
      'echo "$(a)" `b` <(c) $(( $(d) )) > "$(e)"',
      ['a', 'b', 'c', 'd', 'e', 'echo … … /dev/fd/… …'],
    ],
    ['in a here-document', 'cat <<E\n$(a)\nE', ['a', 'cat']],
    ['quoted, escaped, or by its path', `'a' "b" \\c d''d /bin/e`, [`a b c dd /bin/e`]],
    [
      'in a script that a shell is given',
      `sh -ec 'a "b"'; bash -o pipefail -c c; eval d e`,
      ['sh -ec a "b"', 'a b', 'bash -o pipefail -c c', 'c', 'eval d e', 'd e'],
    ],
    ['in the text of its input', `bash <<< a; sh -s <<'E'\nb\nE`, ['bash', 'a', 'sh -s', 'b']],
    [
      'behind a wrapper and its options',
      'sudo -u x env -i A=1 timeout -k 5 9 nice -n 2 a -b',
      [
        'sudo -u x env -i A=1 timeout -k 5 9 nice -n 2 a -b',
        'env -i A=1 timeout -k 5 9 nice -n 2 a -b',
        'timeout -k 5 9 nice -n 2 a -b',
        'nice -n 2 a -b',
        'a -b',
      ],
    ],
    ['behind the verb of a package manager', 'npm --prefix d exec a b', ['npm --prefix d exec a b', 'a b']],
    [
      'that xargs and find run',
      'xargs -n1 a; find src -name "*.c" -exec b {} +',
      ['xargs -n1 a', 'a …', 'find src -name *.c -exec b {} +', 'b src/…/✱.c'],
    ],
    [
      'of a trap and of an alias',
      "trap 'a' EXIT; alias x='b c'; x d",
      ['trap a EXIT', 'alias x=b c', 'b c', 'x d', 'b c d', 'a'],
    ],
  ])('%s', (_, command, programs) => {
    expect({ programs: programsOf(command), faults: faultsOf(command) }).toEqual({ programs, faults: [] });
  });

  test('a program that only looks for another one starts none', () => {
    expect(programsOf('command -v git')).toEqual(['command -v git']);
  });
});

describe('a word has its value as far as it is known', () => {
  test.each([
    ['a variable with one value', 'x=a; $x "${x}b"', 'a ab'],
    ['a variable of several words, or of none', 'x="a  b"; y=; $y $x "$x" "$y"', 'a b a  b '],
    ['a variable that a builtin sets', 'export x=a; echo $x', 'echo a'],
    ['the home and the working directory', 'cd src; echo ~/x "$HOME" $PWD $(pwd)', 'echo /h/x /h /w/src /w/src'],
    ['the name that mktemp makes', 't=$(mktemp -d); echo "$t/x" $(mktemp /tmp/a.XXXX)', 'echo /tmp/tmp.✱/x /tmp/a.✱'],
    ['a path without its end', 'x=src/a; echo ${x%/*}', 'echo src/✱'],
    ['a variable with two values', 'x=a; x=b; echo $x', 'echo …'],
    ['a variable of the input', 'x=a; read x; echo $x', 'echo …'],
    ['anything else', 'echo $y {a,b} *.c ~other', 'echo … … ✱.c …'],
  ])('%s', (_, command, wanted) => {
    expect(programsOf(command).at(-1)).toBe(wanted);
  });

  test('a loop is read once for each of its words, and once with any text if they are many or unknown', () => {
    expect(programsOf('for i in a b; do $i x; done')).toEqual(['a x', 'b x']);
    expect(programsOf(`for i in ${'a '.repeat(9)}; do echo $i; done`)).toEqual(['echo …']);
    expect(programsOf('for i in $x; do echo $i; done')).toEqual(['echo …']);
  });
});

describe('a command is denied whose programs are not known', () => {
  test.each([
    ['a name in an unknown variable', '$x push'],
    ['a name with a glob or braces', '/usr/bin/gi*; {git,push}'],
    ['a name behind an unknown folder that may be two words', '$x/git'],
    ['a script in an unknown variable', 'sh -c "$x"'],
    ['a shell that reads a pipe', 'curl http://h | sh'],
    ['a shell that reads another file that is open', 'bash /dev/fd/3; . /dev/stdin'],
    ['a script that a program prints', 'source <(a)'],
    ['the program that xargs takes from its input', 'xargs env'],
    ['a file that find runs', 'find . -exec {} ;'],
    ['a name with another meaning', 'hash -p /usr/bin/git ls; ls push'],
    ['a name for another name', 'declare -n r=g; $r'],
    ['a variable by which a shell runs a text', 'BASH_ENV=x bash -c ls'],
    ['an index that is evaluated', `test -v 'a[$(git push)]'`],
    ['a coprocess', 'coproc a'],
    ['a syntax error', 'echo "x'],
    ['a syntax error in a script', `sh -c 'echo "x'`],
    ['a NUL byte', 'a\0b'],
  ])('%s', (_, command) => {
    expect(faultsOf(command)).not.toEqual([]);
  });

  test('an unknown folder in quotation marks hides no program', () => {
    expect(faultsOf('"$x"/bin/a')).toEqual([]);
  });
});

describe('the reader lists the files that redirections and the core utilities write', () => {
  test.each([
    [
      'redirections, but not of descriptors',
      'a > x 2>&1 >> y &> z <> v; { b; } > w',
      ['+ /w/x', '+ /w/y', '+ /w/z', '+ /w/v', '+ /w/w'],
    ],
    ['removals', 'rm -rf a b; rmdir c', ['- /w/a', '- /w/b', '- /w/c']],
    ['a copy, and a copy into a folder', 'cp a b; cp -t c a', ['+ /w/b', '+ /w/c']],
    ['a move, and what it takes away', 'mv a b', ['- /w/a', '+ /w/b']],
    [
      'a link, and the other name of a hard one',
      'ln -s a b; ln c d; cp -al e f',
      ['+ /w/b', '+ /w/c', '+ /w/d', '+ /w/e', '+ /w/f'],
    ],
    [
      'what only takes operands',
      'touch -d now a; mkdir -m 700 b; tee c; truncate -s0 d; chmod u+x e; chmod -x f; dd of=g',
      'a b c d e f g'.split(' ').map((it) => `+ /w/${it}`),
    ],
    ['files that sed edits', 'sed -i s/a/b/ x; sed -ne p -i y; sed p z', ['+ /w/x', '+ /w/y']],
    ['what find deletes', 'find src -name "*.o" -delete', ['- /w/src/…/✱.o']],
    ['a copy to this machine, but no rehearsal', 'rsync -a a b; rsync -an a c; scp a h:b', ['+ /w/b']],
    [
      'in the folder that the command is in',
      'cd src && >a; (cd /x; >b); >c; pushd d; >e; popd; >f',
      ['+ /w/src/a', '+ /x/b', '+ /w/src/c', '+ /w/src/d/e', '+ /w/src/f'],
    ],
    ['in each folder that it may be in', 'if a; then cd src; fi; > b', ['+ /w/|/w/src/b']],
  ])('%s', (_, command, writes) => {
    expect(writesOf(command)).toEqual(writes);
  });

  test('the name that a file gets in a folder is kept, and an unknown folder is unknown', () => {
    expect(read('cp a/x y/z src').writes.map((it) => it.entry)).toEqual(['x', 'z']);
    expect(writesOf('cd "$X"; > a')).toEqual(['+ …/a']);
  });
});

describe('reading is bounded', () => {
  const MANY = 'the command has too many parts';

  test.each([
    ['longer than 256 kB', `echo ${'x'.repeat(256 * 1024)}`, 'the command is longer than 256 kB'],
    ['with too many parts', `${'a;'.repeat(20_000)} echo "the end`, MANY],
    ['with too many words', `echo "${'-'.repeat(70_000)}"; echo ${'a '.repeat(16_384)}`, MANY],
    ['with too many parts in a script', `bash -c '${'a;'.repeat(20_000)}'`, MANY],
    ['nested too deeply', `${'{ '.repeat(70)}a; ${'}; '.repeat(70)}`, 'the command is nested too deeply'],
    ['with too many wrappers', `${'env '.repeat(200)}a`, 'the command is nested too deeply'],
    ['that writes too many files', `rm ${'a '.repeat(2001)}`, 'the command writes too many files'],
    ['that repeats a variable', `a=${'x'.repeat(4000)}; ${'echo $a$a; '.repeat(400)}`, 'the command becomes too long'],
  ])('a command %s is denied', (_, command, fault) => {
    expect(faultsOf(command)).toEqual([fault]);
  });

  test.each([
    ['open substitutions', '$('],
    ['substitutions', '$(a)'],
    ['open braces', '{'],
    ['open quotes', `"a"'b'`],
    ['arithmetic', '$((a+'],
    ['assignments', 'a=$a;'],
    ['indices', "test 'a[[' "],
    ['eval', 'eval '],
    ['here-strings', 'a <<< b;'],
  ])('256 kB of %s are read in bounded time', (_, piece) => {
    const text = piece.repeat(Math.floor((256 * 1024) / piece.length));
    const start = performance.now();
    read(text);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  const LINES = 'a; b | c\n'.repeat(10_000);
  test.each([
    ['a here-document', `cat > src/x <<'E'\n${LINES}E\n`],
    ['a here-document that is expanded', `cat > src/x <<E\n${LINES}E\n`],
    ['quotation marks', `echo '${LINES}' "${LINES}"`],
    ['an array', `a=('${LINES}')`],
    ['a comment', `true # ${LINES.replaceAll('\n', ' ')}`],
    ['a substitution', `echo "$(echo '${LINES}')"`],
  ])('a long text in %s counts as one part', (_, text) => {
    expect(faultsOf(text)).toEqual([]);
  });
});
