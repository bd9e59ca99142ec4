import { buildOpenApi } from '@muster/contract/openapi';
import { expect, test } from 'vitest';
import { createDemoSandboxes } from '../../cli/demo/demo-catalogue.ts';
import { SAMPLE_PLAYER } from '../../cli/demo/demo-players.ts';

type Parameter = { name: string; example?: string };

const listExamples = (): Record<string, string> => {
  const operations = Object.values(buildOpenApi({ version: '3.1.0' }).paths ?? {}).flatMap((item) =>
    Object.values(item as Record<string, { parameters: Parameter[] }>),
  );
  const parameters = operations.flatMap((operation) => operation.parameters);
  return Object.fromEntries(parameters.map(({ name, example }) => [name, example ?? '']));
};

test('the examples in the documents are ids of the demo data, so that they can be tried', () => {
  const [sandbox] = createDemoSandboxes(new Date());
  expect(listExamples()).toMatchObject({
    sandbox_id: sandbox?.sandboxId,
    platform: SAMPLE_PLAYER.platform,
    player_uuid: SAMPLE_PLAYER.playerUuid,
    platform_session_id_base64: Buffer.from('muster-demo-welcome').toString('base64url'),
  });
});
