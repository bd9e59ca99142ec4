// The service that is fuzzed, with something of everything in its database, and the values by which requests can name it.

import type { AdminCaller } from '../admin-caller.ts';
import { createAdminCaller } from '../admin-caller.ts';
import type { SignedInPerson } from '../create-person.ts';
import type { TestService } from '../start-test-service.ts';
import { startTestService } from '../start-test-service.ts';
import { knownValues } from './known-values.ts';
import type { WriteWatch } from './write-watch.ts';
import { watchWrites } from './write-watch.ts';

export type FuzzWorld = {
  service: TestService;
  owner: SignedInPerson;
  authorization: string;
  watch: WriteWatch;
  /** By the name of the property: values that exist. */
  known: ReadonlyMap<string, readonly unknown[]>;
  close(): Promise<void>;
};

export const SANDBOXES = [
  '5a000000-0000-4000-8000-000000000001',
  '5a000000-0000-4000-8000-000000000002',
  '5a000000-0000-4000-8000-000000000003',
] as const;
const [MAIN, COPY, PROTECTED] = SANDBOXES;
const idOf = (kind: string, number: number): string =>
  `${kind.padEnd(8, '0')}-0000-4000-8000-${String(number).padStart(12, '0')}`;
export const PLAYERS = [1, 2, 3, 4].map((number) => idOf('b1', number));
export const RECORDS = [1, 2, 3, 4].map((number) => idOf('1e', number));
export const PLATFORM_SESSIONS = ['ZnV6ei0x', 'ZnV6ei0y', 'ZnV6ei0z'];

export const createFuzzWorld = async (): Promise<FuzzWorld> => {
  // Every case may come from an address of its own, so that sign-ins are not all refused for their number.
  const service = await startTestService({ env: { TRUST_PROXY: '1' } });
  const { authorization = '' } = await service.headers();
  const admin = createAdminCaller(service.baseUrl, { authorization });
  const owner = await service.createPerson({ role: 'owner' });
  const editor = await service.createPerson({ role: 'editor' });
  await fillCatalogue(admin);
  await fillSessions(admin);
  const made = await fillAccounts(admin);
  const known = await knownValues(admin, {
    ...made,
    accountIds: [owner.accountId, editor.accountId],
  });
  const watch = await watchWrites(service.databaseUrl);
  const close = async () => {
    await watch.close();
    await service.close();
  };
  return { service, owner, authorization, watch, known, close };
};

/** Fails loudly: a world that is half empty would be fuzzed without any depth. */
const mutate = async <Data>(
  admin: AdminCaller,
  procedure: string,
  input: object,
): Promise<Data> => {
  const { status, data, code } = await admin.mutate<Data>(procedure, input);
  if (status !== 200) throw new Error(`${procedure} answered ${status} ${code}`);
  return data;
};

const fillCatalogue = async (admin: AdminCaller): Promise<void> => {
  for (const sandbox_id of SANDBOXES) {
    await mutate(admin, 'sandboxes.create', { sandbox_id, name: `Sandbox ${sandbox_id.at(-1)}` });
  }
  for (const [index, item_id] of RECORDS.entries()) {
    for (const sandbox_id of index % 2 === 0 ? [MAIN, COPY] : [MAIN, PROTECTED]) {
      const item = { sandbox_id, item_id, legacy_item_id: index + 1, item_type: 'unit' };
      await mutate(admin, 'items.create', { ...item, name: `Iron Sword ${index}` });
      const xp = { sandbox_id, xp_id: item_id, name: `Curve ${index}` };
      await mutate(admin, 'xp.create', { ...xp, xp_thresholds: [{ level: 1, xp: 10 }] });
    }
  }
  const edit = { sandbox_id: MAIN, item_id: RECORDS[0], expected_version: 1 };
  await mutate(admin, 'items.update', { ...edit, name: 'Größe' });
  await mutate(admin, 'sandboxes.update', { sandbox_id: PROTECTED, protected: true });
};

const fillSessions = async (admin: AdminCaller): Promise<void> => {
  for (const [index, player_uuid] of PLAYERS.entries()) {
    await mutate(admin, 'players.register', {
      player_uuid,
      player_id: index + 1,
      display_name: 'P',
    });
  }
  const teams = [
    { team_id: 0, max_size: 100 },
    { team_id: 1, max_size: 100 },
  ];
  for (const id of PLATFORM_SESSIONS) {
    const child = {
      platform: 'Steam',
      platform_session_type: 'lobby',
      platform_session_id_base64: id,
    };
    const session = { type: 'duel', session_id: id, teams, platform_session: [child] };
    await mutate(admin, 'sessions.create', session);
  }
  await mutate(admin, 'sessionTypes.upsert', { type: 'duel', version_match: 'none' });
};

const fillAccounts = async (admin: AdminCaller) => {
  const account = await mutate<{ account_id: string }>(admin, 'keys.createAccount', {
    name: 'Bot',
  });
  const key = { ...account, name: 'k', permissions: ['session:view'] };
  const { key_id } = await mutate<{ key_id: string }>(admin, 'keys.create', key);
  const guest = { email: 'guest@muster.example', role: 'viewer' };
  const { url } = await mutate<{ url: string }>(admin, 'people.invite', guest);
  return {
    serviceAccountId: account.account_id,
    keyId: key_id,
    token: url.split('#token=')[1] ?? '',
  };
};
