import type { IncomingMessage } from 'node:http';
import { IncomingMessage as Message, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { Caller } from '../auth/index.ts';
import { createReadInTurn, LARGE_BODY_BYTES, USUAL_BODY_BYTES } from './large-bodies.ts';

const LARGE = LARGE_BODY_BYTES + 1;
const SPENT_MS = 8;

const SERVICE: Caller = { accountId: 's', permissions: ['session:update-player:any'] };
const playerOf = (accountId: string): Caller => {
  return { accountId, permissions: ['session:update-player:self'] };
};

/** The real one: what still waits when a test ends must not look for ever at a clock that the next file has stopped. */
const now = performance.now.bind(performance);

const opened: ServerResponse[] = [];
afterEach(() => {
  for (const response of opened.splice(0)) response.emit('close');
});

/** Notes when each read began and ended. */
const open = () => {
  const readInTurn = createReadInTurn();
  const reads: { from: number; to: number }[] = [];
  const read = () => {
    const from = now();
    while (now() - from < SPENT_MS);
    reads.push({ from, to: now() });
    return reads.length;
  };
  const openBody = (bytes: number, isLengthKnown = true) => {
    const headers = isLengthKnown ? { 'content-length': String(bytes) } : {};
    const body = Object.assign(Readable.from([Buffer.alloc(bytes)]), { headers });
    const request = body as unknown as IncomingMessage;
    const response = new ServerResponse(new Message(new Socket()));
    opened.push(response);
    return { request, response };
  };
  const send = (bytes: number, caller: Caller = SERVICE, isLengthKnown = true) =>
    readInTurn({ ...openBody(bytes, isLengthKnown), caller }, read);
  return { readInTurn, reads, read, openBody, send };
};

const readRests = (reads: { from: number; to: number }[]) =>
  reads.slice(1).map(({ from }, index) => from - (reads[index]?.to ?? from));

test('large bodies are read one after the other, with as long for everything else in between', async () => {
  const { reads, send } = open();
  expect(await Promise.all([send(LARGE), send(LARGE), send(LARGE)])).toEqual([1, 2, 3]);
  // Timers may come a moment early.
  for (const rest of readRests(reads)) expect(rest).toBeGreaterThan(0.8 * SPENT_MS);
});

test('one that is read in pieces keeps its turn until it is read', async () => {
  const { readInTurn, openBody } = open();
  const reads: { from: number; to: number }[] = [];
  const read = async () => {
    const from = now();
    await delay(SPENT_MS);
    reads.push({ from, to: now() });
  };
  const send = () => readInTurn({ ...openBody(LARGE), caller: SERVICE }, read);
  await Promise.all([send(), send(), send()]);
  expect(readRests(reads)).toHaveLength(2);
  for (const rest of readRests(reads)) expect(rest).toBeGreaterThan(0.8 * SPENT_MS);
});

test('four wait beside the one that is being read, and those whose clients have left are not read', async () => {
  const { reads, readInTurn, openBody, read } = open();
  let finish = () => {};
  const first = readInTurn({ ...openBody(LARGE), caller: SERVICE }, async () => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
  });
  await delay(SPENT_MS);
  const bodies = Array.from({ length: 5 }, () => openBody(LARGE));
  const outcomes = bodies.map((body) =>
    readInTurn({ ...body, caller: SERVICE }, read).catch(({ code, name }) => code ?? name),
  );
  expect(await outcomes[4]).toBe('service_overloaded');
  bodies[1]?.response.destroy();
  finish();
  await first;
  expect(await Promise.all(outcomes)).toEqual([1, 'RequestAbortedError', 2, 3, expect.anything()]);
  expect(reads).toHaveLength(3);
});

test('without a length, the rest of a large body of a player waits for its turn unread, and few of them wait', async () => {
  const { readInTurn, openBody, read, send } = open();
  const first = send(LARGE, playerOf('a'));
  const openEndless = () => {
    const body = Object.assign(new Readable({ read: () => {} }), { headers: {} });
    body.push(Buffer.alloc(LARGE));
    const request = body as unknown as IncomingMessage;
    return { body, outcome: readInTurn({ ...openBody(0), request, caller: playerOf('a') }, read) };
  };
  const second = openEndless();
  await delay(SPENT_MS);
  expect(second.body.isPaused()).toBe(true);
  await expect(openEndless().outcome).rejects.toMatchObject({ code: 'service_unavailable' });
  second.body.push(null);
  expect(await first).toBe(1);
  expect(await second.outcome).toBe(2);
});

