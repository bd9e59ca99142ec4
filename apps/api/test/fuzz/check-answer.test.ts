import { expect, test } from 'vitest';
import { checkAlways } from './check-answer.ts';

const answer = {
  status: 503,
  headers: new Headers({ 'x-content-type-options': 'nosniff', 'x-request-id': 'id' }),
  text: '',
  durationMs: 1,
};
const check = (target: string) => checkAlways({ method: 'HEAD', target, headers: [] }, answer);

test.each(['/', '/s/duel?x=1'])(
  'accepts 503 to HEAD for the page %s of an unbuilt web app',
  (target) => {
    expect(check(target)).toEqual([]);
  },
);

test.each(['/v1/history/x', '/health', '/admin/trpc/me.get'])(
  'reports 503 to HEAD for %s, which is no page',
  (target) => {
    expect(check(target)).toEqual(['The status is 503.']);
  },
);
