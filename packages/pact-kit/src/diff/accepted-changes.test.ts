import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildOpenApi } from '@muster/contract/openapi';
import { expect, it, onTestFinished } from 'vitest';
import { runKit } from '../../test/run-kit.ts';

const NAME =
  'GET /v1/history/sandbox/{sandbox_id}/xp/ api path removed without deprecation (api-path-removed-without-deprecation)';
const REASON = 'No client has ever used it.';

/** The paths of two contracts, of which the new one has lost a path. */
const writeContracts = (accepted?: object | string) => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-diff-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const old = structuredClone(buildOpenApi({ version: '3.1.0' }));
  const paths = Object.fromEntries(
    Object.entries(old.paths ?? {}).filter(([path]) => !path.endsWith('/xp/')),
  );
  const files = { 'openapi.json': old, 'new.json': { ...old, paths } };
  for (const [name, document] of Object.entries(files)) {
    writeFileSync(join(folder, name), JSON.stringify(document));
  }
  if (accepted) writeFileSync(join(folder, 'accepted-changes.json'), JSON.stringify(accepted));
  return {
    diff: (...args: string[]) =>
      runKit(['diff', join(folder, 'openapi.json'), join(folder, 'new.json'), ...args]),
    path: (name: string) => join(folder, name),
  };
};

it('ends with 1 for a breaking change that is not accepted', async () => {
  const { diff } = writeContracts();
  const { code, out } = await diff();
  expect(out).toContain(`error  ${NAME}`);
  expect(code).toBe(1);
});

it('ends with 0 when each change is accepted beside the old contract, with its reason', async () => {
  const { diff } = writeContracts([{ change: NAME, reason: REASON }]);
  const { code, out } = await diff();
  expect(out).toContain(`accepted  ${NAME}\n  ${REASON}`);
  expect(out).toContain('Breaking changes: 0.');
  expect(code).toBe(0);
  const json = JSON.parse((await diff('--format', 'json')).out);
  expect(json.changes[0].accepted).toBe(REASON);
});

it('reads the file of --accepted and names accepted changes that were not made', async () => {
  const { diff, path } = writeContracts();
  writeFileSync(path('ours.json'), JSON.stringify([{ change: 'GET /gone', reason: REASON }]));
  const { code, err } = await diff('--accepted', path('ours.json'));
  expect(err).toContain('The list accepts a change that was not made: GET /gone');
  expect(code).toBe(1);
});

it('refuses accepted changes without a reason', async () => {
  const { diff } = writeContracts([{ change: NAME, reason: ' ' }]);
  const { code, err } = await diff();
  expect(err).toContain('a JSON list of {"change": …, "reason": …}');
  expect(code).toBe(2);
});

it('accepts what the project has accepted since its release', async () => {
  const contracts = new URL('../../../../contracts/', import.meta.url).pathname;
  const { code } = await runKit([
    'diff',
    `${contracts}released/0.1.0/openapi.json`,
    `${contracts}openapi.json`,
  ]);
  expect(code).toBe(0);
});
