import { expect, test } from 'vitest';
import { changesForge, changesVersions, sendsToForge } from '../../../compiler/capabilities/atoms/forge-programs.ts';

const of = (judge: (args: readonly string[]) => boolean, lines: readonly string[]) =>
  lines.filter((it) => judge(it.split(' ')));
const named = (judge: (name: string, args: readonly string[]) => boolean, lines: readonly string[]) =>
  of(([name = '', ...args]) => judge(name, args), lines);

const GH_CHANGES = [
  'repo list',
  'cs ssh',
  'codespace list',
  'gist clone x',
  'alias set a b',
  'alias import x',
  'auth setup-git',
  'auth git-credential',
  'extension install x',
  'extension upgrade x',
  'extension exec x',
  'extension create x',
  ...'checkout co merge create close reopen edit ready update-branch revert'.split(' ').map((it) => `pr ${it} 1`),
  ...'checkout merge create close reopen update rebase'.split(' ').map((it) => `mr ${it} 1`),
  ...'create delete edit upload delete-asset'.split(' ').map((it) => `release ${it} x`),
  ...'run enable disable'.split(' ').map((it) => `workflow ${it} x`),
  'api repos/a/b',
  'api /projects/1',
  'api https://h/api/v4/projects/1',
  'api a//../%72epos/a',
  'api graphql',
  '-R a/b pr merge',
  '--repo a/b pr merge',
  '--hostname h pr merge',
  'pr 1 merge',
];

test('gh and glab change a repository by exactly the verbs that do', () => {
  expect(of(changesForge, GH_CHANGES)).toEqual(GH_CHANGES);
  const looks = ['pr list', 'pr view 1', 'gist list', 'alias list', 'auth status', 'extension list', 'release list'];
  const more = ['workflow list', 'api user', 'api user/repos', 'issue create', 'constructor x', 'toString', ''];
  expect(of(changesForge, [...looks, ...more])).toEqual([]);
});

test('other programs that keep versions are told by what they change, not by what they show', () => {
  const changes = ['hg commit', 'svn ci', 'jj', 'sl amend', 'p4 submit', 'hg branch x', 'hg bookmark x', 'repo forall'];
  const forges = ['spr diff', 'spr land', 'tea clone x', 'tea pr merge 1', 'tea releases create', 'az repos create'];
  const azure = ['az repos pr set-vote', 'az --x repos delete'];
  const wanted = [...changes, ...forges, ...azure].filter((it) => it !== 'jj');
  expect(named(changesVersions, [...changes, ...forges, ...azure])).toEqual(wanted);
  const looks = ['hg', 'hg log', 'hg diff', 'hg diff x', 'hg branch', 'hg bookmark -l', 'svn info', 'spr list'];
  const elsewhere = ['tea pr list', 'tea login', 'az repos list', 'az vm create', 'ls commit'];
  expect(named(changesVersions, [...looks, ...elsewhere])).toEqual([]);
});

test('a program for requests changes a repository only where it sends something to a forge', () => {
  const sends = [
    'curl -X POST https://api.github.com/repos/a/b',
    'curl -XPUT https://api.github.com/repos/a/b',
    'curl --request=DELETE api.github.com/repos/a/b',
    'curl -d x https://gitlab.example/api/v4/projects/1',
    'curl --json x https://git.example/api/v1/repos/a',
    'wget --method=PATCH https://api.bitbucket.org/repositories/a',
    'wget --post-data=x https://api.github.com/graphql',
    'http POST https://api.github.com/x/../%72epos/a/b',
    'xh PUT //api.github.com/./repos/a',
  ];
  expect(named(sendsToForge, sends)).toEqual(sends);
  const others = [
    'curl https://api.github.com/repos/a/b',
    'curl -X GET https://api.github.com/repos/a/b',
    'curl -X POST https://example.org/repos/a',
    'curl -X POST https://api.github.com/users/a',
    'nc -X POST https://api.github.com/repos/a/b',
  ];
  expect(named(sendsToForge, others)).toEqual([]);
});
