// The whole suite: every file of cases, and which part of the documents its section proves.
import { adminApiCases } from './cases/admin-api.ts';
import { companionCases } from './cases/companion.ts';
import { credentialCases } from './cases/credentials.ts';
import { crossOriginCases } from './cases/cross-origin.ts';
import { dateTimeCases } from './cases/date-times.ts';
import { etagCases } from './cases/etags.ts';
import { historyCursorCases } from './cases/history-cursors.ts';
import { historyFilterCases } from './cases/history-filters.ts';
import { historyNameCases } from './cases/history-names.ts';
import { historyPagingCases } from './cases/history-paging.ts';
import { historyShapeCases } from './cases/history-shape.ts';
import { historyVersionCases } from './cases/history-versions.ts';
import { httpCases } from './cases/http-edges.ts';
import { joinAgainCases } from './cases/join-again.ts';
import { joinCapacityCases } from './cases/join-capacity.ts';
import { clientVersionCases } from './cases/join-client-version.ts';
import { joinCrossplayCases } from './cases/join-crossplay.ts';
import { joinHeldSeatCases } from './cases/join-held-seats.ts';
import { joinInstanceCases } from './cases/join-instances.ts';
import { joinLeadershipCases } from './cases/join-leadership.ts';
import { joinOrderCases } from './cases/join-order.ts';
import { joinPlayerCases } from './cases/join-players.ts';
import { joinRequestCases } from './cases/join-request.ts';
import { joinSeatCases } from './cases/join-seats.ts';
import { permissionCases } from './cases/permissions.ts';
import { platformSessionIdCases } from './cases/platform-session-ids.ts';
import { platformCases } from './cases/platforms.ts';
import { publicHistoryCases } from './cases/public-histories.ts';
import { rateLimitCases } from './cases/rate-limits.ts';
import { sessionBoundCases } from './cases/session-bounds.ts';
import { sessionResourceCases } from './cases/session-resource.ts';
import { sizeCases } from './cases/sizes.ts';
import { valueCases } from './cases/values.ts';
import type { Case } from './target/context.ts';

/** The cases of each file, by the file's name below `src/cases/`. */
export const CASE_FILES: Readonly<Record<string, readonly Case[]>> = {
  'platforms.ts': platformCases,
  'platform-session-ids.ts': platformSessionIdCases,
  'join-request.ts': joinRequestCases,
  'join-order.ts': joinOrderCases,
  'join-seats.ts': joinSeatCases,
  'join-leadership.ts': joinLeadershipCases,
  'join-held-seats.ts': joinHeldSeatCases,
  'join-again.ts': joinAgainCases,
  'join-players.ts': joinPlayerCases,
  'join-client-version.ts': clientVersionCases,
  'join-crossplay.ts': joinCrossplayCases,
  'join-instances.ts': joinInstanceCases,
  'join-capacity.ts': joinCapacityCases,
  'session-resource.ts': sessionResourceCases,
  'session-bounds.ts': sessionBoundCases,
  'sizes.ts': sizeCases,
  'etags.ts': etagCases,
  'date-times.ts': dateTimeCases,
  'values.ts': valueCases,
  'history-shape.ts': historyShapeCases,
  'history-versions.ts': historyVersionCases,
  'history-filters.ts': historyFilterCases,
  'history-names.ts': historyNameCases,
  'history-paging.ts': historyPagingCases,
  'history-cursors.ts': historyCursorCases,
  'credentials.ts': credentialCases,
  'permissions.ts': permissionCases,
  'public-histories.ts': publicHistoryCases,
  'rate-limits.ts': rateLimitCases,
  'http-edges.ts': httpCases,
  'cross-origin.ts': crossOriginCases,
  'companion.ts': companionCases,
  'admin-api.ts': adminApiCases,
};

export const suite: readonly Case[] = Object.values(CASE_FILES).flat();

const filesOf = (prefix: string): string[] =>
  Object.keys(CASE_FILES).filter((file) => file.startsWith(prefix));

const JOINS = filesOf('join-');
const HISTORIES = filesOf('history-');

/** Each section of the interface, and each topic of its decisions, with the files that prove it. */
export const COVERAGE: Readonly<Record<string, readonly string[]>> = {
  'Platform enumeration': ['platforms.ts'],
  'History transaction record': ['history-shape.ts', 'history-versions.ts'],
  'Page metadata': ['history-paging.ts', 'history-cursors.ts'],
  'History response': ['history-shape.ts', 'history-paging.ts'],
  'Validation error body': ['join-request.ts', 'history-paging.ts', 'values.ts', 'http-edges.ts'],
  'Service error body': ['credentials.ts', 'permissions.ts', 'join-order.ts', 'http-edges.ts'],
  'Join request body': ['join-request.ts', 'values.ts'],
  'Client settings': ['platforms.ts', 'join-request.ts'],
  'Crossplay preferences': ['join-request.ts', 'join-crossplay.ts'],
  'Session resource': ['session-resource.ts', 'session-bounds.ts', 'date-times.ts', 'etags.ts'],
  'Player status in a session': ['join-leadership.ts', 'join-held-seats.ts'],
  'Instance join_status and instance_health': ['join-instances.ts'],
  'Endpoints 1 and 2: version histories, with their decisions': HISTORIES,
  'Endpoint 3: join a session by platform session, with its decisions': JOINS,
  'Companion endpoints': ['companion.ts'],
  'Authentication, credentials and permissions': [
    'credentials.ts',
    'permissions.ts',
    'public-histories.ts',
  ],
  'Errors: statuses, bodies, Retry-After': [
    'join-order.ts',
    'join-capacity.ts',
    'join-instances.ts',
    'credentials.ts',
    'rate-limits.ts',
    'http-edges.ts',
  ],
  'Admin API (makes the fixtures)': ['admin-api.ts'],
  Limits: [
    'session-bounds.ts',
    'sizes.ts',
    'join-request.ts',
    'platform-session-ids.ts',
    'rate-limits.ts',
    'http-edges.ts',
  ],
  'Versioning: deprecated fields, semver strings': ['platforms.ts', 'join-client-version.ts'],
  'Decisions: platforms and platform session ids': ['platforms.ts', 'platform-session-ids.ts'],
  'Decisions: order of checks and of rules': ['join-order.ts', 'rate-limits.ts', 'http-edges.ts'],
  'Decisions: CORS': ['cross-origin.ts'],
  'Decisions: values everywhere': ['values.ts', 'session-bounds.ts', 'date-times.ts'],
};
