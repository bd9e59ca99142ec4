import { join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { InteractionStatus, VerificationReport } from './verification-report.ts';
import { summarise } from './verification-report.ts';
import { writeGithub, writeText } from './write-text.ts';

const PACT = 'consumer/pacts/a.json';

const reportOf = (...statuses: InteractionStatus[]): VerificationReport => {
  const interactions = statuses.map((status, index) => ({
    description: `number ${index}`,
    states: [],
    status,
    place: { file: PACT, line: 3, column: 5 },
    durationMs: 1,
    findings:
      status === 'passed'
        ? []
        : [
            {
              rule: 'wrong-status',
              severity: 'error' as const,
              message: 'Wrong.',
              place: { file: PACT, line: 3, column: 5 },
            },
          ],
  }));
  const pact = { source: PACT, consumer: 'a', provider: 'muster', pending: false, findings: [] };
  const pacts = [{ ...pact, interactions }];
  return {
    formatVersion: 1,
    provider: 'muster',
    durationMs: 1,
    startUpMs: 0,
    pacts,
    findings: [],
    ...summarise(pacts, []),
  };
};

const verdictOf = (...statuses: InteractionStatus[]): string =>
  writeText(reportOf(...statuses), { colours: false })
    .trim()
    .split('\n')
    .at(-1) ?? '';

describe('the last line of a report', () => {
  it('says Verified only where something passed', () => {
    expect(verdictOf('passed', 'pending')).toMatch(/^Verified against muster: 1 passed, 0 failed,/);
    expect(verdictOf('failed')).toMatch(/^Not verified against muster: 1 failed of 1 interaction/);
    expect(verdictOf('pending')).toMatch(/^Pending against muster: 1 pending of 1 interaction/);
    for (const statuses of [['failed'], ['pending'], []] as InteractionStatus[][]) {
      expect(verdictOf(...statuses)).not.toContain('0 passed');
    }
  });
});

describe('annotations for GitHub', () => {
  it("are relative to the runner's workspace, whatever folder the kit runs in", () => {
    const workspace = resolve('..');
    const expected = join(relative(workspace, resolve('.')), PACT).replaceAll('\\', '/');
    expect(writeGithub(reportOf('failed'), workspace)).toContain(`file=${expected},line=3`);
    expect(writeGithub(reportOf('failed'), resolve('.'))).toContain(`file=${PACT},line=3`);
  });

  it('keep the path of a file outside of the workspace, and without a workspace', () => {
    expect(writeGithub(reportOf('failed'), resolve('elsewhere'))).toContain(`file=${PACT},`);
    expect(writeGithub(reportOf('failed'))).toContain(`file=${PACT},`);
  });
});
