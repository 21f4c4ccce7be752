import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../compiler/trust/canonical.ts';
import { agentYaml, repository, unitFile, type Repository } from '../support/repository.ts';

const CTO = '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9';
const OPS = '3b0b71f4-55d3-4f3e-8c0b-6a4c0c3f3a11';

/**
 * A deployment with every feature: two agents, shared units, boot.md, all profiles, an unlisted unit, links, a legacy
 * file, a deleted unit and one that was restored. The commits are the same on every machine.
 */
export function handbook(): Repository {
  const repo = repository()
    .write('instructions/org.yaml', 'deployment: acme\ncompiler: 0.1.0\n')
    .write('instructions/shared/heartbeat.md', unitFile('What to do on every heartbeat', ['start a heartbeat']))
    .write('instructions/agents/cto/agent.yaml', agentYaml(CTO, 'shared: [heartbeat]\n'))
    .write('instructions/agents/cto/wrap-up.md', unitFile('How to leave work', ['done for today', 'hand over']))
    .write('instructions/agents/cto/old-habits.md', unitFile('What we used to do'))
    .write('docs/escalation.md', '# Escalation\n\nAsk the board.\n');
  repo.commit('Start');
  repo
    .write('instructions/agents/cto/boot.md', 'Never push to main.\n')
    .write('instructions/agents/cto/code-review.md', review('Read the tests first.'))
    .write('instructions/agents/cto/drafts.md', unitFile('Where drafts live', ['find a draft'], 'listed: false\n'))
    .remove('instructions/agents/cto/old-habits.md')
    .commit('Review', undefined, 'Grace Hopper <grace@example.com>');
  repo
    .write('instructions/agents/ops/agent.yaml', operations())
    .write('instructions/agents/ops/escalation.md', '---\ndescription: Whom to ask\npath: docs/escalation.md\n---\n')
    .write('instructions/agents/ops/on-call.md', unitFile('What to do when paged', ['the pager went off']))
    .write('instructions/probes/cto.yaml', 'probes:\n  - intent: leave for today\n    required: [wrap-up]\n')
    .commit('Operations', undefined, 'release[bot] <bot@example.com>');
  repo.write('instructions/agents/cto/code-review.md', review('Read the tests first, then the code.')).commit('More');
  return repo;
}

function review(body: string): string {
  const more = 'related: [wrap-up]\naliases: [pr-review]\n';
  return unitFile('How to review code', ['review a pull request'], more, `${body} See [leaving](wrap-up.md).`);
}

function operations(): string {
  const more =
    'migration_mode: file\nadapter_profiles: [generic, openai-assistants, paperclip-claude-code]\nshared: [heartbeat]\n';
  return agentYaml(OPS, more).replace('role: CTO', 'role: Operations');
}

/** Every file below a folder with its bytes' sha256, sorted by path. */
export function listing(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    files
      .filter((path) => statSync(join(folder, path)).isFile())
      .map((path) => [path, sha256(readFileSync(join(folder, path)))]),
  );
}
