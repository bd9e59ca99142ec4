// Every limit of the HTTP front. docs/limits.md is generated from this file.
//
// The limits exist to keep the service-level objectives: players join while others flood the service, and its memory stays bounded. Each
// number has a reason. Where an operator may need another number, it names the setting.

import { MAX_PLATFORM_SESSION_ID_BYTES } from '@muster/contract';

const KIB = 1_024;
const MIB = 1_024 * KIB;

type Limit = {
  what: string;
  /** The effective number. Absent where a setting alone decides. */
  value?: number;
  unit: 'bytes' | 'connections' | 'milliseconds' | 'per second' | 'requests';
  /** What a client sees at the limit. */
  response: string;
  reason: string;
  setting?: string;
  metric?: string;
};

export const LIMITS = {
  connections: {
    what: 'Open connections',
    unit: 'connections',
    response: 'closed before anything is read',
    reason: 'Each open connection takes some kilobytes of memory.',
    setting: 'MAX_CONNECTIONS',
    metric: 'muster_connections_dropped_total',
  },
  backlog: {
    what: 'Connections that the system holds until the service accepts them',
    value: 1_024,
    unit: 'connections',
    response: 'the client waits for the connection',
    reason:
      'More would wait longer than clients do. The system may hold fewer (net.core.somaxconn).',
  },
  headerBytes: {
    what: 'Request line and headers together',
    value: 32 * KIB,
    unit: 'bytes',
    response: '431 headers_too_large',
    reason: 'A platform session id takes 12 KiB in a path, a token 16 KiB.',
  },
  platformSessionIdBytes: {
    what: 'Id of a platform session that a backend registers, in UTF-8',
    value: MAX_PLATFORM_SESSION_ID_BYTES,
    unit: 'bytes',
    response: '400 input_invalid',
    reason: 'Percent-encoded it takes up to 30 KiB in the path of a join.',
  },
  outstandingRequests: {
    what: 'Requests of one connection that have no response yet',
    value: 4,
    unit: 'requests',
    response: 'the connection is not read until one has its response',
    reason: 'A client that pipelines requests gets no more of the service than one that waits.',
  },
  queuedRequests: {
    what: 'Requests of one connection that one packet may hold',
    value: 100,
    unit: 'requests',
    response: 'the connection is closed',
    reason: 'Requests that have been read stay in memory until they start.',
    metric: 'muster_requests_refused_total{reason="pipelined"}',
  },
  publicRequests: {
    what: 'Joins, history and companion requests in the process',
    value: 2_000,
    unit: 'requests',
    response: '409 service_overloaded or 503 service_unavailable, before anything is read',
    reason: 'A burst of players at the start of a match has room, and memory stays bounded.',
    metric: 'muster_requests_refused_total{reason="concurrency"}',
  },
  overloadedJoins: {
    what: 'Joins in the process during an overload: while requests are rejected all the time',
    value: 400,
    unit: 'requests',
    response: '409 service_overloaded, before anything is read',
    reason:
      'Four times the joins that run. More would be read and validated, and expire in the queue.',
    metric: 'muster_requests_refused_total{reason="overload"}',
  },
  otherRequests: {
    what: 'Other requests in the process',
    value: 200,
    unit: 'requests',
    response: '503 service_unavailable, before anything is read',
    reason: 'People can administer the service while players flood it.',
    metric: 'muster_requests_refused_total{reason="concurrency"}',
  },
  rejectionDelay: {
    what: 'Delay of rejections during an overload',
    value: 1_000,
    unit: 'milliseconds',
    response: 'the same response, later',
    reason: 'Clients that ignore Retry-After would take the processor time of the joins.',
  },
  startsPerIteration: {
    what: 'Requests that start in one iteration of the event loop',
    value: 8,
    unit: 'requests',
    response: 'the request waits for some milliseconds',
    reason: 'New connections are accepted, and joins continue, in between.',
  },
  startWait: {
    what: 'Longest wait of a request before it starts',
    value: 400,
    unit: 'milliseconds',
    response: '409 service_overloaded or 503 service_unavailable',
    reason: 'A client that waits longer is better off with a retry.',
    metric: 'muster_requests_refused_total{reason="start_delay"}',
  },
  playerRequests: {
    what: 'Requests of one player in progress',
    value: 8,
    unit: 'requests',
    response: '409 rate_limited on a join, 429 elsewhere, with an estimated Retry-After',
    reason: 'A game client sends one join and loads some pages.',
    metric: 'muster_requests_refused_total{reason="caller"}',
  },
  serviceRequests: {
    what: 'Requests of one service, API key or person in progress',
    value: 256,
    unit: 'requests',
    response: '409 rate_limited on a join, 429 elsewhere, with an estimated Retry-After',
    reason: 'One service that floods leaves room for players and for other services.',
    metric: 'muster_requests_refused_total{reason="caller"}',
  },
  joinBodyBytes: {
    what: 'Body of a join',
    value: 128 * KIB,
    unit: 'bytes',
    response: '413 body_too_large',
    reason: 'Holds 20 KiB of custom data in which every character is escaped.',
  },
  bodyBytes: {
    what: 'Body of a request to the admin API, unless the caller may edit many records',
    value: MIB,
    unit: 'bytes',
    response: '413 body_too_large',
    reason: 'Far more than a form of the web app sends.',
  },
  bulkBodyBytes: {
    what: 'Body of a bulk edit',
    value: 8 * MIB,
    unit: 'bytes',
    response: '413 body_too_large',
    reason: 'Holds a thousand records with 8 KiB each.',
  },
  runningJoins: {
    what: 'Joins that run at once',
    value: 72,
    unit: 'requests',
    response: 'the join waits',
    reason:
      'Fills two write statements. With 128, garbage collection takes 5 % of the joins in a flood.',
    metric: 'muster_requests_running{kind="join"}',
  },
  runningHistories: {
    what: 'History pages that are read at once',
    value: 2,
    unit: 'requests',
    response: 'the request waits',
    reason: 'Pages are costly. More at once would slow down joins and serve no more pages.',
    metric: 'muster_requests_running{kind="history"}',
  },
  runningCompanionRequests: {
    what: 'Companion requests that run at once',
    value: 32,
    unit: 'requests',
    response: 'the request waits',
    reason: 'Fewer than half of the joins that run: players who read leave the database to joins.',
    metric: 'muster_requests_running{kind="companion"}',
  },
  runningAdminRequests: {
    what: 'Requests to the admin API that run at once',
    value: 24,
    unit: 'requests',
    response: 'the request waits',
    reason: 'Twice the connections to the database that these requests use.',
    metric: 'muster_requests_running{kind="admin"}',
  },
  waitingHistories: {
    what: 'History requests that wait for a slot',
    value: 256,
    unit: 'requests',
    response: '503 service_unavailable',
    reason: 'More could not be served within the longest wait.',
    metric: 'muster_requests_waiting{kind="history"}',
  },
  waitingCompanionRequests: {
    what: 'Companion requests that wait for a slot',
    value: 256,
    unit: 'requests',
    response: '503 service_unavailable',
    reason: 'More could not be served within the longest wait.',
    metric: 'muster_requests_waiting{kind="companion"}',
  },
  waitingAdminRequests: {
    what: 'Requests to the admin API that wait for a slot',
    value: 256,
    unit: 'requests',
    response: '503 service_unavailable',
    reason: 'More could not be served within the longest wait.',
    metric: 'muster_requests_waiting{kind="admin"}',
  },
  joinWait: {
    what: 'Longest wait of a join for a slot',
    value: 400,
    unit: 'milliseconds',
    response: '409 service_overloaded',
    reason: 'A client that waits longer is better off with a retry.',
    metric: 'muster_requests_refused_total{reason="queue_delay"}',
  },
  standingJoinWait: {
    what: 'The same while the queue has not been empty for a second',
    value: 300,
    unit: 'milliseconds',
    response: '409 service_overloaded',
    reason: 'CoDel: a queue that does not empty adds delay and no throughput.',
    metric: 'muster_requests_refused_total{reason="queue_delay"}',
  },
  historyWait: {
    what: 'Longest wait of a history request for a slot',
    value: 2_000,
    unit: 'milliseconds',
    response: '503 service_unavailable',
    reason: 'Many players load their catalogue when a game starts.',
    metric: 'muster_requests_refused_total{reason="queue_delay"}',
  },
  companionWait: {
    what: 'Longest wait of a companion request for a slot',
    value: 2_000,
    unit: 'milliseconds',
    response: '503 service_unavailable',
    reason: 'All players of a session may leave at the end of a match.',
    metric: 'muster_requests_refused_total{reason="queue_delay"}',
  },
  adminWait: {
    what: 'Longest wait of a request to the admin API for a slot',
    value: 10_000,
    unit: 'milliseconds',
    response: '503 service_unavailable',
    reason: 'People prefer a slow page to an error.',
    metric: 'muster_requests_refused_total{reason="queue_delay"}',
  },
  runningExports: {
    what: 'Exports that run at once',
    value: 4,
    unit: 'requests',
    response: '429 rate_limited',
    reason: 'Fewer than half of the connections that the admin API and the histories use.',
    metric: 'muster_requests_refused_total{reason="transfers"}',
  },
  exportsOfPlayers: {
    what: 'Exports of all players that run at once, one per player',
    value: 2,
    unit: 'requests',
    response: '429 rate_limited',
    reason: 'Players who read slowly leave exports to the people who administer the service.',
    metric: 'muster_requests_refused_total{reason="transfers"}',
  },
  runningImports: {
    what: 'Imports that run at once',
    value: 3,
    unit: 'requests',
    response: '429 rate_limited',
    reason: 'A file of up to 64 MiB stays in memory until it is applied.',
    metric: 'muster_requests_refused_total{reason="transfers"}',
  },
  transfersOfCaller: {
    what: 'Exports, and imports, of one service, API key or person that run at once',
    value: 2,
    unit: 'requests',
    response: '429 rate_limited',
    reason: 'Items and Xp tables of a sandbox can be exported together.',
    metric: 'muster_requests_refused_total{reason="transfers"}',
  },
  waitingWatches: {
    what: 'Requests that wait for a change of a session or for an event',
    unit: 'requests',
    response: '503 service_unavailable',
    reason:
      'Each takes about 50 KB of memory. Each also needs a connection: MAX_CONNECTIONS has to be higher.',
    setting: 'MAX_WAITING_WATCHES',
    metric: 'muster_watches_waiting',
  },
  bufferBytes: {
    what: 'Memory for request bodies and for responses that clients have not read; half of it is reserved for bodies, a quarter for those of joins',
    unit: 'bytes',
    response: '409 or 503 for a new request; the slowest reader is disconnected',
    reason: 'Bounds the memory that slow clients can hold.',
    setting: 'BUFFER_MEMORY_MB',
    metric: 'muster_unread_response_bytes, muster_body_bytes',
  },
  headerTime: {
    what: 'Time for the request line and headers, and for the body of a join',
    unit: 'milliseconds',
    response: '408 request_timeout',
    reason: 'A client that sends nothing holds a connection and memory.',
    setting: 'REQUEST_TIMEOUT_SECONDS',
  },
  transferTime: {
    what: 'Time for a whole request, and for a client to read 4 KiB per second of a response',
    unit: 'milliseconds',
    response: '408 request_timeout; a slow reader is disconnected',
    reason: 'Uploads and exports are long; a client that stops reading is gone.',
    setting: 'TRANSFER_TIMEOUT_SECONDS',
    metric: 'muster_requests_cut_total',
  },
} as const satisfies Record<string, Limit>;

