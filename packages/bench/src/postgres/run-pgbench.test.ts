import { expect, test } from 'vitest';
import { PGOPTIONS, readPgbenchOutput, writePgbenchScript } from './run-pgbench.ts';

const OUTPUT = `pgbench (15.18 (Debian 15.18-0+deb12u1), server 18.4)
query mode: prepared
number of transactions actually processed: 1280
initial connection time = 4709.098 ms
tps = 646.441140 (without initial connection time)
progress: 4.9 s, 0.0 tps, lat 0.000 ms stddev 0.000, 0 failed
progress: 5.0 s, 10.3 tps, lat 233.465 ms stddev 5.306, 0 failed
progress: 6.0 s, 100.0 tps, lat 99.021 ms stddev 60.111, 0 failed
progress: 7.0 s, 700.0 tps, lat 91.021 ms stddev 40.111, 0 failed
progress: 8.0 s, 701.0 tps, lat 91.021 ms stddev 40.111, 0 failed
`;

test('transactions are read from what pgbench prints, and the rate of the seconds after all have worked for one', () => {
  const expected = { transactions: 1_280, perSecond: 700.5, version: '15.18' };
  expect(readPgbenchOutput(OUTPUT)).toEqual(expected);
});

test('a run of no more than a second is an error, not a rate of zero', () => {
  const short = OUTPUT.replaceAll(/^progress: [78].*$/gm, '');
  expect(() => readPgbenchOutput(short)).toThrow('actually processed: 1280');
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
