import type { OpenPage } from '@muster/browser-testing';
import { expect } from 'vitest';

/**
 * No console error, no exception and no breach of the policy so far. `expected` are the answers that the
 * test provoked: the browser reports each failed request as an error of its own.
 */
export const expectNoComplaints = ({ complaints }: OpenPage, expected: RegExp[] = []): void => {
  const unexpected = complaints.filter((text) => !expected.some((pattern) => pattern.test(text)));
  expect(unexpected).toEqual([]);
};