/** Costs under the rate limit of a player, in usual requests: about the processor time of the database relative to a join. */
export const COSTS = {
  /**
   * At 100,000 versions of 10,000 records, a page by id takes 1.6 ms of the database, a page by a rare name 6 to 10 ms, and one by a
   * name that all records have 20 to 75 ms. With 5, the objective for costly history pages is missed.
   */
  historyByName: 20,
  /** Bytes of a body that count for one request. To parse and validate them takes as long as a usual join. */
  bodyBytes: 8 * KIB,
  /** Bytes of a response that count for one request. */
  responseBytes: 64 * KIB,
  /** The seats of a player in ended sessions are read too. */
  sessionList: 5,
  /** One call of the admin API. */
  adminCall: 5,
} as const;

/** The lowest speed at which a client may read a response. */
export const MIN_READ_BYTES_PER_SECOND = 4 * KIB;

/** Internal times in milliseconds. Clients do not notice them as limits. */
export const TIMES = {
  /** A queue is a standing queue when it has not been empty for this time: CoDel uses a second for servers. */
  standingAfter: 1_000,
  /** How often waiting requests are checked. An iteration of the event loop takes about as long in a flood. */
  queueCheck: 20,
  /** Rejections that are further apart do not belong to one overload. Twice the delay of a rejection. */
  betweenRejections: 2 * LIMITS.rejectionDelay.value,
  /** An overload begins when requests have been rejected for this time. Bursts of rejections are shorter. */
  overloadedAfter: 250,
  /** When memory is short, even the slowest reader has this time, in which most networks transfer a page. */
  slowestReader: 2_000,
  /** How often the memory of unread responses is measured. */
  budgetCheck: 1_000,
  /** A body that took longer to arrive: its caller is authenticated again, since the permissions may have been withdrawn. */
  slowBody: 1_000,
  /** After an answer to an unreadable request, a client must read it and close the connection. */
  linger: 2_000,
  /** An idle connection is kept open longer than common proxies keep it, so that they, and not this service, close first. */
  keepAlive: 75_000,
  /** How often the server looks for requests that are past their time. */
  timeoutCheck: 1_000,
  /** The time that accepted requests, and responses, have to finish after a stop. The whole stop has ten seconds. */
  stopGrace: 7_000,
  /** Connected clients may still send requests. A connection that looks idle may already carry one, which would be lost. */
  stopLeave: 1_000,
  /** A new connection may take this time to send its first request after a stop. */
  stopFirstRequest: 500,
  /** Before all connections end, clients that still send requests get their responses. */
  stopLastAnswers: 300,
  /** How often a stopping server looks for idle connections. */
  stopCheck: 50,
} as const;

/** Callers whose rate is remembered: about 15 MB. The least recently used one, which is evicted, has its whole burst again by then. */
export const MAX_CALLERS = 100_000;

/** The fraction of the memory budget for bodies that are not those of joins, so that a few callers with large bodies cannot reject joins. */
export const OTHER_BODIES_FRACTION = 3 / 4;

/** The pieces of one body: each chunk, and each packet, costs some microseconds and an object. */
export const PIECES = {
  /** Far more than clients need for a small body. */
  free: 1_000,
  /** A client may send a file line by line, and some rows have two lines. */
  freeOfFile: 60_000,
  /** The average size of further pieces. */
  minBytes: 64,
  /** The largest upload: its sender may read the response only after the last byte. */
  maxUnreadBytes: 64 * MIB,
} as const;

/** The query of a public request: decoding and validating a longer one takes milliseconds. */
export const QUERY = {
  /** Five times what all filters together may hold. */
  parameters: 1_000,
  /** Characters of one encoded parameter: half more than the longest list of ids with an escape for each character. */
  parameterLength: 16_384,
} as const;
