// Packs the package for the repository that this workflow runs in: npm compares its name with the provenance, so a copy
// of the project publishes its own package and not that of another.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
const npm = (...args) => execFileSync('npm', args, { stdio: 'inherit' });

npm('pkg', 'set', 'repository.type=git', `repository.url=git+${server}/${repository}.git`);
const [folder = ''] = process.argv.slice(2);
mkdirSync(folder);
npm('pack', '--pack-destination', folder);
