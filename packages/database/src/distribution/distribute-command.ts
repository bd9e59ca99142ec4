// `npm run distribute [-- --dry-run]`: distributes the schema of DATABASE_URL over its Citus cluster.
import { parseArgs } from 'node:util';
import { DistributionError, distribute } from './distribute.ts';

const say = (sentence: string) => process.stdout.write(`${sentence}\n`);
const complain = (sentence: string) => process.stderr.write(`${sentence}\n`);

const readDryRun = (): boolean | null => {
  try {
    return parseArgs({ options: { 'dry-run': { type: 'boolean' } } }).values['dry-run'] === true;
  } catch {
    return null;
  }
};

const run = async (url: string, dryRun: boolean): Promise<void> => {
  const { steps, done } = await distribute({ url, dryRun, onStep: say });
  const verb = dryRun ? 'would be placed' : 'placed';
  say(`${steps.length} tables ${verb}, ${done.length} are where they belong.`);
};

const explain = (error: unknown): void => {
  if (error instanceof DistributionError) error.problems.forEach(complain);
  else
    complain(
      `The database cannot be distributed: ${error instanceof Error ? error.message : error}`,
    );
  process.exitCode = 1;
};

const url = process.env.DATABASE_URL;
const dryRun = readDryRun();
if (dryRun === null || !url) {
  complain('Use: DATABASE_URL=postgres://… npm run distribute [-- --dry-run]');
  process.exitCode = 2;
} else {
  await run(url, dryRun).catch(explain);
}
