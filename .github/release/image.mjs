// Builds the image with its provenance and its list of packages into a file; it pushes nothing.
import { execFileSync } from 'node:child_process';

const [file = ''] = process.argv.slice(2);
const docker = (...args) => execFileSync('docker', args, { stdio: 'inherit' });

// the default builder keeps no provenance
docker('buildx', 'create', '--use');
docker('buildx', 'build', '--provenance=mode=max', '--sbom=true', '--output', `type=oci,dest=${file}`, '.');
