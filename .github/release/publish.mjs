// Publishes what the job without a token packed, and runs no script of it.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const [folder = ''] = process.argv.slice(2);
const [file, ...others] = readdirSync(folder);
if (!file?.endsWith('.tgz') || others.length > 0) throw new Error(`${folder} must have one package, and has ${file}`);
execFileSync('npm', ['publish', join(folder, file), '--ignore-scripts', '--provenance'], { stdio: 'inherit' });
