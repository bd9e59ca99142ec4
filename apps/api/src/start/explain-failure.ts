import { ConfigError } from '../config/index.ts';
import { StartError } from './start-error.ts';

/**
 * Runs a part of the start whose failures have no sentence of their own, such as those of the file
 * system, and gives them one: what was tried, and the first line of the reason.
 */
export const explainFailure = async <Result>(
  what: string,
  work: () => Promise<Result>,
  isExplained: (error: Error) => boolean,
): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConfigError || (error instanceof Error && isExplained(error))) throw error;
    throw new StartError(`${what}: ${firstLine(error)}`, { cause: error });
  }
};

const firstLine = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error);
  return message.trim().split('\n')[0] ?? '';
};
