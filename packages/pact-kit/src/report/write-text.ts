// The report for people at a terminal.
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Finding } from '../findings.ts';
import type { PactReport, VerificationReport } from './verification-report.ts';
import { allFindings } from './verification-report.ts';

type TextOptions = { colours: boolean };

const CODES = { green: 32, red: 31, yellow: 33, dim: 2, bold: 1 } as const;

type Paint = (colour: keyof typeof CODES, text: string) => string;

const SIGNS = { passed: '✓', failed: '✗', pending: '…' } as const;
const COLOURS = { passed: 'green', failed: 'red', pending: 'yellow' } as const;

export const writeText = (report: VerificationReport, { colours }: TextOptions): string => {
  const paint: Paint = (colour, text) =>
    colours ? `\u001B[${CODES[colour]}m${text}\u001B[0m` : text;
  return [
    ...report.findings.flatMap((finding) => describeFinding(finding, paint, '')),
    ...report.pacts.flatMap((pact) => ['', ...describePact(pact, paint)]),
    '',
    describeVerdict(report, paint),
    '',
  ].join('\n');
};

const describePact = (pact: PactReport, paint: Paint): string[] => [
  paint('bold', `${pact.consumer} → ${pact.provider}`) +
    paint('dim', `  ${pact.source}${pact.pending ? '  (pending: may fail)' : ''}`),
  ...pact.findings.flatMap((finding) => describeFinding(finding, paint, '  ')),
  ...pact.interactions.flatMap(({ status, description, states, durationMs, findings }) => {
    const given = states.length > 0 ? `, given ${states.join(' and ')}` : '';
    const remark = paint('dim', `${given}  ${Math.round(durationMs)} ms`);
    return [
      `  ${paint(COLOURS[status], SIGNS[status])} ${description}${remark}`,
      ...findings.flatMap((finding) => describeFinding(finding, paint, '      ')),
    ];
  }),
];

const describeFinding = (finding: Finding, paint: Paint, indent: string): string[] => {
  const { severity, message, rule, suggestion } = finding;
  const word = severity === 'error' ? paint('red', 'error') : paint('yellow', 'warning');
  return [
    `${indent}${word} ${message} ${paint('dim', `(${rule})`)}`,
    `${indent}  ${paint('dim', describePlace(finding))}`,
    ...(suggestion ? [`${indent}  ${suggestion}`] : []),
  ];
};

/** A finding in one line, for standard error. */
export const describeInLine = (finding: Finding): string =>
  [`${describePlace(finding)}:`, finding.message, finding.suggestion].filter(Boolean).join(' ');

/** The form that editors and terminals make a link of. */
export const describePlace = ({ place: { file, line, column } }: Pick<Finding, 'place'>): string =>
  [file, line, line === undefined ? undefined : column]
    .filter((part) => part !== undefined)
    .join(':');

const describeVerdict = (report: VerificationReport, paint: Paint): string => {
  const { summary, verdict, provider, durationMs, startUpMs } = report;
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const isVerified = verdict === 'passed' && summary.passed > 0;
  const counts = [
    ...(isVerified || summary.passed > 0 ? [`${summary.passed} passed`] : []),
    ...(isVerified || summary.failed > 0 ? [`${summary.failed} failed`] : []),
    ...(summary.pending > 0 ? [`${summary.pending} pending`] : []),
    ...(summary.warnings > 0 ? [count(summary.warnings, 'warning')] : []),
  ].join(', ');
  // Pending interactions may fail.
  const unverified =
    verdict === 'passed' ? paint('yellow', 'Pending') : paint('red', 'Not verified');
  const word = isVerified ? paint('green', 'Verified') : unverified;
  const time = `${seconds(durationMs)}, start-up ${seconds(startUpMs)}`;
  return `${word} against ${provider}: ${counts} of ${count(summary.interactions, 'interaction')} in ${count(summary.pacts, 'pact')} ${paint('dim', `(${time})`)}`;
};

const count = (amount: number, thing: string): string =>
  `${amount} ${thing}${amount === 1 ? '' : 's'}`;

// GitHub's workflow commands: findings appear at their lines in a pull request.
// Their escapes are those of the runner (actions/toolkit, `command.ts`): %, line ends, and : and , in properties.

/** `workspace` is the runner's GITHUB_WORKSPACE: paths of annotations are relative to it, not to the working directory. */
export const writeGithub = (report: VerificationReport, workspace?: string): string =>
  allFindings(report)
    .map((finding) => toCommand(finding, workspace))
    .join('');

const toCommand = (
  { severity, place, message, suggestion, rule, interaction }: Finding,
  workspace: string | undefined,
): string => {
  const properties = {
    file: workspace ? relativeTo(workspace, place.file) : place.file,
    line: place.line,
    col: place.line === undefined ? undefined : place.column,
    title: interaction ? `${interaction} (${rule})` : rule,
  };
  const written = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`)
    .join(',');
  return `::${severity} ${written}::${escapeData([message, suggestion].filter(Boolean).join(' '))}\n`;
};

/** Paths outside the workspace, and URLs, are unchanged: GitHub cannot annotate them. */
const relativeTo = (workspace: string, file: string): string => {
  if (file === '' || /^[a-z][a-z0-9+.-]+:\/\//i.test(file)) return file;
  const path = relative(resolve(workspace), resolve(file));
  const isInside =
    path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
  return isInside ? path.split(sep).join('/') : file;
};

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
