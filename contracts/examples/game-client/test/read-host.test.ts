import type { Instance, JoinStatus } from '@muster/client';
import { describe, expect, test } from 'vitest';
import { readHost } from '../src/read-host.ts';

const instance = (join_status: JoinStatus): Instance => ({
  instance_id: 'i-1',
  host_type: 'dedicated',
  created: '2026-03-14T09:26:53.589Z',
  join_status,
  join_params: { public_conn_str: 'eu-1:7777', private_conn_str: '10.0.0.7:7777' },
});

describe('a match', () => {
  test.each([
    ['requested', 'waiting'],
    ['allocated', 'waiting'],
    ['pending', 'waiting'],
    ['joinable', 'ready'],
    ['unjoinable', 'ready'],
    ['closed', 'over'],
  ] as const)('whose instance is %s is %s', (join_status, state) => {
    expect(readHost({ instance: instance(join_status) }).state).toBe(state);
  });

  test('without an instance, or without an address, is waited for', () => {
    const { join_params: _, ...unaddressed } = instance('joinable');
    expect(readHost({})).toEqual({ state: 'waiting' });
    expect(readHost({ instance: unaddressed })).toEqual({ state: 'waiting' });
  });

  test('is reached at the public address', () => {
    expect(readHost({ instance: instance('joinable') })).toEqual({
      state: 'ready',
      address: 'eu-1:7777',
      parameters: {},
    });
  });
});
