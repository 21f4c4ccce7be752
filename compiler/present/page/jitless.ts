import { z } from 'zod';

// must run before any schema is created: zod would test whether it may evaluate code, which the page's policy forbids
z.config({ jitless: true });
