import { randomUUID } from 'node:crypto';
import { expectProblems, expectRefusal } from '../checks.ts';
import { KINDS, newRecord, newSandbox } from '../fixtures/catalogue.ts';
import { expectPage, tryHistory } from '../fixtures/histories.ts';
import { joinBody, joinPath } from '../fixtures/joins.ts';
import { inSection } from '../target/context.ts';

const prove = inSection('Public histories');

const everyKind = KINDS.flatMap((kind) => [
  prove(
    `HISTORY_ACCESS=public opens the ${kind.name} history without a credential`,
    async (context) => {
      context.requireHistoryAccess('public');
      const sandboxId = await newSandbox(context);
      await newRecord(context, kind, sandboxId);
      const page = expectPage(await tryHistory(context, { kind, sandboxId }, {}, {}));
      if (page.transactions.length !== 1) throw new Error('the history is not shown');
    },
  ),
  prove(`a public ${kind.name} history answers a bad request with 422`, async (context) => {
    context.requireHistoryAccess('public');
    const history = { kind, sandboxId: randomUUID() };
    expectProblems(await tryHistory(context, history, { page_size: 0 }, {}));
    expectProblems(await tryHistory(context, { kind, sandboxId: 'x' }, {}, {}));
  }),
]);

const joinStaysClosed = prove(
  'with public histories, a join still needs a credential',
  async (context) => {
    context.requireHistoryAccess('public');
    const path = joinPath({ platform: 'Steam', platformSessionId: 'a' }, randomUUID());
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(joinBody());
    expectRefusal(await context.send({ method: 'POST', path, headers, body }), 403, 'auth_missing');
  },
);

export const publicHistoryCases = [...everyKind, joinStaysClosed];
