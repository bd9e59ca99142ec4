// Type tests, checked by `tsc`: a handler with a response that the contract does not allow cannot compile.
import { contract, toServiceErrorBody } from '@muster/contract';
import { initServer } from '@ts-rest/express';

const server = initServer();
const { joinByPlatformSession, listItemHistory } = contract;
const refusal = toServiceErrorBody('team_full');
const emptyHistory = { transactions: [], page_meta: { page_size: 50, total: 0 } };

export const accepted = [
  server.route(joinByPlatformSession, async () => ({ status: 409, body: refusal })),
  server.route(listItemHistory, async () => ({ status: 200, body: emptyHistory })),
];

export const refused = [
  // @ts-expect-error A session without teams is not the resource.
  server.route(joinByPlatformSession, async () => ({ status: 200, body: { type: 'x' } })),
  // @ts-expect-error A join has no 201.
  server.route(joinByPlatformSession, async () => ({ status: 201, body: refusal })),
  // @ts-expect-error The body of a 422 is the list of problems.
  server.route(joinByPlatformSession, async () => ({ status: 422, body: refusal })),
  // @ts-expect-error The histories have no 409.
  server.route(listItemHistory, async () => ({ status: 409, body: refusal })),
  // @ts-expect-error A history has page metadata.
  server.route(listItemHistory, async () => ({ status: 200, body: { transactions: [] } })),
];
