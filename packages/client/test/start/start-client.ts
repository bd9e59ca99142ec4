// A client of the source, beside a server that follows a script, with a clock that tests hold.

import { onTestFinished } from 'vitest';
import type { MusterClientOptions } from '../../src/client.ts';
import { connect, createClient } from '../../src/client.ts';
import { createFakeClock } from './fake-clock.ts';
import type { Step } from './scripted-server.ts';
import { startScriptedServer } from './scripted-server.ts';

type Options = Omit<MusterClientOptions, 'baseUrl'> & { random?: number };

export const startClient = async (
  script: [Step, ...Step[]],
  { random, ...options }: Options = {},
) => {
  const server = await startScriptedServer(...script);
  onTestFinished(server.close);
  const clock = createFakeClock(random);
  const { baseUrl } = server;
  return {
    ...server,
    clock,
    client: createClient(connect({ token: 't', ...options, baseUrl }, clock)),
  };
};
