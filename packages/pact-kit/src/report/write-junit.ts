// JUnit XML, which every CI system shows: a suite per pact, a case per interaction.
import type { Finding } from '../findings.ts';
import type { InteractionReport, PactReport, VerificationReport } from './verification-report.ts';
import { isError } from './verification-report.ts';
import { describePlace } from './write-text.ts';

export const writeJunit = (report: VerificationReport): string => {
  const suites = [...report.pacts.map(writeSuite), ...writeLooseFindings(report.findings)];
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(
    'testsuites',
    { name: `pacts against ${report.provider}`, time: toSeconds(report.durationMs) },
    suites,
  )}\n`;
};

const writeSuite = (pact: PactReport): string => {
  const own = pact.findings.filter(isError);
  const cases = [
    ...(own.length > 0 ? [writeFindingsCase('the pact as a whole', pact.source, own)] : []),
    ...pact.interactions.map((interaction) => writeCase(interaction, pact)),
  ];
  const failed = pact.interactions.filter(({ status }) => status === 'failed').length;
  const attributes = {
    name: `${pact.consumer} → ${pact.provider}`,
    file: pact.source,
    tests: cases.length,
    failures: failed + (own.length > 0 ? 1 : 0),
    skipped: pact.interactions.filter(({ status }) => status === 'pending').length,
  };
  return element('testsuite', attributes, cases);
};

const writeCase = (interaction: InteractionReport, pact: PactReport): string => {
  const { description, status, place, durationMs, findings } = interaction;
  const attributes = {
    name: description,
    classname: pact.consumer,
    file: place.file,
    line: place.line,
    time: toSeconds(durationMs),
  };
  if (status === 'pending') {
    const skipped = element('skipped', { message: `pending: ${describeAll(findings)}` }, []);
    return element('testcase', attributes, [skipped]);
  }
  return element('testcase', attributes, findings.filter(isError).map(writeFailure));
};

const writeLooseFindings = (findings: readonly Finding[]): string[] => {
  const errors = findings.filter(isError);
  if (errors.length === 0) return [];
  const one = writeFindingsCase('the files', errors[0]?.place.file ?? '', errors);
  return [element('testsuite', { name: 'files', tests: 1, failures: 1 }, [one])];
};

const writeFindingsCase = (name: string, file: string, findings: readonly Finding[]): string =>
  element('testcase', { name, classname: file, file }, findings.map(writeFailure));

const writeFailure = (finding: Finding): string => {
  const { message, rule } = finding;
  return element('failure', { message, type: rule }, [escapeXml(describeAll([finding]))]);
};

const describeAll = (findings: readonly Finding[]): string =>
  findings
    .map((finding) =>
      [describePlace(finding), finding.message, finding.suggestion].filter(Boolean).join(' '),
    )
    .join('\n');

const toSeconds = (ms: number): string => (ms / 1000).toFixed(3);

type Attributes = Record<string, string | number | undefined>;

const element = (name: string, attributes: Attributes, children: readonly string[]): string => {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`)
    .join('');
  if (children.length === 0) return `<${name}${written}/>`;
  return `<${name}${written}>${children.join('\n')}</${name}>`;
};

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
};

/** XML 1.0 has no way at all to write most control characters and lone surrogates (section 2.2). */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML refuses.
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '\uFFFD')
    .replace(/[&<>"'\n]/g, (character) => ENTITIES[character] ?? character);
