// The load generator: a process of its own that prepares requests and runs jobs on command of its parent.

import type { RequestSet } from '../requests/join-requests.ts';
import { prepareRequests } from '../requests/join-requests.ts';
import type { LoadCommand, LoadReply } from './load-job.ts';
import { runLoad } from './run-load.ts';

let requests: RequestSet | null = null;
let current = new AbortController();

const obey = async (command: Exclude<LoadCommand, { kind: 'finish' }>): Promise<LoadReply> => {
  if (command.kind === 'prepare') {
    // Frees the memory of the old requests first.
    requests = null;
    requests = prepareRequests(command.plan);
    return {};
  }
  if (!requests) throw new Error('No requests have been prepared.');
  current = new AbortController();
  return { result: await runLoad(requests, command.job, current.signal) };
};

process.on('message', async (command: LoadCommand) => {
  if (command.kind === 'finish') return current.abort();
  process.send?.(await obey(command).catch((error): LoadReply => ({ error: String(error) })));
});
// The parent has exited, so the results have no reader.
process.on('disconnect', () => process.exit());
