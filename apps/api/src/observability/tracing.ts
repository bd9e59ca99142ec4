// What the service needs of a tracer. The one of OpenTelemetry is loaded only where traces are configured.
import type { RequestHandler } from 'express';

export type Tracing = {
  /** Continues the trace of the caller (`traceparent`), or begins one; the id is in the request's log line. */
  traceRequests: RequestHandler;
  /** A step of the request that is being served. */
  trace<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** Called when a statement is sent; what it answers is called when it is over. */
  observeStatement(statement: string): (error?: unknown) => void;
  /** For work that is done for several requests at once. */
  batches: {
    /** Remembers for which request something is asked. */
    capture(): unknown;
    /** Runs work that was asked for by all of these, as a part of their traces. */
    run<Result>(
      name: string,
      origins: readonly unknown[],
      work: () => Promise<Result>,
    ): Promise<Result>;
  };
  /** Sends what is left, for two seconds at most. */
  stop(): Promise<void>;
};
