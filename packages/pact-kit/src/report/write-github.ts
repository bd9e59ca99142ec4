// GitHub's workflow commands: findings appear at their lines in a pull request.
// Their escapes are those of the runner (actions/toolkit, `command.ts`): %, line ends, and : and , in properties.
import type { Finding } from '../finding.ts';
import type { VerificationReport } from './verification-report.ts';
import { allFindings } from './verification-report.ts';

export const writeGithub = (report: VerificationReport): string =>
  allFindings(report).map(toCommand).join('');

const toCommand = ({
  severity,
  place,
  message,
  suggestion,
  rule,
  interaction,
}: Finding): string => {
  const properties = {
    file: place.file,
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

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
