/** Programs that take all their words as text, names or patterns, and start none of them. */
export const TEXT = new Set(
  '[ [[ : ack ag apropos basename cat cd command echo egrep fgrep file find grep head info less ls man more pgrep printf rg sort stat tail test type wc whatis whereis which'.split(
    ' ',
  ),
);
