import { useState } from 'preact/hooks';
import { liveSource, Refusal } from '../data/live.ts';
import type { Source } from '../data/source.ts';

/** Asks for an administrator's key. It stays in the memory of this page, and is sent only to this server. */
export function SignIn({ onSource }: { readonly onSource: (source: Source) => void }) {
  const [key, setKey] = useState('');
  const [message, setMessage] = useState('');
  const [busy, setBusy] = useState(false);
  const open = async () => {
    setBusy(true);
    setMessage('Reading the report …');
    try {
      onSource(await liveSource(key.trim()));
    } catch (error) {
      setMessage(wordsOf(error));
      setBusy(false);
    }
  };
  return (
    <main class="signin">
      <h1>Vademecum</h1>
      <p>This page is for administrators. The key stays in this page’s memory: a reload asks for it again.</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void open();
        }}
      >
        <KeyField value={key} onValue={setKey} />
        <button type="submit" disabled={busy}>
          Open
        </button>
      </form>
      <p role="status">{message}</p>
    </main>
  );
}

interface KeyFieldProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
}

function KeyField({ value, onValue }: KeyFieldProps) {
  return (
    <>
      <label for="key">Administrator’s key</label>
      <input
        id="key"
        type="password"
        autocomplete="off"
        required
        value={value}
        onInput={({ currentTarget }) => {
          onValue(currentTarget.value);
        }}
      />
    </>
  );
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Refusal)) return 'The server cannot be reached.';
  if (error.code === 'unauthenticated') return 'The server does not know this key.';
  if (error.code === 'instruction_scope_denied') return 'This key is not an administrator’s.';
  return `The server refuses: ${error.message}`;
}
