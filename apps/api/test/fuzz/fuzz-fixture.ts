// The fuzzed service, with a database that has objects of every kind, and the values by which requests can refer to
// them.

import { randomUUID } from 'node:crypto';
import { ISSUER_PROVIDER } from '../../src/auth/identities.ts';
import type { AdminCaller } from '../admin-caller.ts';
import { createAdminCaller } from '../admin-caller.ts';
import type { SignedInPerson, TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';
import type { Renewed } from './known-values.ts';
import { idOf, knownValues, PLAYERS, SANDBOXES, SPARE_TYPE } from './known-values.ts';
import { closeWire } from './wire-request.ts';
import type { WriteObserver } from './write-observer.ts';
import { observeWrites } from './write-observer.ts';

export type FuzzFixture = {
  service: TestService;
  owner: SignedInPerson;
  authorization: string;
  watch: WriteObserver;
  /** Existing values by the name of the property. */
  known(property: string): readonly unknown[] | undefined;
  /** Recreates objects that requests consume: seats, keys, invitations, records. */
  renew(): Promise<void>;
  close(): Promise<void>;
};

export const createFuzzFixture = async (): Promise<FuzzFixture> => {
  // Every request has its own address, so that sign-ins are not all refused by the rate limit.
  const service = await startTestService({
    env: { TRUST_PROXY: '1', MAX_WAITING_WATCHES: '0' },
  });
  const { authorization = '' } = await service.headers();
  const admin = createAdminCaller(service.baseUrl, { authorization });
  const owner = await service.createPerson({ role: 'owner' });
  await fillPlayers(admin);
  await fillCatalogue(admin);
  const watch = await observeWrites(service.databaseUrl);
  let round = 0;
  let known = new Map<string, readonly unknown[]>();
  const renew = async () => {
    round += 1;
    known = await knownValues(admin, await renewFixture({ service, admin, round }));
    await watch.look();
  };
  await renew();
  return {
    service,
    owner,
    authorization,
    watch,
    renew,
    known: (property) => known.get(property),
    close: async () => {
      closeWire();
      await watch.close();
      await service.close();
    },
  };
};
const [MAIN, COPY, PROTECTED] = SANDBOXES;

const nameOf = (sandboxId: string): string => `Sandbox ${sandboxId.at(-1)}`;
const RECORDS = [1, 2, 3, 4].map((number) => idOf('1e', number));

/** Fails loudly, since fuzzing an incomplete fixture would test little. */
const mutate = async <Data>(
  admin: AdminCaller,
  procedure: string,
  input: object,
): Promise<Data> => {
  const { status, data, code } = await admin.mutate<Data>(procedure, input);
  if (status !== 200) throw new Error(`${procedure} answered ${status} ${code}`);
  return data;
};

const fillPlayers = async (admin: AdminCaller): Promise<void> => {
  for (const [index, player_uuid] of PLAYERS.entries()) {
    const names = { player_id: index + 1, display_name: 'P' };
    await mutate(admin, 'players.register', { player_uuid, ...names });
  }
  await mutate(admin, 'sessionTypes.upsert', { type: 'duel', version_match: 'none' });
};

const fillCatalogue = async (admin: AdminCaller): Promise<void> => {
  for (const sandbox_id of SANDBOXES) {
    await mutate(admin, 'sandboxes.create', { sandbox_id, name: nameOf(sandbox_id) });
  }
  for (const [index, id] of RECORDS.entries()) {
    await fillRecord(admin, MAIN, id);
    await fillRecord(admin, index % 2 === 0 ? COPY : PROTECTED, id);
  }
  const edit = { sandbox_id: MAIN, item_id: RECORDS[0], expected_version: 1 };
  await mutate(admin, 'items.update', { ...edit, name: 'Größe' });
};

/** An Item and an Xp table with the same id. */
const fillRecord = async (admin: AdminCaller, sandbox_id: string, id: string): Promise<void> => {
  const name = `Iron ${id}`;
  await mutate(admin, 'items.create', { sandbox_id, item_id: id, item_type: 'unit', name });
  const xp_thresholds = [{ level: 1, xp: 10 }];
  await mutate(admin, 'xp.create', { sandbox_id, xp_id: id, name, xp_thresholds });
};

type Fixture = { service: TestService; admin: AdminCaller; round: number };

const COPIES = [1, 2, 3];
/** Passwords are slow. */
const PEOPLE = 2;

const renewFixture = async ({ service, admin, round }: Fixture): Promise<Renewed> => {
  const renewed: Renewed = {
    sessions: [],
    endedSessions: [],
    records: [],
    keyIds: [],
    webhookIds: [],
    tokens: [],
    personIds: [],
    identityIds: [],
    deletedSandboxes: [await makeDeletedSandbox(admin)],
    emails: [],
    serviceAccountIds: [],
  };
  await openSandboxes(admin);
  await mutate(admin, 'sessionTypes.upsert', { type: SPARE_TYPE });
  for (const copy of COPIES) {
    const name = `${round}-${copy}`;
    const account = await makeAccount(admin, `Bot ${name}`);
    renewed.serviceAccountIds.push(account);
    renewed.sessions.push(await makeSession(admin, `c2Vzc2lvb${round}${copy}`));
    const session_id = await makeSession(admin, `ZW5kZWQ${round}${copy}`);
    await mutate(admin, 'sessions.end', { type: 'duel', session_id });
    renewed.endedSessions.push(session_id);
    renewed.keyIds.push(await makeKey(admin, account));
    renewed.webhookIds.push(await makeWebhook(admin));
    renewed.tokens.push(await invite(admin, `guest-${name}@muster.example`));
    if (copy <= PEOPLE) {
      const { accountId } = await service.createPerson({ role: 'viewer' });
      renewed.personIds.push(accountId);
      renewed.identityIds.push(await linkIdentity(service, accountId));
    }
    renewed.emails.push(`nobody-${name}@muster.example`);
    const record = idOf('1e', 1_000 + round * COPIES.length + copy);
    for (const sandbox of SANDBOXES.slice(0, copy)) await fillRecord(admin, sandbox, record);
    renewed.records.push(record);
    const title = `Season ${name}`;
    const set = {
      sandbox_id: MAIN,
      title,
      change_set_id: idOf('5e', round * COPIES.length + copy),
    };
    await mutate(admin, 'changeSets.create', set);
    // Refused when there are a hundred.
    const view = { sandbox_id: MAIN, kind: 'item', name: title, search: '?name=a' };
    await admin.mutate('views.create', view);
  }
  return renewed;
};

/** Requests may have deleted, archived, protected or renamed them. */
const openSandboxes = async (admin: AdminCaller): Promise<void> => {
  for (const sandbox_id of SANDBOXES) {
    // Refused when there is nothing to revert.
    await admin.mutate('sandboxes.restore', { sandbox_id });
    await admin.mutate('sandboxes.unarchive', { sandbox_id });
    const { data } = await admin.query<{ name: string }>('sandboxes.get', { sandbox_id });
    const as = {
      name: nameOf(sandbox_id),
      protected: sandbox_id === SANDBOXES[2],
      required_approvals: 0,
    };
    const confirm_sandbox_name = data.name;
    await mutate(admin, 'sandboxes.update', { sandbox_id, ...as, confirm_sandbox_name });
    await clearSchemas(admin, sandbox_id);
  }
};

const makeDeletedSandbox = async (admin: AdminCaller): Promise<string> => {
  const name = nameOf(MAIN);
  const { sandbox_id } = await mutate<{ sandbox_id: string }>(admin, 'sandboxes.create', { name });
  await mutate(admin, 'sandboxes.delete', { sandbox_id, confirm_sandbox_name: name });
  return sandbox_id;
};

const makeWebhook = async (admin: AdminCaller): Promise<string> => {
  const input = { url: 'https://hooks.example/', kinds: ['session_ended'] };
  const { code, data } = await admin.mutate<{ webhook_id: string }>('webhooks.create', input);
  // Requests may have made as many as there can be.
  return code === undefined ? data.webhook_id : '';
};

const makeAccount = async (admin: AdminCaller, name: string): Promise<string> =>
  (await mutate<{ account_id: string }>(admin, 'keys.createAccount', { name })).account_id;

/** A single sign-on identity, as a sign-in through an issuer would link it. */
const linkIdentity = async ({ database }: TestService, userId: string): Promise<string> => {
  const identity = { issuer: 'https://issuer.example', providerId: ISSUER_PROVIDER };
  const id = randomUUID();
  await database.prisma.accountLogin.create({ data: { id, userId, accountId: id, ...identity } });
  return id;
};

const makeSession = async (admin: AdminCaller, id: string): Promise<string> => {
  const teams = [0, 1].map((team_id) => ({ team_id, max_size: 100 }));
  const child = { platform_session_type: 'lobby', platform_session_id_base64: id };
  const name = { type: 'duel', session_id: id };
  const platform_session = [{ platform: 'Steam', ...child }];
  const instance = { instance_id: 'i', host_type: 'dedicated', join_status: 'joinable' };
  await mutate(admin, 'sessions.create', { ...name, teams, platform_session, instance });
  for (const player_uuid of PLAYERS.slice(0, 2)) {
    const join = { client_version: '1.0.0', team_id: 0 };
    const client_settings = { platform: 'Steam', input: 'gamepad' };
    await mutate(admin, 'sessions.tryJoin', {
      player_uuid,
      platform: 'Steam',
      platform_session_id_base64: id,
      body: { ...join, client_settings },
    });
  }
  return id;
};

const makeKey = async (admin: AdminCaller, account_id: string): Promise<string> => {
  const key = { account_id, name: 'k', permissions: ['session:view'] };
  return (await mutate<{ key_id: string }>(admin, 'keys.create', key)).key_id;
};

const invite = async (admin: AdminCaller, email: string): Promise<string> => {
  const { url } = await mutate<{ url: string }>(admin, 'people.invite', { email, role: 'viewer' });
  return url.split('#token=')[1] ?? '';
};

/** They would refuse the new records. */
const clearSchemas = async (admin: AdminCaller, sandbox_id: string): Promise<void> => {
  type Schemas = { schemas: { item_type: string; version: number }[] };
  const { data } = await admin.query<Schemas>('itemSchemas.list', { sandbox_id });
  for (const { item_type, version } of data.schemas) {
    const place = { sandbox_id, item_type, expected_version: version };
    await mutate(admin, 'itemSchemas.set', { ...place, fields: [] });
  }
};
