// Distributes the schema of DATABASE_URL over its Citus cluster.
import { DistributionError, distribute } from '@muster/database';
import { UsageError } from './usage-error.ts';

export const runDistribute = async ({ dryRun = false }: { dryRun?: boolean }): Promise<void> => {
  const url = process.env.DATABASE_URL;
  if (!url) throw new UsageError();
  const say = (sentence: string) => process.stdout.write(`${sentence}\n`);
  try {
    const { steps, done } = await distribute({ url, dryRun, onStep: say });
    const verb = dryRun ? 'would be placed' : 'placed';
    say(`${steps.length} tables ${verb}, ${done.length} are where they belong.`);
  } catch (error) {
    const problems =
      error instanceof DistributionError
        ? error.problems
        : [`The database cannot be distributed: ${error instanceof Error ? error.message : error}`];
    process.stderr.write(problems.map((problem) => `${problem}\n`).join(''));
    process.exitCode = 1;
  }
};
