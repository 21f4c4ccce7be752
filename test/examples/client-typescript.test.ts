import { describe } from 'vitest';
import { describeClient } from './client-tests.ts';

describe('the client in TypeScript', () => {
  describeClient('client.ts');
});
