// `npm run distribute [-- --dry-run]`: distributes the schema of DATABASE_URL over its Citus cluster.
import { parseArgs } from 'node:util';
import { DistributionError, distribute } from './distribute.ts';

const say = (sentence: string) => process.stdout.write(`${sentence}\n`);
const complain = (sentence: string) => process.stderr.write(`${sentence}\n`);

const USAGE = `usage: DATABASE_URL=postgres://… npm run distribute [-- options]

  --dry-run  print what would be placed where, and change nothing; needs no Citus
  --help     print this

DATABASE_URL names the coordinator of a Citus cluster with the tables of Muster. Stop the services first.
Exit codes: 0 all tables are where they belong, 1 they are not, 2 wrong usage.`;

const OPTIONS = { 'dry-run': { type: 'boolean' }, help: { type: 'boolean' } } as const;

/** Null where it is called in another way. */
const readOptions = () => {
  try {
    return parseArgs({ options: OPTIONS }).values;
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
const options = readOptions();
if (options?.help) say(USAGE);
else if (options === null || !url) {
  complain(USAGE);
  process.exitCode = 2;
} else {
  await run(url, options['dry-run'] === true).catch(explain);
}
