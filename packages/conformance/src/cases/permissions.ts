import { randomUUID } from 'node:crypto';
import { expectRefusal, expectSession } from '../checks.ts';
import type { Kind } from '../fixtures/catalogue.ts';
import { ITEM, KINDS } from '../fixtures/catalogue.ts';
import { expectPage, tryHistory } from '../fixtures/histories.ts';
import { newPlayer, randomLetteredUuid, tryJoin } from '../fixtures/joins.ts';
import { newSession } from '../fixtures/sessions.ts';
import type { Context } from '../target/context.ts';
import { bearer, inSection } from '../target/context.ts';
import type { Answer } from '../target/send-request.ts';

const prove = inSection('Permissions');

/** A join for a known player with a token of another user, which has these claims. */
const joinForOther = async (context: Context, claims: Record<string, unknown>): Promise<Answer> => {
  const token = await context.mint({ sub: randomUUID(), ...claims });
  return tryJoin(context, await newSession(context), await newPlayer(context), { token });
};

const joinForSelf = async (context: Context, claims: Record<string, unknown>): Promise<Answer> => {
  const player = randomUUID();
  const token = await context.mint({ sub: player, ...claims });
  return tryJoin(context, await newSession(context), player, { token });
};

const history = async (
  context: Context,
  permissions: readonly string[],
  sandboxId: string = randomUUID(),
  kind: Kind = ITEM,
): Promise<Answer> => {
  const token = await context.mint({ sub: randomUUID(), permissions });
  return tryHistory(context, { kind, sandboxId }, {}, bearer(token));
};

const FOR_ANY = ['session:*', 'session:update-player:any', '*', 'session:update-player:*'];
const FOR_HISTORY = [
  'sandbox:config:view',
  'sandbox:config:edit',
  'sandbox:*',
  'sandbox:config:*',
  '*',
];
const NEITHER = [
  'session:view',
  'player:*',
  'sandbox:*',
  'session',
  'session:update-player',
  'x:y',
];

export const permissionCases = [
  ...FOR_ANY.map((permission) =>
    prove(`${permission} may act for any player`, async (context) => {
      expectSession(await joinForOther(context, { permissions: [permission] }));
    }),
  ),
  ...[...FOR_ANY, 'session:update-player:self'].map((permission) =>
    prove(`${permission} may act for oneself`, async (context) => {
      expectSession(await joinForSelf(context, { permissions: [permission] }));
    }),
  ),
  prove('session:update-player:self may not act for another player', async (context) => {
    const answer = await joinForOther(context, { permissions: ['session:update-player:self'] });
    expectRefusal(answer, 403, 'insufficient_permissions');
  }),
  prove(
    'a valid credential that lacks the permission is 403 with auth_success true',
    async (context) => {
      for (const permissions of [[], ...NEITHER.map((permission) => [permission])]) {
        for (const answer of [
          await joinForOther(context, { permissions }),
          await joinForSelf(context, { permissions }),
        ]) {
          expectRefusal(answer, 403, 'insufficient_permissions');
        }
      }
    },
  ),
  prove('a token without any permission claim lacks every permission', async (context) => {
    expectRefusal(await joinForSelf(context, {}), 403, 'insufficient_permissions');
  }),
  prove('subject and player are compared as lower-case UUIDs', async (context) => {
    const player = randomLetteredUuid();
    const permissions = ['session:update-player:self'];
    const session = await newSession(context);
    const upper = await context.mint({ sub: player.toUpperCase(), permissions });
    expectSession(await tryJoin(context, session, player, { token: upper }));
    const lower = await context.mint({ sub: player, permissions });
    expectSession(await tryJoin(context, session, player.toUpperCase(), { token: lower }));
  }),
  prove('permissions may come from scope, separated by spaces', async (context) => {
    expectSession(await joinForOther(context, { scope: 'openid session:update-player:any x' }));
    const answer = await joinForOther(context, { scope: 'openid profile' });
    expectRefusal(answer, 403, 'insufficient_permissions');
  }),
  prove('unknown permissions are ignored', async (context) => {
    const permissions = ['fly', '', ':', 'session:update-player:any', '*:*:*:x'];
    expectSession(await joinForOther(context, { permissions }));
  }),
  prove('a permission is no prefix of another without the star', async (context) => {
    for (const permission of ['session', 'session:', 'session:update-player:an', 'ses*:x']) {
      const answer = await joinForOther(context, { permissions: [permission] });
      expectRefusal(answer, 403, 'insufficient_permissions');
    }
  }),
  ...FOR_HISTORY.map((permission) =>
    prove(`${permission} may read both histories`, async (context) => {
      for (const kind of KINDS) {
        expectPage(await history(context, [permission], randomUUID(), kind));
      }
    }),
  ),
  prove('session and player permissions do not open the histories', async (context) => {
    context.requireHistoryAccess('authenticated');
    for (const permission of ['session:*', 'player:*', 'sandbox:config', 'config:view', '']) {
      for (const kind of KINDS) {
        const answer = await history(context, [permission], randomUUID(), kind);
        expectRefusal(answer, 403, 'insufficient_permissions');
      }
    }
  }),
  ...['config:view', 'config:edit', 'config:*', '*'].map((suffix) =>
    prove(`sandbox:<sandbox_id>:${suffix} opens that sandbox and no other`, async (context) => {
      const sandboxId = randomUUID();
      expectPage(await history(context, [`sandbox:${sandboxId}:${suffix}`], sandboxId));
      context.requireHistoryAccess('authenticated');
      const answer = await history(context, [`sandbox:${sandboxId}:${suffix}`]);
      expectRefusal(answer, 403, 'insufficient_permissions');
    }),
  ),
  prove('the sandbox of a narrowed permission has no case', async (context) => {
    const sandboxId = randomLetteredUuid();
    const upper = sandboxId.toUpperCase();
    expectPage(await history(context, [`sandbox:${upper}:config:view`], sandboxId));
    expectPage(await history(context, [`sandbox:${sandboxId}:config:view`], upper));
  }),
  prove(
    'a permission narrowed to a sandbox gives nothing outside of sandboxes',
    async (context) => {
      const answer = await joinForOther(context, { permissions: [`sandbox:${randomUUID()}:*`] });
      expectRefusal(answer, 403, 'insufficient_permissions');
    },
  ),
];
