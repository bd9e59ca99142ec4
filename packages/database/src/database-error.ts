// Sorts what can go wrong with a database into the few kinds that callers act on, whether the driver, PostgreSQL
// or Prisma reported it.
import { isConnectFailure } from './client.ts';
import { QueryTimeoutError } from './run-prepared.ts';

/**
 * - `unavailable`: not reachable, or refuses to log in, to write or to serve now; nothing may be concluded about a write in flight
 * - `timeout`: took too long; the outcome of a write is unknown unless PostgreSQL cancelled it
 * - `conflict`: serialisation failure or deadlock; nothing was written, trying again is right
 * - `data`: the values were refused (SQLSTATE classes 22 and 23); trying again is useless
 */
type DatabaseErrorKind = 'unavailable' | 'timeout' | 'conflict' | 'data' | 'other';

export function classifyDatabaseError(error: unknown): DatabaseErrorKind {
  for (const layer of unwrap(error)) {
    const kind = classifyLayer(layer);
    if (kind) return kind;
  }
  return 'other';
}

type Layer = Record<string, unknown>;

function classifyLayer(layer: Layer): DatabaseErrorKind | undefined {
  if (layer instanceof QueryTimeoutError) return 'timeout';
  if (isConnectFailure(layer)) return 'unavailable';
  for (const key of ['code', 'originalCode', 'kind']) {
    const value = layer[key];
    const kind = typeof value === 'string' ? classifyCode(value) : undefined;
    if (kind) return kind;
  }
  return typeof layer.message === 'string' ? classifyMessage(layer.message) : undefined;
}

/** The error, then what it wraps: `cause`, Prisma's driver error, and the attempts of a failed connection. */
function* unwrap(error: unknown, depth = 0): Generator<Layer> {
  if (typeof error !== 'object' || error === null || depth > 5) return;
  const layer = error as Layer;
  yield layer;
  const meta = layer.meta as Layer | undefined;
  const attempts = Array.isArray(layer.errors) ? layer.errors : [];
  for (const inner of [layer.cause, meta?.driverAdapterError, ...attempts]) {
    yield* unwrap(inner, depth + 1);
  }
}

const KIND_BY_CODE = new Map<string, DatabaseErrorKind>([
  // Sockets (Node's error codes).
  ...kinds('unavailable', 'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT'),
  ...kinds('unavailable', 'EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN EMFILE ENFILE'),
  // PostgreSQL's SQLSTATE: the server ends the session, is read-only, has no such database, or denies the role a right.
  ...kinds('unavailable', '57P01 57P02 57P03 57P04 57P05 25P03 25006 3D000 42501'),
  ...kinds('timeout', '57014 55P03'),
  ...kinds('conflict', '40001 40P01'),
  // Prisma's codes.
  ...kinds('unavailable', 'P1000 P1001 P1002 P1003 P1010 P1011 P1017 P2024 P2037'),
  ...kinds('timeout', 'P1008 P2028'),
  ...kinds('conflict', 'P2034'),
  ...kinds('data', 'P2000 P2002 P2003 P2004 P2005 P2006 P2007 P2011 P2012 P2014 P2019 P2020 P2033'),
  // Kinds of Prisma's driver adapter.
  ...kinds('unavailable', 'DatabaseNotReachable ConnectionClosed SocketTimeout TooManyConnections'),
  ...kinds('unavailable', 'AuthenticationFailed DatabaseAccessDenied DatabaseDoesNotExist'),
  ...kinds('unavailable', 'TlsConnectionError'),
  ...kinds('conflict', 'TransactionWriteConflict'),
  ...kinds('data', 'UniqueConstraintViolation ForeignKeyConstraintViolation RestrictViolation'),
  ...kinds('data', 'NullConstraintViolation LengthMismatch ValueOutOfRange InvalidInputValue'),
]);

/**
 * Class 08 is about connections, 28 about logins, 53 about exhausted resources such as a full disk, 58 about errors of the system
 * such as I/O; 22 and 23 are about values and constraints. Corrupt data (class XX) is `other`: it stays until someone repairs it.
 */
const KIND_BY_CLASS = new Map<string, DatabaseErrorKind>([
  ...kinds('unavailable', '08 28 53 58'),
  ...kinds('data', '22 23'),
]);

