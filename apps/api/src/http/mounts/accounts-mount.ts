// Serves signing in and out under /admin/auth: only the endpoints that are listed, to pages of this service only.
import { text } from '@muster/contract';
import type { Express, Request, RequestHandler, Response } from 'express';
import type { Accounts, AuthEndpoint, AuthRequest, AuthResponse } from '../../auth/index.ts';
import { ACCOUNTS_PATH, AUTH_ENDPOINTS, refuseForeignOrigin } from '../../auth/index.ts';
import type { Logger } from '../../platform/index.ts';
import { ServiceError } from '../../platform/index.ts';
import type { IsOutage } from '../error-answers.ts';
import { isUnavailable, toInputError, toServiceError } from '../error-answers.ts';
import { logFailure } from '../failure-log.ts';
import type { BodyLimits } from '../read-body.ts';
import { parseJsonBody, readUncountedBody, requireJsonType } from '../read-body.ts';
import { enterRoute, localsOf, splitTarget } from '../request.ts';
import { describeCode, noteRefusal } from '../request-log.ts';

export type AccountsMount = { auth: Accounts['auth']; publicUrl: URL | undefined };

/** The largest body is two passwords. */
const MAX_BODY_BYTES = 8_192;
const UserAgent = text(1, 512);

export const mountAccounts = (
  app: Express,
  { auth, publicUrl, limits, ...reporting }: AccountsMount & Reporting & { limits: BodyLimits },
): void => {
  const handle: RequestHandler = async (request, response) => {
    const { path } = splitTarget(request.url);
    const endpoint = Object.hasOwn(AUTH_ENDPOINTS, path) ? AUTH_ENDPOINTS[path] : undefined;
    const locals = localsOf(response);
    locals.routePattern = ACCOUNTS_PATH;
    if (!endpoint) throw new ServiceError('route_not_found');
    enterRoute(request, response, `${ACCOUNTS_PATH}${path}`, [endpoint.method]);
    locals.caller = null;
    // Also without a cookie: another site must not sign a browser in to another account.
    refuseForeignOrigin(request, publicUrl);
    const input = endpoint.method === 'POST' ? await readInput(request, response, limits) : {};
    const parsed = endpoint.body?.safeParse(input);
    if (parsed?.success === false) {
      const field = parsed.error.issues[0]?.path.join('.') || 'The body';
      throw new ServiceError('input_invalid', { desc: `${field} is missing or not valid.` });
    }
    const call = toCall(request, locals.requestId, path, parsed?.data ?? {});
    const onPerson = (accountId: string) => {
      locals.accountId = accountId;
    };
    const answer = await auth.handle(endpoint, { ...call, onPerson }).catch((error: unknown) => {
      if (!isLink(endpoint)) throw error;
      return leadToSignIn(response, error, reporting);
    });
    send(response, answer);
  };
  app.use(ACCOUNTS_PATH, handle);
};

type Reporting = { logger: Logger; isOutage: IsOutage };

/** The issuer redirects the browser to this endpoint, so a failure has to end on a page. */
const isLink = ({ kind, method }: AuthEndpoint): boolean => kind === 'issuer' && method === 'GET';

/** The sign-in page explains the code, and the log has the reason. */
const leadToSignIn = (
  response: Response,
  error: unknown,
  { logger, isOutage }: Reporting,
): AuthResponse => {
  const known = toServiceError(error, isOutage);
  const { code } = known;
  const { cause } = known.evidence;
  if (code === 'internal_error') logFailure(logger, response, 'failed', error);
  else if (isUnavailable(known)) logFailure(logger, response, 'unavailable', cause ?? error);
  noteRefusal(response, known, { error_code: code, reason: describeCode(code) });
  const { requestId } = localsOf(response);
  const query = new URLSearchParams({ error: code, request_id: requestId });
  return { status: 302, cookies: [], location: `/login?${query}` };
};

/** An empty body means no input; the type, where there is one, must be JSON, which no form of another site can send. */
const readInput = async (
  request: Request,
  response: Response,
  limits: BodyLimits,
): Promise<unknown> => {
  const bytes = await readUncountedBody(request, response, MAX_BODY_BYTES, limits);
  const type = request.headers['content-type'];
  requireJsonType(bytes, type);
  if (bytes.length === 0) return {};
  const { value, problems } = parseJsonBody(bytes, type);
  const error = toInputError(problems);
  if (error) throw error;
  return value;
};

const toCall = (
  request: Request,
  requestId: string,
  path: string,
  body: unknown,
): Omit<AuthRequest, 'onPerson'> => {
  const { query } = splitTarget(request.url);
  const { cookie } = request.headers;
  const userAgent = UserAgent.safeParse(request.headers['user-agent']);
  return {
    path,
    query: query === '' ? '' : `?${query}`,
    body,
    requestId,
    ...(cookie && { cookie }),
    ...(userAgent.success && { userAgent: userAgent.data }),
    ...(request.ip && { address: request.ip }),
  };
};

const send = (response: Response, { status, body, cookies, location }: AuthResponse): void => {
  if (cookies.length > 0) response.setHeader('Set-Cookie', cookies);
  if (location !== undefined) response.setHeader('Location', location);
  response.status(status);
  if (body === undefined) response.end();
  else response.json(body);
};
