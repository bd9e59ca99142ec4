// Serves the whole service with one difference: a join returns a constant session, without the database. This is the
// maximum of this HTTP layer; the benchmarks start it as a process.
import { readFileSync } from 'node:fs';
import type { Session } from '@muster/contract';
import { contract } from '@muster/contract';
import { openDatabase } from '@muster/database';
import { initServer } from '@ts-rest/express';
import { getSigningKeys } from '../src/auth/index.ts';
import { createService } from '../src/compose.ts';
import { createHttpServer, LIMITS } from '../src/http/index.ts';
import { createLogger, getAccountsSecret, loadConfig } from '../src/platform/index.ts';

/** A session from a response of the service, in the file CEILING_SESSION; read once. */
const SESSION: Session = JSON.parse(readFileSync(process.env.CEILING_SESSION ?? '', 'utf8'));
const ETAG = '"0123456789ab-2"';

const joinByPlatformSession = initServer().route(
  contract.joinByPlatformSession,
  async ({ res }) => {
    res.setHeader('ETag', ETAG);
    return { status: 200, body: SESSION };
  },
);

const config = loadConfig(process.env);
const service = createService({
  config,
  keys: await getSigningKeys(config),
  accountsSecret: await getAccountsSecret(config),
  // Connects on first use, which never happens.
  database: openDatabase({ url: config.databaseUrl ?? '' }),
  logger: createLogger(config.logLevel),
  maxPublicRequests: LIMITS.publicRequests.value,
  processMetrics: true,
  responseValidation: false,
  instead: { joinByPlatformSession },
});
const server = createHttpServer(service.app, service.serverOptions);
const port = await server.listen('127.0.0.1', config.port);
service.readiness.markReady();
process.stdout.write(`ready at http://127.0.0.1:${port}\n`);
