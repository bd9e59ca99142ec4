import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, it } from 'vitest';
import { runKit } from './run-kit.ts';
import { temporaryFolder, writePacts } from './verify-for-test.ts';

const { url, secret } = inject('provider');
const FOLDER = fileURLToPath(new URL('libraries/', import.meta.url));

const verify = (...files: string[]) =>
  runKit(['verify', ...files, '--provider-url', url, '--secret', secret]);

describe('pacts that other libraries have written', () => {
  it.each(readdirSync(FOLDER))('are verified without a finding: %s', async (name) => {
    const { code, out } = await verify(`${FOLDER}${name}`);
    expect(out).not.toMatch(/error|warning/);
    expect(out).toMatch(/^Verified/m);
    expect(code).toBe(0);
  });
});

type Json = Record<string, unknown>;

/** The fixture with another generator for the team of its join, or another minimum for the ids in its query. */
const verifyWith = async (change: (interactions: Json[]) => void) => {
  const pact = JSON.parse(readFileSync(`${FOLDER}pact-python.json`, 'utf8'));
  change(pact.interactions);
  return verify(...writePacts(temporaryFolder(), [pact]));
};

const requestOf = (interactions: Json[], description: string): Json =>
  interactions.find((one) => one.description === description)?.request as Json;

describe('a value that the verifier generates for a request', () => {
  it('is compared with the contract in place of the example', async () => {
    const { code, out } = await verifyWith((interactions) => {
      const request = requestOf(interactions, 'a join of a team');
      request.generators = { body: { '$.team_id': { type: 'RandomInt', min: -1, max: 0 } } };
    });
    expect(out).toContain('The request body $.team_id is -1, which is less than 0');
    expect(code).toBe(1);
  });

  it('is compared with the contract in a query', async () => {
    const { out } = await verifyWith((interactions) => {
      const request = requestOf(interactions, 'a page of Items by an id');
      request.query = { page_size: [''] };
      request.generators = { query: { page_size: { type: 'RandomInt', min: 0, max: 10 } } };
      request.matchingRules = { query: { page_size: { matchers: [{ match: 'integer' }] } } };
    });
    expect(out).toContain('The query parameter page_size is 0, which is less than 1');
  });
});
