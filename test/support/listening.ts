import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Sockets that answer, bound in every way that hides their place from the kernel's list, and a pipe that is read. */
export async function listeningIn(at: (name: string) => string) {
  const script = `
import os, socket, subprocess, sys, threading
def serve(bound, final=None):
    s = socket.socket(socket.AF_UNIX); s.bind(bound); s.listen(5)
    if final: final(bound)
    def answer():
        while True:
            s.accept()[0].sendall(b'reached')
    threading.Thread(target=answer, daemon=True).start()
os.chdir(sys.argv[1])
serve(sys.argv[1] + '/absolute.sock')
serve('relative.sock')
serve('a.sock', lambda it: os.rename(it, 'moved.sock'))
serve('b.sock', lambda it: (os.link(it, 'linked.sock'), os.unlink(it)))
os.makedirs('deep/er'); os.chdir('deep/er'); serve('deep.sock'); os.chdir('../../..')
os.chdir('home/.local/bin'); serve('tool.sock'); os.chdir('../../..')
os.chdir('bin'); serve('of path.sock'); os.chdir('..')
elsewhere = '''
import socket, sys, threading
s = socket.socket(socket.AF_UNIX); s.bind("repo/elsewhere.sock"); s.listen(5)
threading.Thread(target=lambda: s.accept()[0].sendall(b"reached"), daemon=True).start()
print("bound", flush=True)
sys.stdin.read()
'''
other = subprocess.Popen(['unshare', '-rn', sys.executable, '-c', elsewhere], stdout=subprocess.PIPE)
other.stdout.readline()
os.mkfifo('repo/pipe')
pipe = os.open('repo/pipe', os.O_RDWR | os.O_NONBLOCK)
print('ready', flush=True)
sys.stdin.read()
try: print(os.read(pipe, 10))
except BlockingIOError: pass
`;
  const child = spawn('python3', ['-c', script, at('repo')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [ready] = (await once(child.stdout, 'data')) as [Buffer];
  if (!String(ready).startsWith('ready')) throw new Error(`python3 printed ${String(ready)}`);
  const names = ['absolute', 'relative', 'moved', 'linked', 'elsewhere', 'deep/er/deep'].map((it) => `repo/${it}`);
  const paths = [...names, 'home/.local/bin/tool', 'bin/of path'].map((it) => at(`${it}.sock`));
  return {
    paths,
    close: async () => {
      child.stdin.end();
      const output: Buffer[] = [];
      child.stdout.on('data', (it: Buffer) => output.push(it));
      await once(child, 'close');
      return Buffer.concat(output).toString('utf8').trim();
    },
  };
}
