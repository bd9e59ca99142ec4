import type { Config } from '../config/index.ts';
import type { Logger } from '../observability/index.ts';
import type { Life } from '../start/index.ts';

/** What every step of the start has at hand. */
export type ProcessParts = { config: Config; logger: Logger; life: Life };

/** A process that listens, and is not said to be ready yet. */
export type Serving = {
  port: number;
  /** From here on the load balancer may send requests. */
  markReady: () => void;
};
