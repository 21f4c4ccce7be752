import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly code: string | undefined;
}

/** Sends raw bytes, and reads until the server closes the connection. */
export function rawExchange(url: string, request: string | Buffer): Promise<RawAnswer[]> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => {
      socket.write(request);
    });
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // the server may close the connection before it has read everything
    socket.on('error', () => undefined);
    socket.on('close', () => {
      resolve(answersIn(Buffer.concat(chunks).toString('latin1')));
    });
  });
}

function answersIn(bytes: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = bytes; rest.startsWith('HTTP/1.1 ');) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) break;
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
    const pairs = lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.replace(/^[^:]*: ?/, '')]);
    const headers = Object.fromEntries(pairs) as Record<string, string>;
    const length = Number(headers['content-length'] ?? 0);
    const text = Buffer.from(rest.slice(end + 4, end + 4 + length), 'latin1').toString('utf8');
    const code = /"code":"(\w+)"/.exec(text)?.[1];
    answers.push({ status: Number(first.slice(9, 12)), headers, text, code });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}
