// The daily work of a live-ops team, done by a new user with the mouse: how many actions each job takes, and its outcome.
import { describe, expect, test } from 'vitest';
import { JOBS } from './jobs/jobs.ts';
import { firstOf } from './support/extent.ts';
import { createUsers } from './support/users.ts';
import { shareWeb } from './support/web.ts';

const web = shareWeb();

const jobs = JOBS.map((job) => [job.title, job.maxActions, job] as const);

describe('a new user', () => {
  test.each(firstOf(jobs))('%s in %i actions or fewer', async (_, maxActions, { run }) => {
    const users = createUsers(web, 'mouse');
    await run(web, users);
    expect(users.countActions()).toBeLessThanOrEqual(maxActions);
  });
});
