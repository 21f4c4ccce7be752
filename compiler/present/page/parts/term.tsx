import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { TERMS, type TermName } from './terms.ts';

/** Between the note and the edges of the window, in pixels. */
const EDGE = 12;

interface TermProps {
  readonly of: TermName;
  /** The word in the text, which is then the button; without it the button is a question mark. */
  readonly children?: ComponentChildren;
}

/**
 * A word with its explanation: a click, Enter or Space shows it, Escape hides it. A screen reader reads it with the
 * button, shown or not.
 */
export function Term({ of, children }: TermProps) {
  const { word, meaning } = TERMS[of];
  const { isOpen, setOpen, button, note } = useNote();
  const id = useId();
  const isMark = children === undefined;
  return (
    <span class="term">
      <button
        type="button"
        ref={button}
        class={isMark ? 'mark' : 'word'}
        aria-label={isMark ? `What does “${word}” mean?` : undefined}
        aria-expanded={isOpen}
        aria-describedby={id}
        onClick={() => {
          setOpen(!isOpen);
        }}
        onBlur={() => {
          setOpen(false);
        }}
      >
        {isMark ? '?' : children}
      </button>
      <span id={id} ref={note} class="note" role="note" hidden={!isOpen}>
        <strong>{word}</strong>: {meaning}
      </span>
    </span>
  );
}

function useNote() {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const note = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (isOpen && button.current && note.current) place(note.current, button.current.getBoundingClientRect());
  }, [isOpen]);
  // before the note is seen, so that a key closes it at once
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const hide = () => {
      setOpen(false);
    };
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') hide();
    };
    addEventListener('keydown', onKey);
    // its place is of the window: it would stay where the word no longer is
    addEventListener('scroll', hide, { capture: true, passive: true });
    addEventListener('resize', hide);
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener('scroll', hide, { capture: true });
      removeEventListener('resize', hide);
    };
  }, [isOpen]);
  return { isOpen, setOpen, button, note };
}

/** Below the word, or above it where there is no room, and never beyond an edge of the window. */
function place(note: HTMLElement, word: DOMRect) {
  const { width, height } = note.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const left = Math.max(EDGE, Math.min(word.left, clientWidth - width - EDGE));
  const below = word.bottom + 6;
  const top = below + height + EDGE <= clientHeight ? below : Math.max(EDGE, word.top - height - 6);
  note.style.left = `${left}px`;
  note.style.top = `${top}px`;
}
