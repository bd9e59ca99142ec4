// What requests use up, made anew: sessions with seats, keys, invitations, people, records at their first version.
import type { AdminCaller } from '../admin-caller.ts';
import type { TestService } from '../start-test-service.ts';
import { fillRecord, idOf, mutate, nameOf, PLAYERS, SANDBOXES } from './fill-world.ts';

export type Renewed = {
  /** Session ids, which are also those of their platform sessions. */
  sessions: string[];
  records: string[];
  serviceAccountIds: string[];
  keyIds: string[];
  tokens: string[];
  personIds: string[];
  /** Of nobody yet. */
  emails: string[];
};

type World = { service: TestService; admin: AdminCaller; round: number };

const COPIES = [1, 2, 3];
/** Passwords are slow. */
const PEOPLE = 2;

export const renewWorld = async ({ service, admin, round }: World): Promise<Renewed> => {
  const renewed: Renewed = {
    ...{ sessions: [], records: [], keyIds: [], tokens: [], personIds: [], emails: [] },
    serviceAccountIds: [],
  };
  await openSandboxes(admin);
  for (const copy of COPIES) {
    const name = `${round}-${copy}`;
    const account = await makeAccount(admin, `Bot ${name}`);
    renewed.serviceAccountIds.push(account);
    renewed.sessions.push(await makeSession(admin, `c2Vzc2lvb${round}${copy}`));
    renewed.keyIds.push(await makeKey(admin, account));
    renewed.tokens.push(await invite(admin, `guest-${name}@muster.example`));
    if (copy <= PEOPLE) {
      renewed.personIds.push((await service.createPerson({ role: 'viewer' })).accountId);
    }
    renewed.emails.push(`nobody-${name}@muster.example`);
    const record = idOf('1e', 1_000 + round * COPIES.length + copy);
    for (const sandbox of SANDBOXES.slice(0, copy)) await fillRecord(admin, sandbox, record);
    renewed.records.push(record);
  }
  return renewed;
};

/** Requests may have protected or renamed them. */
const openSandboxes = async (admin: AdminCaller): Promise<void> => {
  for (const sandbox_id of SANDBOXES) {
    const { data } = await admin.query<{ name: string }>('sandboxes.get', { sandbox_id });
    const as = { name: nameOf(sandbox_id), protected: sandbox_id === SANDBOXES[2] };
    const confirm_sandbox_name = data.name;
    await mutate(admin, 'sandboxes.update', { sandbox_id, ...as, confirm_sandbox_name });
  }
};

const makeAccount = async (admin: AdminCaller, name: string): Promise<string> =>
  (await mutate<{ account_id: string }>(admin, 'keys.createAccount', { name })).account_id;

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
      ...{ player_uuid, platform: 'Steam', platform_session_id_base64: id },
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
