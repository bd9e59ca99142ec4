// The conformance suite against a running service; the suite itself runs on the Node.js of the repository.
import type { Target } from '@muster/conformance';
import { closeConnections, runCases, suite } from '@muster/conformance';
import { report } from '../setup/repository.mjs';

export type Tally = { passed: Set<string>; failed: string[]; total: number };

/** Cases that need a service with public histories, a checked issuer and a checked audience. */
const OF_OTHER_SETTINGS = ['Public histories', 'Credentials', 'Permissions'];

const nameOf = ({ section, title }: { section: string; title: string }) => `${section}: ${title}`;

export const createTally = (): Tally => ({ passed: new Set(), failed: [], total: suite.length });

/** A case that was skipped under one service counts when it passes under the other. */
export const runConformance = async (
  tally: Tally,
  target: Target,
  scope: 'all' | 'other settings',
): Promise<void> => {
  const cases = suite.filter(
    ({ section }) => scope === 'all' || OF_OTHER_SETTINGS.includes(section),
  );
  const results = await runCases(cases, target);
  closeConnections();
  for (const result of results) {
    if (result.outcome === 'passed') tally.passed.add(nameOf(result));
    if (result.outcome !== 'failed') continue;
    tally.failed.push(nameOf(result));
    report(`FAIL ${nameOf(result)}\n${result.detail?.slice(0, 2_000)}`);
  }
};

/** Sentences about what is not proven; none when everything is. */
export const listUnproven = ({ passed, failed }: Tally): string[] => [
  ...failed.map((name) => `conformance failed: ${name}`),
  ...suite
    .map(nameOf)
    .filter((name) => !passed.has(name) && !failed.includes(name))
    .map((name) => `conformance never ran: ${name}`),
];
