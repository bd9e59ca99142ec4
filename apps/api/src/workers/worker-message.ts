// What a worker tells its supervisor.
import { z } from 'zod';

const Ready = z.object({ muster: z.literal('ready'), port: z.int() });

/** The worker serves on this port. */
export const tellReady = (port: number): void => {
  process.send?.({ muster: 'ready', port } satisfies z.infer<typeof Ready>);
};

/** The port of a worker that serves; null for every other message, such as those of the metrics. */
export const readReadyPort = (message: unknown): number | null =>
  Ready.safeParse(message).data?.port ?? null;
