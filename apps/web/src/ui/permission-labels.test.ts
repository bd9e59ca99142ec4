import { PERMISSIONS } from '@muster/contract';
import { expect, test } from 'vitest';
import { describePermission } from './permission-labels.ts';

test.each(PERMISSIONS)('%s has a label that is clear outside of its group', (name) => {
  expect(describePermission(name)).toMatch(/^[A-Z][a-z]+,? [a-zA-Z]/);
  expect(describePermission(name)).not.toContain('above');
});
