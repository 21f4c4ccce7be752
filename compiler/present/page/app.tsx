import '../../schema/jitless.ts';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { embeddedSource } from './data/embedded.ts';
import type { Source } from './data/source.ts';
import { Shell } from './shell.tsx';
import { SignIn } from './views/sign-in.tsx';

/** The page: of the report in this file or, after signing in, of a server. */
function App() {
  const [source, setSource] = useState<Source | null>(embeddedSource);
  return source === null ? <SignIn onSource={setSource} /> : <Shell source={source} />;
}

const place = document.getElementById('app');
if (place) render(<App />, place);
