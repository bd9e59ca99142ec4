// The load generator: a process of its own that prepares requests and runs jobs on command of its parent.

import type { RequestSet } from '../requests/join-requests.ts';
import { prepareRequests } from '../requests/join-requests.ts';
import type { LoadCommand, LoadReply, LoadResult } from './load-job.ts';
import { runLoad } from './run-load.ts';

let requests: RequestSet | null = null;

const obey = async (command: LoadCommand): Promise<LoadResult | undefined> => {
  if (command.kind === 'prepare') {
    requests = null;
    requests = prepareRequests(command.plan);
    return undefined;
  }
  if (!requests) throw new Error('No requests have been prepared.');
  return runLoad(requests, command.job);
};

const reply = (message: LoadReply): void => {
  process.send?.(message);
};

process.on('message', (command: LoadCommand) => {
  obey(command).then(
    (result) => reply({ id: command.id, ...(result && { result }) }),
    (error: unknown) => reply({ id: command.id, error: String(error) }),
  );
});
// The parent has exited, so the results have no reader.
process.on('disconnect', () => process.exit());
