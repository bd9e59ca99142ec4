// Runs `npm audit` for the packages that the service needs, and decides what its result means for a build.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { ROOT } from '../setup/repository.mjs';

/**
 * @typedef {{ name: string, severity: string, range: string, via: (string | { title: string, url: string })[] }} Finding
 * @typedef {{ sentences: string[], exitCode: number }} Verdict
 */

const FATAL = new Set(['high', 'critical']);

/**
 * Findings of high or critical severity fail; lesser ones are listed. A registry that does not answer is reported. It fails the command
 * only with `isRequired`, since a private registry may have no such data.
 * @param {string} output @param {{ isRequired: boolean }} options
 * @returns {Verdict}
 */
export function judgeAudit(output, { isRequired }) {
  const report = parse(output);
  if (!report?.vulnerabilities) {
    const reason = report?.message ?? 'npm gave no answer';
    const sentence = `NOT AUDITED: the registry does not list known vulnerabilities (${reason}).`;
    return { sentences: [sentence], exitCode: isRequired ? 1 : 0 };
  }
  /** @type {Finding[]} */
  const findings = Object.values(report.vulnerabilities);
  const fatal = findings.filter(({ severity }) => FATAL.has(severity));
  const summary = `${findings.length} packages with known vulnerabilities, ${fatal.length} of them high or critical.`;
  return { sentences: [...findings.map(describe), summary], exitCode: fatal.length > 0 ? 1 : 0 };
}

/** @param {string} output */
function parse(output) {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}

/** @param {Finding} finding */
function describe({ name, severity, range, via }) {
  const reasons = via.map((one) => (typeof one === 'string' ? one : `${one.title} ${one.url}`));
  return `${severity}: ${name} ${range}: ${reasons.join('; ')}`;
}

/** @returns {Promise<string>} what npm says, as JSON; its exit code tells findings and failures not apart */
export async function askRegistry() {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const child = spawn(npm, ['audit', '--omit=dev', '--json'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  });
  return text(child.stdout);
}
