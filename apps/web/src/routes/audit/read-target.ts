// What an audit record points at: ids by name, as the service wrote them.

import { shortenId } from '../../components/ids/shorten-id.ts';

type Target = Readonly<Record<string, unknown>>;

/**
 * One line: the name that the service knows, how many records it were, or what is left of the ids. Sessions have no
 * name but their type.
 */
export const summarizeTarget = (target: Target, name: string | null): string => {
  const { type, session_id } = target;
  if (isText(type) && isText(session_id)) return `${type} ${shortenId(session_id)}`;
  return name ?? (Object.entries(target).map(describePart).join(' · ') || '–');
};

const describePart = ([field, value]: [string, unknown]): string => {
  if (field === 'item_ids' && Array.isArray(value)) return count(value.length, 'Item');
  if (field === 'xp_ids' && Array.isArray(value)) return count(value.length, 'Xp table');
  if (field === 'records' && typeof value === 'number') return count(value, 'record');
  if (isText(value)) return shortenId(value);
  return JSON.stringify(value);
};

const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;

export type Place =
  | { to: 'item' | 'xp'; sandbox: string; id: string }
  | { to: 'session'; type: string; id: string }
  | { to: 'player' | 'key' | 'sandbox'; id: string };

const isText = (value: unknown): value is string => typeof value === 'string';

/** The pages that show what was changed, by the field of the target that names it. */
export const listPlaces = (target: Target, sandboxId?: string): Map<string, Place> => {
  const places = new Map<string, Place>();
  const { item_id, xp_id, type, session_id, player_uuid, key_id, sandbox_id } = target;
  const sandbox = sandboxId ?? (isText(sandbox_id) ? sandbox_id : undefined);
  if (sandbox && isText(item_id)) places.set('item_id', { to: 'item', sandbox, id: item_id });
  if (sandbox && isText(xp_id)) places.set('xp_id', { to: 'xp', sandbox, id: xp_id });
  if (isText(type) && isText(session_id)) {
    places.set('session_id', { to: 'session', type, id: session_id });
  }
  if (isText(player_uuid)) places.set('player_uuid', { to: 'player', id: player_uuid });
  if (isText(key_id)) places.set('key_id', { to: 'key', id: key_id });
  if (isText(sandbox_id)) places.set('sandbox_id', { to: 'sandbox', id: sandbox_id });
  return places;
};
