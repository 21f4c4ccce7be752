// Builds the image with its provenance and its list of packages, and pushes it; tells its name and digest.
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const { REGISTRY, GITHUB_ACTOR, GITHUB_OUTPUT, GITHUB_REF_NAME, GITHUB_REPOSITORY, GITHUB_TOKEN, RUNNER_TEMP } =
  process.env;
// a name in a registry has no capitals
const name = `${REGISTRY}/${GITHUB_REPOSITORY}`.toLowerCase();
const metadata = join(RUNNER_TEMP, 'image.json');
const docker = (args, input) => execFileSync('docker', args, { input, stdio: ['pipe', 'inherit', 'inherit'] });

docker(['login', REGISTRY, '--username', GITHUB_ACTOR, '--password-stdin'], GITHUB_TOKEN);
// the default builder keeps no provenance
docker(['buildx', 'create', '--use']);
const proofs = ['--provenance=mode=max', '--sbom=true', '--metadata-file', metadata];
docker(['buildx', 'build', ...proofs, '--tag', `${name}:${GITHUB_REF_NAME.slice(1)}`, '--push', '.']);
const digest = JSON.parse(readFileSync(metadata, 'utf8'))['containerimage.digest'];
appendFileSync(GITHUB_OUTPUT, `name=${name}\ndigest=${digest}\n`);
