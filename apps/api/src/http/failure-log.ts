// Logs why a request failed, without the values of its path and query.
import type { Response } from 'express';
import type { Logger } from '../platform/index.ts';
import { describeError } from '../platform/index.ts';
import { decodePercent, localsOf, splitTarget } from './request.ts';

const LEVELS = { failed: 'error', unavailable: 'warn' } as const;

/**
 * The messages of databases and libraries repeat values, among them those of the request. `facts` are of the program itself, such
 * as the name of a procedure.
 */
export const logFailure = (
  logger: Logger,
  response: Response,
  message: keyof typeof LEVELS,
  error: unknown,
  facts: Record<string, string | undefined> = {},
): void => {
  const { requestId, routePattern } = localsOf(response);
  const values = findTargetValues(response.req.originalUrl, routePattern);
  const hide = (text: string) => hideValues(text, values);
  const err = error instanceof Error ? describeError(error, hide) : hide(String(error));
  logger[LEVELS[message]]({ err, ...facts, request_id: requestId }, message);
};

const HIDDEN = '[request]';
/** No ordinary request has more values: beyond them, the whole message is hidden. */
const MAX_VALUES = 200;

/**
 * The text without the values, in either case. Not with a regular expression: V8 refuses one that is as long as a target may
 * be, with a message that repeats it.
 */
export const hideValues = (text: string, values: readonly string[]): string =>
  values.length > MAX_VALUES ? HIDDEN : values.reduce(hideValue, text);

const hideValue = (text: string, value: string): string => {
  const [lowerText, lowerValue] = [text.toLowerCase(), value.toLowerCase()];
  // Some letters have another length in lower case, so that indexes differ.
  if (lowerText.length !== text.length) return HIDDEN;
  let [shown, from] = ['', 0];
  for (;;) {
    const at = lowerText.indexOf(lowerValue, from);
    if (at < 0) return shown + text.slice(from);
    shown += text.slice(from, at) + HIDDEN;
    from = at + lowerValue.length;
  }
};

/** Shorter values occur in every message. */
const MIN_LENGTH = 3;

/** The segments of the path that its pattern does not name and the values of the query, in each spelling; the longest first. */
export const findTargetValues = (target: string, pattern: string): string[] => {
  const { path, query } = splitTarget(target);
  const literal = new Set(pattern.split('/'));
  const segments = path.split('/').filter((segment) => !literal.has(segment));
  const pairs = query.split('&').map((pair) => pair.slice(pair.indexOf('=') + 1));
  const values = [target, path, query, ...segments, ...pairs].flatMap((raw) => {
    const decoded = decodePercent(raw) ?? raw;
    const uuid = decoded.replace(BARE_UUID, '$1-$2-$3-$4-$5');
    return [raw, decoded, decoded.replaceAll('+', ' '), uuid, ...findLeaves(decoded)];
  });
  return [...new Set(values)]
    .filter((value) => value.length >= MIN_LENGTH)
    .sort((a, b) => b.length - a.length);
};

/** A UUID as some engines write it; messages have the usual form. */
const BARE_UUID = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;

/** The strings and numbers in a parameter that is JSON, as those of the admin API are. */
const findLeaves = (text: string): string[] => {
  if (!/^[[{"]/.test(text)) return [];
  const leaves: string[] = [];
  try {
    JSON.parse(text, (_, value: unknown) => {
      if (typeof value === 'string' || typeof value === 'number') leaves.push(String(value));
      return null;
    });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return leaves;
};
