// The service under test, as the cases of one run share it.
import { randomUUID } from 'node:crypto';
import { mintToken } from './mint-token.ts';
import type { TargetSettings } from './settings.ts';

export type Target = {
  readonly settings: TargetSettings;
  /** A token with all permissions. */
  readonly token: string;
  /** Makes a fixture once per run, for those that cases only read. */
  readonly once: <Value>(key: string, make: () => Promise<Value>) => Promise<Value>;
};

/** The longest run that one token must survive; the service reads `exp` only. */
const RUN_SECONDS = 6 * 3600;

export const createTarget = async (settings: TargetSettings): Promise<Target> => {
  const made = new Map<string, Promise<unknown>>();
  const once = <Value>(key: string, make: () => Promise<Value>): Promise<Value> => {
    const value = (made.get(key) as Promise<Value> | undefined) ?? make();
    made.set(key, value);
    return value;
  };
  return { settings, token: settings.token ?? (await mintAllPermissions(settings)), once };
};

const mintAllPermissions = (settings: TargetSettings): Promise<string> =>
  mintToken(settings, {
    sub: randomUUID(),
    permissions: ['*'],
    exp: Math.floor(Date.now() / 1000) + RUN_SECONDS,
  });
