import assert from 'node:assert/strict';
import { afterEach, describe, expect, it } from 'vitest';
import { expectRefusal, expectSession } from '../src/checks.ts';
import { closingLine, runCase, runCases, skippedReasons, summaryTable } from '../src/runner.ts';
import { suite } from '../src/suite.ts';
import type { Case } from '../src/target/context.ts';
import { createTarget } from '../src/target/context.ts';
import { SkippedCase } from '../src/target/send-request.ts';
import type { LocalServer } from './local-server.ts';
import { always, startLocalServer, targetOf } from './local-server.ts';

let server: LocalServer | undefined;

const serving = async (...answer: Parameters<typeof always>) => {
  server = await startLocalServer(always(...answer));
  return targetOf(server);
};

afterEach(() => server?.close());

const caseOf = (run: Case['run']): Case => ({ section: 'A section', title: 'A sentence', run });

const FULL = JSON.stringify({ auth_success: true, error_code: 'team_full', desc: 'Full.' });

describe('runCase', () => {
  it('reports a case with a wrong expectation as failed', async () => {
    const target = await serving(200, '{"answer":41}');
    const wrong = caseOf(async (context) => {
      const answer = await context.get('/anything');
      assert.deepEqual(answer.body, { answer: 42 });
    });
    expect((await runCase(wrong, target)).outcome).toBe('failed');
    const right = caseOf(async (context) => {
      assert.deepEqual((await context.get('/anything')).body, { answer: 41 });
    });
    expect((await runCase(right, target)).outcome).toBe('passed');
  });

  it('shows the sentence, the request as curl without its token, and the answer', async () => {
    const target = await serving(200, '{"answer":41}');
    const { detail } = await runCase(
      caseOf(async (context) => {
        expectSession(await context.post("/join?x='1", { team_id: 0 }));
      }),
      target,
    );
    expect(detail).toContain('A sentence');
    expect(detail).toContain(`curl -i --path-as-is -X POST`);
    expect(detail).toContain(`--data-binary '{"team_id":0}'`);
    expect(detail).toContain(`/join?x='\\''1'`);
    expect(detail).toContain('HTTP 200');
    expect(detail).toContain('{"answer":41}');
    expect(detail).toContain('Bearer <token>');
    expect(detail).not.toContain(target.token);
  });

  it('names the answer that broke the sentence, not the newest one', async () => {
    const target = await serving(409, FULL, { 'retry-after': '0' });
    const { detail } = await runCase(
      caseOf(async (context) => {
        const first = await context.get('/first');
        await context.get('/second');
        expectRefusal(first, 409, 'team_full');
      }),
      target,
    );
    expect(detail).toContain('/first');
    expect(detail).toContain('Retry-After');
  });

  it('fails a case that does not end in time', async () => {
    const target = await serving(200, '{}');
    const endless = caseOf(() => new Promise(() => {}));
    const { outcome, detail } = await runCase(endless, target, 50);
    expect(outcome).toBe('failed');
    expect(detail).toContain('50 ms');
  });

  it('fails a case whose service is not there', async () => {
    const target = await serving(200, '{}');
    server?.close();
    const { outcome } = await runCase(
      caseOf(async (context) => {
        await context.get('/');
      }),
      target,
    );
    expect(outcome).toBe('failed');
  });

  it('skips, with the reason, what only a signing secret can prove', async () => {
    server = await startLocalServer(always(200, '{}'));
    const settings = { baseUrl: server.baseUrl, token: 't', historyAccess: 'public' } as const;
    const result = await runCase(
      caseOf(async (context) => {
        await context.mint({ sub: 'somebody' });
      }),
      await createTarget(settings),
    );
    expect(result).toMatchObject({ outcome: 'skipped', detail: expect.stringMatching(/secret/) });
  });
});

describe('expectRefusal', () => {
  const refusals: readonly (readonly [string, number, string, Record<string, string>])[] = [
    ['without Retry-After', 409, FULL, {}],
    ['with Retry-After 0', 409, FULL, { 'retry-after': '0' }],
    ['with a date as Retry-After', 409, FULL, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }],
    ['with another status', 403, FULL, { 'retry-after': '1' }],
    ['as HTML', 409, FULL, { 'retry-after': '1', 'content-type': 'text/html' }],
    ['with a null', 409, FULL.replace('}', ',"x":null}'), { 'retry-after': '1' }],
    ['with another code', 409, FULL.replace('team', 'session'), { 'retry-after': '1' }],
  ];
  it.each(refusals)('fails a refusal %s', async (_, status, body, headers) => {
    const target = await serving(status, body, headers);
    const check = caseOf(async (context) => {
      expectRefusal(await context.get('/'), 409, 'team_full');
    });
    expect((await runCase(check, target)).outcome).toBe('failed');
  });
});

describe('runCases', () => {
  it('limits concurrent cases, and keeps their order', async () => {
    const target = await serving(200, '{}');
    let running = 0;
    let most = 0;
    const cases = Array.from({ length: 20 }, (_, index) => ({
      ...caseOf(async (context) => {
        running += 1;
        most = Math.max(most, running);
        await context.get('/');
        running -= 1;
      }),
      title: `case ${index}`,
    }));
    const results = await runCases(cases, target, { concurrency: 3 });
    expect(most).toBe(3);
    expect(results.map(({ title }) => title)).toEqual(cases.map(({ title }) => title));
  });

  it('counts outcomes in a table and in one closing line', async () => {
    const target = await serving(200, '{}');
    const results = await runCases(
      [
        caseOf(async () => {}),
        caseOf(async () => assert.fail('wrong')),
        caseOf(async () => {
          throw new SkippedCase('no means');
        }),
      ],
      target,
    );
    expect(closingLine(results)).toBe('1 passed, 1 failed, 1 skipped');
    expect(summaryTable(results)).toMatch(/A section\s+1\s+1\s+1/);
    expect(skippedReasons(results)).toEqual(['skipped 1: no means']);
  });
});

describe('the suite', () => {
  it.each([
    ['200 and an empty object', 200, '{}'],
    ['404 and a service error body', 404, FULL.replace('team_full', 'route_not_found')],
    ['422 without a problem', 422, '{"detail":[]}'],
    ['500 without a body', 500, ''],
  ])(
    'passes hardly any case of a service that answers always %s',
    async (_, status, body) => {
      const results = await runCases(suite, await serving(status, body), { concurrency: 32 });
      const passed = results.filter(({ outcome }) => outcome === 'passed');
      const truths = [
        'an unknown route is 404',
        'HEAD never answers a body',
        'a failure is never HTML',
      ];
      expect(
        passed.filter(({ title }) => !truths.some((truth) => title.startsWith(truth))),
      ).toEqual([]);
    },
    120_000,
  );
});
