// The programs that are measured. Those of the service are started by path, as an operator starts them: a package
// imports no app.
import { fileURLToPath } from 'node:url';
import type { ServerProgram } from './start-server-process.ts';

const at = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

export const REPOSITORY = at('');

export const PRINT_CURSORS = at('apps/api/test/print-history-cursors.ts');

export type ProgramSettings = { databaseUrl: string; secret: string };

const common = ({ databaseUrl, secret }: ProgramSettings) => ({
  DATABASE_URL: databaseUrl,
  AUTH_JWT_SECRET: secret,
  NODE_ENV: 'production',
});

const SERVICE = { PORT: '0', LOG_LEVEL: 'warn', DEMO_DATA: '0' };

/** As `npm start` gives them to the service. */
const nodeOptions = (process.env.SERVICE_NODE_OPTIONS ?? '').split(' ').filter(Boolean);

export const musterProgram = (settings: ProgramSettings & { dataDir: string }): ServerProgram => ({
  file: at('apps/api/src/main.ts'),
  nodeOptions,
  env: { ...SERVICE, ...common(settings), DATA_DIR: settings.dataDir },
});

/** With the PostgreSQL that it brings along, in `dataDir`. */
export const standaloneProgram = (dataDir: string): ServerProgram => ({
  file: at('apps/api/src/main.ts'),
  nodeOptions,
  env: { PORT: '0', LOG_LEVEL: 'warn', DATA_DIR: dataDir },
});

/** `sessionFile` holds the constant answer. */
export const ceilingProgram = (
  settings: ProgramSettings & { dataDir: string },
  sessionFile: string,
): ServerProgram => ({
  file: at('apps/api/test/serve-ceiling.ts'),
  nodeOptions,
  env: { ...musterProgram(settings).env, CEILING_SESSION: sessionFile },
});

export const peerProgram = (
  name: 'idiomatic' | 'unbatched' | 'offset',
  settings: ProgramSettings,
): ServerProgram => ({
  file: at(`packages/bench/src/peers/${name}-server.ts`),
  env: common(settings),
});
