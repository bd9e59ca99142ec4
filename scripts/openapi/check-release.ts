// Compares the contract with the newest released one; answers 1 when a breaking change is not announced.
import { readdirSync } from 'node:fs';
import { buildOpenApi } from '@muster/contract/openapi';
import { ROOT, readRepositoryFile } from './contract-files.ts';
import { findBreakingChanges } from './find-breaking-changes.ts';
import { findNewestVersion, judgeRelease } from './release-gate.ts';

const RELEASES = 'contracts/released';

const readJson = (path: string) => JSON.parse(readRepositoryFile(path) ?? 'null');

const findProblems = async (): Promise<string[]> => {
  const folders = readdirSync(`${ROOT}${RELEASES}`, { withFileTypes: true });
  const versions = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const released = findNewestVersion(versions);
  if (!released) return [`${RELEASES} holds no released contract to compare with.`];
  const document = readJson(`${RELEASES}/${released}/openapi.json`);
  if (document?.info?.version !== released) {
    return [`${RELEASES}/${released}/openapi.json is not the contract of version ${released}.`];
  }
  const contract = buildOpenApi({ version: '3.1.0' });
  const current: string = readJson('package.json').version;
  if (contract.info.version !== current) {
    return [`The contract is version ${contract.info.version}, the project ${current}.`];
  }
  const changes = await findBreakingChanges(document, contract);
  for (const change of changes) console.log(`  since ${released}: ${change}`);
  const changelog = readRepositoryFile('CHANGELOG.md') ?? '';
  return judgeRelease({ released, current, changes, changelog });
};

const problems = await findProblems();
for (const problem of problems) console.log(`  ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;
