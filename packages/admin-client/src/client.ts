import { readRefusal } from './errors.ts';
import type { Procedures } from './generated/admin-api.ts';

/** Such as `sessions.create`. */
export type ProcedureName = keyof Procedures;
export type Input<Name extends ProcedureName> = Procedures[Name]['input'];
export type Output<Name extends ProcedureName> = Procedures[Name]['output'];

/** The procedures that list pages. */
export type ListName = {
  [Name in ProcedureName]: Output<Name> extends { page_meta: { cursor?: string | undefined } }
    ? Name
    : never;
}[ProcedureName];

export type AdminClientOptions = {
  /** The URL of the service, with the path prefix of a gateway if there is one. */
  baseUrl: string | URL;
  /** An API key or a token, or a function that returns one for every request. */
  token: string | (() => string | Promise<string>);
  /** Used instead of the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** The longest time for one call, in milliseconds. A call with `wait_seconds` has that time in addition. Default 30,000. */
  timeoutMs?: number | undefined;
};

export type CallOptions = {
  /** Aborts the call, which rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
};

/** The input may be left out where every member is optional. */
type Arguments<Name extends ProcedureName> =
  undefined extends Input<Name>
    ? [input?: Input<Name>, options?: CallOptions]
    : [input: Input<Name>, options?: CallOptions];

export type AdminClient = {
  /**
   * Calls a procedure once and returns its data. Rejects with AdminApiError when the service refuses, with the error of `fetch`
   * when there is no response, and with a DOMException named TimeoutError after its timeout.
   */
  call<Name extends ProcedureName>(
    procedure: Name,
    ...args: Arguments<Name>
  ): Promise<Output<Name>>;
  /** Yields the pages of a list, from `cursor` or from its start to its end. */
  pages<Name extends ListName>(
    procedure: Name,
    ...args: Arguments<Name>
  ): AsyncGenerator<Output<Name>, void, void>;
};

const DEFAULT_TIMEOUT_MS = 30_000;

/** A client of the service at `baseUrl`. Throws TypeError when that is not an http(s) URL. */
export const createAdminClient = (options: AdminClientOptions): AdminClient => {
  const { token, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const baseUrl = readBaseUrl(options.baseUrl);
  // The global is looked up at each call, since it may be replaced.
  const send = options.fetch ?? ((url: string, init: RequestInit) => globalThis.fetch(url, init));

  const call = async <Name extends ProcedureName>(
    procedure: Name,
    ...[input, { signal } = {}]: Arguments<Name>
  ): Promise<Output<Name>> => {
    const timeout = AbortSignal.timeout(timeoutMs + readWaitMs(input));
    const credential = typeof token === 'string' ? token : await token();
    const response = await send(`${baseUrl}/admin/trpc/${procedure}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify(input ?? {}),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const text = await response.text();
    if (!response.ok) throw readRefusal(response, text);
    return readData(response, text);
  };

  async function* pages<Name extends ListName>(procedure: Name, ...args: Arguments<Name>) {
    const [input, callOptions] = args;
    let cursor: string | undefined;
    do {
      const next = { ...input, ...(cursor !== undefined && { cursor }) } as Input<Name>;
      const page = await call(procedure, ...([next, callOptions] as Arguments<Name>));
      yield page;
      cursor = page.page_meta.cursor;
    } while (cursor !== undefined);
  }

  return { call, pages };
};

/** A long poll may respond only after its wait. */
const readWaitMs = (input: object | undefined): number =>
  input && 'wait_seconds' in input && typeof input.wait_seconds === 'number'
    ? input.wait_seconds * 1_000
    : 0;

const readBaseUrl = (baseUrl: string | URL): string => {
  const { protocol, origin, pathname } = new URL(baseUrl);
  if (!/^https?:$/.test(protocol)) throw new TypeError(`baseUrl must be http or https: ${baseUrl}`);
  return origin + pathname.replace(/\/+$/, '');
};

/** The types are those of the document: the service proves them in its own tests. */
const readData = <Data>(response: Response, text: string): Data => {
  try {
    return JSON.parse(text).result.data;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) {
      throw readRefusal(response, text);
    }
    throw error;
  }
};
