// Correct pacts about joins that are refused: every status.
import type { CorrectPact } from './join-interaction.ts';
import { BACKEND, join, joinPath, refusal, session } from './join-interaction.ts';
import { like, regex } from './write-pact.ts';

export const REFUSED_JOINS: CorrectPact[] = [
  {
    name: 'join without a credential, 403',
    version: '4.0',
    interactions: [
      join(
        'a join without a credential',
        'am9pbi03',
        [session(), { name: 'the caller', params: { credential: 'missing' } }],
        refusal(403, 'auth_missing', { auth_success: false }),
      ),
    ],
  },
  {
    name: 'join without the permission, 403',
    version: '3.0.0',
    interactions: [
      join(
        'a join without the permission',
        'am9pbi04',
        [session(), { name: 'the caller', params: { permissions: ['session:view'] } }],
        refusal(403, 'insufficient_permissions', { auth_success: true }),
      ),
    ],
  },
  {
    name: 'join with an old client, 403',
    version: '4.0',
    interactions: [
      join(
        'a join with an old client',
        'am9pbi05',
        [session({ instance: { version: '2.0.0' } })],
        refusal(403, 'version_incompatible'),
      ),
    ],
  },
  {
    name: 'join of a session that is closed to strangers, 403',
    version: '3.0.0',
    interactions: [
      join(
        'a join without an invitation',
        'am9pbi06',
        [session({ joinable: false })],
        refusal(403, 'session_not_joinable'),
      ),
    ],
  },
  {
    name: 'join of no session, 404',
    version: '3.0.0',
    interactions: [
      join(
        'a join of a platform session that is gone',
        'bm90aGluZw',
        [{ name: 'no such platform session' }],
        refusal(404, 'platform_session_not_found'),
      ),
    ],
  },
  {
    name: 'join for an unknown player, 404',
    version: '4.0',
    interactions: [
      join(
        'a join on behalf of a stranger',
        'am9pbi07',
        [session(), { name: 'no such player' }, BACKEND],
        refusal(404, 'player_not_found'),
        { path: joinPath('am9pbi07', '99999999-2222-4333-8444-555555555599') },
      ),
    ],
  },
  {
    name: 'join of a full team, 409',
    version: '4.0',
    interactions: [
      join(
        'a join of a full team',
        'am9pbi08',
        [
          session({
            teams: [
              { team_id: 0, max_size: 1, players: 1 },
              { team_id: 1, max_size: 1 },
            ],
          }),
        ],
        {
          status: 409,
          headers: { 'Retry-After': '1' },
          body: { error_code: 'team_full', desc: 'Full.' },
          rules: { header: { 'Retry-After': regex('^\\d+$') }, body: { '$.desc': like } },
        },
      ),
    ],
  },
  {
    name: 'join of a closed instance, 409',
    version: '3.0.0',
    interactions: [
      join('a join too late', 'am9pbi09', [session({ instance: { join_status: 'closed' } })], {
        status: 409,
        headers: { 'Retry-After': '1' },
        body: { error_code: 'instance_closed' },
        rules: { header: { 'Retry-After': regex('^[0-9]+$') } },
      }),
    ],
  },
  {
    name: 'join without a client version, 422',
    version: '4.0',
    interactions: [
      join(
        'a join without a client version',
        'am9pbi10',
        [session()],
        {
          status: 422,
          body: {
            detail: [
              { loc: ['body', 'client_version'], msg: 'Required', type: 'value_error.missing' },
            ],
          },
          rules: { body: { '$.detail[0].msg': like } },
        },
        { body: { client_settings: { platform: 'Steam', input: 'gamepad' }, team_id: 0 } },
      ),
    ],
  },
];
