// Gives every interaction ids of its own, so that none meets what another one left behind.
// A pact names a player, a sandbox, a session: the service sees a fresh id in its place, the pact sees its own.
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { toWrittenUuid, Uuid } from '@muster/contract';

export type Aliases = {
  /** Replaces a UUID of the pact. Other text is unchanged, so that rejections of it can be verified. */
  uuid: (value: string) => string;
  /** UUIDs inside a longer text, such as a permission that is narrowed to a sandbox. */
  uuidsIn: (text: string) => string;
  /** For the name of a session or of its type, at most 128 characters. */
  name: (value: string) => string;
  /** For a legacy player id. */
  playerId: (value: number) => number;
  /** For a platform session id, in the spelling that it is given in. */
  platformSessionId: (value: string) => string;
  /** Puts the pact's own ids back into an answer of the service. */
  restore: (text: string) => string;
};

/** Legacy ids of real players are far below; the service takes up to 2^53 - 1. */
const LOWEST_PLAYER_ID = 2 ** 47;
const HIGHEST_PLAYER_ID = 2 ** 48 - 1;
const MAX_NAME_LENGTH = 128;
const MAX_PLATFORM_SESSION_ID_LENGTH = 4096;
const UUIDS = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|\b[0-9a-f]{32}\b/gi;

export const createAliases = (): Aliases => {
  const known = new Map<string, string>();
  const originals = new Map<string, string>();
  const tag = randomBytes(6).toString('hex');

  /** Makes one alias per kind and value; `restore` replaces aliases in responses by the original values. */
  const alias = (kind: string, value: string, make: () => string): string => {
    const key = `${kind} ${value}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = make();
    known.set(key, made);
    originals.set(made, value);
    return made;
  };

  /** Without hyphens where the pact leaves them out: the service reads what the consumer writes. */
  const uuid = (value: string): string => {
    if (!Uuid.safeParse(value).success) return value;
    const made = alias('uuid', toWrittenUuid(value), randomUUID);
    return value.includes('-') ? made : made.replaceAll('-', '');
  };

  return {
    uuid,
    uuidsIn: (text) => text.replace(UUIDS, uuid),
    name: (value) => {
      // The service refuses a longer one.
      if ([...value].length > MAX_NAME_LENGTH) return value;
      return alias('name', value, () => {
        const room = MAX_NAME_LENGTH - tag.length - 1;
        return `${[...value].slice(0, room).join('')}~${tag}`;
      });
    },
    playerId: (value) => {
      const make = () => String(randomInt(LOWEST_PLAYER_ID, HIGHEST_PLAYER_ID));
      return Number(alias('player_id', String(value), make));
    },
    platformSessionId: (value) => {
      if (value === '' || value.length > MAX_PLATFORM_SESSION_ID_LENGTH) return value;
      // A prefix keeps all spellings of an id the same id, and its length a multiple of four keeps base64 base64. An id
      // without room for it gives its first characters up.
      const hasRoom = value.length + tag.length <= MAX_PLATFORM_SESSION_ID_LENGTH;
      return alias('platform_session', value, () => tag + value.slice(hasRoom ? 0 : tag.length));
    },
    restore: (text) => {
      let restored = text;
      for (const [made, original] of originals) {
        restored = restored.replaceAll(escapeInJson(made), escapeInJson(original));
      }
      return restored;
    },
  };
};

const escapeInJson = (text: string): string => JSON.stringify(text).slice(1, -1);
