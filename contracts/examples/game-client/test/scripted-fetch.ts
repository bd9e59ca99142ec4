// Replays scripted responses of a service and a network in order; the last one is repeated.
import type { Fetch } from '@muster/client';
import { JOIN } from './requests.ts';

type Answer = () => Response | Promise<never>;

export type ScriptedFetch = { fetch: Fetch; sent: { team_id: number; token: string }[] };

export const playSteps = (...steps: [Answer, ...Answer[]]): ScriptedFetch => {
  const sent: ScriptedFetch['sent'] = [];
  const fetch: Fetch = async (_url, init) => {
    const { team_id } = JSON.parse(String(init?.body)) as { team_id: number };
    const token = new Headers(init?.headers).get('authorization') ?? '';
    sent.push({ team_id, token });
    const step = steps[sent.length - 1] ?? steps.at(-1);
    if (!step) throw new Error('There is at least one step.');
    return step();
  };
  return { fetch, sent };
};

export const seat =
  (etag = '"v1"', status: 'leader' | 'member' = 'member'): Answer =>
  () =>
    Response.json(
      { teams: [{ players: [{ player_uuid: JOIN.player_uuid, status }] }] },
      { headers: { etag } },
    );

export const refuse =
  (status: number, error_code: string, auth_success = true): Answer =>
  () =>
    Response.json(
      { auth_success, error_code, desc: 'A sentence.' },
      { status, headers: { 'x-request-id': 'r-1', ...(status === 409 && { 'retry-after': '2' }) } },
    );

export const loseAnswer: Answer = () => Promise.reject(new TypeError('The connection broke.'));