test('what a body without a length has no room for is refused on its way', async () => {
  const sizes: number[] = [];
  const readInTurn = createReadInTurn({
    bound: () => {},
    hold: (_, bytes) => sizes.push(bytes) < 3,
  });
  const { openBody, read } = open();
  const body = Readable.from([1, 2, 3, 4].map(() => Buffer.alloc(1_000)));
  const request = Object.assign(body, { headers: {} }) as unknown as IncomingMessage;
  const outcome = readInTurn({ ...openBody(0), request, caller: SERVICE }, read);
  await expect(outcome).rejects.toMatchObject({ code: 'service_overloaded' });
  expect(sizes).toEqual([1_000, 2_000, 3_000]);
});

test('a small body waits for no large one', async () => {
  const { send } = open();
  const answers: string[] = [];
  const note = (name: string) => () => void answers.push(name);
  await Promise.all([
    send(LARGE).then(note('first')),
    send(LARGE).then(note('second')),
    send(LARGE_BODY_BYTES).then(note('small')),
  ]);
  expect(answers.toSorted()).toEqual(['first', 'second', 'small']);
  expect(answers.at(-1)).toBe('second');
});

test('few wait, the others are told to come back, and later ones are read again', async () => {
  const { readInTurn, read, openBody, send } = open();
  const outcomes = await Promise.all(
    Array.from({ length: 9 }, () =>
      send(LARGE).then(
        () => 'read',
        ({ code }) => code,
      ),
    ),
  );
  expect(outcomes).toEqual([
    ...Array.from({ length: 5 }, () => 'read'),
    ...Array.from({ length: 4 }, () => 'service_overloaded'),
  ]);
  const failing = readInTurn({ ...openBody(LARGE), caller: SERVICE }, () => {
    throw new Error('unreadable');
  });
  await expect(failing).rejects.toThrow('unreadable');
  expect(await readInTurn({ ...openBody(LARGE), caller: SERVICE }, read)).toBe(6);
});

test.each([true, false])(
  'those of one player rest for fifty times as long, whether their length is known: %s',
  async (isLengthKnown) => {
    const { reads, send } = open();
    const own = [1, 2].map(() => send(LARGE, playerOf('a'), isLengthKnown));
    const other = send(LARGE, playerOf('b'), isLengthKnown);
    const small = send(LARGE_BODY_BYTES, playerOf('a'));
    await Promise.all([...own, other, small]);
    expect(reads).toHaveLength(4);
    expect(readRests(reads).at(-1)).toBeGreaterThan(40 * SPENT_MS - 5 * SPENT_MS);
  },
);

test('lesser bodies of one player rest, too, beyond the first ones; usual bodies and services never do', async () => {
  const { reads, send } = open();
  const sendThree = async (bytes: number, caller: Caller) => {
    reads.length = 0;
    for (let count = 0; count < 3; count += 1) await send(bytes, caller);
    return readRests(reads).at(-1);
  };
  // Each owes fifty times as long as it takes, and half a second is free.
  expect(await sendThree(LARGE_BODY_BYTES, playerOf('a'))).toBeGreaterThan(150);
  expect(await sendThree(USUAL_BODY_BYTES, playerOf('a'))).toBeLessThan(150);
  expect(await sendThree(LARGE_BODY_BYTES, SERVICE)).toBeLessThan(150);
});

test('what waits for the share of its player is not read, and leaves when its client does', async () => {
  const { readInTurn, read, openBody, send } = open();
  const first = send(LARGE, playerOf('a'));
  const { request, response } = openBody(LARGE);
  const waiting = readInTurn({ request, response, caller: playerOf('a') }, read);
  await first;
  expect(request.readableFlowing).toBe(null);
  response.emit('close');
  await expect(waiting).rejects.toThrow('');
  expect(request.readableFlowing).toBe(null);
});

test('beyond those that wait, a player is told to come back', async () => {
  const { send } = open();
  const leaving = Array.from({ length: 3 }, () =>
    send(LARGE, playerOf('a')).catch(({ code }) => code),
  );
  expect(await Promise.race([leaving[2]])).toBe('service_unavailable');
});

test('players together keep few waiting, so that the places of joins are for joins', async () => {
  const { send } = open();
  const outcomes = Array.from({ length: 20 }, (_, at) =>
    send(LARGE, playerOf(`player ${at % 10}`)).then(
      () => 'read',
      ({ code }) => code,
    ),
  );
  // One of each player has its turn, and of the second ones eight rest.
  const last = await Promise.all(outcomes.slice(18));
  expect(last).toEqual(['service_unavailable', 'service_unavailable']);
});
