import { z } from 'zod';

// must run before any schema is created: zod would try to compile a function for each, which the page's policy forbids,
// and which pays a process only after many checks
z.config({ jitless: true });
