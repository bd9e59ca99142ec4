// Work that is done for several requests at once belongs to none of their traces alone. Who traces sets a tracer here; without one, this
// costs a look at a variable.

export type BatchTracer = {
  /** Remembers for which request something is asked. */
  capture(): unknown;
  /** Runs work that was asked for by all of these, as a part of their traces. */
  run<Result>(
    name: string,
    origins: readonly unknown[],
    work: () => Promise<Result>,
  ): Promise<Result>;
};

let tracer: BatchTracer | undefined;

export const setBatchTracer = (given: BatchTracer): void => {
  tracer = given;
};

export const captureOrigin = (): unknown => tracer?.capture();

export const runForAll = <Result>(
  name: string,
  listOrigins: () => readonly unknown[],
  work: () => Promise<Result>,
): Promise<Result> => (tracer ? tracer.run(name, listOrigins(), work) : work());
