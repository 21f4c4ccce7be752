// Publishes the package with its provenance. npm compares it with the repository that the package names: it is the one
// that this workflow runs in, so a copy of the project publishes its own and not that of another.
import { execFileSync } from 'node:child_process';

const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
const npm = (...args) => execFileSync('npm', args, { stdio: 'inherit' });

npm('pkg', 'set', 'repository.type=git', `repository.url=git+${server}/${repository}.git`);
npm('publish', ...process.argv.slice(2));
