import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Problem, sentenceOf } from '../findings.ts';
import type { VerificationReport } from './verification-report.ts';
import { writeJunit } from './write-junit.ts';
import { writeGithub, writeText } from './write-text.ts';

// Which reporters there are, and where each one writes to.

const REPORTERS = ['text', 'junit', 'json', 'github'] as const;

type Reporter = (typeof REPORTERS)[number];

/** Where a reporter writes: a file, or standard output where there is none. */
type Destination = { reporter: Reporter; file?: string };

/** Of the reports that are for programs. */
const FILE_NAMES: Partial<Record<Reporter, string>> = {
  junit: 'pact-report.xml',
  json: 'pact-report.json',
};

/**
 * Reads `--reporter junit --reporter json=report.json --out reports`. What is for people or for the runner goes to
 * standard output, files go to the folder; without a folder everything without a file goes to standard output.
 */
export const readDestinations = (
  names: readonly string[],
  folder: string | undefined,
): Destination[] => {
  const destinations = names.map((name): Destination => {
    const [named = '', ...file] = name.split('=');
    const reporter = REPORTERS.find((known) => known === named);
    if (!reporter) {
      throw new Problem(`There is no reporter "${named}": choose ${REPORTERS.join(', ')}.`);
    }
    if (file.length > 0) return { reporter, file: file.join('=') };
    const fileName = FILE_NAMES[reporter];
    return folder && fileName ? { reporter, file: `${folder}/${fileName}` } : { reporter };
  });
  if (destinations.length === 0) return [{ reporter: 'text' }];
  const toOutput = destinations.filter(({ file }) => file === undefined);
  const exclusive = toOutput.find(({ reporter }) => FILE_NAMES[reporter]);
  if (!exclusive || toOutput.length === 1) return destinations;
  throw new Problem(
    `Only one report goes to standard output: give ${exclusive.reporter} a file, as in --reporter ${exclusive.reporter}=report, or a folder with --out.`,
  );
};

type ReportStream = {
  write: (text: string) => unknown;
  colours: boolean;
  /** The folder of the checkout on a GitHub runner. */
  workspace?: string | undefined;
};

/** Throws Problem when a file cannot be written. */
export const writeReports = async (
  report: VerificationReport,
  destinations: readonly Destination[],
  stream: ReportStream,
): Promise<void> => {
  for (const { reporter, file } of destinations) {
    const text = render(report, reporter, {
      colours: file === undefined && stream.colours,
      workspace: stream.workspace,
    });
    if (file === undefined) stream.write(text);
    else await writeTo(file, text);
  }
};

const render = (
  report: VerificationReport,
  reporter: Reporter,
  { colours, workspace }: Omit<ReportStream, 'write'>,
): string => {
  if (reporter === 'junit') return writeJunit(report);
  if (reporter === 'json') return `${JSON.stringify(report, null, 2)}\n`;
  if (reporter === 'github') return writeGithub(report, workspace);
  return writeText(report, { colours });
};

const writeTo = async (file: string, text: string): Promise<void> => {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (error) {
    throw new Problem(`The report ${file} cannot be written: ${sentenceOf(error)}.`);
  }
};
