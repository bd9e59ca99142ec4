import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildOpenApi } from '@muster/contract/openapi';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listCorrectPacts } from '../../test/mutations/index.ts';
import { inside } from '../../test/mutations/mutation.ts';
import { readPact } from '../pact-files/read-pact.ts';
import { diffContracts, loadContract } from './diff-contracts.ts';

const JOIN =
  '/session/v1/platform/{platform}/platform-session/{platform_session_id_base64}/player/{player_uuid}';
const ITEMS = '/v1/history/sandbox/{sandbox_id}/item/';

const PACTS = listCorrectPacts().flatMap(({ name, pact }) => {
  const read = readPact(JSON.stringify(pact), name);
  return read.pact ? [read.pact] : [];
});

const contract = () => structuredClone(buildOpenApi({ version: '3.1.0' }));

/** What the change breaks: the ids of oasdiff, each with the descriptions of the interactions. */
const diffAfter = async (change: (document: ReturnType<typeof contract>) => void) => {
  const after = contract();
  change(after);
  const { changes, unexplained } = await diffContracts(contract(), after, PACTS);
  return {
    changes: changes
      .filter(({ severity, breaks }) => severity === 'error' || breaks.length > 0)
      .map(({ id, breaks }) => [id, breaks.map(({ interaction }) => interaction.description)]),
    unexplained: unexplained.map(({ interaction }) => interaction.description),
  };
};

describe('diffContracts', () => {
  it('finds nothing between a contract and itself', async () => {
    expect(await diffContracts(contract(), contract(), PACTS)).toEqual({
      changes: [],
      broken: [],
      unexplained: [],
    });
  });

  it('names those who expect a status that is removed', async () => {
    const diff = await diffAfter((document) => {
      delete inside(document.paths, JOIN, 'post', 'responses')['409'];
    });
    expect(diff).toEqual({
      changes: [
        ['response-non-success-status-removed', ['a join of a full team', 'a join too late']],
      ],
      unexplained: [],
    });
  });

  it('names those who send a request that a new required field refuses', async () => {
    const diff = await diffAfter((document) => {
      const request = inside(document.components, 'schemas', 'JoinRequest');
      request.required = [...(request.required as string[]), 'custom_data'];
    });
    const [[id, interactions] = []] = diff.changes;
    expect(id).toBe('request-property-became-required');
    expect(interactions).toContain('a join');
    expect(interactions).not.toContain('a join that states everything');
    expect(diff.unexplained).toEqual([]);
  });

  it('names those who send a query parameter that is removed', async () => {
    const diff = await diffAfter((document) => {
      const operation = inside(document.paths, ITEMS, 'get');
      operation.parameters = (operation.parameters as { name: string }[]).filter(
        ({ name }) => name !== 'sort_order',
      );
    });
    expect(diff).toEqual({
      changes: [['request-parameter-removed', ['the first page of some Items']]],
      unexplained: [],
    });
  });

  it('names those who rely on a field that is removed', async () => {
    const diff = await diffAfter((document) => {
      delete inside(document.components, 'schemas', 'Session', 'properties').region_id;
    });
    expect(diff.changes).toEqual([
      ['response-optional-property-removed', ['a join that states everything']],
    ]);
  });

  it('names every consumer whose path is removed', async () => {
    const diff = await diffAfter((document) => {
      delete inside(document.paths)['/v1/history/sandbox/{sandbox_id}/xp/'];
    });
    expect(diff).toEqual({
      changes: [
        [
          'api-path-removed-without-deprecation',
          ['the versions of Xp tables', 'no xp versions', 'a read with an expired token'],
        ],
      ],
      unexplained: [],
    });
  });
});

describe('loadContract', () => {
  const write = (text: string): string => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-contract-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'contract.yaml');
    writeFileSync(file, text);
    return file;
  };

  it('reads JSON and YAML', async () => {
    expect(await loadContract(write('openapi: 3.1.0\npaths: {}\n'))).toEqual({
      openapi: '3.1.0',
      paths: {},
    });
    expect(await loadContract(write('{"openapi": "3.1.0", "paths": {}}'))).toMatchObject({});
  });

  it.each([
    ['openapi: 3.1.0\npaths: {a: [}\n', /contract\.yaml:2: .*neither valid JSON nor YAML/],
    ['{"consumer": {}}', /not an OpenAPI document/],
    ['openapi: 3.1.0\n', /has no paths/],
  ])('says in one sentence what is wrong with %j', async (text, sentence) => {
    const error = await loadContract(write(text)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'Problem', message: expect.stringMatching(sentence) });
    expect(String(error)).not.toContain('\n');
  });

  it('says that a file is not there', async () => {
    await expect(loadContract('nowhere.json')).rejects.toThrow('there is no such file');
  });
});
