// Lets somebody hear of each statement that a pool's connections run: how long, and whether it failed.
import type pg from 'pg';

/** Called when a statement is sent, with its name; what it answers is called with the error, or nothing, when it is over. */
export type StatementObserver = (statement: string) => (error?: unknown) => void;

/** Those of Prisma, of transactions and of tools: their texts are too many for a metric. */
const UNNAMED = 'other';

type Query = (...parameters: unknown[]) => unknown;
type Callback = (error: unknown, result: unknown) => void;

/** The wait for a free connection is not part of it. `find` answers nothing as long as nobody wants to hear. */
export function observeStatements(
  client: pg.ClientBase,
  find: () => StatementObserver | undefined,
): void {
  const query = client.query.bind(client) as Query;
  const observed: Query = (...parameters) => {
    const observe = find();
    const [config] = parameters;
    if (!observe || isSubmittable(config)) return query(...parameters);
    const end = observe(nameOf(config));
    const last = parameters.at(-1);
    if (typeof last === 'function') {
      const callback: Callback = (error, result) => {
        end(error ?? undefined);
        (last as Callback)(error, result);
      };
      return query(...parameters.slice(0, -1), callback);
    }
    const running = query(...parameters) as Promise<unknown>;
    running.then(() => end(), end);
    return running;
  };
  Object.assign(client, { query: observed });
}

/** Cursors and copies have a protocol of their own. */
function isSubmittable(config: unknown): boolean {
  return typeof config === 'object' && config !== null && 'submit' in config;
}

function nameOf(config: unknown): string {
  if (typeof config !== 'object' || config === null) return UNNAMED;
  const { label, name } = config as { label?: unknown; name?: unknown };
  if (typeof label === 'string') return label;
  return typeof name === 'string' && name !== '' && !name.startsWith('prisma_') ? name : UNNAMED;
}
