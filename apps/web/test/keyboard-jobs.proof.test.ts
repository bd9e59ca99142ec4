// The same jobs as in jobs.browser.test.ts, with the keyboard only.
import { test } from 'vitest';
import { JOBS } from './jobs/jobs.ts';
import { createUsers } from './support/users.ts';
import { shareWeb } from './support/web.ts';

const web = shareWeb();

const jobs = JOBS.map((job) => [job.title, job] as const);

test.each(jobs)('a user without a mouse %s', (_, { run }) =>
  run(web, createUsers(web, 'keyboard')),
);
