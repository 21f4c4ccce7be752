import { z } from 'zod';

// must run before any schema is created: zod would compile a function for each, which pays only after many checks
z.config({ jitless: true });
