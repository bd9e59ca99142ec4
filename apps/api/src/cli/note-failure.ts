import { describeFailure } from './describe-failure.ts';

/** The result of `work`, or the reason why there is none. A support bundle is also made while something does not work. */
export const noteFailure = async <Result>(
  work: () => Promise<Result>,
): Promise<Result | { note: string }> => {
  try {
    return await work();
  } catch (error) {
    // The message of an unknown failure could contain anything.
    const name = error instanceof Error ? error.name : 'a failure';
    return { note: describeFailure(error) ?? `This part ended with ${name}.` };
  }
};
