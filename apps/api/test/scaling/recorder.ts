// Calls of the admin API and their responses, for comparing two services.
import { setImmediate as turn } from 'node:timers/promises';
import type { AdminCaller } from '../admin-caller.ts';
import { createAdminCaller } from '../admin-caller.ts';
import type { TestService } from '../test-service.ts';

export type RecordedCall = { call: string; input: unknown; status: number; answer: unknown };

export type Recorder = Awaited<ReturnType<typeof createRecorder>>;

export type Fields = Record<string, unknown>;

/** Each service gets the same input, except for values that it generated itself. */
export const idOf = (group: string, number: number): string =>
  `00000000-0000-4000-8${group}-${String(number).padStart(12, '0')}`;

export const [MAIN, COPY, SPARE] = [1, 2, 3].map((number) => idOf('a00', number)) as [
  string,
  string,
  string,
];
export const ITEMS = [1, 2, 3, 4].map((number) => idOf('b00', number));

export const createRecorder = async (service: TestService) => {
  const { authorization = '' } = await service.headers();
  const admin = createAdminCaller(service.baseUrl, { authorization });
  const normalize = createNormalizer();
  const calls: RecordedCall[] = [];
  const record = async (
    caller: AdminCaller,
    type: 'query' | 'mutate',
    call: string,
    input: object,
  ) => {
    const { status, code, data } = await caller[type]<Fields>(call, input);
    calls.push({ call, input: normalize(input), status, answer: normalize(code ?? data) });
    // Lists are ordered by time, to a millisecond.
    const endedAt = Date.now();
    while (Date.now() === endedAt) await turn();
    return data;
  };
  const note = (call: string, status: number, answer: unknown) =>
    calls.push({ call, input: null, status, answer: normalize(answer) });
  const query = (procedure: string, input: object = {}) => record(admin, 'query', procedure, input);
  const mutate = (procedure: string, input: object = {}) =>
    record(admin, 'mutate', procedure, input);
  /** All pages. */
  const walk = async (procedure: string, input: object) => {
    let cursor: unknown;
    do {
      const data = await query(procedure, { ...input, ...(cursor !== undefined && { cursor }) });
      cursor = data?.cursor;
    } while (cursor !== undefined && cursor !== null);
  };
  return { admin, calls, query, mutate, walk, record, note, service };
};

// Responses of two services to the same calls only differ in generated values: ids, times, secrets, hashes.

/** Members whose values differ between two runs, or describe the process or its database. */
const OPAQUE = new Set(
  'audit_id cursor database_ms etag event_id hash head_hash head key one_time_password prefix plan_digest request_id retry-after secret sha256 sign_in_id token url'.split(
    ' ',
  ),
);
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
/** Of people that tests make. */
const EMAIL = /-\d+@/g;
const HASH = /\b[0-9a-f]{64}\b/g;

/** Generated ids become numbers in the order of their first use, so that the same object keeps the same number. */
const createNormalizer = () => {
  const numbers = new Map<string, number>();
  const number = (uuid: string): string => {
    if (uuid.startsWith('00000000-')) return uuid;
    if (!numbers.has(uuid)) numbers.set(uuid, numbers.size + 1);
    return `<id ${numbers.get(uuid)}>`;
  };
  const normalize = (value: unknown): unknown => {
    if (typeof value === 'string') {
      return value
        .replace(UUID, number)
        .replace(TIME, '<time>')
        .replace(HASH, '<hash>')
        .replace(EMAIL, '@');
    }
    if (Array.isArray(value)) return value.map(normalize);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        OPAQUE.has(name) && typeof member !== 'object' ? `<${name}>` : normalize(member),
      ]),
    );
  };
  return normalize;
};
