#!/usr/bin/env node
// a host starts the hook at each of its events, so it is one file, and nothing else is loaded for it
if (process.argv[2] === 'hook' && !process.argv.includes('--help')) await import('./start-hook.ts');
else await import('./command-line.ts');
