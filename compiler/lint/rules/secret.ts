import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { Finding } from '../../sources/finding.ts';
import { allMatches } from './all-matches.ts';
import { charactersOf, hasRun } from './runs.ts';

/** A secret by its index and kind, never by its value. */
interface FoundSecret {
  readonly from: number;
  readonly to: number;
  readonly kind: string;
}

/** Characters of a token: almost every secret has a run of this length, and few texts have one. */
const TOKEN_CHARACTERS = charactersOf(/[\w+/=-]/);
const TOKEN_LENGTH = 20;

const hasToken = (text: string): boolean => hasRun(text, TOKEN_CHARACTERS, TOKEN_LENGTH);

/** Signs of the preset's other secrets, which are shorter, or are in an address. */
const SHORT_SIGNS = /:\/\/|-----BEGIN|SG\.|xox|xapp/;

/** Whether the preset can find anything in a text; a test holds this against every pattern that it runs. */
export function mayHaveSecret(text: string): boolean {
  return hasToken(text) || SHORT_SIGNS.test(text);
}

/** Finds secrets; a port, so that the core does not depend on a scanner. */
export type ScanSecrets = (text: string) => Promise<readonly FoundSecret[]>;

/** The used part of a secretlint rule. */
interface Rule {
  readonly meta: { readonly id: string };
  readonly create: (context: object, options: object) => { readonly file?: (source: object) => unknown };
}

// a comment in the text must not switch off its own check
export const PRESET_RULES = (rules as readonly Rule[]).filter((rule) => !rule.meta.id.endsWith('filter-comments'));

/**
 * Secretlint's recommended rules, run one by one: its core measures every run and keeps the measurements, which takes
 * quadratic time for thousands of texts. Its messages repeat the secret, so only place and kind are taken.
 */
export const presetSecrets: ScanSecrets = async (text) => {
  if (!mayHaveSecret(text)) return [];
  const found: FoundSecret[] = [];
  const source = { content: text, filePath: 'text', ext: '', contentType: 'text', hasBOM: false } as const;
  for (const rule of PRESET_RULES) {
    const kind = KINDS[rule.meta.id.slice(rule.meta.id.lastIndexOf('rule-') + 'rule-'.length)] ?? 'a secret';
    const context = {
      sharedOptions: {},
      // the message of the rule is never used
      createTranslator: () => (messageId: string) => ({ message: '', messageId, data: {} }),
      ignore: () => undefined,
      report: ({ range: [from, to] }: { readonly range: readonly [number, number] }) =>
        void found.push({ from, to, kind }),
    };
    const scanned = rule.create(context, {}).file?.(source);
    // to wait for nothing takes a turn of its own, and few rules take one
    if (scanned instanceof Promise) await scanned;
  }
  return found;
};

const KINDS: Readonly<Record<string, string>> = {
  aws: 'an AWS key',
  gcp: 'a Google service account key',
  privatekey: 'a private key',
  npm: 'an npm token',
  basicauth: 'an address with a password in it',
  slack: 'a Slack token',
  sendgrid: 'a SendGrid key',
  shopify: 'a Shopify key',
  github: 'a GitHub token',
  openai: 'an OpenAI key',
  anthropic: 'an Anthropic key',
  linear: 'a Linear key',
  '1password': 'a 1Password token',
  'database-connection-string': 'a database address with a password in it',
};

type Pattern = readonly [kind: string, pattern: RegExp];

/**
 * Secrets that the preset does not know, or knows only in some spellings. No match can begin inside an earlier one.
 * Every match has `TOKEN_LENGTH` characters of a token in a row.
 */
