// Writes a bundle into a folder, and before its n-th disk operation copies that to <states>/<n>, or kills itself:
// node stepping.mjs <bundle> <folder> --states <states>
// node stepping.mjs <bundle> <folder> --kill <n>
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [, , file, folder, what, given] = process.argv;
const CHANGES = ['fsyncSync', 'linkSync', 'mkdirSync', 'renameSync', 'rmSync', 'truncateSync', 'writeSync'];
let steps = 0;
let isCopying = false;

function step() {
  steps += 1;
  if (what === '--kill') {
    if (steps === Number(given)) process.kill(process.pid, 'SIGKILL');
    return;
  }
  isCopying = true;
  fs.cpSync(folder, `${given}/${steps}`, { recursive: true });
  isCopying = false;
}

function before(name, isChange) {
  const real = fs[name];
  fs[name] = (...args) => {
    if (!isCopying && isChange(args)) step();
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
process.stdout.write(String(steps));