function kinds(kind: DatabaseErrorKind, codes: string): [string, DatabaseErrorKind][] {
  return codes.split(' ').map((code) => [code, kind]);
}

function classifyCode(code: string): DatabaseErrorKind | undefined {
  const sqlClass = /^[0-9A-Z]{5}$/.test(code) ? code.slice(0, 2) : '';
  return KIND_BY_CODE.get(code) ?? KIND_BY_CLASS.get(sqlClass);
}

/**
 * The driver reports these without a code, and Citus the end of its connection to another node as an internal error (XX000; its
 * remote_commands.c and remote_transaction.c). A database that protects itself against transaction ID wraparound refuses writes
 * with the code of an exceeded limit (54000).
 */
function classifyMessage(message: string): DatabaseErrorKind | undefined {
  if (/^Query read timeout/.test(message)) return 'timeout';
  const isUnavailable =
    /^Connection terminated|is not queryable|^Cannot use a pool after|^failure on connection marked as essential|^connection not open|^postmaster was shut down|^server closed the connection unexpectedly|^could not (?:establish any connections|connect to any active placements)|^database is not accepting commands|^connect E[A-Z]+ |\nconnect E[A-Z]+ /;
  return POOL_EXHAUSTED.test(message) || isUnavailable.test(message) ? 'unavailable' : undefined;
}

/** What the server or the driver said, as a part of a sentence: without what Prisma adds to it. */
export function describeDatabaseError(error: unknown): string {
  const layers = [...unwrap(error)];
  const texts = [
    ...layers.map(({ originalMessage }) => originalMessage),
    ...layers.map(({ message }) => message),
  ];
  // A host name with several addresses fails once for each of them, and the AggregateError has no message of its own.
  const text = texts.find((each) => typeof each === 'string' && each !== '');
  return String(text ?? error).replace(/\.$/, '');
}

const ADVICE = new Map<string, string>(
  Object.entries({
    'ECONNREFUSED ECONNRESET EHOSTUNREACH ENETUNREACH ETIMEDOUT ENOTFOUND EAI_AGAIN':
      'Check that PostgreSQL runs there, the address and the firewall.',
    '28P01 28000': 'Check the user, the password and pg_hba.conf.',
    '3D000': 'Create the database, or correct its name.',
    '42501': 'Grant the right: `muster doctor` lists those that are missing.',
    '53100': 'Make room on the disk of PostgreSQL.',
    '53300': 'End other connections, or raise max_connections.',
  }).flatMap(([codes, advice]) => codes.split(' ').map((code): [string, string] => [code, advice])),
);

/** What an operator can do about it, as a sentence; empty when only the error itself tells. */
export function adviseOnDatabaseError(error: unknown): string {
  const codes = [...unwrap(error)].flatMap(({ code, originalCode }) => [code, originalCode]);
  return codes.map((code) => ADVICE.get(String(code))).find((advice) => advice !== undefined) ?? '';
}

/** The server, or this session of it, takes no writes: nothing was written. */
export const isReadOnly = (error: unknown): boolean => hasCode(error, ['25006']);

/** The answer to a statement, or the connection, did not come in time. The next attempt may succeed. */
export const isDatabaseTimeout = (error: unknown): boolean =>
  classifyDatabaseError(error) === 'timeout' ||
  [...unwrap(error)].some(({ message }) => CONNECT_TIMEOUT.test(String(message)));

const CONNECT_TIMEOUT = /^Connection terminated due to connection timeout/;

/** PostgreSQL ended the statement: it waited for a lock (lock_not_available), or ran (query_canceled), as long as it may. */
export const isStatementCancelled = (error: unknown): boolean => hasCode(error, ['55P03', '57014']);

function hasCode(error: unknown, codes: readonly unknown[]): boolean {
  for (const { code, originalCode } of unwrap(error)) {
    if (codes.includes(code) || codes.includes(originalCode)) return true;
  }
  return false;
}

const POOL_EXHAUSTED = /^timeout exceeded when trying to connect/;

/** One way of being unavailable: all connections of the pool were taken, which says nothing about the server. */
export const isPoolExhausted = (error: unknown): boolean =>
  error instanceof Error && POOL_EXHAUSTED.test(error.message);
