import { expect, test } from 'vitest';
import { writePgbenchScript } from '../peers/pgbench-script.ts';
import { PGOPTIONS, readPgbenchOutput } from './run-pgbench.ts';

const OUTPUT = `pgbench (15.18 (Debian 15.18-0+deb12u1), server 18.4)
query mode: prepared
number of transactions actually processed: 1280
initial connection time = 4709.098 ms
tps = 646.441140 (without initial connection time)
`;

test('transactions and rate are read from what pgbench prints', () => {
  const expected = { transactions: 1_280, perSecond: 646.44114, version: '15.18' };
  expect(readPgbenchOutput(OUTPUT)).toEqual(expected);
});

test('a run without transactions is an error, not a rate of zero', () => {
  const empty = OUTPUT.replace(/^tps.*$/m, '').replace('1280', '0');
  expect(() => readPgbenchOutput(empty)).toThrow('actually processed: 0');
});

test('clients never join for the same player, and go round the sessions in a shuffled order', () => {
  const plan = { clients: 64, firstPlayer: 500, firstSession: 7, sessions: 20 };
  const script = writePgbenchScript(plan);
  expect(script).toContain('\\set i :client_id + 64 * :n\n\\set p 500 + :i\n');
  expect(script).toContain('\\set s 7 + permute(:i, 20, 500)\n');
});

test('its connections plan like those that the service joins through', () => {
  expect(PGOPTIONS).toContain('-c plan_cache_mode=force_generic_plan -c enable_seqscan=off');
});