export const TOKENS: readonly Pattern[] = [
  ['a key of this server', /(?<!\w)vade_[0-9a-z]{16}_[0-9a-f]{64}(?!\w)/g],
  ['an AWS key', /(?<!\w)(?:AKIA|ASIA)(?![A-Z2-7]{9}EXAMPLE)[A-Z2-7]{16}(?!\w)/g],
  [
    'a private key',
    /-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[nr]){1,9}(?:[\w-]{1,30}: [^\n]{1,80}(?:\s|\\n){1,4}){0,4}[A-Za-z0-9+/=]{20}/g,
  ],
  ['a private key', /PuTTY-User-Key-File-\d: \S|(?<!\w)AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}/g],
  ['a Stripe key', /(?<!\w)(?:[sr]k_live_[0-9A-Za-z]{16,247}|whsec_[0-9A-Za-z+/]{32,64})/g],
  ['a Google key', /(?<!\w)(?:AIza[\w-]{35}|ya29\.[\w-]{30,300}|GOCSPX-[\w-]{28})(?![\w-])/g],
  ['a web token', /(?<![\w.-])eyJ[\w-]{10,2000}\.eyJ[\w-]{10,6000}\.[\w-]{20,1000}/g],
  ['a GitLab token', /(?<!\w)gl(?:pat|dt|rt|cbt|ptt|soat)-[\w-]{20,60}/g],
  ['a Hugging Face token', /(?<!\w)hf_[A-Za-z0-9]{34}(?!\w)/g],
  ['a Telegram token', /(?<!\w)\d{8,10}:AA[\w-]{33}(?![\w-])/g],
  ['a Discord webhook', /discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[\w-]{60,80}/g],
  ['a Twilio key', /(?<!\w)SK[0-9a-f]{32}(?!\w)/g],
  ['an Azure key', /AccountKey=[A-Za-z0-9+/]{86}==/g],
  ['a package registry token', /(?<!\w)(?:pypi-AgEI[\w-]{50,300}|dckr_pat_[\w-]{27}|rubygems_[0-9a-f]{48})/g],
  ['an npm token', /:_(?:authToken|password) ?= ?["']?[\w+/=-]{20,200}/g],
  ['a cloud token', /(?<!\w)(?:do[opr]_v1_[0-9a-f]{64}|hv[sb]\.[\w-]{60,300}|ops_eyJ[\w-]{60,2000})/g],
];

/** A token whose characters are not only those of `TOKEN_CHARACTERS`. */
const HEADER: Pattern = [
  'a token in a header',
  /\bauthorization["']? ?[:=] ?["']?(?:bearer|basic|token) [\w.+/=~-]{20,2000}/gi,
];

/** A name of a secret with its value, which can be shorter. */
export const NAMED: Pattern = [
  'a password or key',
  /(?<![\w-])(?:[\w-]{0,30}[_-])?(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|secret[_-]?key|client[_-]?secret|auth[_-]?token|private[_-]?key)["'`]? ?(?::|=|:=|=>) ?["'`]?[^\s"'`<>(){}$,;|]{12,200}/gi,
];

/** End of a secret's name: the text before it is read only where a value can follow. */
export const NAME_ENDS = /[:=](?<=(?:password|passwd|passphrase|pwd|secret|token|key)["'`]? ?[:=])/i;

/** The patterns that a text can match. */
function possiblePatterns(text: string): readonly Pattern[] {
  return [...(hasToken(text) ? TOKENS : []), HEADER, ...(NAME_ENDS.test(text) ? [NAMED] : [])];
}

/** The value in a match that also contains a name. */
const VALUE = /[^\s"'`:=>]+=*$/;

/** Every secret of a text once, reported only by its kind. */
export async function findSecrets(text: string, scan: ScanSecrets): Promise<Finding[]> {
  const own = possiblePatterns(text).flatMap(([kind, pattern]) =>
    allMatches(text, pattern)
      .filter(({ 0: match }) => isReal(match, kind))
      .map(({ 0: match, index }) => ({ from: index, to: index + match.length, kind })),
  );
  const preset = (await scan(text)).filter(({ from, to }) => varied(text.slice(from, to)));
  const found: Finding[] = [];
  let end = -1;
  for (const it of [...preset, ...own].sort((a, b) => a.from - b.from || b.to - a.to)) {
    if (it.from >= end) found.push(toFinding(it));
    end = Math.max(end, it.to);
  }
  return found;
}

function toFinding({ from, kind }: FoundSecret): Finding {
  return {
    rule: 'secret_exposed',
    index: from,
    message: `the text contains ${kind}, which every reader can see`,
    help: 'revoke it now, because the history keeps it; then refer to it by name, and let the tool that needs it look it up',
  };
}

/** Kinds without a fixed format: only a random value that is not a placeholder counts. */
function isReal(match: string, kind: string): boolean {
  if (kind !== 'a password or key' && kind !== 'a token in a header') return varied(match);
  const value = VALUE.exec(match)?.[0] ?? '';
  const classes = [/[a-z]/, /[A-Z]/, /\d/].filter((it) => it.test(value)).length;
  const placeholder =
    /example|change|your|placeholder|redact|dummy|sample|xxx|\.\.\.|\*\*|test|env\b|process\.|\w\.\w+\.\w/i;
  return value.length >= 12 && classes === 3 && varied(value) && !placeholder.test(value) && !/^[\w-]+[./]/.test(value);
}

/** `ghp_xxxxxxxx…` is how documentation writes a token. */
function varied(text: string): boolean {
  return new Set(text).size >= 8;
}
