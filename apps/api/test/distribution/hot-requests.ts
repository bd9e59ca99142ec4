// The frequent requests of games and editors. Their statements must scale with the nodes.
import { randomUUID } from 'node:crypto';
import { createAdminCaller } from '../admin-caller.ts';
import { asPlayer, seatPath, sessionPath } from '../companion-client.ts';
import type { TestService } from '../test-service.ts';

export const makeHotRequests = async (service: TestService): Promise<void> => {
  const { authorization = '' } = await service.headers();
  const admin = createAdminCaller(service.baseUrl, { authorization });
  const mutate = async <Data = { item_id: string }>(procedure: string, input: object) => {
    const { status, data, code } = await admin.mutate<Data>(procedure, input);
    if (status !== 200) throw new Error(`${procedure} answered ${status} ${code}`);
    return data;
  };
  await playSession(service, mutate);
  await editCatalogue(service, mutate);
};

type Mutate = <Data = { item_id: string }>(procedure: string, input: object) => Promise<Data>;

const playSession = async (service: TestService, mutate: Mutate): Promise<void> => {
  const name = { type: 'hot', session_id: randomUUID() };
  const lobby = { platform: 'Steam', platform_session_type: 'lobby' };
  await mutate('sessions.create', {
    ...name,
    teams: [{ max_size: 2 }, { max_size: 1 }],
    platform_session: [{ ...lobby, platform_session_id_base64: name.session_id }],
  });
  const [first, second, third, fourth] = [1, 2, 3, 4].map(() => randomUUID());
  await mutate('players.register', { player_uuid: first, player_id: 7, display_name: 'First' });
  const join = (player?: string) => joinOver(service, name.session_id, player);
  await expectStatus(200, join(first));
  await expectStatus(200, join(second));
  await expectStatus(200, join(first));
  await expectStatus(409, join(third));
  await expectStatus(200, joinOver(service, name.session_id, second, 8));
  await mutate('sessions.setPresence', { ...name, player_uuid: first, present: false });
  await expectStatus(200, join(first));
  await mutate('sessions.invitePlayer', {
    ...name,
    player_uuid: fourth,
    team_id: 1,
    status: 'invited',
  });
  await mutate('sessions.removePlayer', { ...name, player_uuid: fourth });
  await expectStatus(200, askAsPlayer(service, 'GET', sessionPath(name), second));
  await expectStatus(204, askAsPlayer(service, 'DELETE', seatPath(name, second ?? ''), second));
  await mutate('sessions.update', { ...name, joinable: false });
  await mutate('sessions.addPlatformSession', {
    ...name,
    ...lobby,
    platform_session_id_base64: randomUUID(),
  });
  await mutate('sessions.removePlatformSession', {
    ...name,
    platform: 'Steam',
    platform_session_id_base64: name.session_id,
  });
  await mutate('sessions.end', name);
};

const askAsPlayer = async (
  service: TestService,
  method: string,
  path: string,
  player = '',
): Promise<number> => {
  const headers = await service.headers(asPlayer(player));
  const answer = await fetch(service.baseUrl + path, { method, headers });
  await answer.arrayBuffer();
  return answer.status;
};

/** By the player, whose first join registers the player; with a legacy id, by a backend that records it. */
const joinOver = async (
  service: TestService,
  id: string,
  player = '',
  playerId?: number,
): Promise<number> => {
  const path = `/session/v1/platform/Steam/platform-session/${id}/player/${player}`;
  const query = playerId === undefined ? '' : `?player_id=${playerId}`;
  const body = JSON.stringify({
    client_version: '1.0.0',
    team_id: 0,
    client_settings: { platform: 'Steam', input: 'gamepad' },
  });
  const permissions = ['session:update-player:self'];
  const headers = await service.headers(query ? {} : { sub: player, permissions });
  const answer = await fetch(service.baseUrl + path + query, { method: 'POST', headers, body });
  await answer.arrayBuffer();
  return answer.status;
};

const expectStatus = async (expected: number, asking: Promise<number>): Promise<void> => {
  const status = await asking;
  if (status !== expected) throw new Error(`Expected ${expected}, got ${status}.`);
};

const editCatalogue = async (service: TestService, mutate: Mutate): Promise<void> => {
  const { sandbox_id } = await mutate<{ sandbox_id: string }>('sandboxes.create', { name: 'Hot' });
  const made = { sandbox_id, name: 'Sword', item_type: 'unit' };
  const { item_id } = await mutate('items.create', { ...made, legacy_item_id: 7 });
  const edit = { sandbox_id, item_id };
  await mutate('items.update', { ...edit, expected_version: 1, name: 'Blade' });
  await mutate('items.delete', { ...edit, expected_version: 2 });
  const { headers } = { headers: await service.headers() };
  const history = `${service.baseUrl}/v1/history/sandbox/${sandbox_id}/item/`;
  const read = async (query: object): Promise<Page> => {
    const url = `${history}?${new URLSearchParams({ page_size: '1', ...query })}`;
    const answer = await fetch(url, { headers });
    if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
    return (await answer.json()) as Page;
  };
  for (const filter of [{}, { item_ids: item_id }, { legacy_item_ids: '7' }, { name: 'swo' }]) {
    const { page_meta } = await read(filter);
    await read({ ...filter, cursor: page_meta.cursor ?? '' });
  }
  const { transactions } = await read({ page_size: '3' });
  const [, , { version_id } = { version_id: '' }] = transactions;
  await mutate('items.restore', { ...edit, expected_version: 3, version_id });
  const operations = [{ operation: 'create', name: 'Bow', item_type: 'unit' }];
  await mutate('items.bulk', { sandbox_id, operations });
};

type Page = { page_meta: { cursor?: string }; transactions: { version_id: string }[] };
