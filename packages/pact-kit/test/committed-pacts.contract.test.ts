// The pacts of our own consumers: what they rely on must be kept by the service as it is now.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, inject, test } from 'vitest';
import { verify } from '../src/index.ts';

const FOLDER = fileURLToPath(new URL('../../../contracts/pacts/', import.meta.url));
const CONSUMERS = ['admin-web', 'game-client', 'history-mirror', 'muster-client'];

test('the service keeps every committed pact', async () => {
  const report = await verify({ pacts: [FOLDER], provider: inject('provider') });
  const broken = report.pacts.flatMap(({ interactions }) =>
    interactions.filter(({ status }) => status !== 'passed'),
  );
  expect({ broken, findings: report.findings }).toEqual({ broken: [], findings: [] });
  expect(report.pacts.map(({ consumer }) => consumer).toSorted()).toEqual(CONSUMERS);
});

test('every pact of the folder is named here, so that none is lost', () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual(CONSUMERS.map((name) => `${name}-muster.json`));
});
