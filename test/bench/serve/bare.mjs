// The yardstick: an Express route that answers the bytes it was given, and does nothing else.
import express from 'express';

const bytes = Buffer.from(process.argv[2] ?? '', 'base64');
const app = express();
app.post('/', (_request, response) => response.type('json').send(bytes));
const server = app.listen(0, '127.0.0.1', () => {
  process.stderr.write(`"url":"http://127.0.0.1:${server.address().port}/"\n`);
});
