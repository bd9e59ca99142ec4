// What a service is asked all day: joins and joins again, histories, edits, and requests that have to be refused.
import type { JoinPlan } from './join-requests.ts';
import { joinPathOf, planJoins, writeJoinBody, writePost } from './join-requests.ts';
import { signToken } from './player-token.ts';

export type MixedPlan = {
  joins: JoinPlan;
  /** Has Items, which are edited and whose history is read. */
  sandboxId: string;
};

/** Of so many requests, one edits, two read a page, one has a bad credential, one a bad body, one asks for nothing there is. */
const CYCLE = 25;

/** `plan.joins.count` requests as texts, the joins with a player each; sent twice, they join again. */
export const writeMixedRequests = ({ joins, sandboxId }: MixedPlan): string[] => {
  const joinAt = planJoins(joins);
  const editor = signToken({ sub: 'editor', permissions: ['*'] }, joins.secret, joins.expiresAt);
  const history = `/v1/history/sandbox/${sandboxId}/item/`;
  const write = (index: number): string => {
    const join = joinAt(index);
    const post = (path: string, token: string, body: string) => writePost(path, token, body);
    switch (index % CYCLE) {
      case 0:
        return post('/admin/trpc/items.create', editor, writeItem(sandboxId, index));
      case 5:
        return writeGet(`${history}?page_size=50`, editor);
      case 10:
        return writeGet(`${history}?page_size=20&name=sword&sort_order=asc`, editor);
      case 15:
        return post(joinPathOf(join), `${join.token}x`, writeJoinBody(join));
      case 20:
        return post(joinPathOf(join), join.token, '{"team_id":"none"}');
      case 24:
        return post(joinPathOf({ ...join, session: 999_999_999 }), join.token, writeJoinBody(join));
      default:
        return post(joinPathOf(join), join.token, writeJoinBody(join));
    }
  };
  return Array.from({ length: joins.count }, (_, index) => write(index));
};

const writeItem = (sandbox_id: string, index: number): string =>
  JSON.stringify({ sandbox_id, name: `Sword ${index}`, item_type: 'unit', tags: ['soak'] });

const writeGet = (path: string, token: string): string =>
  [`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: Bearer ${token}`, '', ''].join(
    '\r\n',
  );
