// From the description of requests, which crosses process borders, to the bytes.
import type { JoinPlan } from './join-requests.ts';
import { buildJoinRequests, buildRoomRequests } from './join-requests.ts';
import type { RequestSet } from './request-set.ts';
import { buildRequestSet } from './request-set.ts';

export type RequestPlan =
  | { kind: 'joins'; joins: JoinPlan }
  | { kind: 'rooms'; joins: JoinPlan }
  | { kind: 'texts'; texts: readonly string[] };

export const prepareRequests = (plan: RequestPlan): RequestSet => {
  switch (plan.kind) {
    case 'joins':
      return buildJoinRequests(plan.joins);
    case 'rooms':
      return buildRoomRequests(plan.joins);
    case 'texts':
      return buildRequestSet(plan.texts.length, (index) => plan.texts[index] ?? '');
  }
};
