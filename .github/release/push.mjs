// Pushes the image that the job without a token built, and reports its name and digest.
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const { REGISTRY, GITHUB_ACTOR, GITHUB_OUTPUT, GITHUB_REF_NAME, GITHUB_REPOSITORY, GITHUB_TOKEN, RUNNER_TEMP } =
  process.env;
const [file = ''] = process.argv.slice(2);
// a name in a registry has no capitals
const name = `${REGISTRY}/${GITHUB_REPOSITORY}`.toLowerCase();
const digestFile = join(RUNNER_TEMP, 'digest');
const skopeo = (args, input) => execFileSync('skopeo', args, { input, stdio: ['pipe', 'inherit', 'inherit'] });

skopeo(['login', REGISTRY, '--username', GITHUB_ACTOR, '--password-stdin'], GITHUB_TOKEN);
const to = `docker://${name}:${GITHUB_REF_NAME.slice(1)}`;
skopeo(['copy', '--all', '--digestfile', digestFile, `oci-archive:${file}`, to]);
appendFileSync(GITHUB_OUTPUT, `name=${name}\ndigest=${readFileSync(digestFile, 'utf8').trim()}\n`);
