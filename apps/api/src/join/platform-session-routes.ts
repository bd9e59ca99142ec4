// Which session a platform session belongs to, remembered: platform sessions rarely change their parent.
import { LRUCache } from 'lru-cache';
import { ServiceError } from '../errors/service-error.ts';
import type { SessionStore } from '../sessions/index.ts';

/** Watches how many are remembered; what it answers hears of each look. */
export type ObserveCache = (countEntries: () => number) => (isHit: boolean) => void;

const MAX_ROUTES = 50_000;

export const createPlatformSessionRoutes = (
  { findKeyByPlatformSession }: Pick<SessionStore, 'findKeyByPlatformSession'>,
  observeCache?: ObserveCache,
) => {
  const remembered = new LRUCache<string, string>({ max: MAX_ROUTES });
  const looked = observeCache?.(() => remembered.size);

  const find = async (digest: string): Promise<string> => {
    const sessionKey = await findKeyByPlatformSession(digest);
    if (!sessionKey) throw new ServiceError('platform_session_not_found');
    remembered.set(digest, sessionKey);
    return sessionKey;
  };

  return {
    /**
     * Runs `join` with the key of the session that the platform session belongs to. A remembered key may be wrong by now,
     * which shows in a join that does not find the platform session: then the key is read afresh, and the join runs again.
     * Errors: `platform_session_not_found`, and those of `join`.
     */
    follow: async <Answer>(
      digest: string,
      join: (sessionKey: string) => Promise<Answer>,
    ): Promise<Answer> => {
      const sessionKey = remembered.get(digest);
      looked?.(sessionKey !== undefined);
      if (sessionKey === undefined) return join(await find(digest));
      try {
        return await join(sessionKey);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        remembered.delete(digest);
        return join(await find(digest));
      }
    },
  };
};

const isNotFound = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'platform_session_not_found';
