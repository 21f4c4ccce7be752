import { expect, test } from 'vitest';
import { mountedFolders } from '../../../../compiler/capabilities/shell/programs/mounted-folders.ts';

const of = (line: string) => {
  const [name = '', ...args] = line.split(' ');
  return mountedFolders(name, args);
};

test.each([
  'docker run -v ./a:/b x',
  'docker run -itv ./a:/b x',
  'podman run --volume ./a:/b:z x',
  'nerdctl run --volume=./a:/b x',
  'docker run --mount type=bind,source=./a,target=/b x',
  'docker run --mount=type=bind,src=./a,target=/b x',
])('what runs in a container writes the folder that it is given: %s', (line) => {
  expect(of(line)).toEqual(['./a']);
});

test('each folder counts, wherever it lies', () => {
  expect(of('docker run -v /a:/b -v ~/c:/d -v ../e:/f -v g/h:/i x')).toEqual(['/a', '~/c', '../e', 'g/h']);
});

test.each([
  'docker run -v ./a:/b:ro x',
  'docker run -v ./a:/b:z,ro x',
  'docker run --mount type=bind,source=./a,target=/b,readonly x',
  'docker run --mount type=bind,source=./a,target=/b,readonly=true x',
  'docker run -v data:/b x',
  'docker run -v /b x',
  'docker run x -v',
  'docker run ./a:/b',
  'grep -v ./a:/b x',
])('what is only read, a volume of its own, and another program write no folder: %s', (line) => {
  expect(of(line)).toEqual([]);
});
