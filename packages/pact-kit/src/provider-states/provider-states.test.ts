import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderStates } from './render-states.ts';
import { PROVIDER_STATES, resolveState } from './resolve-state.ts';

const JOIN_PATH =
  '/session/v1/platform/PSN/platform-session/abc%2Bd/player/5f0c8f2e-3f4b-4d65-9d0a-1c1f5f2b7a01';

describe('the catalogue of provider states', () => {
  it('is published as contracts/provider-states.md without drift', () => {
    const page = new URL('../../../../contracts/provider-states.md', import.meta.url);
    expect(readFileSync(page, 'utf8')).toBe(renderStates('markdown'));
  });

  it.each(PROVIDER_STATES.map((state) => [state.name, state.example] as const))(
    'resolves %s with its example and without any parameter',
    (name, example) => {
      expect(resolveState({ name, params: example }).problems).toEqual([]);
      expect(resolveState({ name, params: {} }).problems).toEqual([]);
    },
  );

  it('lists every state in every format', () => {
    for (const format of ['text', 'json', 'markdown'] as const) {
      const rendered = renderStates(format);
      for (const { name } of PROVIDER_STATES) expect(rendered).toContain(name);
    }
    expect(JSON.parse(renderStates('json')).provider_states).toHaveLength(PROVIDER_STATES.length);
  });
});

describe('a required field of a parameter', () => {
  it('is marked for people in every format', () => {
    expect(renderStates('markdown')).toMatch(
      /^\| `seats\[\]\.player_uuid` \| UUID \| \*\*required\*\* \|/m,
    );
    expect(renderStates('text')).toMatch(
      /^ {4}seats\[\]\.player_uuid: UUID \(required in each\)$/m,
    );
    const { provider_states } = JSON.parse(renderStates('json'));
    expect(provider_states[0].parameters.properties.seats.items.required).toContain('player_uuid');
  });

  it('is only what resolving refuses to do without', () => {
    expect(resolveState({ name: 'a session', params: { seats: [{}] } }).problems).toEqual([
      { kind: 'missing-parameter', path: ['seats', 0, 'player_uuid'] },
    ]);
  });
});

describe('resolveState', () => {
  it("takes what the state does not name from the request's path, decoded", () => {
    const { state } = resolveState({ name: 'a session', params: {} }, JOIN_PATH);
    expect(state?.parameters).toMatchObject({
      platform: 'PSN',
      platform_session_id_base64: 'abc+d',
    });
  });

  it('leaves a path alone that breaks the contract on purpose', () => {
    const { state } = resolveState(
      { name: 'a session', params: {} },
      JOIN_PATH.replace('PSN', 'Dreamcast'),
    );
    expect(state?.parameters).toMatchObject({ platform: 'Steam' });
  });

  it('names an unknown state', () => {
    expect(resolveState({ name: 'a sesion', params: {} }).problems).toEqual([
      { kind: 'unknown-state', name: 'a sesion' },
    ]);
  });

  it('names unknown parameters at any depth with the known ones', () => {
    const seat = { player_uuid: '5f0c8f2e-3f4b-4d65-9d0a-1c1f5f2b7a01' };
    const client_settings = { platfrm: 'PSN', platform: 'PSN', input: 'gamepad' };
    const params = { seats: [{ ...seat, client_settings }] };
    expect(resolveState({ name: 'a session', params }).problems).toEqual([
      {
        kind: 'unknown-parameter',
        path: ['seats', 0, 'client_settings', 'platfrm'],
        known: ['platform_id', 'platform', 'input'],
      },
    ]);
  });

  it('distinguishes a missing parameter from an invalid one', () => {
    const { problems } = resolveState({
      name: 'a session',
      params: { joinable: 'yes', teams: [{ team_id: 0 }] },
    });
    expect(problems).toEqual([
      expect.objectContaining({ kind: 'invalid-parameter', path: ['joinable'] }),
      { kind: 'missing-parameter', path: ['teams', 0, 'max_size'] },
    ]);
  });

  it.each([
    [['update']],
    [['insert', 'delete', 'update']],
    [['insert', 'restore']],
    [['insert', 'insert']],
  ])('refuses the impossible history %j', (versions) => {
    const { problems } = resolveState({ name: 'an Item with versions', params: { versions } });
    expect(problems[0]).toMatchObject({ kind: 'invalid-parameter', path: ['versions'] });
  });
});
