import { PERMISSIONS } from '@muster/contract';
import { expect, test } from 'vitest';
import { describePermission } from './permission-labels.ts';

test.each(PERMISSIONS)('%s has words that stand by themselves', (name) => {
  expect(describePermission(name)).toMatch(/^[A-Z][a-z]+,? [a-zA-Z]/);
  expect(describePermission(name)).not.toContain('above');
});
