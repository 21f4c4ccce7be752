/** What asks for more than the command itself. */
const ABOUT = ['--help', '-h', '--schema'];

/** Whether a command line plainly runs its command, and asks nothing about it. */
export function isPlain(args: readonly string[]): boolean {
  return args.every((it) => !ABOUT.includes(it));
}
