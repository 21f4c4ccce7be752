import { z } from 'zod';

// before any schema is made: otherwise one of them tries whether code can be evaluated, which the page's policy forbids
z.config({ jitless: true });
