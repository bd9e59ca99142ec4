// Exports and imports as a script sends them, and sandboxes to try them on.
import type { ImportAnswer } from '../src/transfer/index.ts';
import type { TestService, TestToken } from './start-test-service.ts';

export type Query = Record<string, string | number | boolean>;
type Kind = 'item' | 'xp';
type Problem = { loc: (string | number)[]; msg: string };
/** An import's answer, or why there is none. */
type ImportBody = ImportAnswer & { error_code: string; desc: string; detail: Problem[] };

export const createTransferClient = (service: TestService, token?: TestToken) => {
  const ask = async (path: string, init: RequestInit = {}) =>
    fetch(service.baseUrl + path, { headers: await service.headers(token), ...init });
  const call = async (path: string, init?: RequestInit) => {
    const { result, error } = JSON.parse(await (await ask(path, init)).text());
    if (error) throw new Error(JSON.stringify(error));
    return result.data;
  };
  const urlOf = (action: string, sandbox: string, kind: string, query: Query) => {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) search.set(name, String(value));
    return `/admin/${action}/${sandbox}/${kind}?${search}`;
  };
  const importFile = async (sandbox: string, kind: Kind, query: Query, body: string) => {
    const response = await ask(urlOf('import', sandbox, kind, query), { method: 'POST', body });
    return { status: response.status, body: (await response.json()) as ImportBody };
  };
  /** The plan of a file; fails when the service refuses to make one. */
  const plan = async (sandbox: string, kind: Kind, query: Query, body: string) => {
    const answer = await importFile(sandbox, kind, query, body);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer));
    return answer.body;
  };
  return {
    mutate: (procedure: string, input: object) =>
      call(`/admin/trpc/${procedure}`, { method: 'POST', body: JSON.stringify(input) }),
    query: (procedure: string, input: object) =>
      call(`/admin/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`),
    exportFile: (sandbox: string, kind: string, query: Query = {}) =>
      ask(urlOf('export', sandbox, kind, query)),
    importFile,
    plan,
    /** A dry run, then exactly that plan. */
    apply: async (sandbox: string, kind: Kind, query: Query, body: string) => {
      const { plan_digest = '', head_seq } = await plan(sandbox, kind, query, body);
      const approved = { ...query, mode: 'apply', plan_digest, expected_head_seq: head_seq };
      return importFile(sandbox, kind, approved, body);
    },
  };
};

export type TransferClient = ReturnType<typeof createTransferClient>;
