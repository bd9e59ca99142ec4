// Work that is done for several requests at once belongs to none of their traces alone. Who traces sets a tracer here; without one, this
// costs a look at a variable.

import type { Tracing } from '../observability/index.ts';

type BatchTracer = Tracing['batches'];

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
