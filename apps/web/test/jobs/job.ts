// Work that a new user does with the web app alone.
import type { Users } from '../support/users.ts';
import type { Web } from '../support/web.ts';

export type Job = {
  /** What the user does, as the title of a test: "undoes an edit". */
  title: string;
  maxActions: number;
  /** Prepares the sandbox, does the job, and checks its outcome in the service. */
  run(web: Web, users: Users): Promise<void>;
};
