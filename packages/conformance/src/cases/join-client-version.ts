import assert from 'node:assert/strict';
import { expectProblem, expectRefusal, seatOf } from '../checks.ts';
import { join, newPlayer, tryJoin } from '../fixtures/joins.ts';
import {
  changeSession,
  instanceInput,
  newScene,
  newSession,
  sessionType,
} from '../fixtures/sessions.ts';
import type { Context } from '../target/context.ts';
import { inSection } from '../target/context.ts';

const prove = inSection('Client versions');

const HUGE = '99999999999999999999';

const VALID = [
  '0.0.0',
  '1.2.3',
  '10.20.30',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-0.3.7',
  '1.0.0-x.7.z.92',
  '1.0.0--',
  '1.0.0+build.001',
  '1.0.0-beta+exp.sha.5114f85',
  `${HUGE}.${HUGE}.${HUGE}`,
];

const INVALID = [
  '',
  '1',
  '1.2',
  '1.2.3.4',
  'v1.2.3',
  '01.2.3',
  '1.02.3',
  '1.2.03',
  '1.2.3-',
  '1.2.3-01',
  '1.2.3-a..b',
  '1.2.3+',
  '1.2.3+a+b',
  ' 1.2.3',
  '1.2.3\n',
  '1.2.-3',
  '1.2.x',
  '１.2.3',
];

const sessionOf = async (context: Context, rule: string, version: string) =>
  newSession(context, {
    type: await sessionType(context, rule),
    instance: instanceInput({ version }),
  });

/** Rule, the instance's version, versions that are taken, versions that are refused. */
const RULES: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
  ['none', '1.2.3', ['1.2.3', '9.9.9', '0.0.1-alpha'], []],
  ['major', '1.2.3', ['1.2.3', '1.0.0', '1.9.9-rc.1', '1.2.4+b'], ['2.2.3', '0.2.3', '11.2.3']],
  ['minor', '1.2.3', ['1.2.3', '1.2.0', '1.2.99-rc.1+b'], ['1.3.3', '2.2.3', '1.22.3']],
  ['patch', '1.2.3', ['1.2.3', '1.2.3-rc.1', '1.2.3+b'], ['1.2.4', '1.3.3', '2.2.3', '1.2.30']],
  ['patch', '1.2.3-rc.1+b', ['1.2.3', '1.2.3-rc.2', '1.2.3+c'], ['1.2.2']],
  ['exact', '1.2.3', ['1.2.3', '1.2.3+other'], ['1.2.3-rc.1', '1.2.4']],
  ['exact', '1.2.3-rc.1', ['1.2.3-rc.1', '1.2.3-rc.1+b'], ['1.2.3', '1.2.3-rc.2', '1.2.3-rc']],
  ['patch', `1.${HUGE}.0`, [`1.${HUGE}.0`], ['1.99999999999999999998.0']],
  ['major', '9007199254740993.0.0', ['9007199254740993.1.1'], ['9007199254740992.0.0']],
];

export const clientVersionCases = [
  prove(
    'client_version takes every form of SemVer 2.0.0, and the seat shows it',
    async (context) => {
      const [session, player] = await newScene(context);
      for (const client_version of VALID) {
        const joined = await join(context, session, player, { body: { client_version } });
        assert.equal(seatOf(joined, player).version, client_version);
      }
    },
  ),
  prove('a client_version has at most 256 characters', async (context) => {
    const [session, player] = await newScene(context);
    const longest = `1.2.3-${'a'.repeat(250)}`;
    await join(context, session, player, { body: { client_version: longest } });
    for (const client_version of [`${longest}a`, 'x'.repeat(257)]) {
      const answer = await tryJoin(context, session, player, { body: { client_version } });
      expectProblem(answer, 'body.client_version', 'value_error.any_str.max_length');
    }
  }),
  prove('a client_version that is not SemVer 2.0.0 is a 422', async (context) => {
    const [session, player] = await newScene(context);
    for (const client_version of [...INVALID, 1, null]) {
      const answer = await tryJoin(context, session, player, { body: { client_version } });
      expectProblem(answer, 'body.client_version');
    }
  }),
  ...RULES.map(([rule, version, taken, refused]) =>
    prove(
      `rule ${rule}, instance ${version}: takes ${taken.join(' ')}, refuses ${refused.join(' ') || 'none'}`,
      async (context) => {
        const session = await sessionOf(context, rule, version);
        const player = await newPlayer(context);
        for (const client_version of refused) {
          const answer = await tryJoin(context, session, player, { body: { client_version } });
          expectRefusal(answer, 403, 'version_incompatible');
        }
        for (const client_version of taken) {
          await join(context, session, player, { body: { client_version } });
        }
      },
    ),
  ),
  prove('the default rule is patch', async (context) => {
    const type = `conformance-default-${await newPlayer(context)}`;
    await context.mutate('sessionTypes.upsert', { type, default_teams: [] });
    const session = await newSession(context, {
      type,
      instance: instanceInput({ version: '1.2.3' }),
    });
    const player = await newPlayer(context);
    const other = await tryJoin(context, session, player, { body: { client_version: '1.2.4' } });
    expectRefusal(other, 403, 'version_incompatible');
    await join(context, session, player, { body: { client_version: '1.2.3-pre+build' } });
  }),
  prove('versions are compared only when the instance has a version', async (context) => {
    const type = await sessionType(context, 'exact');
    const bare = await newSession(context, { type });
    const unversioned = await newSession(context, { type, instance: instanceInput() });
    const player = await newPlayer(context);
    await join(context, bare, player, { body: { client_version: '7.7.7' } });
    await join(context, unversioned, player, { body: { client_version: '7.7.7' } });
  }),
  prove('desc of version_incompatible names both versions', async (context) => {
    const session = await sessionOf(context, 'patch', '1.2.3');
    const player = await newPlayer(context);
    const answer = await tryJoin(context, session, player, { body: { client_version: '4.5.6' } });
    const { desc } = expectRefusal(answer, 403, 'version_incompatible');
    assert.ok(desc.includes('1.2.3') && desc.includes('4.5.6'), desc);
  }),
  prove('a seated player who joins again does not skip the version rule', async (context) => {
    const [session, player] = await newScene(context);
    await join(context, session, player, { body: { client_version: '1.2.3' } });
    await changeSession(context, session, 'setInstance', {
      instance: instanceInput({ version: '2.0.0' }),
    });
    const answer = await tryJoin(context, session, player, { body: { client_version: '1.2.3' } });
    expectRefusal(answer, 403, 'version_incompatible');
  }),
];
