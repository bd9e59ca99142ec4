import { randomUUID } from 'node:crypto';
import { expectProblem, expectProblems, expectRefusal } from '../checks.ts';
import { KINDS, newOnlyRecord } from '../fixtures/catalogue.ts';
import { expectPage, tryHistory } from '../fixtures/histories.ts';
import { joinBody, joinPath } from '../fixtures/joins.ts';
import { inSection } from '../target/context.ts';

const prove = inSection('Public histories');

const everyKind = KINDS.flatMap((kind) => [
  prove(
    `HISTORY_ACCESS=public opens the ${kind.name} history without a credential`,
    async (context) => {
      context.requireHistoryAccess('public');
      const record = await newOnlyRecord(context, kind);
      const page = expectPage(await tryHistory(context, record, {}, {}));
      if (page.transactions.length !== 1) throw new Error('the history is not shown');
    },
  ),
  prove(`a public ${kind.name} history answers a bad request with 422`, async (context) => {
    context.requireHistoryAccess('public');
    const history = { kind, sandboxId: randomUUID() };
    expectProblems(await tryHistory(context, history, { page_size: 0 }, {}));
    expectProblems(await tryHistory(context, { kind, sandboxId: 'x' }, {}, {}));
    const brackets = await tryHistory(context, history, { [`${kind.id}s[]`]: 'a' }, {});
    expectProblem(brackets, `query.${kind.id}s[]`);
  }),
]);

export const publicHistoryCases = [
  ...everyKind,
  prove('with public histories, a join still needs a credential', async (context) => {
    context.requireHistoryAccess('public');
    const path = joinPath({ platform: 'Steam', platformSessionId: 'a' }, randomUUID());
    const answer = await context.postText(path, JSON.stringify(joinBody()), {});
    expectRefusal(answer, 403, 'auth_missing');
  }),
];
