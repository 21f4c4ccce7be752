import type { Field } from '../shell/field.ts';
import { splitOptions, verbAt } from '../shell/options.ts';

/** An address as a forge reads it: without an option before it, `%72`, braces, double slashes and turns. */
function normalAddress(word: Field): string {
  const address = word
    .replace(/^--url=/, '')
    .replaceAll(/[{}[\]]/g, '')
    .replace(/^(https?:\/\/)?[^/@]*@/i, '$1')
    .replace(/^((?:https?:\/\/)?[^/:]+):\d+(?=\/|$)/i, '$1');
  const text = address.replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  const [, host = '', path = ''] = /^(https?:\/\/[^/]*)?([^]*)$/i.exec(text) ?? [];
  const names: string[] = [];
  for (const it of path.split('/')) {
    if (it === '..') names.pop();
    else if (it !== '' && it !== '.') names.push(it);
  }
  return `${host}/${names.join('/')}`;
}

/** Addresses of forges by which a program for requests changes a repository. */
const FORGE_HOST =
  /^(https?:\/\/)?(api\.github\.com|api\.bitbucket\.org|[^/]*gitlab[^/]*\/api|[^/]*\/api\/v\d+)\/(v\d+\/)?(repos|projects|repositories|graphql)(\/|$)/i;
const SENDS =
  /^(-[a-z]*X|--request|--method)?=?(PUT|POST|PATCH|DELETE)$|^(--data.*|--form.*|--json.*|--upload-file.*|--post-data.*|--body-data.*)$/i;
/** A cluster of curl's letters with one that sends, before any that takes a value. */
const CURL_SENDS = /^-[#0-9afgGiIjJkLlMnNOpqRsSvVZ]*[dFT]/;
/** `name=value`, `name:=value`, `file@path`: what httpie sends. */
const HTTPIE_SENDS = /^[\w.-]+(:?=|@)/;

/** Whether a program for requests would change a repository of a forge. */
export function sendsToForge(name: string, args: readonly Field[]): boolean {
  if (!/^(curl|wget|https?|xh|xhs|curlie|hurl|httpie)$/.test(name)) return false;
  const ofProgram = /^curl/.test(name) ? CURL_SENDS : /^(https?|xhs?|httpie)$/.test(name) ? HTTPIE_SENDS : /^(?!)/;
  return (
    args.some((it) => FORGE_HOST.test(normalAddress(it).replace(/^\/(?=[\w.-]+\.[a-z]+\/)/i, ''))) &&
    args.some((it) => SENDS.test(it) || ofProgram.test(it))
  );
}

const CHANGES =
  /^(add|addremove|amend|am|apply|backout|bookmark|branch|checkin|checkout|ci|clone|co|commit|cp|create|delete|fold|goto|graft|histedit|import|init|land|merge|mkdir|modify|move|mv|new|next|done|pr|pull|push|put|rebase|record|reset|restack|revert|rm|rollback|shelve|split|squash|start|stash|strip|submit|switch|sync|tag|track|unamend|uncommit|unrecord|update|up|upload|forall|diff)$/;
/** Other programs that keep versions, or send changes to those who do, and the words of theirs that change nothing. */
const OTHERS: readonly (readonly [program: RegExp, verbs: RegExp])[] = [
  [
    /^(sl|sapling|hg|chg|brz|bzr|fossil|darcs|pijul|svn|cvs|p4|got|etckeeper|repo|mob|gt|graphite|ghstack|av)$/,
    CHANGES,
  ],
  [/^spr$/, /^(diff|update|land|amend|patch|close)$/],
  [/^tea$/, /^(pr|pulls?|releases?|repos?|clone|login|branches)$/],
  [/^az$/, /^repos$/],
];
/** Words by which programs of the first line only show something. */
const SHOWS = /^(diff|branch|bookmark)$/;

/** Whether another program than git would change a repository of its own, or one of a forge. */
export function changesVersions(name: string, args: readonly Field[]): boolean {
  const found = OTHERS.find(([program]) => program.test(name));
  if (found === undefined) return false;
  const at = verbAt(['', ...args], found[1]);
  if (at < 0) return false;
  const [verb = '', ...rest] = args.slice(at - 1).filter((it) => !it.startsWith('-'));
  if (name === 'az')
    return rest.some((it) => /^(create|update|delete|import|set-vote|complete|abandon|lock|unlock)$/.test(it));
  if (name === 'tea')
    return (
      rest.some((it) => /^(merge|create|c|close|reopen|checkout|co|delete|rm|edit|add)$/.test(it)) || verb === 'clone'
    );
  return name === 'spr' || !SHOWS.test(verb) || (verb !== 'diff' && rest.length > 0);
}

const FORGE_VERBS: Readonly<Record<string, RegExp | null>> = {
  // null: every verb
  repo: null,
  gist: /^clone$/,
  alias: /^(set|import)$/,
  auth: /^(setup-git|git-credential)$/,
  extension: /^(install|upgrade|exec|create)$/,
  pr: /^(checkout|co|merge|create|close|reopen|edit|ready|update-branch|revert)$/,
  mr: /^(checkout|merge|create|close|reopen|update|rebase)$/,
  release: /^(create|delete|edit|upload|delete-asset)$/,
  workflow: /^(run|enable|disable)$/,
  cs: null,
  codespace: null,
};
const FORGE_API = /^(https?:\/\/[^/]*\/)?(api\/v\d+\/)?\/?(repos|projects|graphql|repositories)(\/|$|\?)/i;

/** Whether `gh` or `glab` would change, or clone, a repository. */
export function changesForge(args: readonly Field[]): boolean {
  const { rest } = splitOptions(args, { values: 'R', long: ['repo', 'hostname'] });
  const [group = '', verb = ''] = rest;
  if (group === 'api') return args.some((it) => FORGE_API.test(normalAddress(it)));
  const verbs = Object.hasOwn(FORGE_VERBS, group) ? FORGE_VERBS[group] : undefined;
  return verbs !== undefined && (verbs === null || rest.slice(1).some((it) => verbs.test(it)) || verbs.test(verb));
}
