// Writes a bundle into a folder and kills itself before its n-th disk operation: node killed.mjs <bundle> <folder> <n>
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [, , file, folder, last] = process.argv;
const CHANGES = ['fsyncSync', 'linkSync', 'mkdirSync', 'renameSync', 'rmSync', 'truncateSync', 'writeSync'];
let left = Number(last);

function step() {
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

function before(name, isChange) {
  const real = fs[name];
  fs[name] = (...args) => {
    if (isChange(args)) step();
    return real(...args);
  };
}

const { bundle, modules } = JSON.parse(fs.readFileSync(file, 'utf8'));
const bytes = (files) => new Map(files.map(([name, text]) => [name, Buffer.from(text, 'base64')]));
const { writeBundle } = await import(modules);
for (const name of CHANGES) before(name, () => true);
before('openSync', ([, flags]) => typeof flags === 'string' && flags !== 'r');
// a recursive removal can be interrupted in between
const { rmSync } = fs;
fs.rmSync = (path, options) => {
  if (fs.lstatSync(path, { throwIfNoEntry: false })?.isDirectory())
    for (const name of fs.readdirSync(path)) fs.rmSync(`${path}/${name}`, options);
  rmSync(path, options);
};
syncBuiltinESMExports();
writeBundle(
  folder,
  {
    ...bundle,
    files: bytes(bundle.files),
    built: bundle.built.map((it) => ({
      ...it,
      envelope: Buffer.from(it.envelope, 'base64'),
      files: bytes(it.files),
    })),
  },
  null,
);
process.stdout.write(String(Number(last) - left));
