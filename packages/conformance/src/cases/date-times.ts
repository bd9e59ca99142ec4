import assert from 'node:assert/strict';
import { creationTimesOf, expectAdminRefusal } from '../checks.ts';
import { join, newPlayer } from '../fixtures/joins.ts';
import { instanceInput, newSession, sessionType } from '../fixtures/sessions.ts';
import { inSection } from '../target/context.ts';

const prove = inSection('Date-times');

/** What is sent, and the instant that it means. */
const TAKEN: readonly (readonly [string, string | number, string])[] = [
  ['UTC', '2026-03-14T09:26:53Z', '2026-03-14T09:26:53.000Z'],
  ['an offset', '2026-03-14T11:26:53.5+02:00', '2026-03-14T09:26:53.500Z'],
  ['a negative offset', '2026-03-13T23:56:53-09:30', '2026-03-14T09:26:53.000Z'],
  ['Unix seconds', 1773480413, '2026-03-14T09:26:53.000Z'],
  ['decimal Unix seconds', 1773480413.589, '2026-03-14T09:26:53.589Z'],
  ['Unix zero', 0, '1970-01-01T00:00:00.000Z'],
];

const REFUSED = [
  '2026-03-14T09:26:53',
  '2026-03-14',
  '2026-03-14 09:26:53',
  '2026-02-30T00:00:00Z',
  '2026-03-14T25:00:00Z',
  'yesterday',
  '',
  true,
  {},
];

export const dateTimeCases = [
  ...TAKEN.map(([name, sent, instant]) =>
    prove(`created takes ${name} and is written as RFC 3339 UTC`, async (context) => {
      const session = await newSession(context, {
        created: sent,
        instance: instanceInput({ created: sent }),
        match: { match_id: 'm', created: sent },
        matchmaking_results: { match_making_id: 'm', created: sent },
      });
      const joined = await join(context, session, await newPlayer(context));
      for (const value of creationTimesOf(joined)) {
        assert.match(value ?? '', /Z$/);
        assert.equal(new Date(value ?? '').toISOString(), instant);
      }
    }),
  ),
  prove('a date-time without a zone, or that is none, is refused', async (context) => {
    const type = await sessionType(context);
    const teams = [{ max_size: 1 }];
    for (const created of REFUSED) {
      await expectAdminRefusal(context, 'sessions.create', { type, teams, created });
      const instance = instanceInput({ created });
      await expectAdminRefusal(context, 'sessions.create', { type, teams, instance });
    }
  }),
];
