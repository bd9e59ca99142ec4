// The service, from its settings to its last request.
import { getSigningKeys } from './auth/index.ts';
import { getAccountsSecret, loadConfig } from './config/index.ts';
import { findDemoExamples } from './demo/index.ts';
import { createLogger, startTracing } from './observability/index.ts';
import type { ProcessParts } from './process/index.ts';
import {
  explain,
  isExplained,
  prepareDatabase,
  reachDatabase,
  serve,
  serveByWorkers,
} from './process/index.ts';
import { composeWelcome, runService, toBaseUrl } from './start/index.ts';
import { assertWorkersPossible, tellReady } from './workers/index.ts';

await runService(
  async (life) => {
    const config = loadConfig(process.env);
    const isWorker = config.workerIndex !== undefined;
    const supervises = config.workers > 1 && !isWorker;
    if (supervises) assertWorkersPossible();
    const logger = createLogger(config.logLevel);
    life.useLogger(logger);
    const parts: ProcessParts = { config, logger, life };

    const cannotUse = `DATA_DIR ${config.dataDir} cannot be used`;
    const keys = await explain(cannotUse, () => getSigningKeys(config));
    const accountsSecret = await explain(cannotUse, () => getAccountsSecret(config));
    const tracing = config.tracing && (await startTracing(config.tracing, logger));
    if (tracing) life.onStop('the traces', tracing.stop);
    const reached = await reachDatabase(parts);
    const { database } = reached;
    const owner = isWorker ? null : await prepareDatabase(parts, reached);

    const { port, markReady } = await (supervises
      ? serveByWorkers(parts, reached)
      : serve(parts, { keys, accountsSecret, database, tracing }));
    if (!isWorker) {
      const baseUrl = toBaseUrl(config.host, port);
      const examples = await findDemoExamples(database);
      process.stdout.write(await composeWelcome({ config, keys, baseUrl, examples, owner }));
    }
    markReady();
    if (isWorker) tellReady(port);
  },
  { isExplained },
);
