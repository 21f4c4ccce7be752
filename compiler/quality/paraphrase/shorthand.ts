/** Common abbreviations of software teams, the long form first. */
const ABBREVIATIONS: readonly (readonly [long: string, short: string])[] = [
  ['pull requests', 'PRs'],
  ['pull request', 'PR'],
  ['repositories', 'repos'],
  ['repository', 'repo'],
  ['production', 'prod'],
  ['infrastructure', 'infra'],
  ['configuration', 'config'],
  ['documentation', 'docs'],
  ['dependencies', 'deps'],
  ['environments', 'envs'],
  ['environment', 'env'],
  ['databases', 'DBs'],
  ['database', 'DB'],
  ['development', 'dev'],
  ['developers', 'devs'],
  ['developer', 'dev'],
  ['applications', 'apps'],
  ['application', 'app'],
  ['administrators', 'admins'],
  ['administrator', 'admin'],
  ['authentication', 'auth'],
  ['information', 'info'],
  ['continuous integration', 'CI'],
  ['kubernetes', 'k8s'],
  ['command line', 'CLI'],
  ['two-factor', '2FA'],
  ['as soon as possible', 'ASAP'],
];

/** Short forms that are words of their own, or abbreviate several words: they are never spelled out. */
const AMBIGUOUS = new Set(['2FA', 'k8s', 'dev', 'devs', 'app', 'apps', 'auth']);

/** A form of words, and what replaces it. */
interface Swap {
  readonly from: RegExp;
  readonly to: string;
}

/** The characters of a word, in any script. */
const LETTER = "\\p{L}\\p{M}\\p{N}_'’-";
/** Characters that join words to a name: a path, an address, a file, a tag, code. */
const JOINT = '/\\\\@#$~=+&`<>';

/**
 * Characters that no whole word has beside it: `config` is an abbreviation, `config.yaml` and `café-config` are names.
 */
const JOINED_BEFORE = new RegExp(`[.:${JOINT}${LETTER}]$`, 'u');
const JOINED_AFTER = new RegExp(`^(?:[${JOINT}${LETTER}]|[.:][${LETTER}])`, 'u');

// the classes of letters are in patterns of their own: one in each of these would take a second to compile
const swaps = (pairs: readonly (readonly [from: string, to: string])[]): Swap[] =>
  pairs.map(([from, to]) => ({ from: new RegExp(from, 'giu'), to }));

const SHORTEN = swaps(ABBREVIATIONS);
const SPELL_OUT = swaps(
  ABBREVIATIONS.filter(([, short]) => !AMBIGUOUS.has(short)).map(([long, short]) => [short, long]),
);

/** Abbreviates a text if it has words with a common short form; otherwise spells its abbreviations out. */
export function respell(text: string): string {
  return swap(text, SHORTEN) ?? swap(text, SPELL_OUT) ?? text;
}

function swap(text: string, all: readonly Swap[]): string | null {
  const changed = all.reduce(swapFirst, text);
  return changed === text ? null : changed;
}

/** Replaces the first place where the words stand alone. */
function swapFirst(text: string, { from, to }: Swap): string {
  for (const { 0: found, index } of text.matchAll(from)) {
    const end = index + found.length;
    // two units hold the character before, three a joint and the character after it
    const isPart = JOINED_BEFORE.test(text.slice(Math.max(0, index - 2), index));
    if (!isPart && !JOINED_AFTER.test(text.slice(end, end + 3))) return text.slice(0, index) + to + text.slice(end);
  }
  return text;
}
