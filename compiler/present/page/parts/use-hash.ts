import { useLayoutEffect, useState } from 'preact/hooks';

/** The current hash of the address, as state. */
export function useHash(): string {
  const [hash, setHash] = useState(location.hash);
  // before the page is seen: a change between the two would be missed
  useLayoutEffect(() => {
    const follow = () => {
      setHash(location.hash);
    };
    addEventListener('hashchange', follow);
    return () => {
      removeEventListener('hashchange', follow);
    };
  }, []);
  return hash;
}
