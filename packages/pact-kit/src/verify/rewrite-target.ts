// Replaces the ids of a request by those that the service knows them under.
import type { Aliases } from '../apply-states/index.ts';

const HISTORY = /^(\/v1\/history\/sandbox\/)([^/]+)(\/.*)?$/;
const JOIN =
  /^(\/session\/v1\/platform\/[^/]+\/platform-session\/)([^/]+)(\/player\/)([^/]+)(\/?)$/;

/** `target` is path and query as they stand in the request line; what needs no alias stays byte for byte. */
export const rewriteTarget = (target: string, aliases: Aliases): string => {
  const [path = '', ...query] = target.split('?');
  const rewritten = rewritePath(path, aliases);
  return query.length === 0 ? rewritten : `${rewritten}?${rewriteQuery(query.join('?'), aliases)}`;
};

const rewritePath = (path: string, aliases: Aliases): string => {
  const history = HISTORY.exec(path);
  if (history) {
    const [, before, sandbox = '', after = ''] = history;
    return `${before}${replaceSegment(sandbox, aliases.uuid)}${after}`;
  }
  const join = JOIN.exec(path);
  if (!join) return path;
  const [, before, platformSession = '', between, player = '', after] = join;
  const session = replaceSegment(platformSession, aliases.platformSessionId);
  return `${before}${session}${between}${replaceSegment(player, aliases.uuid)}${after}`;
};

/** A segment with a malformed escape is left for the service to refuse. */
const replaceSegment = (segment: string, alias: (value: string) => string): string => {
  try {
    const value = decodeURIComponent(segment);
    const replaced = alias(value);
    return replaced === value ? segment : encodeURIComponent(replaced);
  } catch {
    return segment;
  }
};

const rewriteQuery = (query: string, aliases: Aliases): string =>
  query
    .split('&')
    .map((pair) => {
      const id = /^player_id=(\d{1,15})$/.exec(pair)?.[1];
      return id === undefined ? pair : `player_id=${aliases.playerId(Number(id))}`;
    })
    .join('&');
