// What workers and their supervisor tell each other.
import { z } from 'zod';

const Ready = z.object({ muster: z.literal('ready'), port: z.int() });
const Question = z.object({ muster: z.literal('metrics?'), number: z.int() });
/** The metrics are made and read by prom-client alone. */
const Answer = z.object({
  muster: z.literal('metrics'),
  number: z.int(),
  metrics: z.array(z.custom<object>()),
});

export type MetricsQuestion = z.infer<typeof Question>;
export type MetricsAnswer = z.infer<typeof Answer>;

/** The worker serves on this port. */
export const tellReady = (port: number): void => {
  process.send?.({ muster: 'ready', port } satisfies z.infer<typeof Ready>);
};

/** The port of a worker that serves; null for every other message. */
export const readReadyPort = (message: unknown): number | null =>
  Ready.safeParse(message).data?.port ?? null;

/** Null for every other message, as below. */
export const readMetricsQuestion = (message: unknown): MetricsQuestion | null =>
  Question.safeParse(message).data ?? null;

export const readMetricsAnswer = (message: unknown): MetricsAnswer | null =>
  Answer.safeParse(message).data ?? null;
