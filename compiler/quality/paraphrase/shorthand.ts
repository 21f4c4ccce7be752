/** Common abbreviations of software teams, the long form first. */
const ABBREVIATIONS: readonly (readonly [long: string, short: string])[] = [
  ['pull requests', 'PRs'],
  ['pull request', 'PR'],
  ['merge request', 'MR'],
  ['repositories', 'repos'],
  ['repository', 'repo'],
  ['production', 'prod'],
  ['infrastructure', 'infra'],
  ['configuration', 'config'],
  ['documentation', 'docs'],
  ['dependencies', 'deps'],
  ['dependency', 'dep'],
  ['environments', 'envs'],
  ['environment', 'env'],
  ['databases', 'DBs'],
  ['database', 'DB'],
  ['development', 'dev'],
  ['developers', 'devs'],
  ['developer', 'dev'],
  ['engineering', 'eng'],
  ['specification', 'spec'],
  ['requirements', 'reqs'],
  ['applications', 'apps'],
  ['application', 'app'],
  ['administrators', 'admins'],
  ['administrator', 'admin'],
  ['authentication', 'auth'],
  ['permissions', 'perms'],
  ['credentials', 'creds'],
  ['vulnerabilities', 'vulns'],
  ['vulnerability', 'vuln'],
  ['information', 'info'],
  ['statistics', 'stats'],
  ['messages', 'msgs'],
  ['message', 'msg'],
  ['libraries', 'libs'],
  ['library', 'lib'],
  ['packages', 'pkgs'],
  ['package', 'pkg'],
  ['parameters', 'params'],
  ['synchronise', 'sync'],
  ['synchronize', 'sync'],
  ['continuous integration', 'CI'],
  ['user interface', 'UI'],
  ['operating system', 'OS'],
  ['virtual machine', 'VM'],
  ['kubernetes', 'k8s'],
  ['command line', 'CLI'],
  ['two-factor', '2FA'],
  ['end of day', 'EOD'],
  ['as soon as possible', 'ASAP'],
  ['work in progress', 'WIP'],
  ['approximately', 'approx'],
  ['maximum', 'max'],
  ['reference', 'ref'],
  ['temporary', 'temp'],
  ['department', 'dept'],
  ['management', 'mgmt'],
];

/** Contractions, the long form first. */
const CONTRACTIONS: readonly (readonly [long: string, short: string])[] = [
  ['is not', "isn't"],
  ['are not', "aren't"],
  ['was not', "wasn't"],
  ['were not', "weren't"],
  ['do not', "don't"],
  ['does not', "doesn't"],
  ['did not', "didn't"],
  ['has not', "hasn't"],
  ['have not', "haven't"],
  ['will not', "won't"],
  ['would not', "wouldn't"],
  ['should not', "shouldn't"],
  ['could not', "couldn't"],
  ['cannot', "can't"],
  ['can not', "can't"],
  ['i am', "I'm"],
  ['we are', "we're"],
  ['what is', "what's"],
  ['who is', "who's"],
  ['it is', "it's"],
  ['there is', "there's"],
];

/** Short forms that are words of their own, or abbreviate several words: they are never spelled out. */
const AMBIGUOUS = new Set([
  'dev',
  'devs',
  'temp',
  'ref',
  'spec',
  'app',
  'apps',
  'max',
  'sync',
  'message',
  'dep',
  'RCA',
  'UI',
  'OS',
  'MR',
]);

/** A form of words, and what replaces it. */
interface Swap {
  readonly from: RegExp;
  readonly to: string;
}

/** The characters of a word, in any script. */
const LETTER = "\\p{L}\\p{M}\\p{N}_'’-";
/** Characters that join words to a name: a path, an address, a file, a tag, code. */
const JOINT = '/\\\\@#$~=+&`<>';

/** What no whole word has beside it: `config` is an abbreviation, `config.yaml` and `café-config` are names. */
const JOINED_BEFORE = new RegExp(`[.:${JOINT}${LETTER}]$`, 'u');
const JOINED_AFTER = new RegExp(`^(?:[${JOINT}${LETTER}]|[.:][${LETTER}])`, 'u');

// the classes of letters are in patterns of their own: one in each of these would take a second to compile
const swaps = (pairs: readonly (readonly [from: string, to: string])[]): Swap[] =>
  pairs.map(([from, to]) => ({ from: new RegExp(from, 'giu'), to }));

const SHORTEN = swaps(ABBREVIATIONS);
const SPELL_OUT = swaps(
  ABBREVIATIONS.filter(([, short]) => !AMBIGUOUS.has(short)).map(([long, short]) => [short, long]),
);
const CONTRACT = swaps(CONTRACTIONS);
const EXPAND = swaps(CONTRACTIONS.map(([long, short]) => [short.replace("'", "['’]"), long]));

/** Abbreviates a text if it has words with a common short form; otherwise spells its abbreviations out. */
export function respell(text: string): string {
  return swap(text, SHORTEN) ?? swap(text, SPELL_OUT) ?? text;
}

/** Contracts a text if possible; otherwise expands its contractions. */
export function recontract(text: string): string {
  return swap(text, CONTRACT) ?? swap(text, EXPAND)?.replace(/\bi (?=am)/, 'I ') ?? text;
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
